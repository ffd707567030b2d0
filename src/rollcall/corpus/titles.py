"""Titles as MediaWiki compares them: underscores are spaces, and the case of the first letter is ignored."""

import re
from urllib.parse import unquote

_SPACES = re.compile(r"[\s_\u00a0\u200e\u200f]+")


def wiki_title(text: str) -> str:
    """The normal form of a wiki title: without fragment, with single spaces and a capital first letter."""
    text = text.partition("#")[0]
    if "%" in text:
        text = unquote(text)
    if "_" in text or "  " in text or not text.isprintable() or text[:1] == " " or text[-1:] == " ":
        text = _SPACES.sub(" ", text).strip()
    return text[:1].upper() + text[1:]


def without_parenthesis(title: str) -> str:
    """The title as a name: `Mercury (planet)` becomes `Mercury`; other titles are unchanged."""
    if title.endswith(")"):
        name, opened, _ = title.rpartition(" (")
        if opened and name:
            return name
    return title
