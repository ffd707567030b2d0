"""What is known of true figures, as rows of text: for the terminal, pages and papers alike."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rollcall.questions.completeness import KIND, Completeness
from rollcall.score.output.numbers import ends_written, percent_written, written

if TYPE_CHECKING:
    from rollcall.score.comparison import Comparison
    from rollcall.score.incomplete.corrected import Corrected
    from rollcall.score.incomplete.results import TrueFigure
    from rollcall.score.measure import Measure
    from rollcall.score.report import Report

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
    return bool(_columns([figure for _, figure in _figures(report)]))


def true_heads(report: "Report") -> list[str]:
    """The headings of the columns that are not empty."""
    return ["measure", "value", *_columns([figure for _, figure in _figures(report)])]


def true_rows(report: "Report") -> list[list[str]]:
    """A row for each measure whose true figure something is known about."""
    shown = _columns([figure for _, figure in _figures(report)])
    return [
        [str(measure), written(measure, report.figures[measure].value), *_cells(measure, figure, shown)]
        for measure, figure in _figures(report)
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


def _figures(report: "Report") -> Iterator[tuple["Measure", "TrueFigure"]]:
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
