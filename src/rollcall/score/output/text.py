"""Reports and comparisons in a few lines of text: what Python prints for them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rollcall._core.console import one_line, styled
from rollcall.questions.judgment import KIND, Completeness
from rollcall.score.breakdown import RANK, share_of
from rollcall.score.columns import Figure, FigureGroup
from rollcall.score.measure import Measure, plain_decimal
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    from rollcall.score.comparison import Comparison
    from rollcall.score.expansion import SideBySide
    from rollcall.score.incomplete.bounds import Corrected, TrueFigure
    from rollcall.score.report import Report
    from rollcall.score.robustness import Robustness


# How figures are written for people: shares as percentages with two decimals, others with their unit.

SMALL = 0.1
"""Smaller values that are no shares, such as prices, are written with two digits that are not 0."""


def written(measure: Measure, value: float | None) -> str:
    if value is None:
        return "–"
    if measure.is_share:
        return f"{100 * value:.2f}"
    return f"{_digits(value, 2)} {measure.kind.unit}"


def interval_written(measure: Measure, figure: Figure) -> str:
    """The interval in brackets, or nothing."""
    return ends_written(measure, figure.interval)


def ends_written(measure: Measure, ends: tuple[float, float] | None) -> str:
    """The ends of an interval in brackets, or nothing."""
    if ends is None:
        return ""
    scale = 100 if measure.is_share else 1
    low, high = (f"{scale * end:.1f}" if measure.is_share else _digits(end, 1) for end in ends)
    return f"[{low}, {high}]"


def spread_written(measure: Measure, figure: Figure) -> str:
    """Half the interval's width, for tables with no room for both ends."""
    if figure.interval is None:
        return ""
    low, high = figure.interval
    half = (high - low) / 2
    return f"±{100 * half:.1f}" if measure.is_share else f"±{_digits(half, 1)}"


def breakdown_heads(name: str, runs: Sequence[str]) -> list[str]:
    """The headings of the columns that name the rows of a breakdown; `runs` is empty for a single run."""
    return [name, "n", *(["run"] if runs else [])]


def breakdown_rows(
    groups: Mapping[str, Sequence[FigureGroup]], runs: Sequence[str], most: int | None = None
) -> Iterator[tuple[list[str], Mapping[Measure, Figure]]]:
    """For each group and run, the cells that name the row and its figures; a group is named once."""
    for key, of_runs in list(groups.items())[:most]:
        for place, group in enumerate(of_runs):
            about = [key, str(group.n)] if place == 0 else ["", ""]
            yield [*about, *runs[place : place + 1]], group.figures


def breakdown_measures(groups: Mapping[str, Sequence[FigureGroup]]) -> list[Measure]:
    """The measures that a breakdown has."""
    return list(next(iter(groups.values()))[0].figures) if groups else []


def _digits(value: float, decimals: int) -> str:
    return f"{value:.2g}" if 0 < abs(value) < SMALL else f"{value:.{decimals}f}"


def percent_written(share: float) -> str:
    """A share as a percentage with all its digits: 99.9 % is not 100 %."""
    return f"{100 * share:.10g}%"


# What is known of true figures, as rows of text: for the terminal, pages and papers alike.

SURVIVAL = {"always": "always", "likely": "likely", "reversed": "reversed", "open": "not shown"}
BOUNDS = "Bounds hold the true figure, whichever answers are missing."
CORRECTED = (
    "Corrected figures are estimated from judged errors; the first interval is for these questions, the "
    "second for all such questions."
)
SURVIVES = (
    "A difference survives always if its bounds leave out zero, likely if the corrected one does for all "
    "such questions."
)


def true_title(report: "Report", name: str = "") -> str:
    """What the true figures rest on, in one line."""
    about = report.incomplete
    assert about is not None
    parts = []
    if about.completeness is not None:
        parts.append(f"if gold has {_completeness(about.completeness)} of all answers")
    if about.drawn:
        machines = f", {about.guessed:,} by a machine" if about.guessed else ""
        parts.append(f"{about.drawn:,} of {about.errors:,} errors judged{machines}")
    told = "; ".join(parts) or f"{about.known} errors judged"
    return f"{name}: true figures, {told}" if name else f"True figures, {told}"


