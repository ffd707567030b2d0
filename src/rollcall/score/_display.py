"""Reports and comparisons as tables, figures and notes, and in a few lines of text.

`report_display`       figures, breakdowns, true figures, robustness, and comparisons of gold sets
`comparison_display`   a row for each run, the differences, and which of them survive
`report_text`, `comparison_text`   what Python prints
`lead_measure`         the measure by which systems are compared in charts
"""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rollcall._core.console import one_line
from rollcall.questions.judgment import KIND, Completeness
from rollcall.report import Display, Figure, Heading, Mark, Measured, Note, Series, Table
from rollcall.report.latex import escaped
from rollcall.report.values import (
    Cell,
    Kind,
    Medium,
    Part,
    interval_text,
    measured_text,
    percent_text,
    warnings,
)
from rollcall.score.breakdown import RANK, share_of
from rollcall.score.measure import Measure, plain_decimal
from rollcall.score.significance import TESTS
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    from rollcall.score.breakdown import Robustness
    from rollcall.score.comparison import Comparison
    from rollcall.score.expansion import FigureVariants
    from rollcall.score.figures import FigureGroup
    from rollcall.score.figures import FigureValue as ScoreFigure
    from rollcall.score.incomplete.bounds import TrueFigure
    from rollcall.score.report import Report

MOST_WITH_SPREAD = 4
"""The most measures for which a terminal has room for intervals beside the figures of a group."""
MOST_GROUPS = 40
"""The most groups of a breakdown on the terminal and in a notebook."""
MOST_BARS = 25
MOST_LINES = 10
TEST_NAMES = {"t": "paired t-test", "bootstrap": "paired bootstrap", "permutation": "permutation test"}
TEST_HEADINGS = {"t": "p, t-test", "bootstrap": "bootstrap", "permutation": "permuted"}
CORRECTIONS = {"holm": "Holm's correction", "bonferroni": "Bonferroni's correction", "none": "no correction"}
SURVIVAL = {"always": "always", "likely": "likely", "reversed": "reversed", "open": "not shown"}
BEST = "The best figure of each column is bold."
BOUNDS = "Bounds hold the true figure, whichever answers are missing."
CORRECTED = (
    "Corrected figures are estimated from judged errors; the first interval is for these questions, the "
    "second for all such questions."
)
SURVIVES = (
    "A difference survives always if its bounds leave out zero, likely if the corrected one does for all "
    "such questions."
)

_INDEXED = re.compile(r"([A-Za-z])(\d+)")
"""A name with an index, such as F1."""
_Groups = Mapping[str, Sequence["FigureGroup"]]


def measured(measure: Measure, figure: "ScoreFigure", marks: str = "", is_best: bool = False) -> Measured:
    """A figure of a measure as a cell."""
    return Measured(figure.value, figure.interval, _unit(measure), marks, is_best)


def _unit(measure: Measure) -> str | None:
    return None if measure.is_share else measure.kind.unit


def report_title(report: "Report") -> str:
    """The name of the run, the number of questions and the profile."""
    return f"{report.name or 'Scores'}: {counted(report.n, 'question')}, profile {report.profile.name}"


def comparison_title(comparison: "Comparison") -> str:
    """The number of runs and of questions, and the profile."""
    first = comparison.reports[0]
    return (
        f"{len(comparison.reports)} systems on {counted(first.n, 'question')}, profile {first.profile.name}"
    )


def report_subtitle(report: "Report") -> str:
    """How a report was made, in one line."""
    parts = [report.profile.summary.rstrip(".")]
    if report.setting != "complete":
        parts.append(f"{report.setting} gold")
    if report.confidence:
        parts.append(f"{percent_text(report.confidence)} intervals, computed over clusters")
    return "; ".join(parts)


