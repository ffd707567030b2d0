"""Contents as HTML: a fragment for notebooks, and a page that needs no other file; figures are drawn as SVG.

Every text is escaped here, so that a question or a run's name cannot put anything into a page.

- `display_html`, `page`, `fragment`: a whole page, or a part of one.
- `figure_svg`: bars with intervals, histograms, lines with a band, and points.
"""

import html
import math
import re
from collections.abc import Sequence
from html import escape
from importlib import resources
from itertools import groupby
from typing import NamedTuple

from rollcall.report.values import (
    SIGNS,
    Cell,
    Display,
    Figure,
    Heading,
    Mark,
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


# Figures as SVG: bars with intervals, histograms, lines with a band, and points.
#
# They are part of a page, which sets their colours, light or dark, and need no script. The element under the
# pointer shows its note. Few kinds of charts are needed, and a chart library takes 100 MB.

WIDTH, HEIGHT, ROW = 280, 180, 26
COLOURS = 8
"""The number of colours for systems; the page has as many."""
_LETTER = 7
_LONGEST = 26
_MOST_TICKS, _SMALLEST = 6, 1e-6
_MARGIN = 14
_ABOVE, _BELOW = 32.0, 36.0


class Scale(NamedTuple):
    """Round numbers that cover some values, and the range of positions on the screen."""

    ticks: tuple[float, ...]
    start: float
    end: float

    def at(self, value: float) -> float:
        """The position of a value on the screen."""
        share = (value - self.ticks[0]) / (self.ticks[-1] - self.ticks[0])
        return self.start + share * (self.end - self.start)


def scale(low: float, high: float, start: float, end: float) -> Scale:
    """The scale for values from `low` to `high`, with at most six ticks."""
    span = high - low if high - low > _SMALLEST * max(1.0, abs(low), abs(high)) else 1.0
    power = 10.0 ** math.floor(math.log10(span / (_MOST_TICKS - 1)))
    for step in (power, 2 * power, 5 * power, 10 * power, 20 * power):
        first, last = math.floor(low / step + 1e-9), math.ceil((low + span) / step - 1e-9)
        if last - first < _MOST_TICKS:
            break
    return Scale(tuple(round(step * number, 12) for number in range(first, last + 1)), start, end)


def figure_svg(figure: Figure) -> str:
    """A figure that has at least one mark, as an SVG element."""
    if figure.kind == "bar":
        return _bars(figure)
    return _histogram(figure) if figure.kind == "histogram" else _line_or_points(figure)


def _bars(figure: Figure) -> str:
    """Horizontal bars, one below the other; each series under its name, unless that is empty."""
    marks = _marks(figure)
    left = _LETTER * min(_LONGEST, max(len(str(mark.x)) for mark in marks)) + _MARGIN
    across = scale(0.0, max(max(mark.y, mark.high) for mark in marks), left, left + WIDTH)
    parts, top = [], 4.0
    for series in figure.series:
        if series.name:
            parts.append(_text(series.name, 0, top + 17, "heading"))
            top += ROW
        for mark in series.marks:
            parts.append(_bar(mark, across, top))
            top += ROW
    axis = "".join(
        _line(across.at(tick), 4, across.at(tick), top, "grid")
        + _text(f"{100 * tick:g}%", across.at(tick), top + 16, "middle")
        for tick in across.ticks
    )
    return _drawing(figure.title, left + WIDTH + 2 * _MARGIN, top + 22, axis + "".join(parts))


def _bar(mark: Mark, across: Scale, top: float) -> str:
    name = str(mark.x)
    shown = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
    middle, zero = top + ROW / 2, across.at(0.0)
    return _pointed(
        f"{name}: {mark.note}" if name else mark.note,
        _text(shown, zero - 8, middle + 4, "end")
        + _box(zero, top + 5, across.at(mark.y) - zero, ROW - 10, mark.colour)
        + _line(across.at(mark.low), middle, across.at(mark.high), middle, "interval"),
    )


def _histogram(figure: Figure) -> str:
    """Vertical columns side by side, with slanted names."""
    marks = _marks(figure)
    left, top, bottom = 48.0, _ABOVE, _ABOVE + HEIGHT
    up = scale(0.0, max(*(mark.y for mark in marks), 1), bottom, top)
    wide = WIDTH / len(marks)
    parts = [_upright(up, left, "{:,.0f}", figure.y)]
    for number, mark in enumerate(marks):
        x = left + number * wide
        middle = f'transform="translate({x + wide / 2:.1f} {bottom + 14:.1f}) rotate(-45)"'
        parts.append(
            _pointed(f"{mark.x}: {mark.y:,.0f}", _box(x + 2, up.at(mark.y), wide - 4, bottom - up.at(mark.y)))
            + f'<text {middle} class="end">{escape(str(mark.x))}</text>'
        )
    parts.append(_text(figure.x, left + WIDTH / 2, bottom + 66, "middle dim"))
    return _drawing(figure.title, left + WIDTH + _MARGIN, bottom + 74, "".join(parts))


def _line_or_points(figure: Figure) -> str:
    """Points at numbers or at names, and for a line what connects them and a band of their intervals."""
    marks = _marks(figure)
    left, top, bottom = 56.0, _ABOVE, _ABOVE + HEIGHT
    up = scale(
        min(mark.low for mark in marks) if figure.is_signed else 0.0,
        max(mark.high for mark in marks),
        bottom,
        top,
    )
    positions, ticks, along = _along(marks, left)
    across = [along.at(position) for position in positions]
    pairs = list(zip(across, marks, strict=True))
    over = [f"{x:.1f},{up.at(mark.high):.1f}" for x, mark in pairs]
    under = [f"{x:.1f},{up.at(mark.low):.1f}" for x, mark in reversed(pairs)]
    through = [f"{x:.1f},{up.at(mark.y):.1f}" for x, mark in pairs]
    is_line = figure.kind == "line"
    parts = [
        _upright(up, left, "{:+.6g}%" if figure.is_signed else "{:.6g}%", figure.y, 100.0),
        f'<polygon class="band" points="{" ".join(over + under)}"/>' if is_line else "",
        f'<polyline points="{" ".join(through)}"/>' if is_line else "",
        *(_pointed(mark.note, f'<circle cx="{x:.1f}" cy="{up.at(mark.y):.1f}" r="4"/>') for x, mark in pairs),
        *(_text(name, along.at(tick), bottom + 16, "middle") for tick, name in ticks.items()),
        _text(figure.x, left + WIDTH / 2, bottom + _BELOW, "middle dim"),
    ]
    return _drawing(figure.title, left + WIDTH + 2 * _MARGIN, bottom + _BELOW + 8, "".join(parts))


def _along(marks: Sequence[Mark], left: float) -> tuple[list[float], dict[float, str], Scale]:
    """The positions of marks on the horizontal axis, the ticks with their names, and the scale."""
    named = [str(mark.x) for mark in marks if isinstance(mark.x, str)]
    if not named:
        positions = [float(mark.x) for mark in marks]
        along = scale(min(positions), max(positions), left, left + WIDTH)
        return positions, {tick: f"{tick:g}" for tick in along.ticks}, along
    positions = [float(position) for position in range(len(marks))]
    # As many of the names as fit side by side without touching.
    step = math.ceil(len(named) * (max(map(len, named)) + 1) * _LETTER / WIDTH)
    ticks = dict(list(zip(positions, named, strict=True))[::step])
    return positions, ticks, Scale((-0.5, len(marks) - 0.5), left, left + WIDTH)


def _marks(figure: Figure) -> list[Mark]:
    return [mark for series in figure.series for mark in series.marks]


def _upright(up: Scale, left: float, form: str, title: str, times: float = 1.0) -> str:
    """A vertical axis, with horizontal grid lines."""
    lines = [
        _line(left, up.at(tick), left + WIDTH, up.at(tick), "grid")
        + _text(form.format(times * tick), left - 6, up.at(tick) + 4, "end")
        for tick in up.ticks
    ]
    return "".join(lines) + _text(title, 0, 12, "dim")


def _drawing(title: str, width: float, height: float, parts: str) -> str:
    return (
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" role="img" '
        f'aria-label="{escape(title)}">{parts}</svg>'
    )


def _pointed(note: str, parts: str) -> str:
    """Parts that show a note under the pointer."""
    return f"<g><title>{escape(note)}</title>{parts}</g>"


def _box(x: float, y: float, width: float, height: float, colour: int | None = None) -> str:
    style = "" if colour is None else f' class="run-{colour % COLOURS}"'
    size = f'width="{max(width, 0.0):.1f}" height="{max(height, 0.0):.1f}"'
    return f'<rect{style} x="{x:.1f}" y="{y:.1f}" {size}/>'


def _line(x: float, y: float, to_x: float, to_y: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"/>'


def _text(text: str, x: float, y: float, kind: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(text)}</text>' if text else ""