def true_notes(report: "Report") -> str:
    """What the columns mean, in one or two sentences."""
    shown = true_heads(report)
    return " ".join(
        [*([BOUNDS] if "bounds" in shown else []), *([CORRECTED] if "corrected" in shown else [])]
    )


def _completeness(given: Completeness) -> str:
    kinds = [f"{_share(one)} ({name})" for name, one in given.by.get(KIND, {}).items()]
    rest = [f"{_share(given)} (other kinds)"] if kinds and given.estimate is not None else []
    return ", ".join([*kinds, *rest]) or _share(given)


def _share(given: Completeness) -> str:
    low, high = (percent_written(round(end, 3)) for end in given.ends)
    return low if low == high else f"{low.rstrip('%')}–{high}"


def has_true_figures(report: "Report") -> bool:
    """Whether there is anything to show."""
    return bool(_columns([figure for _, figure in _true_figures(report)]))


def true_heads(report: "Report") -> list[str]:
    """The headings of the columns that are not empty."""
    return ["measure", "value", *_columns([figure for _, figure in _true_figures(report)])]


def true_rows(report: "Report") -> list[list[str]]:
    """A row for each measure whose true figure something is known about."""
    shown = _columns([figure for _, figure in _true_figures(report)])
    return [
        [str(measure), written(measure, report.figures[measure].value), *_cells(measure, figure, shown)]
        for measure, figure in _true_figures(report)
    ]


def difference_heads(comparison: "Comparison") -> list[str]:
    columns = _columns([one.true for one in comparison.differences if one.true is not None])
    return ["measure", "runs", "difference", *columns, "survives"]


def difference_rows(comparison: "Comparison") -> list[list[str]]:
    """A row for each difference whose true value something is known about."""
    known = [(one, one.true) for one in comparison.differences if one.true is not None]
    shown = _columns([true for _, true in known])
    rows = []
    for one, true in known:
        runs = f"{comparison.letter(one.first)} − {comparison.letter(one.second)}"
        cells = _cells(one.measure, true, shown)
        rows.append(
            [
                str(one.measure),
                runs,
                written(one.measure, one.value),
                *cells,
                SURVIVAL[one.survival or "open"],
            ]
        )
    return rows


def _true_figures(report: "Report") -> Iterator[tuple["Measure", "TrueFigure"]]:
    if report.incomplete is not None:
        yield from report.incomplete.figures.items()


def _columns(figures: list["TrueFigure"]) -> list[str]:
    bounds = ["bounds"] if any(one.bounds is not None for one in figures) else []
    judged = any(one.corrected is not None for one in figures)
    return bounds + (["corrected", "interval", "all such questions"] if judged else [])


def _cells(measure: "Measure", figure: "TrueFigure", columns: list[str]) -> list[str]:
    found = figure.corrected
    cells = {
        "bounds": ends_written(measure, figure.bounds),
        "corrected": "–" if found is None else written(measure, found.value),
        "interval": "" if found is None else ends_written(measure, found.interval),
        "all such questions": "" if found is None else ends_written(measure, found.population),
    }
    return [cells[column] for column in columns]


def true_text(measure: "Measure", figure: "TrueFigure") -> str:
    """The same in one line, after a figure."""
    bounds = f"  bounds {ends_written(measure, figure.bounds)}" if figure.bounds is not None else ""
    if figure.corrected is None:
        return bounds
    value = written(measure, figure.corrected.value)
    return f"{bounds}  corrected {value} {ends_written(measure, figure.corrected.interval)}"


def true_json(figure: "TrueFigure") -> dict[str, object]:
    """The keys that a figure or difference gets besides its own."""
    found: dict[str, object] = {}
    if figure.bounds is not None:
        found["bounds"] = list(figure.bounds)
    if figure.corrected is not None:
        found["corrected"] = _corrected_json(figure.corrected)
    return found


def _corrected_json(one: "Corrected") -> dict[str, object]:
    return {
        "value": one.value,
        "ci": list(one.interval),
        "population": None if one.population is None else list(one.population),
        "judged": one.judged,
    }


