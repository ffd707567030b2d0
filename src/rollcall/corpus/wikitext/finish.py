"""Turns a marked string into plain text with the positions of its links and headings.

Bold and italic markup is removed, entities become characters, white space becomes single spaces, and gaps
left by dropped markup (`( ; born 1950)`) are closed: only those, never anything an author wrote. Each step
works on the whole string at once, and only if needed.
"""

import re
from html.entities import html5

from rollcall.corpus.content import Link, Section
from rollcall.corpus.wikitext.marks import ANCHOR, BREAK, CONTROL, GAP, HEADING, LINK, LINK_END, QUOTE
from rollcall.corpus.wikitext.quotes import without_quotes

_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u2060\u2066-\u2069\u202a-\u202e]")
_ODD_SPACE = re.compile(r"[\r\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_SPACES = re.compile(" {2,}")
_GAPS = re.compile(f"{GAP}[ {GAP}]*+")
_MARKS = tuple(".,;:!?%")
_LINK_PARTS = re.compile(f"[{LINK}{ANCHOR}{LINK_END}]")
_SPACE_IN_ANCHOR = re.compile(f"(?<! ) *+({LINK}[^{ANCHOR}]*+{ANCHOR}) ++")
_SPACE_AFTER_ANCHOR = re.compile(f"(?<! ) ++{LINK_END} *+")
_LINK_MARKS = re.compile(f"{LINK}[^{ANCHOR}]*+{ANCHOR}|{LINK_END}")


def finish(marked: str) -> tuple[str, list[Link], list[Section]]:
    """The text of a page, its links and its sections."""
    parts: list[str] = []
    links: list[Link] = []
    sections: list[Section] = []
    length = 0
    for paragraph in _clean(marked).split(BREAK):
        words = paragraph.strip(" ")
        if not words:
            continue
        if words[0] == HEADING:
            sections.append(Section(length + 1 if length else 0, words[1:]))
            continue
        if parts:
            parts.append("\n")
            length += 1
        if LINK in words:
            words = _take_links(words, length, links)
        parts.append(words)
        length += len(words)
    return "".join(parts), links, sections


def plain(marked: str) -> str:
    """The text of a marked string on one line."""
    return cell(marked)[0]


def cell(marked: str) -> tuple[str, list[str]]:
    """The text of a marked string on one line, and the titles it links to."""
    words = _clean(marked.replace(BREAK, " ").replace(HEADING, " ")).strip(" ")
    if LINK not in words:
        return words, []
    links: list[Link] = []
    words = _take_links(words, 0, links)
    return words, [link.target for link in links if link.target]


def without_links(marked: str) -> str:
    """The string without the marks of links; the text of links is kept."""
    return _LINK_MARKS.sub("", marked) if LINK in marked else marked


def decode_entities(text: str) -> str:
    """Replace named and numeric character references; unknown ones are unchanged."""
    return _ENTITY.sub(_entity, text) if "&" in text else text


def _entity(match: re.Match[str]) -> str:
    name = match[1]
    if name[0] != "#":
        return html5.get(name + ";", match.group())
    code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    if code > 0x10FFFF or code == 0:
        return match.group()
    return CONTROL.sub("", chr(code))


def _clean(marked: str) -> str:
    if "''" in marked:
        marked = without_quotes(marked)
    if "&" in marked:
        marked = decode_entities(marked)
    if QUOTE in marked:
        marked = marked.replace(QUOTE, "'")
    marked = marked.replace("\n", " ").replace("\t", " ")
    if not marked.isascii():
        marked = _ODD_SPACE.sub(" ", _INVISIBLE.sub("", marked))
    if "  " in marked:
        marked = _SPACES.sub(" ", marked)
    if GAP in marked:
        marked = _close_gaps(marked)
    if f"{ANCHOR} " in marked:
        marked = _SPACE_IN_ANCHOR.sub(r" \1", marked)
    if f" {LINK_END}" in marked:
        marked = _SPACE_AFTER_ANCHOR.sub(f"{LINK_END} ", marked)
    return _SPACES.sub(" ", marked) if "  " in marked else marked


def _close_gaps(words: str) -> str:
    """Close the gaps that dropped markup leaves, and only those."""
    pieces = _GAPS.sub(_one_gap, words).split(GAP)
    for place in range(1, len(pieces)):
        left, right = pieces[place - 1], pieces[place]
        before, after = left.rstrip(" "), right.lstrip(" ")
        if before.endswith("("):
            after = after.lstrip(" ;,")
            if after.startswith(")"):  # the brackets are empty
                before, after = before[:-1].rstrip(" "), after[1:]
                if after[:1] not in _MARKS:
                    after = f" {after.lstrip(' ')}"
            pieces[place - 1], pieces[place] = before, after
        elif after.startswith(")"):
            pieces[place - 1], pieces[place] = before.rstrip(" ;,"), after
        elif after[:1] in _MARKS and not (after[:1] == "." and after[1:2].isalnum()):
            pieces[place - 1], pieces[place] = before, after
    return "".join(pieces)


def _one_gap(match: re.Match[str]) -> str:
    return f" {GAP} " if " " in match.group() else GAP


def _take_links(words: str, offset: int, links: list[Link]) -> str:
    """Remove the marks of links from a paragraph that begins at an offset, and record their positions."""
    parts = _LINK_PARTS.split(words)
    if len(parts) % 3 != 1:  # links within links: keep the text
        return _LINK_PARTS.sub("", without_links(words)).strip(" ")
    if not parts[0] and not parts[2]:  # an anchor with only invisible characters
        parts[3] = parts[3].lstrip(" ")
    position = offset
    for place in range(1, len(parts), 3):
        start = position + len(parts[place - 1])
        position = start + len(parts[place + 1])
        if position > start:
            links.append(Link(start, position, parts[place]))
        parts[place] = ""
    return "".join(parts).rstrip(" ")
