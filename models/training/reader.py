"""Fits the packaged trees of the reader `rollcall` to several question sets.

    python models/training/reader.py OUT --source SET GRAPH CORPUS SPLITS LIMIT --source ... [--k 100]
    python models/training/reader.py OUT --source ... --test SET GRAPH CORPUS SPLITS LIMIT
    python models/training/reader.py OUT --source ... --trained PARTS --part EXPORTED

Sources are named as in `sources.py`. Passages are those of BM25. With `--test`, the F1 on other questions is
printed for each such set, by kind.

With `--trained`, the trees also weigh the scores of a mention scorer: PARTS is what `rollcall train rollcall
--option only=parts --option folds=N` made of the same questions, with the scores that models gave to
questions they had not seen; EXPORTED is the scorer as `mention_export.py` wrote it, which is put into OUT.
"""

import argparse
import shutil
import zlib
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import msgspec

from rollcall.graph import Graph
from rollcall.questions import Question
from rollcall.systems import Context, open_retriever
from rollcall.systems.interfaces import asked
from rollcall.systems.read.combined.looks import Looks, Solved, Weighing, fit_looks
from rollcall.systems.read.combined.nearness import is_plain
from rollcall.systems.read.combined.statements import Statements, StatementWeights
from rollcall.systems.read.rollcall_reader import PARTS, open_nearness, open_part, open_search
from rollcall.systems.train.combined import SCORES
from rollcall.systems.train.model_folder import (
    ModelDescription,
    read_about,
    seen_hash,
    trained_on,
    write_about,
)
from rollcall.systems.train.selection import figures
from rollcall.systems.train.training_example import TrainingExample
from rollcall.version import __version__
from sources import Source, learned_from
from statements import Example, examples, fit_statements

SCORER = "mention-scorer"
_FOLDS = 3


def solved(
    source: Source,
    k: int,
    part: Path | None = None,
    scores: Path | None = None,
    tests: Sequence[Source] = (),
    encoded: bool | None = None,
) -> tuple[list[Question], list[Solved]]:
    """The questions of a source with their passages, weighed with a mention scorer if there is one.

    What has the words or a relation of tested questions is left out. `encoded` says whether the corpus is
    encoded for what is near a question; by default it is for most questions.
    """
    _, graph, corpus, _, limit = source
    found = learned_from(source, tests)
    if scores is not None:  # only what models have scored that had not seen it
        known = set(read_about(scores.parent, "rollcall").trained_on.seen)
        found = [one for one in found if seen_hash(one.question) in known]
    found = found[: int(limit) or None]
    context = Context(found, corpus=Path(corpus), graph=Path(graph))
    parts = {} if part is None else {SCORER: open_part(SCORER, part, context, scores)}
    near = open_nearness(context) if encoded is not False else None
    opened = Graph.open(Path(graph))
    weighing = Weighing(opened, context.store, parts, search=open_search(context, near), near=near)
    plain = weighing if encoded is not None else weighing.without_nearness(open_search(context, None))
    retrieved = open_retriever("bm25", context).retrieve([asked(one) for one in found], k)
    pairs = zip(found, retrieved, strict=True)
    return found, [
        Solved(plain if is_plain(one.question) else weighing, asked(one), passages, one.answers)
        for one, passages in pairs
    ]


def with_statements(
    sources: Sequence[tuple[list[Question], list[Solved]]],
) -> tuple[Statements, list[Solved]]:
    """The weights of statements; and the questions with those of models that have not seen their relations.

    Worlds share their relations, so that one world is learned from the others. Of real pages a third of the
    relations at a time is kept out.
    """
    learned: list[tuple[bool, int, list[Example]]] = []
    for number, (questions, given) in enumerate(sources):
        is_world = _is_world(questions)
        for question, one in zip(questions, given, strict=True):
            fold = number if is_world else _relations_hash(question) % _FOLDS
            learned.append((is_world, fold, examples(question, one)))
    whole: dict[tuple[bool, int | None], StatementWeights] = {}
    for is_world in (True, False):
        for left_out in (None, *sorted({fold for kind, fold, _ in learned if kind == is_world})):
            some = [
                one for kind, fold, each in learned if kind == is_world and fold != left_out for one in each
            ]
            whole[is_world, left_out] = fit_statements(some)
    known: dict[tuple[int, int], Weighing] = {}
    found: list[Solved] = []
    every = [one for _, given in sources for one in given]
    for (is_world, fold, _), one in zip(learned, every, strict=True):
        kept = Statements(whole[True, fold if is_world else None], whole[False, None if is_world else fold])
        key = id(one.weighing), fold
        if key not in known:
            known[key] = one.weighing.with_statements(kept)
        found.append(one._replace(weighing=known[key]))
    return Statements(whole[True, None], whole[False, None]), found


