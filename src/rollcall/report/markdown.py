"""Contents as Markdown, in which texts from data are plain words.

A label, a question or the name of a split may contain tags, tables, headings or line breaks. Here they become
plain words on one line: characters of HTML are written as entities, which every renderer knows, and those of
Markdown with a backslash.
"""

import re
from collections.abc import Sequence
from itertools import groupby

from rollcall._core.console import one_line, shown
from rollcall.report.terminal import bar_lines
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

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"}
_SIGNS = re.compile(r"[&<>|\\`*_\[\]#~$]")
_BEGINNING = re.compile(r"([-+=]|\d{1,9}(?=[.)]))")
_HARMLESS = re.compile(r"[\d.,]+( ?%)?|–")
"""Numbers, in which nothing means anything in Markdown."""


def inline(text: str) -> str:
    """A text as plain words on one line, without any markup."""
    line = _line(text)
    escaped = _SIGNS.sub(lambda sign: _ENTITIES.get(sign.group(), f"\\{sign.group()}"), line)
    if beginning := _BEGINNING.match(escaped):
        sign = beginning.group()
        escaped = f"\\{escaped}" if not sign.isdecimal() else f"{sign}\\{escaped[len(sign) :]}"
    return escaped


def _line(text: str) -> str:
    """A text on one line; control characters that are not white space are shown as escape sequences."""
    return shown(" ".join(text.split()))


def code(text: str) -> str:
    """A text as code if every renderer shows it unchanged; else as plain words."""
    line = _line(text)
    return inline(line) if re.search(r"[<>&`|]", line) else f"`{line}`"


def display_markdown(display: Display) -> str:
    """The tables and figures of a display, and its notes as lists."""
    blocks = []
    for is_note, parts in groupby(display.parts, key=lambda part: isinstance(part, Note)):
        if is_note:
            blocks.append("\n".join(_note(part) for part in parts if isinstance(part, Note)))
        else:
            blocks += [part_markdown(part) for part in parts if not isinstance(part, Note)]
    return "\n\n".join(blocks) + "\n"


def part_markdown(part: Table | Figure) -> str:
    """A table under its title, or the bars of a figure."""
    title = f"{inline(part.title)}:"
    if isinstance(part, Figure):
        return "\n".join([title, "", *(f"    {one_line(line)}" for line in bar_lines(part))])
    notes = [inline(line) for line in part.notes]
    return "\n\n".join([*([title] if part.title else []), table_markdown(part.headings, part.rows), *notes])


def table_markdown(headings: Sequence[Heading], rows: Sequence[Sequence[Cell]]) -> str:
    """A table, whose columns of numbers are aligned to the right."""
    lines = [
        [inline(heading.name.replace(">=", "≥")) for heading in headings],
        ["---" if heading.kind == "text" else "---:" for heading in headings],
        *([_cell(cell, of) for cell, of in zip(row, headings, strict=True)] for row in rows if row),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(cell: Cell, heading: Heading) -> str:
    text = cell_text(cell, heading)
    if not isinstance(cell, Measured) or heading.kind == "interval":  # brackets around digits mean nothing
        return text if isinstance(cell, Measured) or _HARMLESS.fullmatch(text) else inline(text)
    value = text if _HARMLESS.fullmatch(text) else inline(text)
    bounds = interval_text(cell) if heading.kind == "estimate" else ""
    marks = f" <sup>{cell.marks}</sup>" if cell.marks else ""
    return (f"**{value}**" if cell.is_best else value) + (f" {bounds}" if bounds else "") + marks


def _note(note: Note, level: int = 0) -> str:
    """A note as an item of a list, and the lines that belong to it as a list inside."""
    text = inline(note.text)
    if note.label:
        text = f"{inline(note.label)}{'' if note.label in SIGNS else ':'} {text}"
    elif note.tone == "strong":
        text = f"**{text}**"
    detail = f" ({inline(note.detail)})" if note.detail else ""
    lines = [f"{'  ' * level}- {text}{detail}", *(_note(line, level + 1) for line in note.lines)]
    return "\n".join(lines)
