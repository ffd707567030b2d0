"""Turns a marked string into plain text with the positions of its links and headings.

Bold and italic markup is removed, entities become characters, white space becomes single spaces, and gaps
left by dropped markup (`( ; born 1950)`) are closed: only those, never anything an author wrote. Each step
works on the whole string at once, and only if needed.
"""

import re
import tomllib
from html.entities import html5
from pathlib import Path
from typing import TYPE_CHECKING

from rollcall.corpus.corpus import Link, Section
from rollcall.corpus.lists import wiki_title, without_parenthesis

if TYPE_CHECKING:
    from rollcall.corpus.wikitext.render import Renderer


# The marks in rendered text before it is finished. Rendering writes one string in which breaks,
# headings, links and gaps are marked by control characters. None of these come from a page: they are
# removed from every source first. Rendering is fast because it works on one string instead of a tree.
# The mark of a link contains its target, so it can be copied or dropped freely.

GAP = "\x01"
"""Dropped markup without text: a footnote, a picture, an unknown template."""
BREAK = "\x02"
"""Between paragraphs, list items and headings."""
LINK, ANCHOR, LINK_END = "\x03", "\x04", "\x05"
"""A link is LINK target ANCHOR words LINK_END."""
HEADING = "\x06"
"""A paragraph that begins with it is a heading: level, then text."""
QUOTE = "\x07"
"""An apostrophe that is not markup."""

CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
"""Characters that are removed: control characters, unpaired surrogates, noncharacters."""
_RETURNS = re.compile("\r\n?|[\x85\u2028\u2029]")


def without_control_characters(text: str) -> str:
    """The text without control characters, and with one kind of line break."""
    if text.isascii() and text.isprintable():
        return text
    if "\r" in text or "\x85" in text or "\u2028" in text or "\u2029" in text:
        text = _RETURNS.sub("\n", text)
    return CONTROL.sub("", text)


def link(target: str, words: str) -> str:
    """A marked link; a link never spans a break, and a link without text is dropped."""
    words = words.replace(BREAK, " ").replace(HEADING, "")
    if not words.strip(f" \n\t{GAP}"):
        return words
    return f"{LINK}{target}{ANCHOR}{words}{LINK_END}"


# Apostrophes: which are bold and italic markup, and which are part of the text. MediaWiki decides line
# by line. Where a line has an odd number of both bold and italics, one of the triple apostrophes must
# have been a real apostrophe before italics (`''L'''Opéra`).

_RUN = re.compile("('{2,})")


def without_quotes(text: str) -> str:
    """The text without the markup of bold and italics."""
    return "\n".join([line if "''" not in line else _breaks(line) for line in text.split("\n")])


def _breaks(line: str) -> str:
    if BREAK not in line:
        return _line(line)
    return BREAK.join([part if "''" not in part else _line(part) for part in line.split(BREAK)])


def _line(line: str) -> str:
    if "'''" not in line:
        return line.replace("''", "")
    parts = _RUN.split(line)
    italics = bold = 0
    for index in range(1, len(parts), 2):
        count = len(parts[index])
        italics += count == 2 or count >= 5
        bold += count >= 3
        literal = 1 if count == 4 else max(count - 5, 0)
        parts[index] = "'" * literal
        if count in (3, 4):
            parts[index] += "\x00"  # may be an apostrophe followed by italics
    if italics % 2 and bold % 2:
        index = _mistaken(parts)
        if index:
            parts[index] = parts[index].replace("\x00", "'")
    return "".join(parts).replace("\x00", "")


