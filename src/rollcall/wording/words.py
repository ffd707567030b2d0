"""Lists of words that rules consult, kept as text beside the code: one word or phrase a line."""

from functools import cache
from importlib import resources


@cache
def word_list(name: str) -> frozenset[str]:
    """The lines of a list; those that begin with # say what it is for."""
    text = (resources.files("rollcall.wording") / "words" / f"{name}.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))
