"""Tables in wikitext: rows, cells, headings and captions, with their attributes and spans."""

import re
from typing import TYPE_CHECKING

from rollcall.corpus.content import Cell, Table
from rollcall.corpus.grid import SpanningCell, make_table, span_of
from rollcall.corpus.wikitext.brackets import CLOSED_LINK, RAW
from rollcall.corpus.wikitext.finish import cell as finish_cell

if TYPE_CHECKING:
    from rollcall.corpus.wikitext.render import Renderer

_PART = re.compile(
    rf"[\n|!\[{{<](?:(?P<closed>(?<=\[){CLOSED_LINK})"
    r"|(?P<nested>(?<=\n)[ \t:*#;]*+\{\|)|(?P<line>(?<=\n)[ \t]*+(?:\|-++|\|\+|\||!))"
    r"|(?P<same>(?<=\|)\||(?<=!)!)|(?P<bar>(?<=\|))|(?P<opening>(?<=\[)\[|(?<=\{)\{++)"
    rf"|(?P<rawtag>(?<=<){RAW}))"
)


class _CellRange:
    """The position of one cell: its attributes before the first bar, then its content."""

    __slots__ = ("attributes", "end", "header", "start")

    def __init__(self, start: int, header: bool) -> None:
        self.start = start
        self.end = start
        self.header = header
        self.attributes = ""


def read_table(page: "Renderer", start: int, end: int, section: str, depth: int) -> Table | None:
    """The table whose opening line begins at `start`; it ends before `end`."""
    caption, rows = _cells(page, start, end)
    words = page.plain(caption.start, caption.end, depth) if caption else ""
    written = [[_spanning(page, cell, depth) for cell in row] for row in rows]
    return make_table(section, words, [row for row in written if row])


def _spanning(page: "Renderer", cell: _CellRange, depth: int) -> SpanningCell:
    words, links = finish_cell(page.marked(cell.start, cell.end, depth))
    made = Cell(words, tuple(dict.fromkeys(links)), cell.header)
    if "span" not in cell.attributes:
        return SpanningCell(made)
    return SpanningCell(made, span_of(cell.attributes, "rowspan"), span_of(cell.attributes, "colspan"))


def _cells(page: "Renderer", start: int, end: int) -> tuple[_CellRange | None, list[list[_CellRange]]]:
    """The caption and the cells of each row, as ranges of the page's text."""
    text, closing = page.text, page.brackets.closing
    rows: list[list[_CellRange]] = [[]]
    caption: _CellRange | None = None
    cell: _CellRange | None = None
    header = barred = False
    position = start + 1
    while match := _PART.search(text, position, end):
        kind, position = match.lastgroup, match.end()
        if kind == "opening" or kind == "nested":
            closed = closing.get(match.start())
            if closed is not None and closed < end:
                position = closed + 2
            barred = barred or match.group() == "[["
        elif kind == "closed":
            barred = True
        elif kind == "line":
            if cell is not None:
                cell.end = match.start()
            sign = match.group().strip()
            header, barred = sign == "!", False
            if sign.startswith("|-"):
                rows.append([])
                cell = None
                position = _line_end(text, position, end)
            elif sign == "|+":
                caption = cell = _CellRange(position, False)
            else:
                cell = _CellRange(position, header)
                rows[-1].append(cell)
        elif cell is None or cell is caption:
            if kind == "bar" and cell is not None and not barred:
                cell.start, barred = position, True
        elif kind == "same" and (header or match.group() == "||"):
            cell.end = match.start()
            cell, barred = _CellRange(position, header), False
            rows[-1].append(cell)
        elif kind == "bar" and not barred:
            cell.attributes, cell.start, barred = text[cell.start : match.start()], position, True
    if cell is not None:
        cell.end = end
    return caption, rows


def _line_end(text: str, position: int, end: int) -> int:
    found = text.find("\n", position, end)
    return found if found >= 0 else end
