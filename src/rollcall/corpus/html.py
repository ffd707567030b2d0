"""Converts HTML pages, as Wikimedia renders them, to the same content that wikitext gives.

The page is traversed once, element by element, and written as a marked string, which is then treated like
wikitext. Footnotes, boxes, navigation and pictures are skipped by tag and class.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from rollcall._core.errors import DEEPEST
from rollcall.corpus.corpus import Cell, Content, TableContent
from rollcall.corpus.lists import SpanningCell, make_table
from rollcall.corpus.wikitext.finish import (
    BREAK,
    GAP,
    HEADING,
    QUOTE,
    finish,
    link,
    link_target,
    plain,
    without_control_characters,
    without_links,
)
from rollcall.corpus.wikitext.finish import cell as finish_cell
from rollcall.corpus.wikitext.render import HeadingPath

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


# Removes tags that nest HTML deeper than any real page, before it is parsed. A parser repeatedly
# searches all open elements, and reopens formatting in every paragraph. A page made of opening tags
# would take hours or all memory. Browsers stop at 512 open elements; this module does the same and keeps
# the text.

MOST_OPEN = 512
_FEWEST_OPEN = 40
_MOST_ELEMENTS = 20_000_000
"""A limit on tags times open elements, which bounds the number of elements that a parser may create."""
_TAG = re.compile(
    r"<(/?+)(?!(?:area|base|br|col|dd|dt|embed|hr|img|input|li|link|meta|option|p|param|source|tbody|td|tfoot|th|"
    r"thead|tr|track|wbr)\b)[a-z][^<>]*+>?+",
    re.IGNORECASE,
)
"""Tags of elements that stay open until a closing tag; other elements are closed automatically."""


def without_depth(html: str) -> str:
    """The page with no more open elements at once than a parser can handle; most pages are unchanged."""
    tags = html.count("<")
    if tags <= MOST_OPEN:
        return html
    limit = max(_FEWEST_OPEN, min(MOST_OPEN, _MOST_ELEMENTS // tags))
    opened = surplus = 0

    def keep(match: re.Match[str]) -> str:
        nonlocal opened, surplus
        if match[1]:
            if surplus:
                surplus -= 1
                return ""
            opened = max(opened - 1, 0)
        elif opened >= limit:
            surplus += 1
            return ""
        else:
            opened += 1
        return match.group()

    return _TAG.sub(keep, html)


_SKIPPED_TAGS = frozenset(
    [
        "style", "script", "link", "meta", "head", "figure", "figcaption", "audio", "video", "img",
        "svg", "math", "template", "noscript", "iframe", "button", "input", "select", "textarea",
        "nav", "map", "object",
    ]
)  # fmt: skip
_SKIPPED_CLASSES = frozenset(
    [
        "reference", "mw-ref", "mw-editsection", "hatnote", "navbox", "infobox", "sidebar",
        "metadata", "ambox", "reflist", "references", "mw-references-wrap", "noprint",
        "shortdescription", "thumb", "gallery", "toc", "sistersitebox", "authority-control",
        "mw-ext-cite-error", "IPA", "geo", "geo-inline-hidden", "catlinks", "mwe-math-element",
        "navbox-styles", "portalbox", "side-box", "mw-kartographer-container", "tmbox", "ombox",
        "succession-box", "vertical-navbox", "printfooter", "mw-jump-link", "error", "sortkey",
        "mw-empty-elt", "rt-tooltip", "box-More_citations_needed", "listen", "mediaContainer",
        "flagicon", "noexcerpt",
    ]
)  # fmt: skip
_BLOCKS = frozenset(
    [
        "p", "div", "section", "article", "blockquote", "center", "li", "ul", "ol", "dl", "dt",
        "dd", "hr", "br", "pre", "tr", "td", "th", "caption", "table", "tbody", "thead", "tfoot",
        "body", "details", "summary", "address",
    ]
)  # fmt: skip
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:\./|/wiki/)([^?]+)")
_DEEPEST_TABLE = 5


def parse_html(html: str, target_of: Callable[[str], str | None] | None = None) -> Content:
    """The content of a page in HTML; never raises, even for broken HTML.

    `target_of` gives the page that an address in a link means; without it, addresses are those of a wiki.
    """
    from selectolax.lexbor import LexborHTMLParser

    page = _Page(target_of or _wiki_page)
    readable = without_depth(without_control_characters(html))
    root = LexborHTMLParser(readable).body
    content = page.content
    if root is not None:
        marked = page.marked(root, 0)
        content.text, content.links, content.sections = finish(marked)
    if page.too_deep:
        content.problems.append("nested too deeply")
    return content


class _Page:
    """The state while one page is traversed."""

    def __init__(self, target_of: Callable[[str], str | None]) -> None:
        self.content = Content()
        self._target_of = target_of
        self._path = HeadingPath()
        self.too_deep = False
        self._within = 0
        """The current nesting depth of elements that are read separately (links, headings, cells)."""

    def marked(self, root: "LexborNode", depth: int) -> str:
        """Everything inside an element as a marked string; works without recursion, at any depth."""
        self._within += 1
        try:
            return self._walked(root, depth)
        finally:
            self._within -= 1

    def _walked(self, root: "LexborNode", depth: int) -> str:
        out: list[str] = []
        node = root.child
        above: list[Any] = []
        while True:
            while node is not None:
                inside = self._enter(node, out, depth)
                if inside is not None:
                    above.append(node)
                    node = inside
                else:
                    node = node.next
            if not above:
                return "".join(out)
            closed = above.pop()
            if closed.tag in _BLOCKS:
                out.append(BREAK)
            node = closed.next

    def _enter(self, node: Any, out: list[str], depth: int) -> Any:
        """Write the visible text of a node; returns its first child if the children must be visited too."""
        tag = node.tag
        if tag is None:  # a processing instruction such as <?php ... ?>
            return None
        if tag == "-text":
            out.append(_literal(node.text_content or ""))
            return None
        if tag in _SKIPPED_TAGS or tag.startswith(("-", "_", "!")):
            out.append(GAP if tag in _SKIPPED_TAGS else "")
            return None
        attributes = node.attributes
        if attributes and self._is_skipped(attributes):
            out.append(GAP)
            return None
        if self._within > DEEPEST:
            self.too_deep = True
            out.append(BREAK if tag in _BLOCKS else "")
            return node.child
        if tag in _HEADINGS:
            self._heading(node, _HEADINGS[tag], out, depth)
            return None
        if tag == "a":
            out.append(self._link(node, attributes, depth))
            return None
        if tag == "table" and depth < _DEEPEST_TABLE:
            table = self._table(node, depth)
            if table is not None:
                self.content.tables.append(table)
            out.append(BREAK)
            return None
        if tag in _BLOCKS:
            out.append(BREAK)
        return node.child

    def _is_skipped(self, attributes: dict[str, str | None]) -> bool:
        classes = attributes.get("class")
        if classes and not _SKIPPED_CLASSES.isdisjoint(classes.split()):
            return True
        if attributes.get("id") == "disambigbox":
            self.content.disambiguation = True
            return True
        style = attributes.get("style")
        return bool(style and _HIDDEN.search(style))

    def _heading(self, node: Any, level: int, out: list[str], depth: int) -> None:
        words = plain(self.marked(node, depth))
        if depth:
            out.append(f"{BREAK}{words}{BREAK}")
        else:
            out.append(f"{BREAK}{HEADING}{_literal(self._path.enter(level, words))}{BREAK}")

    def _link(self, node: Any, attributes: dict[str, str | None], depth: int) -> str:
        words = without_links(self.marked(node, depth))
        if "new" in (attributes.get("class") or "").split():
            return words
        target = self._target_of(attributes.get("href") or "")
        return link(target, words) if target and words.strip() else words

    def _table(self, node: Any, depth: int) -> TableContent | None:
        caption, rows = "", list[list[SpanningCell]]()
        for part in node.iter():
            if part.tag == "caption":
                caption = plain(self.marked(part, depth + 1))
            elif part.tag in ("tbody", "thead", "tfoot"):
                rows += [self._row(row, depth) for row in part.iter() if row.tag == "tr"]
        return make_table(self._path.heading, caption, [row for row in rows if row])

    def _row(self, row: Any, depth: int) -> list[SpanningCell]:
        cells: list[SpanningCell] = []
        for part in row.iter():
            if part.tag in ("td", "th"):
                words, links = finish_cell(self.marked(part, depth + 1))
                new_cell = Cell(words, tuple(dict.fromkeys(links)), part.tag == "th")
                spans = part.attributes
                cells.append(SpanningCell(new_cell, _span(spans.get("rowspan")), _span(spans.get("colspan"))))
        return cells


def _wiki_page(address: str) -> str | None:
    """The title of the page that a wiki's own address means."""
    match = _ADDRESS.match(address)
    return None if match is None else link_target(unquote(match[1]))


def _span(value: str | None) -> int:
    return max(int(value), 1) if value and value.isdecimal() and len(value) < 6 else 1


def _literal(text: str) -> str:
    """Text escaped so that nothing in it is read as markup."""
    if "''" in text:
        text = text.replace("'", QUOTE)
    return text.replace("&", "&amp;") if "&" in text else text
