"""File names from names in data: the result is never a path, and two names never share one file.

A split, a kind or a title may have any name. A name that is a valid file name on every system is unchanged.
In any other name, unsafe characters are replaced and a part of its hash is added, so every run gives the
same.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable

_PLAIN = re.compile(r"\w(?:[\w .+-]*[\w+-])?")
_ODD = re.compile(r"[^\w+-]+")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
"""Names that Windows reserves for devices, with any suffix."""
_MOST_BYTES = 100
"""File systems allow 255; the difference leaves room for suffixes."""


def file_names(names: Iterable[str]) -> dict[str, str]:
    """A file name without suffix for each name; all differ, even on file systems that ignore case."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in sorted(set(names)):
        chosen = name if _is_plain(name) else _made(name)
        if _folded(chosen) in taken:
            chosen = _made(name)
        found[name] = chosen
        taken.add(_folded(chosen))
    return found


def _is_plain(name: str) -> bool:
    return (
        _PLAIN.fullmatch(name) is not None
        and len(name.encode("utf-8", "replace")) <= _MOST_BYTES
        and _RESERVED.fullmatch(name) is None
    )


def _made(name: str) -> str:
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    words = (
        _ODD.sub("_", name).strip("_").encode("utf-8", "ignore")[: _MOST_BYTES // 2].decode("utf-8", "ignore")
    )
    return f"{words}-{digest}" if words else digest


def _folded(name: str) -> str:
    """A name as a file system may compare it: with compatible characters and upper and lower case equal."""
    return unicodedata.normalize("NFKC", name).casefold()
