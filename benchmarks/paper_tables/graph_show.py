"""The tables of GraphQuestions in Markdown, by the paper's own scorer (profile `graphquestions`)."""

import math
import statistics
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from paper_tables.graph_sides import TESTS
from paper_tables.graph_sources import GraphSource
from paper_tables.graph_systems import Runs
from paper_tables.render import cell, judgements, markdown
from rollcall import Run, score
from rollcall.questions import Question
from rollcall.questions.given import given_questions, run_in_gold
from rollcall.score import Report
from rollcall.score.comparison import letter

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
RANKS = 10
Answered = Mapping[str, tuple[list[Question], Run]]
Group = Callable[[Question], str]


def tables(sources: Sequence[tuple[GraphSource, Runs]], jacana: Path | None) -> str:
    """All tables of all sources, and those of JACANA's own result file."""
    lines = [
        "# GraphQuestions: systems that answer from the graph alone",
        "",
        "By the paper's scorer, in percent, with 95 % intervals. Letters name the rows that are worse by F1",
        "(permutation test, Holm's correction, p < 0.05). Times are of the clock.",
        "",
    ]
    for source, runs in sources:
        for test, answered in runs.items():
            lines += _test(f"{source.name}, {TESTS[test]}", answered)
    if jacana:
        gold = given_questions(jacana).questions
        lines += _test("JACANA's published result file", {"jacana": (gold, run_in_gold(jacana))})
    return "\n".join(lines)


def _test(title: str, answered: Answered) -> list[str]:
    reports = {
        system: score(gold, run, profile=PROFILE, measures=["P", "R", "F1"])
        for system, (gold, run) in answered.items()
    }
    questions = next(iter(answered.values()))[0]
    queries = len({one.cluster or one.id for one in questions})
    return [
        f"## {title}",
        "",
        f"{len(questions)} questions for {queries} queries.",
        "",
        *_table_4(answered, reports),
        "",
        *_table_5(reports),
        "",
        *_figure_6("(a) edges", reports, lambda one: str(one.characteristics.get("edges"))),
        "",
        *_figure_6("(b) function", reports, _function),
        "",
        *_figure_6("(c) commonness, log10", reports, _commonness),
        "",
        *_paraphrases(reports),
        "",
    ]


def _table_4(answered: Answered, reports: Mapping[str, Report]) -> list[str]:
    runs = [run for _, run in answered.values()]
    judged = judgements(next(iter(answered.values()))[0], runs, "F1", profile=PROFILE)
    lines = []
    for place, (system, report) in enumerate(reports.items()):
        seconds = [one.seconds for one in runs[place] if one.seconds is not None]
        times = [
            f"{figure(seconds):.3f}" if seconds else "–" for figure in (statistics.mean, statistics.median)
        ]
        answers = sum(bool(one and one.answers) for _, one in report.pairs)
        share = f"{100 * answers / report.n:.0f}"
        lines.append([letter(place), system, judged[place], share, *times, *PAPER.get(system, ("", ""))])
    headings = ["", "Table 4", "F1", "answered", "s a question", "median", "paper: F1", "s"]
    return markdown(headings, lines)


def _table_5(reports: Mapping[str, Report]) -> list[str]:
    lines = []
    for system, report in reports.items():
        for number, places in _grouped(report, lambda one: "1" if len(one.answers) == 1 else ">1").items():
            figures = [cell(one) for one in report.over(_clusters(report, places))]
            lines.append([system, number, *figures, PAPER_BY_ANSWERS.get((system, number), "")])
    return markdown(["Table 5", "answers", "P", "R", "F1", "paper"], lines)


def _figure_6(title: str, reports: Mapping[str, Report], group: Group) -> list[str]:
    """F1 by a characteristic."""
    groups = _grouped(next(iter(reports.values())), group)
    lines = []
    for system, report in reports.items():
        mine = _grouped(report, group)
        lines.append([system, *(cell(report.over(_clusters(report, mine[one]))[2]) for one in groups)])
    return markdown([f"Figure 6 {title}", *(f"{one} ({len(groups[one])})" for one in groups)], lines)


def _paraphrases(reports: Mapping[str, Report]) -> list[str]:
    """The mean F1 of the best wording of a query, of the second best, and so on."""
    lines = []
    most = 0
    for system, report in reports.items():
        ranked = defaultdict(list)
        for cluster in report.clusters:
            values = sorted((report.columns[2].values[place] for place in cluster), reverse=True)
            for rank, value in enumerate(values[:RANKS], start=1):
                ranked[rank].append(value)
        means = [
            f"{100 * statistics.mean(ranked[rank]):.1f} ({len(ranked[rank])})" for rank in sorted(ranked)
        ]
        most = max(most, len(means))
        lines.append([system, *means])
    lines = [[*line, *[""] * (most + 1 - len(line))] for line in lines]
    return markdown(["Figure 6 (d) rank of the wording", *(str(rank + 1) for rank in range(most))], lines)


def _grouped(report: Report, group: Group) -> dict[str, list[int]]:
    """The places of the questions of each group, in the order of the groups' names."""
    found = defaultdict(list)
    for place, (question, _) in enumerate(report.pairs):
        found[group(question)].append(place)
    return dict(sorted(found.items(), key=lambda one: _order(one[0])))


def _order(name: str) -> tuple[float, str]:
    """Numbers by their value, before words."""
    is_number = name.lstrip("-").isdigit()
    return (float(name) if is_number else math.inf, name)


def _clusters(report: Report, places: Sequence[int]) -> list[list[int]]:
    wanted = set(places)
    kept = [[place for place in cluster if place in wanted] for cluster in report.clusters]
    return [cluster for cluster in kept if cluster]


def _function(question: Question) -> str:
    return str(question.characteristics.get("category") or question.characteristics.get("function"))


def _commonness(question: Question) -> str:
    """The bin of ten, by its middle, as in the paper."""
    value = question.characteristics.get("commonness")
    if not isinstance(value, int | float):
        return "unknown"
    return str(10 * int(value // 10) + 5)
