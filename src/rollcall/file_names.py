"""File names made of names that stand in data: never a path, never one file for two names.

A split, a kind or a title may be called anything. What is plainly a file name on every system stays as it is;
anything else gets its odd characters replaced and a part of its hash, so that it stays the same in every run.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable

_PLAIN = re.compile(r"\w(?:[\w .+-]*[\w+-])?")
_ODD = re.compile(r"[^\w+-]+")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
"""Names that Windows keeps for devices, whatever follows a dot."""
_MOST_BYTES = 100
"""Room is left for what is put behind a name; file systems allow 255."""


def file_names(names: Iterable[str]) -> dict[str, str]:
    """A file name without suffix for each name; no two are equal, even where case does not count."""
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
    """A name as file systems compare it, which fold more than people do."""
    return unicodedata.normalize("NFKC", name).casefold()
