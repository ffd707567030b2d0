"""A template on a page: its name, its arguments, and the text that the rules give.

Arguments are rendered only when a rule needs them, so that a dropped template costs no more than finding its
end.
"""

import re
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from rollcall.corpus.wikitext import template_functions
from rollcall.corpus.wikitext.finish import plain, without_links
from rollcall.corpus.wikitext.links import link_target
from rollcall.corpus.wikitext.marks import BREAK, GAP, link
from rollcall.corpus.wikitext.parser_functions import parser_function
from rollcall.corpus.wikitext.template_rules import Argument, Function, LinkTo, Optional, Pattern

if TYPE_CHECKING:
    from rollcall.corpus.wikitext.render import Renderer

_NAME = re.compile(r"\s*+(?:(?i:template|subst|safesubst)\s*+:\s*+)?+([^|{}\[\]<>\n]*+)\s*+")
_KEY = re.compile(r"\s*+([^=|\[\]{}<>\n]*+)=")


class TemplateCall:
    """One use of a template."""

    def __init__(self, page: "Renderer", name: str, start: int, closing: int, depth: int) -> None:
        self.page = page
        self.name = name
        self._start = start
        self._closing = closing
        self._depth = depth
        self._values: dict[str, str] = {}
        """Rendered arguments: rendering twice at each of many levels would take exponential time."""

    @cached_property
    def arguments(self) -> dict[str, tuple[int, int]]:
        """The position of each argument, by number or by name."""
        found: dict[str, tuple[int, int]] = {}
        bars = [*self.page.bars(self._start, self._closing), self._closing]
        number = 0
        for start, end in pairwise(bars):
            key = _KEY.match(self.page.text, start + 1, end)
            if key:
                found[key[1].strip()] = (key.end(), end)
            else:
                number += 1
                found[str(number)] = (start + 1, end)
        return found

    @property
    def positional(self) -> list[str]:
        """The arguments without a name, rendered, in order."""
        values: list[str] = []
        while str(len(values) + 1) in self.arguments:
            values.append(self.value(str(len(values) + 1)))
        return values

    @property
    def first_after_colon(self) -> str:
        """The text between the colon of a parser function and its first bar."""
        colon = self.page.text.find(":", self._start, self._closing)
        bars = self.page.bars(self._start, self._closing)
        return plain(self.page.marked(colon + 1, bars[0] if bars else self._closing, self._depth + 1))

    def value(self, key: str) -> str:
        """An argument as a stripped marked string; empty if it is not given."""
        place = self.arguments.get(key)
        if place is None:
            return ""
        if key not in self._values:
            marked = self.page.marked(*place, self._depth + 1)
            self._values[key] = marked.strip(" \n\t" + BREAK)
        return self._values[key]

    def words(self, key: str) -> str:
        """An argument as plain text."""
        return plain(self.value(key))

    def first(self, *keys: str) -> str:
        """The first of these arguments that is not empty; `=words` means the text `words` itself."""
        values = (key[1:] if key.startswith("=") else self.value(key) for key in keys)
        return next((value for value in values if value), "")


def render_template(page: "Renderer", start: int, closing: int, depth: int) -> str:
    """The text of the template whose name begins at `start`, as a marked string."""
    found = _NAME.match(page.text, start, closing)
    assert found is not None  # it may be empty
    name = found[1].replace("_", " ").strip().lower()
    rule = page.rules.rules.get(name)
    if rule is None and page.rules.is_dropped(name):
        return GAP
    call = TemplateCall(page, name, start, closing, depth)
    if rule is None:
        return _without_rule(call, found[1].strip(), found.end())
    if isinstance(rule, Function):
        return template_functions.FUNCTIONS[rule.name](call)
    return _fill(rule, call) or GAP


def _without_rule(call: TemplateCall, written: str, after_name: int) -> str:
    page, name = call.page, call.name
    if name in page.rules.disambiguation:
        page.content.disambiguation = True
        return GAP
    if ":" in name or name.startswith("#") or written.isupper():
        shown = parser_function(call, written)
        if shown is not None:
            return shown or GAP
    if name.startswith("lang-"):
        return template_functions.language(call)
    if name:
        unknown = page.content.unknown_templates
        unknown[name] = unknown.get(name, 0) + 1
    return GAP


def _fill(pattern: Pattern, call: TemplateCall) -> str:
    parts: list[str] = []
    for piece in pattern:
        if isinstance(piece, str):
            parts.append(piece)
        elif isinstance(piece, Argument):
            parts.append(call.first(*piece.keys))
        elif isinstance(piece, LinkTo):
            parts.append(_linked(piece, call))
        elif _given(piece, call):
            parts.append(_fill(piece.pieces, call))
    return "".join(parts)


def _linked(piece: LinkTo, call: TemplateCall) -> str:
    label = without_links(_fill(piece.label, call))
    target = link_target(plain(_fill(piece.target, call)))
    return link(target, label) if target and label.strip() else label


def _given(optional: Optional, call: TemplateCall) -> bool:
    for piece in optional.pieces:
        if isinstance(piece, Argument) and not call.first(*piece.keys):
            return False
        if isinstance(piece, LinkTo) and not _fill(piece.label, call):
            return False
    return True