def report_display(report: "Report", medium: Medium) -> Display:
    """The figures of a run and everything that was asked for; in papers the measures are columns."""
    title = report_title(report)
    parts: list[Part] = []
    if medium in ("markdown", "latex"):
        runs = [("", report.name or "run", report)]
        parts.append(_runs_table(title, runs, "scores", notes=_brackets(report)))
    else:
        parts.append(_figures_table(report, title if medium == "notebook" else _asked(report)))
    parts += _reading(report)
    parts += _neutral(report)
    parts += _true_tables(report)
    parts += _breakdowns(title, report.by_run, (), medium)
    if report.robustness is not None:
        parts.append(_robustness_table(report.robustness))
    parts += [part for variant in report.variants for part in _side_by_side(variant, medium)]
    if medium == "html":
        parts += _report_figures(report)
    if medium != "latex":
        parts += warnings(report.unmatched.lines(), "unmatched")
        parts += warnings(report.warnings)
    return Display(title, tuple(parts), report_subtitle(report))


def comparison_display(comparison: "Comparison", medium: Medium) -> Display:
    """A row for each run, letters for significant wins, and the differences with their p-values."""
    first = comparison.reports[0]
    title = comparison_title(comparison)
    about = f"{counted(first.n, 'question')}, profile {first.profile.name}"
    runs = [
        (comparison.letter(index), name, report)
        for index, (name, report) in enumerate(zip(comparison.names, comparison.reports, strict=True))
    ]
    in_paper = medium in ("markdown", "latex")
    notes = (BEST, *_brackets(first), legend(comparison)) if in_paper else (legend(comparison),)
    table = _runs_table(about, runs, "comparison", comparison, notes)
    parts: list[Part] = [table, *_reading(first)]
    for name, report in zip(comparison.names, comparison.reports, strict=True):
        parts += _neutral(report, f"{name}: ")
    if medium in ("terminal", "html"):
        parts.append(_differences_table(comparison))
    # A terminal has no room for names, which the first table gives.
    marks = [letter for letter, _, _ in runs] if medium == "terminal" else comparison.lettered
    parts += _breakdowns(about, comparison.by_run, marks, medium)
    if has_true_figures(first):
        for name, report in zip(comparison.names, comparison.reports, strict=True):
            parts += _true_tables(report, name)
        parts.append(_survival_table(comparison))
    if medium == "html":
        parts += _comparison_figures(runs)
    if medium != "latex":
        parts += warnings(comparison.warnings)
        parts += [Note(line, name, "doubtful") for name, line in comparison.notes()]
    return Display(title, tuple(parts), report_subtitle(first))


# The tables.


def _asked(report: "Report") -> str:
    """What was scored, in one line."""
    gold = "" if report.setting == "complete" else f", {report.setting} gold"
    sure = f", {percent_text(report.confidence)} intervals" if report.confidence else ""
    asked = len({question.id for question, _ in report.pairs})
    number = counted(asked, "question")
    if asked != report.n:
        number = f"{report.n} trials at {number}"
    return f"{number}, profile {report.profile.name}{gold}{sure}"


def _brackets(report: "Report") -> tuple[str, ...]:
    """What the brackets of a table are."""
    if not report.confidence:
        return ()
    confidence = percent_text(report.confidence)
    return (f"Brackets: {confidence} confidence intervals, computed over clusters.",)


def _reading(report: "Report") -> list[Part]:
    return [Note(report.reading, tone="dim")] if report.reading else []


def _neutral(report: "Report", name: str = "") -> list[Part]:
    return [] if report.neutral is None else [Note(f"{name}{report.neutral.line}", tone="dim")]


def _figures_table(report: "Report", title: str) -> Table:
    """A row for each measure."""
    headings = (
        Heading("measure"),
        Heading("value", "number"),
        Heading("interval", "interval"),
        Heading("meaning", tone="dim"),
    )
    rows = []
    for measure, figure in report.figures.items():
        cell = measured(measure, figure)
        rows.append((str(measure), cell, cell, meaning(measure)))
    return Table(title, headings, rows, label="figures")


