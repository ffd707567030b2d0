"""Contents as HTML: a fragment for notebooks, and a page that needs no other file.

Every text is escaped here, so that a question or a run's name cannot put anything into a page.
"""

import html
import re
from collections.abc import Sequence
from importlib import resources
from itertools import groupby

from rollcall.report.svg import figure_svg
from rollcall.report.values import (
    SIGNS,
    Cell,
    Display,
    Figure,
    Heading,
    Measured,
    Note,
    Table,
    cell_text,
    interval_text,
)
from rollcall.version import __version__

_NO_WORD = re.compile(r"\W+")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SIGNS = dict(zip(SIGNS, ("found", "wrong", "missed"), strict=True))
"""The classes of the style sheet for labels that are signs."""


def display_html(display: Display) -> str:
    """The page of a display."""
    return page(display.title, display.subtitle, fragment(display))


def page(title: str, subtitle: str, body: str, *, style: str = "", script: str = "") -> str:
    """A page that needs no other file; all but the title and the subtitle is HTML already.

    Control characters, which HTML forbids, are escape sequences.
    """
    parts = {
        "POLICY": "; script-src 'unsafe-inline'" if script else "",
        "TITLE": html.escape(title),
        "STYLE": page_file(__package__, "page.css") + style,
        "HEADING": html.escape(title),
        "SUBTITLE": html.escape(subtitle),
        "BODY": body,
        "SCRIPT": script,
    }
    text = page_file(__package__, "page.html").replace("VERSION", __version__, 1)
    for name, content in parts.items():
        before, _, after = text.partition(f"<!--{name}-->")
        text = before + content + after
    return _CONTROL.sub(lambda match: f"\\x{ord(match.group()):02x}", text)


def page_file(package: str, name: str) -> str:
    """A file of the folder `page` of a package."""
    return (resources.files(package) / "page" / name).read_text("utf-8")


def fragment(display: Display) -> str:
    """The parts of a display as sections; charts stand side by side, and so do notes in a list."""
    sections = []
    for kind, parts in groupby(display.parts, key=type):
        if kind is Table:
            sections += [table_section(part) for part in parts if isinstance(part, Table)]
        elif kind is Figure:
            charts = "".join(_chart(part) for part in parts if isinstance(part, Figure))
            sections.append(f'<section><h2>Charts</h2><div class="charts">{charts}</div></section>')
        else:
            sections.append(_notes([part for part in parts if isinstance(part, Note)]))
    return "".join(sections)


def table_section(table: Table) -> str:
    """A section with a table whose first column names its rows."""
    head = "".join(
        f'<th scope="col"{_class(heading)}>{html.escape(heading.name)}</th>' for heading in table.headings
    )
    body = "".join(
        "<tr>"
        + "".join(
            _cell(cell, of, column) for column, (cell, of) in enumerate(zip(row, table.headings, strict=True))
        )
        + "</tr>"
        for row in table.rows
        if row
    )
    title = f"<h2>{html.escape(table.title)}</h2>" if table.title else ""
    kind = f' class="{_NO_WORD.sub("-", table.label)}"' if table.label else ""
    notes = "".join(f"<p>{html.escape(line)}</p>" for line in table.notes)
    inside = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f"<section>{title}<table{kind}>{inside}</table>{notes}</section>"


def _cell(cell: Cell, heading: Heading, column: int) -> str:
    text = html.escape(cell_text(cell, heading))
    if column == 0:
        return f'<th scope="row">{text}</th>'
    if isinstance(cell, Measured) and heading.kind == "estimate":
        bounds = interval_text(cell)
        text += f" {html.escape(cell.marks)}" if cell.marks else ""
        text += f"<small>{html.escape(bounds)}</small>" if bounds else ""
    return f"<td{_class(heading)}>{text}</td>"


def _class(heading: Heading) -> str:
    return "" if heading.kind == "text" else ' class="number"'


def _chart(figure: Figure) -> str:
    return (
        f"<figure><figcaption>{html.escape(figure.title)}</figcaption>"
        f'<div class="chart">{figure_svg(figure)}</div></figure>'
    )


def _notes(notes: Sequence[Note]) -> str:
    """Notes as a list; those that have lines of their own are sections or are opened by a click."""
    return f"<section>{_list(notes)}</section>"


def _list(notes: Sequence[Note]) -> str:
    items = "".join(f"<li>{_note(note)}</li>" for note in notes)
    return f'<ul class="notes">{items}</ul>'


def _note(note: Note) -> str:
    text = html.escape(note.text)
    if note.label in _SIGNS:
        text = f'<span class="chip {_SIGNS[note.label]}">{note.label} {text}</span>'
    elif note.label:
        text = f"<b>{html.escape(note.label)}:</b> {text}"
    elif note.tone in ("strong", "dim"):
        text = f'<span class="{note.tone}">{text}</span>'
    if note.detail:
        text += f' <span class="dim">{html.escape(note.detail)}</span>'
    if not note.lines:
        return text
    return f"<details open><summary>{text}</summary>{_list(note.lines)}</details>"
