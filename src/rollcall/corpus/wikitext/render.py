"""Renders wikitext: scans it once, copies text and interprets markup.

Rendering never raises and never goes back: unclosed markup is closed at the end of its paragraph and recorded
as a problem, and rendering continues. The text of templates is defined by rules that are data.
"""

import re
from collections.abc import Callable

from rollcall._core.errors import DEEPEST
from rollcall.corpus.corpus import HEADING_SEPARATOR, Cell, Content, TableContent
from rollcall.corpus.lists import SpanningCell, make_table, span_of
from rollcall.corpus.wikitext.finish import (
    ANCHOR,
    BREAK,
    GAP,
    HEADING,
    HIDDEN_NAMESPACES,
    LINK,
    LINK_END,
    QUOTE,
    TRAIL,
    finish,
    plain,
    render_link,
)
from rollcall.corpus.wikitext.finish import cell as finish_cell
from rollcall.corpus.wikitext.templates import TemplateRules, render_template

# Finds the pairs of brackets, in one pass and before anything is rendered. Because all pairs are known,
# rendering can skip dropped markup, and it takes linear time however badly a page is nested: an unclosed
# bracket is known at once, without repeated searches. If a closing bracket matches an opening one below
# others on the stack, those others are treated as unclosed.

RAW_TAGS = (
    "nowiki|pre|ref|math|chem|ce|gallery|syntaxhighlight|source|score|timeline|imagemap|templatedata|"
    "templatestyles|graph|mapframe|maplink|hiero|inputbox|categorytree|includeonly"
)
"""Tags whose content is not wikitext, or is never shown."""

RAW = (
    rf"(?P<raw>(?i:{RAW_TAGS}))\b(?:[^<>/]|/(?!>))*+"
    r"(?:/>|>(?P<inside>(?:[^<]++|<(?!/?(?i:(?P=raw))\b))*+)</(?i:(?P=raw))\s*+>)"
)
"""A raw tag with its content, from after its `<`. It must not contain another tag of the same name, so that
every search for the end of an unclosed tag stops at the next one."""

CLOSED_LINK = r"\[[^\[\]{}<>\n]*+\]\]"
"""A link without other markup inside, from after its first bracket: most links are simple like this."""

# Each pattern that scans a page begins with the set of characters that markup can begin with: the search
# for the first of them is the regular expression engine's fastest loop.
_BRACKET = re.compile(
    rf"[\[\]{{}}\n<](?:(?<=\[){CLOSED_LINK}"
    r"|(?P<square>(?<=\[)\[|(?<=\])\])|(?P<open>(?<=\{)\{++)|(?P<shut>(?<=\})\}++)"
    r"|(?P<blank>(?<=\n)[ \t]*+(?=\n))|(?P<table>(?<=\n)[ \t:*#;]*+\{\|(?!\}))"
    rf"|(?P<table_end>(?<=\n)[ \t]*+\|\}}(?!\}}))|(?<=<){RAW})"
)
TEMPLATE, PARAMETER, LINK_BRACKETS, TABLE = 0, 1, 2, 3