def _mistaken(parts: list[str]) -> int:
    """Which bold mark contains an apostrophe: one after a one-letter word, else a word, else a space."""
    after_word = after_space = 0
    for index in range(1, len(parts), 2):
        if "\x00" not in parts[index]:
            continue
        before = parts[index - 1]
        if not before or before.endswith(" "):
            after_space = after_space or index
        elif before[-2:-1] in (" ", ""):
            return index
        else:
            after_word = after_word or index
    return after_word or after_space


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
    for index in range(1, len(pieces)):
        left, right = pieces[index - 1], pieces[index]
        before, after = left.rstrip(" "), right.lstrip(" ")
        if before.endswith("("):
            after = after.lstrip(" ;,")
            if after.startswith(")"):  # the brackets are empty
                before, after = before[:-1].rstrip(" "), after[1:]
                if after[:1] not in _MARKS:
                    after = f" {after.lstrip(' ')}"
            pieces[index - 1], pieces[index] = before, after
        elif after.startswith(")"):
            pieces[index - 1], pieces[index] = before.rstrip(" ;,"), after
        elif after[:1] in _MARKS and not (after[:1] == "." and after[1:2].isalnum()):
            pieces[index - 1], pieces[index] = before, after
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
    for index in range(1, len(parts), 3):
        start = position + len(parts[index - 1])
        position = start + len(parts[index + 1])
        if position > start:
            links.append(Link(start, position, parts[index]))
        parts[index] = ""
    return "".join(parts).rstrip(" ")


# The prefixes of link targets, from `prefixes.toml`: namespaces, languages and other wikis.

_DATA = tomllib.loads(Path(__file__).with_name("prefixes.toml").read_text(encoding="utf-8"))


def _words(key: str) -> frozenset[str]:
    return frozenset(word.replace("_", " ") for word in _DATA[key].split())


HIDDEN_NAMESPACES = _words("hidden_namespaces")
OTHER_NAMESPACES = _words("other_namespaces")
OTHER_WIKIS = _words("other_wikis")
LANGUAGES = _words("languages")


# Links: which are shown, with which text, and what they point to. Pictures, categories and links to
# other languages show nothing in the text; everything else shows its label and, when it points to a page
# of the wiki, is kept as a link.

_TARGET = re.compile(r"[^|\[\]{}<>\n]*+")
TRAIL = "[a-zà-öø-ÿ]"
"""Letters that follow a link directly belong to its anchor: `[[dog]]s`."""
_TRAIL = re.compile(f"{TRAIL}++")


def render_link(page: "Renderer", start: int, closing: int, end: int, out: list[str], depth: int) -> int:
    """Write what the link between `start` and `closing` shows; returns the position after it."""
    text = page.text
    match = _TARGET.match(text, start, closing)
    assert match is not None  # it may be empty
    target = match.group()
    prefix, _, rest = target.partition(":")
    prefix = prefix.strip().lower()
    if rest and prefix in HIDDEN_NAMESPACES:
        out.append(GAP)
        return closing + 2
    if rest and prefix in LANGUAGES:  # shown outside the text of the page
        return closing + 2
    if match.end() < closing and text[match.end()] != "|":
        page.content.problems.append("markup in a link's target")
        target = page.plain(start, _bar(page, start, closing), depth + 1)
        bar = _bar(page, start, closing)
    else:
        bar = match.end()
    trail = _TRAIL.match(text, closing + 2, end)
    after = trail.end() if trail else closing + 2
    label = _label(page, target, bar, closing, depth) + (trail.group() if trail else "")
    title = link_target(target)
    out.append(link(title, label) if title and label.strip() else label)
    return after


def link_target(target: str) -> str:
    """The title of the page a link points to; empty for sections of the same page and other wikis."""
    target = decode_entities(target).strip()
    if ":" in target:
        prefix = target.lstrip(": ").partition(":")[0].strip().lower()
        if prefix in OTHER_NAMESPACES or prefix in HIDDEN_NAMESPACES:
            return ""
        if prefix in LANGUAGES or prefix in OTHER_WIKIS:
            return ""
        target = target.lstrip(": ")
    return wiki_title(target)


def _bar(page: "Renderer", start: int, closing: int) -> int:
    bars = page.bars(start, closing)
    return bars[0] if bars else closing


def _label(page: "Renderer", target: str, bar: int, closing: int, depth: int) -> str:
    if bar >= closing:
        return target.strip().removeprefix(":").replace("_", " ")
    label = without_links(page.marked(bar + 1, closing, depth + 1))
    if label.strip():
        return label
    name = target.strip().removeprefix(":").partition("#")[0]
    name = name.rpartition(":")[2].strip()
    shown = without_parenthesis(name)
    return shown if shown != name else name.partition(", ")[0]