def _is_world(questions: Sequence[Question]) -> bool:
    """Whether questions are about a generated world, whose entities have numbers that no others have."""
    ids = [one.id or "" for question in questions for one in question.answers]
    return sum(one.startswith("Q2000") for one in ids) > len(ids) / 4


def _relations_hash(question: Question) -> int:
    return zlib.crc32(",".join(question.relations).encode())


def show(
    looks: Looks, statements: Statements, source: Source, k: int, part: Path | None, encoded: bool
) -> None:
    questions, given = solved(source, k, part, encoded=encoded)
    weighing = given[0].weighing.with_statements(statements)
    given = [one._replace(weighing=weighing) for one in given]
    by_kind: dict[str, list[float]] = defaultdict(list)
    for question, one in zip(questions, given, strict=True):
        first = one.weighing.first([one.question], [one.passages], looks.things)[0]
        answers = one.weighing.choose(one.question, first, looks.chances(one.weighing, one.question, first))
        example = TrainingExample(question.id, question.question, answers=question.answers)
        value = figures([answers], [example])["F1"]
        by_kind["all"].append(value)
        by_kind[question.kind or "?"].append(value)
    for kind, values in by_kind.items():
        told = f"{source[0]}{'' if encoded else ', not encoded'}: {kind}"
        print(f"{told:<50}{len(values):6}{100 * sum(values) / len(values):8.1f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--source", nargs=5, action="append", required=True)
    parser.add_argument("--test", nargs=5, action="append", default=[])
    parser.add_argument("--trained", type=Path, help="parts with the scores of unseen questions")
    parser.add_argument("--part", type=Path, help="the mention scorer as it is packaged")
    parser.add_argument("--k", type=int, default=100)
    parser.add_argument("--threads", type=int, default=1, help="more only on cores that are free")
    given = parser.parse_args()
    if (given.trained is None) != (given.part is None):
        parser.error("--trained and --part belong together")
    trained: Path | None = given.trained
    part, scores = (None, None) if trained is None else (trained / PARTS / SCORER, trained / SCORES)
    sources: list[tuple[list[Question], list[Solved]]] = []
    names = []
    known: set[str] = set()
    for source in given.source:
        questions, some = solved(source, given.k, part, scores, given.test)
        # The same words in another set add nothing.
        new = [pair for pair in zip(questions, some, strict=True) if pair[0].question not in known]
        sources.append(([question for question, _ in new], [one for _, one in new]))
        known |= {question.question for question in questions}
        names.append(f"{Path(source[0]).name}: {len(new)}")
    statements, learned = with_statements(sources)
    fitted = fit_looks(learned, threads=given.threads)
    given.out.mkdir(parents=True, exist_ok=True)
    fitted.looks.save(given.out)
    statements.write(given.out)
    if given.part is not None:
        shutil.copytree(given.part, given.out / PARTS / SCORER, dirs_exist_ok=True)
    record = trained_on("; ".join(names), "train", [one.question.question for one in learned])
    write_about(
        given.out,
        ModelDescription(
            "rollcall",
            "",
            {"parts": "none" if given.part is None else SCORER},
            record,
            {"retriever": "bm25"},
            given.k,
            rollcall=__version__,
        ),
    )
    print(msgspec.json.encode(names).decode())
    for source in given.test:
        for encoded in (True, False):
            show(fitted.looks, statements, source, given.k, given.part, encoded)


if __name__ == "__main__":
    main()
