"""Finds the pairs of brackets, in one pass and before anything is rendered.

Because all pairs are known, rendering can skip dropped markup, and it takes linear time however badly a page
is nested: an unclosed bracket is known at once, without repeated searches. If a closing bracket matches an
opening one below others on the stack, those others are treated as unclosed.
"""

import re

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
TEMPLATE, PARAMETER, LINK, TABLE = 0, 1, 2, 3


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
                    self._push(LINK, start)
                else:
                    self._close(LINK, start)
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
            found, start = self._pop()
            if found == kind:
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
        while self._stack and self._stack[-1][0] == LINK:
            start = self._stack[-1][1]
            if text[start + 2 : start + 8].lower().startswith(("file:", "image:")):
                return
            self._pop()
