"""Tables in Markdown: figures in percent with their 95 % intervals, and letters.

A letter names a row; the letters after a row's figure are those of the rows that it beats significantly.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from paper_tables.declared import Table
from rollcall.questions import Question
from rollcall.questions.run import Run
from rollcall.score import Measure, compare, score
from rollcall.score.comparison import letter
from rollcall.score.figures import FigureValue
from rollcall.score.options import GoldSetting

LEGEND = (
    "Percent, with 95 % intervals. Letters name the rows that are significantly worse by {main} "
    "(permutation test, Holm's correction, p < 0.05)."
)


def rendered(
    table: Table, gold: Sequence[Question], files: Mapping[str, Path], paper: Mapping[str, str]
) -> list[str]:
    """A table of the rows that have a run; the others are named below it."""
    setting: GoldSetting = "closed" if table.candidates else "complete"
    rows = [(name, label) for name, label in table.rows if name in files]
    missing = [label for name, label in table.rows if name not in files and not name.startswith("llm")]
    runs = [Run.open(files[name]) for name, _ in rows]
    judged = judgements(gold, runs, table.main, setting=setting)
    lines = []
    for place, ((name, label), run) in enumerate(zip(rows, runs, strict=True)):
        report = score(gold, run, measures=table.measures, setting=setting)
        cells = [judged[place] if one == table.main else cell(report[one]) for one in table.measures]
        lines.append([letter(place), label, *cells, paper.get(name, "")])
    headings = ["", "system", *table.measures, "paper"]
    number = len(gold)
    below = [f"{number} questions. {LEGEND.format(main=table.main)}"]
    below += [f"Not learned yet: {', '.join(missing)}."] if missing else []
    return [f"## {table.title}", "", *markdown(headings, lines), "", *below, ""]


def by_kind(
    rows: Sequence[str], gold: Sequence[Question], files: Mapping[str, Path], paper: Mapping[str, str]
) -> list[str]:
    """F1 by the kind of question: QAMPARI's Table 7."""
    kinds = sorted({one.kind or "" for one in gold})
    known = [name for name in rows if name in files]
    runs = [Run.open(files[name]) for name in known]
    columns = []
    for kind in kinds:
        some = [one for one in gold if one.kind == kind]
        ids = {one.id for one in some}
        columns.append(judgements(some, [Run(one for one in run if one.id in ids) for run in runs], "F1"))
    lines = [
        [letter(place), name, *(column[place] for column in columns), paper.get(name, "")]
        for place, name in enumerate(known)
    ]
    counts = [sum(one.kind == kind for one in gold) for kind in kinds]
    named = [f"{kind} ({count})" for kind, count in zip(kinds, counts, strict=True)]
    headings = ["", "F1", *named, "paper, dev"]
    return ["## QAMPARI, Table 7: F1 by kind of question", "", *markdown(headings, lines), ""]


def judgements(
    gold: Sequence[Question],
    runs: Sequence[Run],
    measure: str,
    *,
    profile: str = "entity",
    setting: GoldSetting = "complete",
) -> list[str]:
    """The figure of each run by one measure, with the letters of the runs that it beats."""
    if len(runs) < 2:
        found = [score(gold, one, measures=[measure], profile=profile, setting=setting) for one in runs]
        return [cell(one[measure]) for one in found]
    tested = compare(
        gold,
        runs,
        names=[letter(place) for place in range(len(runs))],
        measures=[measure],
        profile=profile,
        setting=setting,
    )
    marks = [tested.marks(place, Measure.parse(measure)) for place in range(len(runs))]
    return [f"{cell(one[measure])} {mark}".strip() for one, mark in zip(tested.reports, marks, strict=True)]


def cell(figure: FigureValue) -> str:
    if figure.value is None:
        return "–"
    if figure.interval is None:
        return f"{100 * figure.value:.1f}"
    low, high = figure.interval
    return f"{100 * figure.value:.1f} [{100 * low:.0f}, {100 * high:.0f}]"


def markdown(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
    rows = [list(headings), ["---"] * len(headings), *map(list, lines)]
    return [f"| {' | '.join(one)} |" for one in rows]