def _runs_table(
    title: str,
    runs: "Sequence[tuple[str, str, Report]]",
    label: str,
    comparison: "Comparison | None" = None,
    notes: tuple[str, ...] = (),
) -> Table:
    """A row for each run and a column for each measure."""
    measures = runs[0][2].measures
    best = {measure: _best_runs(comparison, measure) if comparison else () for measure in measures}
    rows: list[list[Cell]] = []
    for index, (letter, name, report) in enumerate(runs):
        cells: list[Cell] = [letter] if comparison else []
        cells.append(name)
        for measure in measures:
            marks = comparison.marks(index, measure) if comparison else ""
            cells.append(measured(measure, report.figures[measure], marks, index in best[measure]))
        rows.append(cells)
    named = (Heading(""), Heading("run")) if comparison else (Heading("run"),)
    return Table(title, (*named, *_measure_headings(measures)), rows, notes, label)


def _measure_headings(measures: Sequence[Measure], has_room: bool = True) -> list[Heading]:
    kind: Kind = "estimate" if has_room else "number"
    return [Heading(str(measure), kind, formula=_formula(measure)) for measure in measures]


def _breakdowns(about: str, by: Mapping[str, _Groups], runs: Sequence[str], medium: Medium) -> list[Part]:
    """A table for each breakdown, of one run or of several; a caption in a paper says what it is about."""
    tables: list[Part] = []
    for name, groups in by.items():
        if groups:
            title = f"{about}, by {name}" if medium == "latex" else f"by {name}"
            tables.append(_breakdown(title, name, groups, runs, medium))
    return tables


def _breakdown(title: str, name: str, groups: _Groups, runs: Sequence[str], medium: Medium) -> Table:
    """A row for each group and run; a group is named once."""
    measures = list(next(iter(groups.values()))[0].figures)
    is_short = medium in ("terminal", "notebook")
    is_ranked = name == RANK and medium == "terminal"  # no room for intervals beside the shares
    has_room = medium != "latex" and (
        medium != "terminal" or (len(measures) <= MOST_WITH_SPREAD and not is_ranked)
    )
    headings = [Heading(name), Heading("n", "count", formula="$n$"), *([Heading("run")] if runs else [])]
    for heading in _measure_headings(measures, has_room):
        headings += [heading, *([Heading("of 1st", "percent", 1)] if is_ranked else [])]
    rows = []
    for key, of_runs in list(groups.items())[: MOST_GROUPS if is_short else None]:
        for index, group in enumerate(of_runs):
            row: list[Cell] = [key, group.n] if index == 0 else ["", ""]
            row += runs[index : index + 1]
            for measure in measures:
                row.append(measured(measure, group.figures[measure]))
                if is_ranked:
                    row.append(share_of(group.figures[measure], groups["1"][index].figures[measure]))
            rows.append(row)
    left_out = len(groups) - MOST_GROUPS if is_short else 0
    more = (f"… and {left_out} more; --json and --html have all of them",) if left_out > 0 else ()
    return Table(title, tuple(headings), rows, more, f"by {name}")


def _robustness_table(robustness: "Robustness") -> Table:
    """For each number, how it correlates with the score."""
    title = (
        f"robustness of {robustness.measure} over {robustness.clusters} clusters: "
        f"mean {100 * robustness.mean:.2f}, worst case {100 * robustness.worst:.2f}, "
        f"drop {100 * (robustness.worst - robustness.mean):.2f}"
    )
    headings = (
        Heading("number"),
        Heading("correlation with the score", "number"),
        Heading("with the drop inside clusters", "number"),
    )
    rows = [
        (name, *(None if r is None else f"{r:+.3f}" for r in (trend.with_score, trend.with_drop)))
        for name, trend in robustness.trends.items()
    ]
    return Table(title, headings, rows, label="robustness")


