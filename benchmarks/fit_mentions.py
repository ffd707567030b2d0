"""Fit the weights that the reader `mentions` comes with, and write them into the package.

python benchmarks/fit_mentions.py [--entities 3000] [--seed 21] [--passages 50] [--out FILE]

A world is generated, a set built from it by the recipe `qampari`, and the weights fitted to all its questions
with the passages that BM25 retrieves: the same regression that fits a reader to the training split of a set.
A world has classes, and a page for each entity. Other graphs have no classes, and other texts no page about
one thing, so the questions are dealt to four kinds of reading: with and without classes, and with passages as
they are, or as notes: no title says what they are about, but each sentence does.
"""

import tempfile
from argparse import Namespace
from pathlib import Path
from typing import get_args

import msgspec

from _harness import Arguments, Figures, made_set, run_benchmark
from rollcall.corpus import Corpus
from rollcall.graph import Graph, make_graph
from rollcall.questions import QuestionSet
from rollcall.questions.run import Passage
from rollcall.systems import Context, open_retriever
from rollcall.systems.interfaces import asked
from rollcall.systems.read import mentions
from rollcall.systems.read.mentions import AnswerWeights, Form, Mentions, MentionWeights, tune_to
from rollcall.text.sentences import split


def fitted(folder: Path, entities: int, seed: int, passages: int) -> MentionWeights:
    """The weights for the questions of a world's set."""
    made_set(folder, entities, seed)
    questions = [one for one in QuestionSet.open(folder / "set") if one.answers]
    retriever = open_retriever("bm25", Context(questions, corpus=Corpus.open(folder / "corpus")), {})
    retrieved = retriever.retrieve([asked(one) for one in questions], passages)
    tables = [folder / "graph" / f"{name}.parquet" for name in ("entities", "aliases", "facts", "values")]
    typed, untyped = Mentions(Graph.open(folder / "graph")), Mentions(make_graph(tables, folder / "untyped"))
    readings = []
    for number, (question, found) in enumerate(zip(questions, retrieved, strict=True)):
        reader = typed if number % 2 else untyped
        readings.append((reader, question, [as_notes(one) for one in found] if number % 4 < 2 else found))
    tune_to(readings)
    fitted_to = (
        f"{len(questions)} questions of a set built from a world of {entities} entities, seed {seed}; "
        f"BM25, {passages} passages; with and without classes, as pages and as notes"
    )
    return MentionWeights(*(rounded(typed.weights.of(form)) for form in get_args(Form)), fitted_to)


def as_notes(passage: Passage) -> Passage:
    """The text without its title, with the name of what it is about in every sentence."""
    sentences = (passage.text[start:end] for start, end in split(passage.text))
    return Passage(passage.id, "", " ".join(f"{passage.title}: {one}" for one in sentences), passage.score)


def rounded(weights: AnswerWeights) -> AnswerWeights:
    """Three digits are more than the regression knows."""
    features = {name: round(weight, 3) for name, weight in weights.features.items()}
    return msgspec.structs.replace(weights, bias=round(weights.bias, 3), features=features)


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--entities", type=int, default=3000, smoke=500)
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--passages", type=int, default=50, help="for each question")
    packaged = Path(mentions.__file__).with_name("mention_weights.json")
    parser.add_argument("--out", type=Path, default=packaged, smoke=None)
    return parser


def main(given: Namespace, figures: Figures) -> None:
    with tempfile.TemporaryDirectory() as folder:
        weights = fitted(Path(folder), given.entities, given.seed, given.passages)
        out = given.out or Path(folder) / "weights.json"
        weights.write(out)
        print(out.read_text())


if __name__ == "__main__":
    run_benchmark(arguments(), main)