class Brackets:
    """For each opening bracket that is closed: the position of its closing bracket.

    An opening is identified by the position of its first character, a table by that of its line break.
    """

    def __init__(self, text: str) -> None:
        self.closing: dict[int, int] = {}
        self.parameters: set[int] = set()
        """Openings of three braces: a template parameter, possibly with a default."""
        self._stack: list[tuple[int, int]] = []
        self._open = [0, 0, 0, 0]
        for match in _BRACKET.finditer(text):
            kind = match.lastgroup
            if kind is None:
                continue
            start = match.start()
            if kind == "square":
                if text[start] == "[":
                    self._push(LINK_BRACKETS, start)
                else:
                    self._close(LINK_BRACKETS, start)
            elif kind == "open":
                self._push_braces(start, match.end() - start)
            elif kind == "shut":
                self._close_braces(start, match.end() - start)
            elif kind == "table":
                self._push(TABLE, start)
            elif kind == "table_end":
                self._close(TABLE, start)
            elif kind == "blank":
                self._end_paragraph(text)

    def _push(self, kind: int, start: int) -> None:
        self._stack.append((kind, start))
        self._open[kind] += 1

    def _pop(self) -> tuple[int, int]:
        kind, start = self._stack.pop()
        self._open[kind] -= 1
        return kind, start

    def _close(self, kind: int, end: int) -> None:
        if not self._open[kind]:
            return
        while True:
            opened, start = self._pop()
            if opened == kind:
                self.closing[start] = end
                return

    def _push_braces(self, start: int, count: int) -> None:
        """Split a run of braces into openings: `{{{{{` is a template named by a parameter."""
        while count >= 2:
            width = 3 if count == 3 else 2
            self._push(PARAMETER if width == 3 else TEMPLATE, start)
            start, count = start + width, count - width

    def _close_braces(self, start: int, count: int) -> None:
        while count >= 2 and (self._open[TEMPLATE] or self._open[PARAMETER]):
            kind, opened = self._pop()
            if kind not in (TEMPLATE, PARAMETER):
                continue
            width = 3 if kind == PARAMETER and count >= 3 else 2
            if width == 3:
                self.parameters.add(opened)
            elif kind == PARAMETER:
                opened += 1  # an extra brace: `{{{x}}` is a brace and a template
            self.closing[opened] = start
            start, count = start + width, count - width

    def _end_paragraph(self, text: str) -> None:
        """End open links at a blank line; only the caption of a picture may continue after it."""
        while self._stack and self._stack[-1][0] == LINK_BRACKETS:
            start = self._stack[-1][1]
            if text[start + 2 : start + 8].lower().startswith(("file:", "image:")):
                return
            self._pop()


# Tables in wikitext: rows, cells, headings and captions, with their attributes and spans.

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


def read_table(page: "Renderer", start: int, end: int, section: str, depth: int) -> TableContent | None:
    """The table whose opening line begins at `start`; it ends before `end`."""
    caption, rows = _cells(page, start, end)
    words = page.plain(caption.start, caption.end, depth) if caption else ""
    spanning_rows = [[_spanning(page, cell, depth) for cell in row] for row in rows]
    return make_table(section, words, [row for row in spanning_rows if row])


def _spanning(page: "Renderer", cell: _CellRange, depth: int) -> SpanningCell:
    words, links = finish_cell(page.marked(cell.start, cell.end, depth))
    plain = Cell(words, tuple(dict.fromkeys(links)), cell.header)
    if "span" not in cell.attributes:
        return SpanningCell(plain)
    return SpanningCell(plain, span_of(cell.attributes, "rowspan"), span_of(cell.attributes, "colspan"))


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
    line_break = text.find("\n", position, end)
    return line_break if line_break >= 0 else end


_TAG_NAMES = (
    "abbr|b|bdi|bdo|big|blockquote|br|caption|center|cite|code|data|dd|del|dfn|div|dl|dt|em|font|h[1-6]|hr|i|"
    "ins|kbd|li|link|mark|meta|ol|p|q|rb|rp|rt|rtc|ruby|s|samp|section|small|span|strike|strong|sub|sup|table|"
    "tbody|td|tfoot|th|thead|time|tr|tt|u|ul|var|wbr|poem|references|noinclude|onlyinclude|indicator|"
    rf"langconvert|phonos|{RAW_TAGS}"
)
"""The tags MediaWiki knows; anything else between angle brackets is text."""

