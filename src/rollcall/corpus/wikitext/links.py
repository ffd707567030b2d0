"""Links: which are shown, with which text, and what they point to.

Pictures, categories and links to other languages show nothing in the text; everything else shows its label
and, when it points to a page of the wiki, is kept as a link.
"""

import re
from typing import TYPE_CHECKING

from rollcall.corpus.titles import wiki_title, without_parenthesis
from rollcall.corpus.wikitext.finish import decode_entities, without_links
from rollcall.corpus.wikitext.link_prefixes import HIDDEN_NAMESPACES, LANGUAGES, OTHER_NAMESPACES, OTHER_WIKIS
from rollcall.corpus.wikitext.marks import GAP, link

if TYPE_CHECKING:
    from rollcall.corpus.wikitext.render import Renderer

_TARGET = re.compile(r"[^|\[\]{}<>\n]*+")
TRAIL = "[a-zà-öø-ÿ]"
"""Letters that follow a link directly belong to its anchor: `[[dog]]s`."""
_TRAIL = re.compile(f"{TRAIL}++")


def render_link(page: "Renderer", start: int, closing: int, end: int, out: list[str], depth: int) -> int:
    """Write what the link between `start` and `closing` shows; returns the position after it."""
    text = page.text
    found = _TARGET.match(text, start, closing)
    assert found is not None  # it may be empty
    target = found.group()
    prefix, _, rest = target.partition(":")
    prefix = prefix.strip().lower()
    if rest and prefix in HIDDEN_NAMESPACES:
        out.append(GAP)
        return closing + 2
    if rest and prefix in LANGUAGES:  # shown outside the text of the page
        return closing + 2
    if found.end() < closing and text[found.end()] != "|":
        page.content.problems.append("markup in a link's target")
        target = page.plain(start, _bar(page, start, closing), depth + 1)
        bar = _bar(page, start, closing)
    else:
        bar = found.end()
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
