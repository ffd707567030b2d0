"""Contents on the terminal: tables of rich, bars of blocks, and coloured labels."""

from collections.abc import Iterator
from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from rollcall._core.console import Screen, styled
from rollcall.report.values import (
    SIGNS,
    Cell,
    Display,
    Figure,
    Heading,
    Measured,
    Note,
    Part,
    Table,
    Tone,
    cell_text,
    spread_text,
)

if TYPE_CHECKING:
    from rollcall.report.values import Rendered

_BAR = 40
_STYLES: dict[Tone, str] = {
    "": "",
    "strong": "bold",
    "dim": "dim",
    "good": "green",
    "bad": "red",
    "doubtful": "yellow",
}


def show(result: "Rendered") -> None:
    """Print a result on the terminal."""
    print_display(result.display("terminal"), Screen())


def print_display(display: Display, console: Console) -> None:
    """Print the parts of a display."""
    for part in display.parts:
        print_part(part, console)


def display_text(display: Display) -> str:
    """What the terminal shows, as plain text."""
    stream = StringIO()
    print_display(display, Screen(file=stream, width=100))
    return stream.getvalue().rstrip()


def print_part(part: Part, console: Console) -> None:
    """Print a table, a figure or a note."""
    if isinstance(part, Table):
        if part.title:
            console.print(Text(part.title), style="italic")
        console.print(_table(part))
        for line in part.notes:
            console.print(Text(line), style="dim")
    elif isinstance(part, Figure):
        console.print(Text(part.title), style="italic")
        for line in bar_lines(part):
            console.print(Text(line), soft_wrap=True)
    else:
        _print_note(part, console, 0)


def _table(part: Table) -> RichTable:
    table = RichTable()
    for heading in part.headings:
        is_text = heading.kind == "text"
        table.add_column(
            Text(heading.name),
            justify="left" if is_text else "right",
            no_wrap=heading.kind not in ("text", "estimate"),
            overflow="fold",
            style=_STYLES[heading.tone],
        )
    for row in part.rows:
        if not row:
            table.add_section()
        else:
            table.add_row(*(_cell(cell, of) for cell, of in zip(row, part.headings, strict=True)))
    return table


def _cell(cell: Cell, heading: Heading) -> Text:
    if not isinstance(cell, Measured) or heading.kind != "estimate":
        return Text(cell_text(cell, heading))
    spread = spread_text(cell)
    return styled(
        cell_text(cell, heading),
        *([(f" {cell.marks}", "bold")] if cell.marks else []),
        *([(f" {spread}", "dim")] if spread else []),
    )


def bar_lines(figure: Figure) -> Iterator[str]:
    """The marks of a figure as lines: their names, their values, and bars of blocks."""
    marks = [mark for series in figure.series for mark in series.marks]
    widest = max((mark.y for mark in marks), default=0.0) or 1.0
    form = "{:>8,.0f}" if figure.kind == "histogram" else "{:>8.1%}"
    for mark in marks:
        yield f"{mark.x:>10} {form.format(mark.y)} {'█' * round(_BAR * mark.y / widest)}".rstrip()


def _print_note(note: Note, console: Console, level: int) -> None:
    """A note, and the lines that belong to it indented."""
    label = f"{note.label}{'' if note.label in SIGNS else ':'}" if note.label else ""
    console.print(
        styled(
            "  " * level,
            (label, _STYLES[note.tone]),
            (f" {note.text}", "") if label else (note.text, _STYLES[note.tone]),
            (f"  {note.detail}" if note.detail else "", "dim"),
        ),
        soft_wrap=True,
    )
    for line in note.lines:
        _print_note(line, console, level + 1)
