"""Answer and evidence recall of retrievers on any question set and corpus: QAMPARI's Table 3.

    python benchmarks/qampari_table3.py [SET --corpus DIR] [--index DIR] [--retrievers bm25,dense,hybrid]
        [--by kind]

Without a set, one is built from a generated world.
Parts after a colon set bm25's parameters: `bm25:0.9:0.4`. `--limit` takes the first questions in the order of
the hashes of their ids, and `--by kind` adds a row for every kind. `--sample 3000` makes a corpus of the
pages of the gold evidence and of other pages, drawn by their hashes, up to so many passages: a smaller
haystack for all retrievers alike, where encoding everything would take too long.
"""

import tempfile
from argparse import Namespace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from _harness import Arguments, Figures, made_set, measured, run_benchmark
from rollcall._core.errors import RollcallError
from rollcall.corpus import Corpus
from rollcall.papers.tables.declared import CUTS
from rollcall.papers.tables.retrieval import (
    MEASURES,
    first_questions,
    opened_retriever,
    recall,
    retrieve,
    sampled_corpus,
)
from rollcall.systems import Retriever
from rollcall.systems.retrieve.dense import Fusion


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("questions", type=Path, nargs="?", metavar="SET")
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="that of the set")
    parser.add_argument("--entities", type=int, default=3000, smoke=500, help="of a world, without SET")
    parser.add_argument("--index", type=Path)
    parser.add_argument("--retrievers", default="bm25,bm25:0.9:0.4")
    parser.add_argument("--split")
    parser.add_argument("--limit", type=int, smoke=20)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--by")
    return parser


def main(given: Namespace, figures: Figures) -> None:
    if bool(given.questions) != bool(given.corpus):
        raise RollcallError("a set needs its corpus: give SET and --corpus")
    with tempfile.TemporaryDirectory() as folder:
        if given.questions is None:
            print(f"a set built from a generated world of {given.entities:,} entities")
            made = made_set(Path(folder), given.entities, changes=["evidence.verifier=contrast"])
            given.questions, given.corpus = made / "set", made / "corpus"
        print_table(given, figures)


def print_table(given: Namespace, figures: Figures) -> None:
    questions = first_questions(given.questions, given.split, given.limit)
    table = Table(title=f"{len(questions)} questions, recall in percent")
    for heading in ("retriever", *(f"A@{cut}" for cut in CUTS), *(f"E@{cut}" for cut in CUTS), "q/s"):
        table.add_column(heading, justify="left" if heading == "retriever" else "right")
    with Corpus.open(given.corpus) as corpus, tempfile.TemporaryDirectory() as folder:
        if given.sample is not None:
            corpus = sampled_corpus(corpus, questions, given.sample, Path(folder) / "corpus")
        ready: dict[str, Retriever] = {}
        for name in given.retrievers.split(","):
            parts = ("bm25+dense" if name == "hybrid" else name).split("+")
            for part in parts:
                ready.setdefault(part, opened_retriever(part, corpus, questions, given.index))
            retriever = ready[parts[0]] if len(parts) == 1 else Fusion(*(ready[part] for part in parts))
            cost, passages = measured(lambda retriever=retriever: retrieve(questions, retriever))
            rate = f"{len(questions) / cost.seconds:.0f}"
            for group, values in recall(questions, passages, given.by).items():
                figures[f"{name}, {group}"] = dict(zip(MEASURES, values, strict=True))
                label = retriever.name if group == "all" else f"  {group}"
                shares = [f"{100 * value:.1f}" for value in values]
                table.add_row(label, *shares, rate if group == "all" else "")
    Console(width=130).print(table)


if __name__ == "__main__":
    run_benchmark(arguments(), main)