def _side_by_side(variant: "FigureVariants", medium: Medium) -> list[Part]:
    """The rows of figures, and the counts that explain the difference."""
    measures = list(next(iter(variant.rows.values())))
    has_room = medium != "terminal" or len(measures) <= MOST_WITH_SPREAD
    headings = (Heading(variant.differ_in), *_measure_headings(measures, has_room))
    rows: list[list[Cell]] = [
        [name, *(measured(measure, figures[measure]) for measure in measures)]
        for name, figures in variant.rows.items()
    ]
    title = f"{variant.title} ({counted(variant.n, 'question')})"
    counts = [
        Note(f"  {name}: {f'{count:.2f}' if isinstance(count, float) else count}")
        for name, count in variant.counts.items()
    ]
    return [Table(title, headings, rows, label=variant.differ_in), *counts]


def legend(comparison: "Comparison") -> str:
    """What the letters after figures mean."""
    drawn = "" if comparison.test == "t" else f", at most {comparison.resamples:,} draws"
    compared = counted(len(comparison.differences), "comparison")
    number = f" for {compared}" if comparison.correction != "none" else ""
    return (
        "Letters after a figure name the runs that it is significantly better than "
        f"({TEST_NAMES[comparison.test]}{drawn}, {CORRECTIONS[comparison.correction]}{number}, "
        f"p < {comparison.level:g})."
    )


def _differences_table(comparison: "Comparison") -> Table:
    headings = (
        Heading("measure"),
        Heading("runs"),
        Heading("difference", "number"),
        *(Heading(TEST_HEADINGS[test], "number") for test in TESTS),
        Heading("corrected", "number"),
    )
    rows = []
    for difference in comparison.differences:
        value = measured_text(Measured(difference.value, unit=_unit(difference.measure)))
        ps = [difference.p_values.by(test) for test in TESTS]
        rows.append(
            (
                str(difference.measure),
                f"{comparison.letter(difference.first)} − {comparison.letter(difference.second)}",
                f"+{value}" if difference.value and difference.value > 0 else value,
                *(_p_text(p) for p in (*ps, difference.corrected_p)),
            )
        )
    return Table("differences and p-values", headings, rows, label="differences")


def _p_text(p: float | None) -> str | None:
    if p is None:
        return None
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def _best_runs(comparison: "Comparison", measure: Measure) -> list[int]:
    """The runs with the best figure as it is written, perhaps several; none if all are alike."""
    values = {
        index: value
        for index, report in enumerate(comparison.reports)
        if (value := report.figures[measure].value) is not None
    }
    if not values:
        return []
    choose = min if measure.kind.lower_is_better else max
    texts = {index: measured_text(Measured(value, unit=_unit(measure))) for index, value in values.items()}
    wanted = texts[choose(values, key=values.__getitem__)]
    best = [index for index, text in texts.items() if text == wanted]
    return best if len(best) < len(comparison.reports) else []


# What is known of true figures.


def has_true_figures(report: "Report") -> bool:
    """Whether there is anything to show."""
    return report.incomplete is not None and bool(_true_headings(list(report.incomplete.figures.values())))


def _true_tables(report: "Report", name: str = "") -> list[Part]:
    """The bounds and the corrected figures; the table of one of several runs has its name and no notes."""
    about = report.incomplete
    if about is None or not has_true_figures(report):
        return []
    parts = []
    if about.completeness is not None:
        parts.append(f"if gold has {_completeness(about.completeness)} of all answers")
    if about.drawn:
        machines = f", {about.guessed:,} by a machine" if about.guessed else ""
        parts.append(f"{about.drawn:,} of {about.errors:,} errors judged{machines}")
    text = "; ".join(parts) or f"{about.known} errors judged"
    title = f"{name}: true figures, {text}" if name else f"True figures, {text}"
    headings = _true_headings(list(about.figures.values()))
    rows = [
        (str(measure), measured(measure, report.figures[measure]), *_true_cells(measure, figure, headings))
        for measure, figure in about.figures.items()
    ]
    notes = () if name else _true_notes(headings)
    return [Table(title, (Heading("measure"), Heading("value", "number"), *headings), rows, notes, "true")]