_MAGIC_WORDS = (
    "(?:NO|FORCE)?TOC|(?:NO)?EDITSECTION|(?:NEW|NONEW)SECTIONLINK|NOGALLERY|(?:NO)?INDEX|HIDDENCAT|"
    "STATICREDIRECT|DISAMBIG|NOTITLECONVERT|NOTC|NOCONTENTCONVERT|NOCC|EXPECTUNUSED(?:CATEGORY|TEMPLATE)"
)
_ATTRIBUTES = r"""(?:[^<>=]++|=(?:\s*+(?:"[^"<\n]*+"|'[^'<\n]*+'))?+)*+"""
"""The content of a tag; a quoted value may contain a closing angle bracket."""
_TOKEN = re.compile(
    r"[\[\]{}\n<_](?:(?P<simple>(?<=\[)\[(?P<target>[^\[\]{}|<>\n:#&%_]++)"
    rf"(?:\|(?P<label>[^\[\]{{}}|<>\n]++))?+\]\](?P<trail>{TRAIL}*+))"
    r"|(?P<link>(?<=\[)\[)|(?P<template>(?<=\{)\{++)|(?P<stray>(?<=\])\]|(?<=\})\}++)"
    r"|(?P<newline>(?<=\n)(?=[*#:;={|!\- \t\n]))"
    rf"|(?P<rawtag>(?<=<){RAW})"
    rf"|(?P<tag>(?<=<)/?(?P<name>(?i:{_TAG_NAMES}))(?=[\s/>])(?:{_ATTRIBUTES}|[^<>]*+)>)"
    r"|(?P<external>(?<=\[)(?=(?:https?:|ftp:|mailto:|news:|irc:)?//|mailto:)[^\s\[\]<>\"]*+)"
    rf"|(?P<magic>(?<=_)_(?:{_MAGIC_WORDS})__))"
)
CLOSED = re.compile(CLOSED_LINK)
_BAR = re.compile(
    rf"[|\[{{\n<](?:(?P<closed>(?<=\[){CLOSED_LINK})"
    r"|(?P<bar>(?<=\|))|(?P<opening>(?<=\[)\[|(?<=\{)\{++|(?<=\n)[ \t:*#;]*+\{\|)"
    rf"|(?P<rawtag>(?<=<){RAW}))"
)
_LINE_MARKUP = re.compile(r"[*#:;]++[ \t]*+|-{4,}+|[ \t]++")
_TABLE_START = re.compile(r"\n[ \t:*#;]*+\{\|")
_TABLE_LINE = re.compile(r"\n[ \t]*+(?:\|\}|\|[-+]?+|!)[ \t]*+")
_UNCLOSED_END = re.compile(r"(?<=\n}})\n|\n[ \t]*+(?=\n)|\n(?==)")
_LINE_BREAKS = re.compile(r"\n[ \t\n]*+")
_MARKUP = re.compile("[\\[\\]{}<&'_\\s]{2}|[\\[\\]{}<&]")
_LABEL_END = re.compile(r"[\]\n\[]")
_TERM_END = re.compile(r"[:\n]|\[\[|\{\{|<|//")
_HIDDEN_STYLE = re.compile(r"display\s*+:\s*+none", re.IGNORECASE)
_HIDDEN_WORDS = re.compile(r"[^<\n]*+</[a-zA-Z]++\s*+>")

_BLOCK_TAGS = {
    "p", "div", "blockquote", "center", "li", "ul", "ol", "dl", "dt", "dd", "hr", "br", "table", "tr", "td",
    "th", "caption", "h1", "h2", "h3", "h4", "h5", "h6", "poem",
}  # fmt: skip


