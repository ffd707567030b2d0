"""Do hidden answers that the text states come back, and how many wrong ones come with them?

python benchmarks/bench_completion.py [FOLDER] [--share 0.3] [--seeds 2] [--entities 3000] [--wrong FILE]

FOLDER has `facts.tsv.gz`, `entities.jsonl.gz`, `pages.jsonl.gz`, `triples.jsonl.gz` and other tables, as
`shared/real/docred` has; by default it is used if it lies beside the project. A share of its facts is hidden
from the graph, and the recipe `qampari` builds a set. An answer is hidden if it needs a hidden fact. It is
stated if the sentences that people marked as evidence state every hidden fact that it needs. An answer that
the build adds is right if the hidden facts give it, and wrong otherwise.

The same is done with generated worlds, whose truth is complete.

Thresholds are chosen on one fold of the questions (those of half of the relations) and reported on the other:
`chosen` has the least probability from which the answers of the first fold are 95 % right, and how the second
fold does with it. `--wrong` writes the wrong answers with their sentences to a file, to be read.
"""

import gzip
import hashlib
import json
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from _harness import Arguments, Figures, measured, real_data, run_benchmark
from rollcall.audit.sources.evaluate import AllFacts, Evaluator, Fact, GraphFacts, SomeFacts
from rollcall.build import build
from rollcall.corpus import make_corpus
from rollcall.graph import Graph, make_graph
from rollcall.query import Query
from rollcall.questions import QuestionSet
from rollcall.questions.record import Question
from rollcall.tables.build import FurtherAnswers
from rollcall.tables.files import records

RIGHT = 0.95
SWEEP = (0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)
LEAST = 0.05
"""The probability from which answers are kept, so that thresholds above it can be tried."""
CHANGES = ("answers.least=3", f"completion.neutral={LEAST}", "completion.open=0")


class Given(NamedTuple):
    """A built set, the hidden facts, and those of them that text states."""

    folder: Path
    hidden: set[Fact]
    stated: set[Fact]


class Added(NamedTuple):
    """An answer that the build found in text."""

    fold: int
    question: str
    answer: str
    chance: float
    counts: bool
    right: bool
    stated: bool


class Outcome(NamedTuple):
    """What came back of what was hidden."""

    added: list[Added]
    hidden: tuple[int, int]
    """The hidden answers of each fold."""
    stated: tuple[int, int]
    """Those that text states."""


def docred(data: Path, folder: Path, share: float, seed: int) -> Given:
    """Hide a share of the facts of annotated text, and make a graph and a corpus of the rest."""
    lines = gzip.decompress((data / "facts.tsv.gz").read_bytes()).decode().splitlines()
    hidden = {line for line in lines[1:] if _draw(f"{seed}{line}") < share}
    (folder / "facts.tsv").write_text("\n".join(line for line in lines if line not in hidden) + "\n")
    others = [data / name for name in ("values.tsv.gz", "entities.jsonl.gz", "relations.tsv")]
    graph, corpus = folder / "graph", folder / "corpus"
    make_graph(
        [folder / "facts.tsv", *(path for path in others if path.exists())], graph, show_progress=False
    )
    make_corpus([data / "pages.jsonl.gz"], corpus, graph=graph, show_progress=False)
    names = {row["id"]: _names(row) for row in _rows(data / "entities.jsonl.gz")}
    marked = {
        (row["subject"], row["relation"], row["object"])
        for row in _rows(data / "triples.jsonl.gz")
        if row["kind"] == "true"
    }
    facts = {Fact(*line.split("\t")) for line in hidden}
    stated = {
        fact
        for fact in facts
        if any(
            (subject, fact.relation, object_) in marked
            for subject in names[fact.subject]
            for object_ in names[fact.object]
        )
    }
    return Given(folder, facts, stated)


def world(folder: Path, entities: int, share: float, seed: int) -> Given:
    """A generated world whose dump lacks a share of its facts."""
    from bench_completeness import fates
    from rollcall.world import write_world

    files = write_world(folder / "world", entities, seed, unknown=share, show=False)
    graph, corpus = folder / "graph", folder / "corpus"
    make_graph([files.wikidata], graph, show_progress=False)
    make_corpus([files.pages], corpus, graph=graph, show_progress=False)
    hidden = {fact: fate for fact, fate in fates(files).items() if not fate.known}
    return Given(folder, set(hidden), {fact for fact, fate in hidden.items() if fate.told})


def _draw(text: str) -> float:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") / 2**64


def _rows(path: Path) -> Iterable[dict[str, Any]]:
    return map(json.loads, gzip.decompress(path.read_bytes()).splitlines())


def _names(row: Mapping[str, Any]) -> list[str]:
    return [row["label"], *(alias if isinstance(alias, str) else alias["text"] for alias in row["aliases"])]


def made_set(folder: Path, out: Path, changes: Sequence[str]) -> QuestionSet:
    return build("qampari", graph=folder / "graph", corpus=folder / "corpus", out=out, changes=list(changes))


