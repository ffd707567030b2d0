"""The tables of GraphQuestions: systems that answer from a graph alone, by the paper's own scorer.

- `of_world`, `of_facts`: a graph and its questions, in the splits train, dev, relations and wordings.
- `with_sides`: which questions are learned and which are asked. `form`: a wording without names.
- `answered`: systems are trained on the split train, and asked both tests.
- `tables`: all tables in Markdown.
"""

import math
import re
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from rollcall.build.make import build
from rollcall.graph import Graph, make_graph
from rollcall.papers.tables.scoring import cell, judgements, markdown
from rollcall.query import Query
from rollcall.questions import Question, QuestionSet, Run
from rollcall.questions.given import given_questions, run_in_gold
from rollcall.questions.splits import lot, split_relations
from rollcall.score import Report, score
from rollcall.score.comparison import letter
from rollcall.systems.train.verb import train
from rollcall.systems.verbs import run
from rollcall.world.write import write_world

# The graphs and the sets built from them, made once and kept.

_FILES = ("facts.tsv.gz", "values.tsv.gz", "entities.jsonl.gz", "relations.tsv")


class QuestionsOfGraph(NamedTuple):
    """A graph and its questions, in the splits train, dev, relations and wordings."""

    name: str
    folder: Path
    graph: Path
    questions: Path


def of_world(work: Path, entities: int, queries: int) -> QuestionsOfGraph:
    """A generated world."""
    dumps = _made(
        work / f"world_{entities}", lambda out: write_world(out, entities=entities, seed=21, jobs=1)
    )
    return _source("a world", work / f"of_world_{entities}", [dumps / "wikidata.json.gz"], queries)


def of_facts(work: Path, folder: Path, queries: int) -> QuestionsOfGraph:
    """Real facts."""
    return _source("real facts", work / f"of_{folder.name}", [folder / name for name in _FILES], queries)


def _source(name: str, folder: Path, files: Sequence[Path], queries: int) -> QuestionsOfGraph:
    folder.mkdir(parents=True, exist_ok=True)
    graph = _made(folder / "graph", lambda out: make_graph(files, out, jobs=1).close())
    changes = {"templates.queries": queries}
    built = _made(
        folder / f"built_{queries}",
        lambda out: build("graphquestions", graph=graph, out=out, changes=changes),
    )
    questions = _made(folder / f"questions_{queries}", lambda out: _split_set(built, graph, out))
    return QuestionsOfGraph(name, folder, graph, questions)


def _split_set(built: Path, graph: Path, out: Path) -> None:
    with Graph.open(graph) as opened:
        QuestionSet(with_sides(QuestionSet.open(built), opened)).save(out)


def _made(folder: Path, make: Callable[[Path], object]) -> Path:
    """A folder, made unless it exists."""
    if not folder.exists():
        make(folder)
    return folder


# Which questions are learned and which are asked: neither relations nor wordings of the test are trained on.
# Half of the relations belong to the test. A question is in `relations` if all its relations do, and learned
# (`train`, `dev`) or in `wordings` if none does; the others are left out. The *form* of a wording is the
# question without its names and figures. Half of all forms are for training and half for the test, so that
# `wordings` has other queries than training, about the same relations, in forms that are not learned.

_SEED = 5
_TESTS = {"relations": "held-out relations", "wordings": "held-out wordings"}


def with_sides(questions: Iterable[Question], graph: Graph) -> Iterator[Question]:
    """The questions that are learned or asked, each in its split."""
    parsed = [(question, Query.parse(question.query.text)) for question in questions if question.query]
    held_out = split_relations((relation for _, query in parsed for relation in query.relations), _SEED)
    for question, query in parsed:
        split = _split(question, query, held_out, graph)
        if split:
            yield msgspec.structs.replace(question, split=split)


def _split(question: Question, query: Query, held_out: frozenset[str], graph: Graph) -> str | None:
    is_held_out = [relation in held_out for relation in query.relations]
    if all(is_held_out):
        return "relations"
    if any(is_held_out):
        return None
    tenth = int(lot(_SEED, "query", query.text), 16) % 10
    for_training = int(lot(_SEED, "form", form(question.question, query, graph)), 16) % 2 == 0
    if tenth < 3:
        return None if for_training else "wordings"
    if not for_training:
        return None
    return "dev" if tenth == 3 else "train"