def true_columns(figure: "TrueFigure | None") -> dict[str, object]:
    """The same as columns of a table."""
    bounds = None if figure is None else figure.bounds
    found = None if figure is None else figure.corrected
    return {
        "bounds_low": None if bounds is None else bounds.low,
        "bounds_high": None if bounds is None else bounds.high,
        "corrected": None if found is None else found.value,
        "corrected_low": None if found is None else found.interval[0],
        "corrected_high": None if found is None else found.interval[1],
    }


MOST_LINES = 10


def report_text(report: "Report") -> str:
    """The profile, the number of questions and the figures."""
    head = [f"{report.n} questions", f"profile {report.profile.name}"]
    if report.name:
        head.insert(0, report.name)
    if report.confidence:
        head.append(f"{percent_written(report.confidence)} intervals")
    if report.by:
        head.append(f"by {_some(list(report.by))}")
    notes = len(report.warnings) + len(report.unmatched.lines())
    if notes:
        head.append(f"{notes} warning{'s' * (notes > 1)}")
    return "\n".join([one_line(f"Report({', '.join(head)})"), *_figures(report)])


def comparison_text(comparison: "Comparison") -> str:
    """One line for each run, with the letters of the runs it beats."""
    first = comparison.reports[0]
    head = f"{len(comparison.reports)} runs, {counted(first.n, 'question')}, profile {first.profile.name}"
    if first.by:
        head += f", by {_some(list(first.by))}"
    lines = []
    for place, (name, report) in enumerate(zip(comparison.names, comparison.reports, strict=True)):
        shown = (
            f"{measure} {written(measure, figure.value)}{comparison.marks(place, measure)}"
            for measure, figure in report.figures.items()
        )
        lines.append(f"  {comparison.letter(place)} {name}: {'  '.join(shown)}")
    return "\n".join([one_line(f"Comparison({head})"), *_first(lines)])


def _figures(report: "Report") -> list[str]:
    width = max((len(str(measure)) for measure in report.figures), default=0)
    true = {} if report.incomplete is None else report.incomplete.figures
    lines = []
    for measure, figure in report.figures.items():
        value = f"{written(measure, figure.value)} {interval_written(measure, figure)}"
        known = true_text(measure, true[measure]) if measure in true else ""
        lines.append(f"  {measure!s:<{width}}  {value}{known}".rstrip())
    return _first(lines)


def _first(lines: list[str]) -> list[str]:
    lines = [*map(one_line, lines)]
    more = [f"  … and {len(lines) - MOST_LINES} more"] if len(lines) > MOST_LINES else []
    return [*lines[:MOST_LINES], *more]


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


# A report on the terminal: one table of figures, one for each breakdown, and what did not match.

MOST_WITH_SPREAD = 4
"""The most measures for which intervals fit beside the figures of a group."""
MOST_GROUPS = 40
"""The most rows of a breakdown that are shown; JSON and HTML have all of them."""
ROBUSTNESS_HEADS = ("number", "correlation with the score", "with the drop inside clusters")


def print_report(report: "Report", console: Console) -> None:
    print_titled(_title(report), _terminal_figures(report), console)
    if report.reading:
        console.print(plain(report.reading), style="dim")
    print_true_figures(report, console)
    print_breakdowns(report.by_run, (), console)
    if report.robustness is not None:
        rows = robustness_rows(report.robustness)
        table = text_table(ROBUSTNESS_HEADS, rows, left=1)
        print_titled(robustness_title(report.robustness), table, console)
    for variant in report.variants:
        print_side_by_side(variant, console)
    for line in report.unmatched.lines():
        console.print(styled(("unmatched:", "yellow"), f" {line}"))
    for line in report.warnings:
        console.print(styled(("warning:", "yellow"), f" {line}"))


def print_true_figures(report: "Report", console: Console, name: str = "") -> None:
    """The bounds and the corrected figures, if something is known about what the gold lacks."""
    if has_true_figures(report):
        table = text_table(true_heads(report), true_rows(report), left=1)
        print_titled(true_title(report, name), table, console)
        if not name:
            console.print(plain(true_notes(report)), style="dim")