class Renderer:
    """Renders ranges of one page's wikitext into marked strings, and collects its tables."""

    def __init__(self, text: str, rules: TemplateRules, title: str) -> None:
        self.text = text
        self.rules = rules
        self.title = title
        self.content = Content()
        self.brackets = Brackets(text)
        self.path = HeadingPath()
        self._handlers: dict[str, Callable[[re.Match[str], int, list[str], int], int]] = {
            "simple": self._simple_link,
            "link": self._link,
            "template": self._template,
            "stray": self._stray,
            "newline": self._newline,
            "rawtag": self._raw_tag,
            "tag": self._tag,
            "external": self._external,
            "magic": self._skip,
        }

    def page(self) -> Content:
        """Render the whole page."""
        out: list[str] = []
        self.into(out, 0, len(self.text), 0)
        content = self.content
        content.text, content.links, content.sections = finish("".join(out))
        return content

    def marked(self, start: int, end: int, depth: int) -> str:
        """A range as a marked string."""
        out: list[str] = []
        self.into(out, start, end, depth)
        return "".join(out)

    def plain(self, start: int, end: int, depth: int) -> str:
        """A range as plain text."""
        return plain(self.marked(start, end, depth))

    def into(self, out: list[str], position: int, end: int, depth: int) -> None:
        if depth > DEEPEST:
            self.content.problems.append("nested too deeply")
            return
        text, handlers, search = self.text, self._handlers, _TOKEN.search
        in_item = False  # a list item or an indented line ends with its line
        while position < end:
            match = search(text, position, end)
            start = match.start() if match else end
            if start > position:
                words = text[position:start]
                if in_item and "\n" in words:
                    words, in_item = words.replace("\n", BREAK, 1), False
                out.append(words)
            if match is None:
                return
            kind = match.lastgroup
            if kind == "newline":
                if in_item:
                    out.append(BREAK)
                in_item = text[start + 1] in "*#:;"
            position = handlers[kind](match, end, out, depth)  # type: ignore[index]

    def bars(self, start: int, end: int) -> list[int]:
        """The positions of the bars that separate the range, without those inside brackets and raw tags."""
        positions: list[int] = []
        text, closing, search = self.text, self.brackets.closing, _BAR.search
        while match := search(text, start, end):
            kind, start = match.lastgroup, match.end()
            if kind == "bar":
                positions.append(match.start())
            elif kind == "opening":
                closed = closing.get(match.start(), end)
                if closed < end:
                    start = closed + 2
        return positions

    # -- what each piece of markup does; each returns the position after it ------------------------------

    def _skip(self, match: re.Match[str], end: int, out: list[str], depth: int) -> int:
        return match.end()

    def _stray(self, match: re.Match[str], end: int, out: list[str], depth: int) -> int:
        self.content.problems.append("closing bracket without an opening one")
        return match.end()

    def _simple_link(self, match: re.Match[str], end: int, out: list[str], depth: int) -> int:
        """Most links: a target and perhaps a label, with no other markup inside."""
        target, label, trail = match.group("target", "label", "trail")
        title = target.strip()
        if not title or (label and not label.strip()):
            return self._link(match, end, out, depth)
        title = title if title[0].isupper() else title[0].upper() + title[1:]
        out.append(f"{LINK}{title}{ANCHOR}{label or target}{trail}{LINK_END}")
        return match.end()

    def _link(self, match: re.Match[str], end: int, out: list[str], depth: int) -> int:
        start = match.start()
        closed = CLOSED.match(self.text, start + 1, end)
        closing = closed.end() - 2 if closed else self.brackets.closing.get(start)
        if closing is None or closing > end:
            self.content.problems.append("unclosed link")
            return self._after_options(start + 2, end)
        return render_link(self, start + 2, closing, end, out, depth)

    def _after_options(self, start: int, end: int) -> int:
        """The start of the text of an unclosed link; for a picture, it is after its name and options."""
        following = _TOKEN.search(self.text, start, end)
        head, _, _ = self.text[start : following.start() if following else end].partition("\n")
        if head.partition(":")[0].strip().lower() not in HIDDEN_NAMESPACES:
            return start
        return start + head.rfind("|") + 1

    def _template(self, match: re.Match[str], end: int, out: list[str], depth: int) -> int:
        start = match.start()
        closing = self.brackets.closing
        if start not in closing and start + 1 in closing and start + 1 < match.end():
            start += 1
        closed = closing.get(start)
        if closed is None or closed > end:
            return self._unclosed_template(match, end, out)
        if start in self.brackets.parameters:
            self._parameter(start, closed, out, depth)
            return closed + 3
        out.append(render_template(self, start + 2, closed, depth))
        return closed + 2

    def _parameter(self, start: int, closed: int, out: list[str], depth: int) -> None:
        """A template's parameter on a page has no value; its default is shown."""
        bar = self.text.find("|", start + 3, closed)
        if bar >= 0:
            self.into(out, bar + 1, closed, depth + 1)

    def _unclosed_template(self, match: re.Match[str], end: int, out: list[str]) -> int:
        """Drop an unclosed template: at the start of a line its whole paragraph, else only its head."""
        self.content.problems.append("unclosed template")
        out.append(GAP)
        start = match.start()
        if self.text[start - 1 : start] in ("\n", ""):
            closing = _UNCLOSED_END.search(self.text, match.end(), end)
            return closing.start() if closing else end
        line_end = self.text.find("\n", match.end(), end)
        following = _TOKEN.search(self.text, match.end(), line_end if line_end >= 0 else end)
        stop = following.start() if following else (line_end if line_end >= 0 else end)
        return max(self.text.rfind("|", match.end(), stop) + 1, match.end())

    def _raw_tag(self, match: re.Match[str], end: int, out: list[str], depth: int) -> int:
        name, inside = match["raw"].lower(), match["inside"]
        if name == "nowiki" and inside:
            out.append(inside.replace("'", QUOTE).replace("\n", " "))
        elif name == "pre" and inside:
            out.append(BREAK + inside.replace("'", QUOTE).replace("\n", BREAK) + BREAK)
        else:
            out.append(GAP)
        return match.end()

    def _tag(self, match: re.Match[str], end: int, out: list[str], depth: int) -> int:
        name = match["name"].lower()
        if name in _BLOCK_TAGS:
            out.append(BREAK)
        elif name == "ref":
            return self._broken_ref(match, end, out)
        elif name == "references":
            out.append(GAP)
        elif _HIDDEN_STYLE.search(match.group()):
            hidden = _HIDDEN_WORDS.match(self.text, match.end(), end)
            if hidden:
                return hidden.end()
        return match.end()

    def _broken_ref(self, match: re.Match[str], end: int, out: list[str]) -> int:
        """An unclosed footnote ends with its line; a closing tag without a footnote is dropped."""
        self.content.problems.append("unclosed reference")
        if match.group().startswith("</"):
            return match.end()
        out.append(GAP)
        line_end = self.text.find("\n", match.end(), end)
        return line_end if line_end >= 0 else end

    def _external(self, match: re.Match[str], end: int, out: list[str], depth: int) -> int:
        """`[address words]` shows its words; without words it shows a number, which is dropped."""
        text, position = self.text, match.end()
        while True:
            label_end = _LABEL_END.search(text, position, end)
            if label_end is None or label_end.group() == "\n":
                return match.end()
            if label_end.group() == "]":
                break
            simple = CLOSED.match(text, label_end.end(), end)
            closed = simple.end() - 2 if simple else self.brackets.closing.get(label_end.start())
            if closed is None or closed > end:
                return match.end()
            position = closed + 2
        if text[match.end() : label_end.start()].strip():
            label = self.marked(match.end(), label_end.start(), depth + 1)
            out.append(label.strip())
        else:
            out.append(GAP)
        return label_end.end()

    def _newline(self, match: re.Match[str], end: int, out: list[str], depth: int) -> int:
        start = match.start()
        following = self.text[start + 1 : start + 2]
        if following == "\n":
            out.append(BREAK)
            return start + 1
        if following == "=":
            return self._heading(start, end, out, depth)
        if _TABLE_START.match(self.text, start, end):
            return self._table(start, end, out, depth)
        if following in "|!":
            return self._row_outside_table(start, end, out)
        if following in "{":
            out.append("\n")
            return start + 1
        return self._marked_line(start, end, out, depth)

    def _marked_line(self, start: int, end: int, out: list[str], depth: int) -> int:
        """A list item, an indented or preformatted line, or a horizontal rule."""
        markup = _LINE_MARKUP.match(self.text, start + 1, end)
        if markup is None:  # a single hyphen
            out.append("\n")
            return start + 1
        after = self.text[markup.end() : markup.end() + 1]
        if not markup.group().strip() and after in ("\n", "{", "|", "!", "="):
            out.append("\n")  # spaces before markup that is handled separately
            return markup.end()
        out.append(BREAK)
        if ";" in markup.group():
            self._term(markup.end(), end, out, depth)
            term_end = _TERM_END.search(self.text, markup.end(), end)
            return term_end.start() + 1 if term_end and term_end.group() == ":" else markup.end()
        return markup.end()

    def _term(self, start: int, end: int, out: list[str], depth: int) -> None:
        """In `; term : definition` the first colon begins a new line."""
        term_end = _TERM_END.search(self.text, start, end)
        if term_end and term_end.group() == ":":
            self.into(out, start, term_end.start(), depth + 1)
            out.append(BREAK)

    def _heading(self, start: int, end: int, out: list[str], depth: int) -> int:
        line_end = self.text.find("\n", start + 1, end)
        line_end = line_end if line_end >= 0 else end
        line = self.text[start + 1 : line_end].rstrip()
        level = min(
            len(line) - len(line.lstrip("=")), len(line) - len(line.rstrip("=")), 6, (len(line) - 1) // 2
        )
        if level < 1:
            out.append("\n")
            return start + 1
        words = line[level : len(line) - level].strip()
        if _MARKUP.search(words):
            words = self.plain(start + 1 + level, start + 1 + len(line) - level, depth + 1)
        if depth == 0:
            out.append(f"{BREAK}{HEADING}{self.path.enter(level, words)}{BREAK}")
        else:
            out.append(f"{BREAK}{words}{BREAK}")
        return line_end

    def _table(self, start: int, end: int, out: list[str], depth: int) -> int:
        closed = self.brackets.closing.get(start)
        after: int
        if closed is None or closed > end:
            self.content.problems.append("unclosed table")
            closed = after = self._unclosed_table_end(start + 1, end)
        else:
            after = self.text.index("}", closed) + 1
        table = read_table(self, start, closed, self.path.heading, depth + 1)
        if table is not None:
            self.content.tables.append(table)
        out.append(BREAK)
        return after

    def _unclosed_table_end(self, start: int, end: int) -> int:
        """The end of an unclosed table: before a heading, or at a blank line not followed by a table line."""
        for breaks in _LINE_BREAKS.finditer(self.text, start, end):
            following = self.text[breaks.end() : breaks.end() + 1] if breaks.end() < end else ""
            if "\n" in breaks.group()[1:] and following not in ("|", "!"):
                return breaks.start()
            if following == "=" and breaks.group()[-1] == "\n":
                return breaks.end() - 1
        return end

    def _row_outside_table(self, start: int, end: int, out: list[str]) -> int:
        markup = _TABLE_LINE.match(self.text, start, end)
        assert markup is not None  # the line begins with | or !
        if markup.group().strip() == "!":  # a sentence may begin with it just as well as a table line
            out.append("\n!")
        else:
            self.content.problems.append("table line outside a table")
            out.append(BREAK)
        return markup.end()


class HeadingPath:
    """The headings of the current position, outermost first."""

    def __init__(self) -> None:
        self._levels: list[tuple[int, str]] = []
        self.heading = ""

    def enter(self, level: int, words: str) -> str:
        """Enter a heading; returns the whole path."""
        while self._levels and self._levels[-1][0] >= level:
            self._levels.pop()
        self._levels.append((level, words))
        self.heading = HEADING_SEPARATOR.join(word for _, word in self._levels if word)
        return self.heading
