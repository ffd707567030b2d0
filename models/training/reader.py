"""Fits the packaged trees of the reader `rollcall` to several question sets.

    python models/training/reader.py OUT --source SET GRAPH CORPUS SPLITS LIMIT --source ... [--k 100]
    python models/training/reader.py OUT --source ... --test SET GRAPH CORPUS SPLITS LIMIT

SPLITS are joined by commas; LIMIT is a number of questions, 0 for all. Passages are those of BM25. With
`--test`, the F1 on other questions is printed for each such set, by kind.
"""

import argparse
import hashlib
from collections import defaultdict
from pathlib import Path

import msgspec

from rollcall.graph import Graph
from rollcall.questions import Question, read_questions
from rollcall.systems import Context, open_retriever
from rollcall.systems.interfaces import asked
from rollcall.systems.read.combined.looks import Looks, Solved, fit_looks
from rollcall.systems.read.combined.weighing import Weighing
from rollcall.systems.train.exercise import Exercise
from rollcall.systems.train.figures import figures
from rollcall.systems.train.model_folder import About, trained_on, write_about
from rollcall.version import __version__


def solved(source: list[str], k: int) -> tuple[list[Question], list[Solved]]:
    """The questions of a source with their passages."""
    name, graph, corpus, splits, limit = source
    found = [one for one in read_questions(Path(name)) if one.split in splits.split(",") and one.answers]
    found.sort(key=lambda one: hashlib.md5(one.question.encode()).hexdigest())
    found = found[: int(limit) or None]
    context = Context(found, corpus=Path(corpus), graph=Path(graph))
    weighing = Weighing(Graph.open(Path(graph)), context.store)
    retrieved = open_retriever("bm25", context).retrieve([asked(one) for one in found], k)
    pairs = zip(found, retrieved, strict=True)
    return found, [Solved(weighing, asked(one), passages, one.answers) for one, passages in pairs]


def show(looks: Looks, source: list[str], k: int) -> None:
    questions, given = solved(source, k)
    by_kind: dict[str, list[float]] = defaultdict(list)
    for question, one in zip(questions, given, strict=True):
        first = one.weighing.first([one.question], [one.passages], looks.things)[0]
        answers = one.weighing.choose(one.question, first, looks.chances(one.weighing, one.question, first))
        exercise = Exercise(question.id, question.question, answers=question.answers)
        value = figures([answers], [exercise])["F1"]
        by_kind["all"].append(value)
        by_kind[question.kind or "?"].append(value)
    for kind, values in by_kind.items():
        print(f"{Path(source[0]).name}: {kind:<20}{len(values):6}{100 * sum(values) / len(values):8.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--source", nargs=5, action="append", required=True)
    parser.add_argument("--test", nargs=5, action="append", default=[])
    parser.add_argument("--k", type=int, default=100)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    learned: list[Solved] = []
    names = []
    for source in given.source:
        questions, some = solved(source, given.k)
        names.append(f"{Path(source[0]).name}: {len(questions)}")
        learned += some
    fitted = fit_looks(learned, threads=given.threads)
    given.out.mkdir(parents=True, exist_ok=True)
    fitted.looks.save(given.out)
    record = trained_on("; ".join(names), "train", [one.question.question for one in learned])
    write_about(
        given.out,
        About(
            "rollcall", "", {"parts": "none"}, record, {"retriever": "bm25"}, given.k, rollcall=__version__
        ),
    )
    print(msgspec.json.encode(names).decode())
    for source in given.test:
        show(fitted.looks, source, given.k)


if __name__ == "__main__":
    main()