def text_table(heads: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> Table:
    """A table of plain text, whose first columns are aligned to the left."""
    table = Table()
    for place, head in enumerate(heads):
        table.add_column(plain(head), justify="left" if place < left else "right")
    for row in rows:
        table.add_row(*map(plain, row))
    return table


def print_side_by_side(variant: "SideBySide", console: Console) -> None:
    """The rows of figures, and under them the counts that explain the difference."""
    measures = list(next(iter(variant.rows.values())))
    table = Table()
    table.add_column(variant.differ_in)
    for measure in measures:
        table.add_column(str(measure), justify="right", no_wrap=True)
    for name, figures in variant.rows.items():
        table.add_row(plain(name), *(_cell(measure, figures[measure], len(measures)) for measure in measures))
    print_titled(f"{variant.title} ({counted(variant.n, 'question')})", table, console)
    for name, count in variant.counts.items():
        shown = f"{count:.2f}" if isinstance(count, float) else str(count)
        console.print(plain(f"  {name}: {shown}"))


def print_titled(title: str, table: Table, console: Console) -> None:
    """A table under its title, which may be wider than the table."""
    console.print(plain(title), style="italic")
    console.print(table)


def _title(report: "Report") -> str:
    gold = "" if report.setting == "complete" else f", {report.setting} gold"
    sure = f", {percent_written(report.confidence)} intervals" if report.confidence else ""
    asked = len({question.id for question, _ in report.pairs})
    number = counted(asked, "question")
    if asked != report.n:
        number = f"{report.n} trials at {number}"
    return f"{number}, profile {report.profile.name}{gold}{sure}"


def _terminal_figures(report: "Report") -> Table:
    table = Table()
    table.add_column("measure")
    table.add_column("value", justify="right")
    table.add_column("interval", justify="right")
    table.add_column("meaning", style="dim")
    for measure, figure in report.figures.items():
        table.add_row(
            str(measure),
            written(measure, figure.value),
            plain(interval_written(measure, figure)),
            meaning(measure),
        )
    return table


def print_breakdowns(
    by: Mapping[str, Mapping[str, Sequence[FigureGroup]]], runs: Sequence[str], console: Console
) -> None:
    """A table for each breakdown, of one run or of several."""
    for name, groups in by.items():
        print_titled(f"by {name}", _groups(name, groups, runs), console)
        if len(groups) > MOST_GROUPS:
            console.print(f"… and {len(groups) - MOST_GROUPS} more; --json and --html have all of them")


def _groups(name: str, groups: Mapping[str, Sequence[FigureGroup]], runs: Sequence[str]) -> Table:
    table = Table()
    for head in breakdown_heads(name, runs):
        table.add_column(plain(head), justify="right" if head == "n" else "left", no_wrap=head != "run")
    measures = breakdown_measures(groups)
    for measure in measures:
        table.add_column(str(measure), justify="right", no_wrap=True)
        if name == RANK:
            table.add_column("of 1st", justify="right", no_wrap=True)
    firsts = [group.figures for group in groups["1"]] if name == RANK and groups else []
    for number, (about, figures) in enumerate(breakdown_rows(groups, runs, MOST_GROUPS)):
        cells: list[str | Text] = []
        for measure in measures:
            if name == RANK:  # no room for intervals beside the shares
                share = share_of(figures[measure], firsts[number % len(firsts)][measure])
                cells += [written(measure, figures[measure].value), "–" if share is None else f"{share:.1%}"]
            else:
                cells.append(_cell(measure, figures[measure], len(measures)))
        table.add_row(*map(plain, about), *cells)
    return table


def robustness_title(found: "Robustness") -> str:
    return (
        f"robustness of {found.measure} over {found.clusters} clusters: mean {100 * found.mean:.2f}, "
        f"worst case {100 * found.worst:.2f}, drop {100 * (found.worst - found.mean):.2f}"
    )


def robustness_rows(found: "Robustness") -> list[list[str]]:
    """For each number, how it correlates with the score."""
    return [
        [name, *("–" if r is None else f"{r:+.3f}" for r in (trend.with_score, trend.with_drop))]
        for name, trend in found.trends.items()
    ]


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


def _cell(measure: Measure, figure: Figure, columns: int) -> Text:
    """A figure with half its interval, if the screen has room for it."""
    spread = spread_written(measure, figure) if columns <= MOST_WITH_SPREAD else ""
    return styled(written(measure, figure.value), *([(f" {spread}", "dim")] if spread else []))


def plain(text: str) -> Text:
    """Text in which rich finds no markup, on any console."""
    return Text(text)
