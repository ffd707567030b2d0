"""Fit the weights that the reader `mentions` comes with, and write them into the package.

python benchmarks/fit_mentions.py [--entities 3000] [--seed 21] [--passages 50] [--out FILE]

A world is generated, a set built from it by the recipe `qampari`, and the weights fitted to all its questions
with the passages that BM25 retrieves: the same regression that fits a reader to the training split of a set.
"""

import argparse
import tempfile
from pathlib import Path

import msgspec

from rollcall.build import build
from rollcall.corpus import Corpus, make_corpus
from rollcall.graph import Graph, make_graph
from rollcall.systems import Context, open_retriever
from rollcall.systems.interfaces import asked
from rollcall.systems.read import mention_weights
from rollcall.systems.read.mention_weights import AnswerWeights, MentionWeights
from rollcall.systems.read.mentions import Mentions
from rollcall.systems.read.tuning import tune_to
from rollcall.world import write_world


def fitted(folder: Path, entities: int, seed: int, passages: int) -> MentionWeights:
    """The weights for the questions of a world's set."""
    world = write_world(folder / "world", entities, seed)
    make_graph([world.wikidata], folder / "graph")
    make_corpus([world.pages], folder / "corpus", graph=folder / "graph")
    made = build("qampari", graph=folder / "graph", corpus=folder / "corpus", out=folder / "set")
    questions = [one for one in made if one.answers]
    retriever = open_retriever("bm25", Context(questions, corpus=Corpus.open(folder / "corpus")), {})
    retrieved = retriever.retrieve([asked(one) for one in questions], passages)
    reader = Mentions(Graph.open(folder / "graph"))
    tune_to(reader, questions, retrieved)
    fitted_to = (
        f"{len(questions)} questions of a set built from a world of {entities} entities, seed {seed}; "
        f"BM25, {passages} passages"
    )
    return MentionWeights(rounded(reader.weights.plain), rounded(reader.weights.chained), fitted_to)


def rounded(weights: AnswerWeights) -> AnswerWeights:
    """Three digits are more than the regression knows."""
    features = {name: round(weight, 3) for name, weight in weights.features.items()}
    return msgspec.structs.replace(weights, bias=round(weights.bias, 3), features=features)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--entities", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--passages", type=int, default=50, help="for each question")
    parser.add_argument(
        "--out", type=Path, default=Path(mention_weights.__file__).with_name("mention_weights.json")
    )
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        weights = fitted(Path(folder), given.entities, given.seed, given.passages)
    weights.write(given.out)
    print(given.out.read_text())


if __name__ == "__main__":
    main()