def outcome(given: Given, out: Path) -> Outcome:
    """Compare what a build added with what was hidden."""
    questions = {str(question.provenance["key"]): question for question in QuestionSet.open(out)}
    hidden_counts, stated_counts, added = [0, 0], [0, 0], []
    further: dict[str, list[dict[str, Any]]] = {}
    for row in records(FurtherAnswers, out / ".build" / "complete" / "further.parquet"):
        further.setdefault(row["key"], []).append(row)
    with Graph.open(given.folder / "graph") as graph:
        evaluator = Evaluator(graph)
        facts = AllFacts(GraphFacts(graph), SomeFacts(sorted(given.hidden)))
        for key, question in sorted(questions.items()):
            assert question.query is not None
            query = Query.parse(question.query.text)
            if not all(graph.index.relation_number(relation) is not None for relation in query.relations):
                continue  # about a list
            known = {answer for answer in graph.answers(query) if isinstance(answer, str)}
            derived: dict[str, bool] = {}
            for way in evaluator.derive(query, facts):
                if way.answer not in known:
                    stated = all(fact in given.stated for fact in way.facts if fact in given.hidden)
                    derived[way.answer] = derived.get(way.answer, False) or stated
            fold = _fold(query)
            hidden_counts[fold] += len(derived)
            stated_counts[fold] += sum(derived.values())
            added += [
                Added(
                    fold,
                    question.id,
                    row["answer"],
                    row["chance"],
                    row["counts"],
                    row["answer"] in derived,
                    derived.get(row["answer"], False),
                )
                for row in further.get(key, ())
            ]
    return Outcome(added, (hidden_counts[0], hidden_counts[1]), (stated_counts[0], stated_counts[1]))


def _fold(query: Query) -> int:
    return int(_draw("\t".join(query.relations)) < 0.5)


class Row(NamedTuple):
    """How answers from a probability on do."""

    added: int
    right: float
    back: float
    stated_back: float


def row_of(outcomes: Sequence[Outcome], fold: int | None, least: float, *, counting: bool = False) -> Row:
    """Answers from a probability on: how many are right, and which share of the hidden ones came back."""
    folds = (0, 1) if fold is None else (fold,)
    chosen = [
        answer
        for result in outcomes
        for answer in result.added
        if answer.fold in folds and answer.chance >= least and (answer.counts or not counting)
    ]
    hidden, stated = (
        sum(getattr(result, name)[number] for result in outcomes for number in folds)
        for name in ("hidden", "stated")
    )
    right = sum(answer.right for answer in chosen)
    return Row(
        len(chosen),
        right / max(len(chosen), 1),
        right / max(hidden, 1),
        sum(answer.stated for answer in chosen) / max(stated, 1),
    )


def show(name: str, outcomes: Sequence[Outcome], figures: Figures) -> None:
    print(f"{name}: {sum(sum(result.hidden) for result in outcomes):,} answers hidden, ", end="")
    print(f"{sum(sum(result.stated) for result in outcomes):,} of them stated")
    print(f"{'':24}{'added':>8}{'right':>8}{'back':>8}{'stated back':>13}")
    table = {}
    for least in SWEEP:
        table[f"from {least:g}"] = row_of(outcomes, None, least)
    table["that count"] = row_of(outcomes, None, LEAST, counting=True)
    for fold in (0, 1):
        reached = [least for least in SWEEP if row_of(outcomes, fold, least).right >= RIGHT]
        least = min(reached, default=1.0)
        table[f"chosen {least:g}, fold {1 - fold}"] = row_of(outcomes, 1 - fold, least)
    for words, row in table.items():
        print(f"{words:24}{row.added:8,}{row.right:8.1%}{row.back:8.1%}{row.stated_back:13.1%}")
    figures[name] = {words: row._asdict() for words, row in table.items()}


def write_wrong(path: Path, out: Path, result: Outcome) -> None:
    """Write the wrong answers that count, and likely neutral ones, with their sentences."""
    wrong = {(answer.question, answer.answer): answer for answer in result.added if not answer.right}
    with path.open("a", encoding="utf-8") as lines:
        question: Question
        for question in QuestionSet.open(out):
            for answer in (*question.answers, *question.neutral):
                added = wrong.get((question.id, str(answer.id)))
                if added is not None:
                    sentences = [piece.text for piece in answer.evidence]
                    row = [question.question, answer.label, added.chance, added.counts, sentences]
                    lines.write(json.dumps(row, ensure_ascii=False) + "\n")


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("data", type=Path, nargs="?", default=real_data("docred"), smoke=None)
    parser.add_argument("--share", type=float, default=0.3, help="of the facts, hidden from the graph")
    parser.add_argument("--seeds", type=int, default=2, smoke=1, help="how often other facts are hidden")
    parser.add_argument("--entities", type=int, default=3000, smoke=500, help="of the worlds")
    parser.add_argument("--verifier", help="the recipe's verifier by default")
    parser.add_argument("--wrong", type=Path, metavar="FILE", help="write the wrong answers here")
    return parser


def main(options: Namespace, figures: Figures) -> None:
    verifier = [f"evidence.verifier={options.verifier}"] if options.verifier else []
    for name in ("annotated text", "worlds"):
        if name == "annotated text" and options.data is None:
            continue
        outcomes, seconds = [], 0.0
        for seed in range(1, options.seeds + 1):
            with TemporaryDirectory() as scratch:
                folder = Path(scratch)
                if name == "worlds":
                    given = world(folder, options.entities, options.share, seed)
                else:
                    given = docred(options.data, folder, options.share, seed)
                out = folder / "set"
                changes = [*CHANGES, *verifier]
                cost, _set = measured(lambda: made_set(folder, out, changes))  # noqa: B023
                outcomes.append(outcome(given, out))
                seconds += cost.seconds
                if options.wrong is not None and name == "annotated text":
                    write_wrong(options.wrong, out, outcomes[-1])
        show(name, outcomes, figures)
        figures[f"{name}: seconds of a build"] = seconds / options.seeds


if __name__ == "__main__":
    run_benchmark(arguments(), main)
