"""Lists of words that rules consult, kept as text beside the code: one word or phrase a line."""

from functools import cache
from pathlib import Path

_OWN = Path(__file__).with_name("words")


@cache
def word_list(name: str) -> frozenset[str]:
    """The lines of a list of this package."""
    return read_list(_OWN / f"{name}.txt")


def read_list(path: Path) -> frozenset[str]:
    """The lines of a file; those that begin with # say what it is for."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))