def _survival_table(comparison: "Comparison") -> Table:
    """A row for each difference whose true value something is known about."""
    known = [
        (difference, difference.true) for difference in comparison.differences if difference.true is not None
    ]
    columns = _true_headings([true for _, true in known])
    rows = [
        (
            str(difference.measure),
            f"{comparison.letter(difference.first)} − {comparison.letter(difference.second)}",
            Measured(difference.value, unit=_unit(difference.measure)),
            *_true_cells(difference.measure, true, columns),
            SURVIVAL[difference.survival or "open"],
        )
        for difference, true in known
    ]
    headings = (
        Heading("measure"), Heading("runs"), Heading("difference", "number"), *columns, Heading("survives")
    )  # fmt: skip
    notes = (*_true_notes(columns), SURVIVES)
    return Table("Does a difference survive?", headings, rows, notes, "survives")


def _true_headings(figures: Sequence["TrueFigure"]) -> list[Heading]:
    """The columns that are not empty."""
    names = ["bounds"] if any(figure.bounds is not None for figure in figures) else []
    if any(figure.corrected is not None for figure in figures):
        names += ["corrected", "interval", "all such questions"]
    return [Heading(name, "number" if name == "corrected" else "interval") for name in names]


def _true_cells(measure: Measure, figure: "TrueFigure", headings: Sequence[Heading]) -> list[Cell]:
    corrected, unit = figure.corrected, _unit(measure)
    cells: dict[str, Cell] = {
        "bounds": Measured(None, figure.bounds, unit),
        "corrected": None if corrected is None else Measured(corrected.value, unit=unit),
        "interval": "" if corrected is None else Measured(None, corrected.interval, unit),
        "all such questions": "" if corrected is None else Measured(None, corrected.population, unit),
    }
    return [cells[heading.name] for heading in headings]


def _true_notes(headings: Sequence[Heading]) -> tuple[str, ...]:
    """What the columns mean."""
    names = [heading.name for heading in headings]
    return (*([BOUNDS] if "bounds" in names else []), *([CORRECTED] if "corrected" in names else []))


def _completeness(given: Completeness) -> str:
    kinds = [f"{_share(share)} ({name})" for name, share in given.by.get(KIND, {}).items()]
    rest = [f"{_share(given)} (other kinds)"] if kinds and given.estimate is not None else []
    return ", ".join([*kinds, *rest]) or _share(given)


def _share(given: Completeness) -> str:
    low, high = (percent_text(round(end, 3)) for end in given.ends)
    return low if low == high else f"{low.rstrip('%')}–{high}"


# The charts.


def lead_measure(figures: "Mapping[Measure, ScoreFigure]") -> Measure | None:
    """The measure that charts show: F1 if there is one, else the first share."""
    shares = [measure for measure in figures if measure.is_share and measure.extreme is None]
    return next((measure for measure in shares if str(measure) == "F1"), shares[0] if shares else None)


def _report_figures(report: "Report") -> list[Part]:
    """The charts of one run, in the order of the page."""
    bars = [
        _mark(str(measure), figure, report.n)
        for measure, figure in report.figures.items()
        if measure.is_share and figure.value is not None
    ]
    charts: list[Part] = [_bars("Figures", bars)] if bars else []
    lead = lead_measure(report.figures)
    if lead is not None:
        charts.append(_histogram(report, lead))
    for name, groups in report.by.items():
        marks = _group_marks(groups, lead)[:MOST_BARS] if lead is not None else []
        if marks and name == RANK:
            series = (Series("", tuple(marks)),)
            charts.append(Figure(f"{lead} by rank of the paraphrase", "line", series, "rank"))
        elif marks:
            shown = f", first {MOST_BARS} of {len(groups)}" if len(groups) > MOST_BARS else ""
            charts.append(_bars(f"{lead} by {name}{shown}", marks))
    return charts + ([] if report.robustness is None else _robustness_figures(report.robustness))


