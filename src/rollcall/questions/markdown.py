"""Puts strings of data into a Markdown page so that they are shown unchanged.

A label, a question or the name of a split may contain tags, tables, headings or line breaks. Here they become
plain words on one line: characters of HTML are written as entities, which every renderer knows, and those of
Markdown with a backslash.
"""

import re

from rollcall.terminal import shown

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"}
_SIGNS = re.compile(r"[&<>|\\`*_\[\]#~$]")
_BEGINNING = re.compile(r"([-+=]|\d{1,9}(?=[.)]))")
_PLAIN_WORD = re.compile(r"[A-Za-z][\w-]*")
_YAML_WORDS = frozenset(("no", "on", "off", "yes", "y", "n", "true", "false", "null"))


def inline(text: str) -> str:
    """A text as plain words on one line, without any markup."""
    line = _line(text)
    escaped = _SIGNS.sub(lambda sign: _ENTITIES.get(sign.group(), f"\\{sign.group()}"), line)
    if found := _BEGINNING.match(escaped):
        sign = found.group()
        escaped = f"\\{escaped}" if not sign.isdecimal() else f"{sign}\\{escaped[len(sign) :]}"
    return escaped


def _line(text: str) -> str:
    """A text on one line; control characters that are no white space are shown as escape sequences."""
    return shown(" ".join(text.split()))


def code(text: str) -> str:
    """A text as code if every renderer shows it unchanged; else as plain words."""
    line = _line(text)
    return inline(line) if re.search(r"[<>&`|]", line) else f"`{line}`"


def yaml_word(text: str) -> str:
    """A text as one value of a page's YAML head."""
    from rollcall.yaml_tree import quoted

    if _PLAIN_WORD.fullmatch(text) and text.lower() not in _YAML_WORDS:
        return text
    return quoted(text)