def form(wording: str, query: Query, graph: Graph) -> str:
    """A wording without the names of its entities and without figures."""
    records = [graph.entity(id_) for id_ in query.entities]
    names = {name for record in records for name in (record.label, *record.aliases) if name}
    for name in sorted(names, key=len, reverse=True):
        wording = re.sub(rf"\b{re.escape(name)}\b", "_", wording, flags=re.IGNORECASE)
    return re.sub(r"\d[\d.,]*", "#", wording)


# The rows: systems are trained on the split train, and asked both tests.

SYSTEMS = ("sempre", "parasempre", "jacana", "ask")
_TRAINED = SYSTEMS[:3]
Answered = dict[str, tuple[list[Question], Run]]
"""By system, the questions that were asked and the answers."""


def answered(
    source: QuestionsOfGraph, systems: Sequence[str], limit: int, model: tuple[str, str] | None
) -> dict[str, Answered]:
    """The runs of all systems by test; those that exist are not run again.

    `model` is the address of a language model's server and its name there, for the system `ask-llm`.
    """
    folder = source.folder / "runs"
    folder.mkdir(exist_ok=True)
    runs: dict[str, Answered] = {}
    for test in _TESTS:
        asked = _drawn(source, test, limit)
        runs[test] = {
            system: (asked, _run(source, system, asked, folder / f"{system}.{test}.jsonl", model))
            for system in systems
        }
    return runs


def _drawn(source: QuestionsOfGraph, test: str, limit: int) -> list[Question]:
    """Test questions in a random order, in which all wordings of a query stay together."""
    questions = QuestionSet.open(source.questions).of_splits(test).questions
    clusters = {question.cluster or question.id for question in questions}
    order = sorted(clusters, key=lambda key: lot(0, "asked", key))
    rank = {key: number for number, key in enumerate(order)}
    questions.sort(key=lambda question: (rank[question.cluster or question.id], question.id))
    return questions[:limit]


def _run(
    source: QuestionsOfGraph, system: str, asked: list[Question], out: Path, model: tuple[str, str] | None
) -> Run:
    options: dict[str, object] = {}
    if system in _TRAINED:
        folder = source.folder / "models" / system
        if not folder.exists():
            folder.parent.mkdir(exist_ok=True)
            train(system, source.questions, graph=source.graph, out=folder)
        options["model"] = str(folder)
    client, name = model if system == "ask-llm" and model else (None, None)
    return run(
        asked,
        system,
        retriever=None,
        graph=source.graph,
        out=out,
        timed=True,
        options=options,
        client=client,
        model=name,
    )


# The tables in Markdown.

PROFILE = "graphquestions"
PAPER = {"sempre": ("10.80", "56.19"), "parasempre": ("12.79", "18.43"), "jacana": ("5.08", "2.01")}
PAPER_BY_ANSWERS = {
    ("sempre", "1"): "59.81 16.11 12.68",
    ("sempre", ">1"): "62.38 9.17 6.78",
    ("parasempre", "1"): "17.42 17.58 13.25",
    ("parasempre", ">1"): "19.65 17.23 11.82",
    ("jacana", "1"): "14.77 6.56 6.56",
    ("jacana", ">1"): "11.80 1.43 1.98",
}
_RANKS = 10
_Grouping = Callable[[Question], str]


def tables(sources: Sequence[tuple[QuestionsOfGraph, Mapping[str, Answered]]], jacana: Path | None) -> str:
    """All tables of all sources, and those of JACANA's own result file."""
    lines = [
        "# GraphQuestions: systems that answer from the graph alone",
        "",
        "By the paper's scorer, in percent, with 95 % intervals. Letters name the rows that are worse by F1",
        "(permutation test, Holm's correction, p < 0.05). Times are of the clock.",
        "",
    ]
    for source, runs in sources:
        for test, by_system in runs.items():
            lines += _test(f"{source.name}, {_TESTS[test]}", by_system)
    if jacana:
        gold = given_questions(jacana).questions
        lines += _test("JACANA's published result file", {"jacana": (gold, run_in_gold(jacana))})
    return "\n".join(lines)