def _comparison_figures(runs: "Sequence[tuple[str, str, Report]]") -> list[Part]:
    """The leading measure of every run, over all questions and by each requested characteristic."""
    first = runs[0][2]
    lead = lead_measure(first.figures)
    if lead is None:
        return []
    whole = [
        _mark(name, report.figures[lead], report.n, index)
        for index, (_, name, report) in enumerate(runs)
        if report.figures[lead].value is not None
    ]
    charts: list[Part] = [_bars(f"{lead} of each system", whole)] if whole else []
    for name in first.by:
        groups: dict[str, list[Mark]] = {}
        for index, (_, run, report) in enumerate(runs):
            for key, group in report.by[name].items():
                if group.figures[lead].value is not None:
                    groups.setdefault(key, []).append(_mark(run, group.figures[lead], group.n, index))
        if groups:
            series = tuple(Series(key, tuple(marks)) for key, marks in groups.items())
            charts.append(Figure(f"{lead} by {name}", "bar", series))
    return charts


def _bars(title: str, marks: Sequence[Mark]) -> Figure:
    return Figure(title, "bar", (Series("", tuple(marks)),))


def _group_marks(groups: "Mapping[str, FigureGroup]", measure: Measure) -> list[Mark]:
    """A measure in the groups in which it has a value."""
    return [
        _mark(name, group.figures[measure], group.n)
        for name, group in groups.items()
        if measure in group.figures and group.figures[measure].value is not None
    ]


def _mark(name: str, figure: "ScoreFigure", questions: int, colour: int | None = None) -> Mark:
    value = figure.value or 0.0
    low, high = figure.interval or (value, value)
    interval = f" ({low:.2%} to {high:.2%})" if figure.interval else ""
    return Mark(name, value, low, high, f"{value:.2%}{interval}, questions: {questions:,}", colour)


def _histogram(report: "Report", measure: Measure) -> Figure:
    """How many questions fall into each tenth of a measure."""
    column = report.columns[report.measures.index(measure)]
    tenths = [0] * 11
    for value, counts in zip(column.values, column.counts, strict=True):
        if counts:
            tenths[int(value * 10 + 1e-9)] += 1
    names = [f"{10 * tenth}–{10 * tenth + 10}%" for tenth in range(10)] + ["100%"]
    marks = tuple(Mark(name, count, count, count) for name, count in zip(names, tenths, strict=True))
    return Figure(f"Questions by {measure}", "histogram", (Series("", marks),), str(measure), "questions")


def _robustness_figures(robustness: "Robustness") -> list[Part]:
    """For each number: how the score's distance from its cluster's mean varies with that of the number."""
    return [
        Figure(
            f"Inside clusters: {robustness.measure} and {name} (r = {trend.with_drop:+.2f})",
            "line",
            (
                Series(
                    "",
                    tuple(
                        Mark(
                            point.distance,
                            point.drop,
                            point.drop,
                            point.drop,
                            f"{point.distance:+.2f}: {point.drop:+.2%}, questions: {point.n:,}",
                        )
                        for point in trend.points
                    ),
                ),
            ),
            f"{name}: distance from the cluster's mean",
            f"{robustness.measure} less its cluster's mean",
            is_signed=True,
        )
        for name, trend in robustness.trends.items()
        if trend.with_drop is not None
    ]


# Measures in words and as formulas.


