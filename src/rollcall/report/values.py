"""What a verb shows, as values: an ordered list of tables, figures and notes.

`Table`      headings, rows of cells, and notes; each heading says what kind its cells are
`Measured`     a cell that is measured: a value, its interval, and what marks it
`Figure`     series for a bar chart, a line, a scatter plot or a histogram
`Note`       a line of text, perhaps with a label, and lines that belong to it
`Display`   the list, with a title
`Rendered`   the base class of results that show themselves in every medium
`Summary`    a result that is a list of names and values

A renderer knows its medium and nothing of the verbs; a verb knows its values and no medium's escaping.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

Medium = Literal["terminal", "notebook", "html", "markdown", "latex"]
Kind = Literal["text", "count", "number", "percent", "interval", "estimate"]
"""An `interval` shows only the ends of a `Measured`; an `estimate` shows its value and its interval."""
FigureKind = Literal["bar", "line", "scatter", "histogram"]
Tone = Literal["", "strong", "dim", "good", "bad", "doubtful"]


class Measured(msgspec.Struct, frozen=True):
    """A measured value: a share, which is written as a percentage, or a number with its unit."""

    value: float | None
    interval: tuple[float, float] | None = None
    unit: str | None = None
    """None for a share."""
    marks: str = ""
    """Letters that are explained in a note."""
    is_best: bool = False


Cell = str | int | float | Measured | None
BREAK: tuple[Cell, ...] = ()
"""A row that is a little space between groups of rows."""


class Heading(msgspec.Struct, frozen=True):
    """The name of a column, and what its cells are."""

    name: str
    kind: Kind = "text"
    decimals: int = 2
    formula: str = ""
    """The name in LaTeX, if it is a formula."""
    tone: Tone = ""


class Table(msgspec.Struct, frozen=True):
    """Rows under headings; the title of a table in a paper is its caption, and `label` names it there."""

    title: str
    headings: tuple[Heading, ...]
    rows: Sequence[Sequence[Cell]]
    notes: tuple[str, ...] = ()
    label: str = ""


class Mark(msgspec.Struct, frozen=True):
    """A bar, column or point: its position, its height with an interval, and the text under the pointer."""

    x: str | float
    y: float
    low: float
    high: float
    note: str = ""
    colour: int | None = None
    """The number of the system whose colour it has."""


class Series(msgspec.Struct, frozen=True):
    """Marks that belong together, under a name if there are several series."""

    name: str
    marks: tuple[Mark, ...]


class Figure(msgspec.Struct, frozen=True):
    """A chart. Heights are shares, except those of a histogram, which are counts."""

    title: str
    kind: FigureKind
    series: tuple[Series, ...]
    x: str = ""
    y: str = ""
    is_signed: bool = False
    """Whether heights are differences, which have a sign and no common zero line."""


class Note(msgspec.Struct, frozen=True):
    """A line of text after its label, and the lines that belong to it."""

    text: str
    label: str = ""
    tone: Tone = ""
    """The tone of the label, or of the text if there is no label."""
    detail: str = ""
    """Less important words after the text, such as an id."""
    lines: tuple["Note", ...] = ()


SIGNS = "+−~"
"""Labels that are signs, for what came, went and changed; no colon follows them."""
Part = Table | Figure | Note


class Display(msgspec.Struct, frozen=True):
    """Tables, figures and notes in order."""

    title: str
    parts: tuple[Part, ...]
    subtitle: str = ""

    @property
    def tables(self) -> list[Table]:
        return [part for part in self.parts if isinstance(part, Table)]


def warnings(lines: Sequence[str], label: str = "warning") -> list[Note]:
    """A note for each warning."""
    return [Note(line, label, "doubtful") for line in lines]


# Cells in words, the same in every medium.

NOTHING = "–"
"""What stands for a value that is not known."""
_SMALL = 0.1
"""Smaller values that are not shares, such as prices, are written with two digits that are not 0."""


def cell_text(cell: Cell, heading: Heading) -> str:
    """A cell as its column shows it, without the interval of an estimate."""
    if isinstance(cell, Measured):
        return interval_text(cell) if heading.kind == "interval" else measured_text(cell)
    if cell is None:
        return NOTHING
    if isinstance(cell, str):
        return cell
    if heading.kind == "percent":
        return f"{cell:.{heading.decimals}%}"
    return f"{cell:,.{heading.decimals}f}" if isinstance(cell, float) else f"{cell:,}"


def measured_text(measured: Measured) -> str:
    """The value alone."""
    if measured.value is None:
        return NOTHING
    return (
        f"{100 * measured.value:.2f}"
        if measured.unit is None
        else f"{_digits(measured.value, 2)} {measured.unit}"
    )


def interval_text(measured: Measured) -> str:
    """The ends of the interval in brackets, or nothing."""
    if measured.interval is None:
        return ""
    low, high = (
        f"{100 * end:.1f}" if measured.unit is None else _digits(end, 1) for end in measured.interval
    )
    return f"[{low}, {high}]"


def spread_text(measured: Measured) -> str:
    """Half the interval's width, where there is no room for both ends."""
    if measured.interval is None:
        return ""
    half = (measured.interval[1] - measured.interval[0]) / 2
    return f"±{100 * half:.1f}" if measured.unit is None else f"±{_digits(half, 1)}"


def percent_text(share: float) -> str:
    """A share as a percentage with all its digits: 99.9 % is not 100 %."""
    return f"{100 * share:.10g}%"


def _digits(value: float, decimals: int) -> str:
    return f"{value:.2g}" if 0 < abs(value) < _SMALL else f"{value:.{decimals}f}"


class Rendered:
    """A result that shows itself in every medium: it gives its display and its values."""

    __slots__ = ()

    def display(self, medium: Medium = "terminal") -> Display:
        """What is shown; a medium with little room may get less."""
        raise NotImplementedError

    def as_json(self) -> dict[str, object]:
        """Everything as plain values."""
        raise NotImplementedError

    def failure(self) -> str | None:
        """Why a command fails after it has shown and written the result; None if it does not."""
        return None

    def records(self) -> Table:
        """The table that CSV has: values with all their digits, for programs."""
        return self.display("html").tables[0]

    def to_csv(self) -> str:
        """The figures as CSV, with all their digits."""
        from rollcall.report.csv import table_csv

        return table_csv(self.records())

    def to_latex(self) -> str:
        """Tables for a paper."""
        from rollcall.report.latex import display_latex

        return display_latex(self.display("latex"))

    def to_markdown(self) -> str:
        """Tables for a README."""
        from rollcall.report.markdown import display_markdown

        return display_markdown(self.display("markdown"))

    def to_html(self) -> str:
        """A page that needs no other file."""
        from rollcall.report.html import display_html

        return display_html(self.display("html"))

    def _repr_html_(self) -> str:
        from rollcall.report.html import fragment

        return fragment(self.display("notebook"))


class Summary(Rendered):
    """What a command did, as names and values; `out` is the folder that it wrote."""

    def __init__(self, title: str, values: Mapping[str, str | int | float], out: Path | None = None):
        self.title = title
        self.values = values
        self.out = out

    def display(self, medium: Medium = "terminal") -> Display:
        """One table."""
        headings = (Heading(""), Heading("", "number"))
        return Display(self.title, (Table(self.title, headings, list(self.values.items())),))

    def records(self) -> Table:
        """A row for each value."""
        return Table("", (Heading("name"), Heading("value", "number")), list(self.values.items()))

    def as_json(self) -> dict[str, object]:
        """The values by their names."""
        return {**({} if self.out is None else {"out": str(self.out)}), **self.values}
