"""Turns a marked string into plain text with the places of its links and headings.

Here apostrophes become bold and italics (and vanish), entities become characters, white space is made
single, and the holes that dropped markup leaves (`( ; born 1950)`) are closed: only those, never what an
author wrote.
"""

import re
from html.entities import html5

from rollcall.corpus.content import Link
from rollcall.corpus.wikitext.marks import ANCHOR, BREAK, CONTROL, GAP, HEADING, LINK, LINK_END, QUOTE
from rollcall.corpus.wikitext.quotes import without_quotes

_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u2060\u2066-\u2069\u202a-\u202e]")
_SPACES = re.compile(r"[ \t\n\r\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_EMPTY_BRACKETS = re.compile(rf"\([ ;,{GAP}]*+\)?+")
_GAP_BEFORE_CLOSING = re.compile(rf"(?<![;, {GAP}])[;, {GAP}]*+(?=\))")
_GAP_BEFORE_MARK = re.compile(rf"(?<![ {GAP}])[ {GAP}]*+(?=[.,;:!?%])(?!\.\w)")
_LINK_PARTS = re.compile(f"[{LINK}{ANCHOR}{LINK_END}]")
_SPACE_IN_ANCHOR = re.compile(f" *+({LINK}[^{ANCHOR}]*+{ANCHOR}) +")
_SPACE_AFTER_ANCHOR = re.compile(f"(?<! ) ++({LINK_END}) *+")
_BARE_LINK_MARKS = re.compile(f"{LINK}[^{ANCHOR}]*+{ANCHOR}|{LINK_END}")

Heading = tuple[int, int, str]
"""Where the text under a heading begins, the heading's level, and its words."""


def finish(marked: str) -> tuple[str, list[Link], list[Heading]]:
    """The text of a page, its links and its headings."""
    marked = _characters(marked)
    parts: list[str] = []
    links: list[Link] = []
    headings: list[Heading] = []
    length = 0
    for paragraph in marked.split(BREAK):
        if not paragraph or paragraph.isspace():
            continue
        if paragraph[0] == HEADING:
            headings.append((length + 1 if length else 0, int(paragraph[1]), paragraph[2:]))
            continue
        words = _paragraph(paragraph)
        if not words:
            continue
        if parts:
            parts.append("\n")
            length += 1
        if LINK in words:
            words = _take_links(words, length, links)
        parts.append(words)
        length += len(words)
    return "".join(parts), links, headings


def plain(marked: str) -> str:
    """The words of a marked string on one line."""
    return cell(marked)[0]


def cell(marked: str) -> tuple[str, list[str]]:
    """The words of a marked string on one line, and the titles it links to."""
    words = _paragraph(_characters(marked).replace(BREAK, " ").replace(HEADING, " "))
    if LINK not in words:
        return words, []
    links: list[Link] = []
    words = _take_links(words, 0, links)
    return words, [link.target for link in links if link.target]


def without_links(marked: str) -> str:
    """The string without the marks of links; their words stay."""
    return _BARE_LINK_MARKS.sub("", marked) if LINK in marked else marked


def decode_entities(text: str) -> str:
    """Named and numbered characters as themselves; what is no known entity stays as it is."""
    return _ENTITY.sub(_entity, text) if "&" in text else text


def _entity(match: re.Match[str]) -> str:
    name = match[1]
    if name[0] != "#":
        return html5.get(name + ";", match.group())
    code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    if code > 0x10FFFF or code == 0:
        return match.group()
    return CONTROL.sub("", chr(code))


def _characters(marked: str) -> str:
    if "''" in marked:
        marked = without_quotes(marked)
    marked = decode_entities(marked)
    if QUOTE in marked:
        marked = marked.replace(QUOTE, "'")
    return marked if marked.isascii() else _INVISIBLE.sub("", marked)


def _paragraph(words: str) -> str:
    if GAP in words:
        words = _close_gaps(_SPACES.sub(" ", words))
    words = _SPACES.sub(" ", words).strip()
    if LINK in words:
        words = _SPACE_IN_ANCHOR.sub(r" \1", words)
        words = _SPACE_AFTER_ANCHOR.sub(r"\1 ", words).strip()
        if LINK_END + " " in words or "  " in words:
            words = _SPACES.sub(" ", words)
    return words


def _close_gaps(words: str) -> str:
    """Close the holes that dropped markup leaves, and only those."""
    words = _EMPTY_BRACKETS.sub(_opening_bracket, words)
    words = _GAP_BEFORE_CLOSING.sub(_keep_without_gap, words)
    words = _GAP_BEFORE_MARK.sub(_keep_without_gap, words)
    return words.replace(GAP, "")


def _opening_bracket(match: re.Match[str]) -> str:
    found = match.group()
    if GAP not in found:
        return found
    return GAP if found.endswith(")") else "("


def _keep_without_gap(match: re.Match[str]) -> str:
    found = match.group()
    return "" if GAP in found else found


def _take_links(words: str, offset: int, links: list[Link]) -> str:
    """Take the marks of links out of a paragraph that begins at an offset, and note where they stood."""
    parts: list[str] = []
    length, start, target, state = offset, -1, "", ""
    position = 0
    for match in _LINK_PARTS.finditer(words):
        piece = words[position : match.start()]
        position = match.end()
        if state == LINK:
            target = piece
        else:
            parts.append(piece)
            length += len(piece)
        state = match.group()
        if state == ANCHOR:
            start = length
        elif state == LINK_END and start >= 0:
            if length > start:
                links.append(Link(start, length, target))
            start = -1
    if state != LINK:
        parts.append(words[position:])
    return "".join(parts)