def meaning(measure: Measure) -> str:
    """What a measure means, in a few words."""
    text = measure.kind.meaning().partition(";")[0].partition(":")[2].strip(" .")
    text = text or measure.kind.meaning().rstrip(".")
    if measure.cap is not None:
        text += f", where {measure.cap} answers are enough"
    if measure.cut is not None and "answers" in measure.kind.needs:
        text += f", of the first {measure.cut}"
    if measure.threshold is not None:
        text = f"questions where {measure.name} is at least {plain_decimal(measure.threshold)}"
    case = "worst" if measure.worst else "best"
    return text if measure.extreme is None else f"{case} in each cluster: {text}"


def _formula(measure: Measure) -> str:
    r"""A measure in LaTeX: `$R{\ge}0.8$`, `$\min(F_{1})$`, `$P@10$`."""
    indexed = _INDEXED.fullmatch(measure.name)
    if indexed:
        shown = f"{indexed[1]}_{{{indexed[2]}}}"
    elif measure.name.isalnum() and len(measure.name) == 1:
        shown = measure.name
    else:
        shown = f"\\mathrm{{{escaped(measure.name)}}}"
    shown += "" if measure.cap is None else f"\\mbox{{-}}{measure.cap}"
    shown += "" if measure.cut is None else f"@{measure.cut}"
    shown += "" if measure.threshold is None else f"{{\\ge}}{plain_decimal(measure.threshold)}"
    if measure.extreme is not None:
        shown = f"\\{'min' if measure.worst else 'max'}({shown})"
    return f"${shown}$"


# What Python prints for reports and comparisons.


def report_text(report: "Report") -> str:
    """The profile, the number of questions and the figures."""
    head = [f"{report.n} questions", f"profile {report.profile.name}"]
    if report.name:
        head.insert(0, report.name)
    if report.confidence:
        head.append(f"{percent_text(report.confidence)} intervals")
    if report.by:
        head.append(f"by {_some(list(report.by))}")
    notes = len(report.warnings) + len(report.unmatched.lines())
    if notes:
        head.append(f"{notes} warning{'s' * (notes > 1)}")
    width = max((len(str(measure)) for measure in report.figures), default=0)
    true = {} if report.incomplete is None else report.incomplete.figures
    lines = []
    for measure, figure in report.figures.items():
        cell = measured(measure, figure)
        known = _true_text(measure, true[measure]) if measure in true else ""
        lines.append(f"  {measure!s:<{width}}  {measured_text(cell)} {interval_text(cell)}{known}".rstrip())
    return "\n".join([one_line(f"Report({', '.join(head)})"), *_first(lines)])


def comparison_text(comparison: "Comparison") -> str:
    """One line for each run, with the letters of the runs it beats."""
    first = comparison.reports[0]
    head = f"{len(comparison.reports)} runs, {counted(first.n, 'question')}, profile {first.profile.name}"
    if first.by:
        head += f", by {_some(list(first.by))}"
    lines = []
    for index, (name, report) in enumerate(zip(comparison.names, comparison.reports, strict=True)):
        shown = (
            f"{measure} {measured_text(measured(measure, figure))}{comparison.marks(index, measure)}"
            for measure, figure in report.figures.items()
        )
        lines.append(f"  {comparison.letter(index)} {name}: {'  '.join(shown)}")
    return "\n".join([one_line(f"Comparison({head})"), *_first(lines)])


def _true_text(measure: Measure, figure: "TrueFigure") -> str:
    """What is known of a true figure, after the figure."""
    unit = _unit(measure)
    bounds = interval_text(Measured(None, figure.bounds, unit))
    shown = f"  bounds {bounds}" if bounds else ""
    if figure.corrected is None:
        return shown
    corrected = Measured(figure.corrected.value, figure.corrected.interval, unit)
    return f"{shown}  corrected {measured_text(corrected)} {interval_text(corrected)}"


def _first(lines: list[str]) -> list[str]:
    lines = [*map(one_line, lines)]
    more = [f"  … and {len(lines) - MOST_LINES} more"] if len(lines) > MOST_LINES else []
    return [*lines[:MOST_LINES], *more]


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
