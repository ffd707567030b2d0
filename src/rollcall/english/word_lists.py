"""Word lists for the rules, stored as text files beside the code: one word or phrase per line."""

from functools import cache
from pathlib import Path

_OWN = Path(__file__).with_name("words")


@cache
def word_list(name: str) -> frozenset[str]:
    """The lines of one of this package's lists."""
    return read_list(_OWN / f"{name}.txt")


def read_list(path: Path) -> frozenset[str]:
    """The lines of a file, without comment lines, which begin with #."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))