def _test(title: str, by_system: Answered) -> list[str]:
    reports = {
        system: score(gold, run_, profile=PROFILE, measures=["P", "R", "F1"])
        for system, (gold, run_) in by_system.items()
    }
    questions = next(iter(by_system.values()))[0]
    queries = len({question.cluster or question.id for question in questions})
    return [
        f"## {title}",
        "",
        f"{len(questions)} questions for {queries} queries.",
        "",
        *_table_4(by_system, reports),
        "",
        *_table_5(reports),
        "",
        *_figure_6("(a) edges", reports, lambda question: str(question.characteristics.get("edges"))),
        "",
        *_figure_6("(b) function", reports, _function),
        "",
        *_figure_6("(c) commonness, log10", reports, _commonness),
        "",
        *_paraphrases(reports),
        "",
    ]


def _table_4(by_system: Answered, reports: Mapping[str, Report]) -> list[str]:
    runs = [run_ for _, run_ in by_system.values()]
    judged = judgements(next(iter(by_system.values()))[0], runs, "F1", profile=PROFILE)
    lines = []
    for number, (system, report) in enumerate(reports.items()):
        seconds = [prediction.seconds for prediction in runs[number] if prediction.seconds is not None]
        times = [
            f"{average(seconds):.3f}" if seconds else "–" for average in (statistics.mean, statistics.median)
        ]
        answers = sum(bool(prediction and prediction.answers) for _, prediction in report.pairs)
        share = f"{100 * answers / report.n:.0f}"
        lines.append([letter(number), system, judged[number], share, *times, *PAPER.get(system, ("", ""))])
    headings = ["", "Table 4", "F1", "answered", "s a question", "median", "paper: F1", "s"]
    return markdown(headings, lines)


def _table_5(reports: Mapping[str, Report]) -> list[str]:
    lines = []
    for system, report in reports.items():
        groups = _grouped(report, lambda question: "1" if len(question.answers) == 1 else ">1")
        for number, members in groups.items():
            figures = [cell(figure) for figure in report.over(_clusters(report, members))]
            lines.append([system, number, *figures, PAPER_BY_ANSWERS.get((system, number), "")])
    return markdown(["Table 5", "answers", "P", "R", "F1", "paper"], lines)


def _figure_6(title: str, reports: Mapping[str, Report], grouping: _Grouping) -> list[str]:
    """F1 by a characteristic."""
    groups = _grouped(next(iter(reports.values())), grouping)
    lines = []
    for system, report in reports.items():
        own = _grouped(report, grouping)
        lines.append([system, *(cell(report.over(_clusters(report, own[name]))[2]) for name in groups)])
    return markdown([f"Figure 6 {title}", *(f"{name} ({len(groups[name])})" for name in groups)], lines)


def _paraphrases(reports: Mapping[str, Report]) -> list[str]:
    """The mean F1 of the best wording of a query, of the second best, and so on."""
    lines = []
    most = 0
    for system, report in reports.items():
        ranked = defaultdict(list)
        for cluster in report.clusters:
            values = sorted((report.columns[2].values[number] for number in cluster), reverse=True)
            for rank, value in enumerate(values[:_RANKS], start=1):
                ranked[rank].append(value)
        means = [
            f"{100 * statistics.mean(ranked[rank]):.1f} ({len(ranked[rank])})" for rank in sorted(ranked)
        ]
        most = max(most, len(means))
        lines.append([system, *means])
    lines = [[*line, *[""] * (most + 1 - len(line))] for line in lines]
    return markdown(["Figure 6 (d) rank of the wording", *(str(rank + 1) for rank in range(most))], lines)


def _grouped(report: Report, grouping: _Grouping) -> dict[str, list[int]]:
    """The numbers of the questions of each group, in the order of the groups' names."""
    groups = defaultdict(list)
    for number, (question, _) in enumerate(report.pairs):
        groups[grouping(question)].append(number)
    return dict(sorted(groups.items(), key=lambda item: _order(item[0])))


def _order(name: str) -> tuple[float, str]:
    """Numbers by their value, before words."""
    is_number = name.lstrip("-").isdigit()
    return (float(name) if is_number else math.inf, name)


def _clusters(report: Report, members: Sequence[int]) -> list[list[int]]:
    wanted = set(members)
    kept = [[number for number in cluster if number in wanted] for cluster in report.clusters]
    return [cluster for cluster in kept if cluster]


def _function(question: Question) -> str:
    return str(question.characteristics.get("category") or question.characteristics.get("function"))


def _commonness(question: Question) -> str:
    """The bin of ten, by its middle, as in the paper."""
    value = question.characteristics.get("commonness")
    if not isinstance(value, int | float):
        return "unknown"
    return str(10 * int(value // 10) + 5)
