"""Strings of data inside a Markdown page: shown as they are, whatever they hold.

A label, a question or the name of a split may hold tags, tables, headings or line breaks. Here they become
words in a line: HTML's signs as entities, which every renderer knows, and Markdown's with a backslash.
"""

import json
import re

from rollcall.terminal import shown

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"}
_SIGNS = re.compile(r"[&<>|\\`*_\[\]#~$]")
_BEGINNING = re.compile(r"([-+=]|\d{1,9}(?=[.)]))")
_PLAIN_WORD = re.compile(r"[A-Za-z][\w-]*")
_YAML_WORDS = frozenset(("no", "on", "off", "yes", "y", "n", "true", "false", "null"))


def inline(text: str) -> str:
    """A text as words in a line, which mean nothing but themselves."""
    line = " ".join(shown(text).split())
    escaped = _SIGNS.sub(lambda sign: _ENTITIES.get(sign.group(), f"\\{sign.group()}"), line)
    if found := _BEGINNING.match(escaped):
        sign = found.group()
        escaped = f"\\{escaped}" if not sign.isdecimal() else f"{sign}\\{escaped[len(sign) :]}"
    return escaped


def code(text: str) -> str:
    """A text as code, where it is one that every renderer shows as it is; else as words."""
    line = " ".join(shown(text).split())
    return inline(line) if re.search(r"[<>&`|]", line) else f"`{line}`"


def yaml_word(text: str) -> str:
    """A text as one value of a page's YAML head."""
    if _PLAIN_WORD.fullmatch(text) and text.lower() not in _YAML_WORDS:
        return text
    return json.dumps(text)
