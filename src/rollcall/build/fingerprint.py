"""Fingerprints that decide whether a stage is redone: of inputs, of outputs, and of code.

A graph or corpus may be far larger than what a build reads of it, so a folder is known by its manifest and by
the footers of its Parquet files, which hold the sizes and bounds of every column. Outputs of stages and other
files are hashed whole.
"""

import hashlib
import importlib.util
import json
from functools import cache
from pathlib import Path
from typing import Any

from rollcall.errors import RollcallError

_PARQUET = b"PAR1"
_SOURCES = (".py", ".yaml", ".json", ".toml", ".txt", ".md")


def of_value(value: Any) -> str:
    """The hash of anything that can be written as JSON."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def of_file(path: Path) -> str:
    """The hash of a file's whole content."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def of_input(path: Path) -> str:
    """The fingerprint of a file, or of a folder by its manifest and its tables' footers."""
    if path.is_file():
        return of_file(path)
    if not path.is_dir():
        raise RollcallError(f"{path}: no such file or folder")
    parts = {}
    for file in sorted(path.iterdir()):
        if file.suffix == ".parquet":
            parts[file.name] = _of_footer(file)
        elif file.suffix in (".json", ".jsonl"):
            parts[file.name] = of_file(file)
    return of_value(parts)


def _of_footer(path: Path) -> str:
    """The hash of a Parquet file's size and footer."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        stream.seek(max(0, size - 8))
        tail = stream.read()
        if len(tail) < 8 or tail[4:] != _PARQUET:
            return of_file(path)
        stream.seek(max(0, size - 8 - int.from_bytes(tail[:4], "little")))
        return hashlib.sha256(str(size).encode() + stream.read()).hexdigest()


@cache
def of_code(name: str) -> str:
    """The hash of a module's source, or of all source and data files of a package."""
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        raise RollcallError(f"{name}: no such module, so its code cannot be told from another version's")
    origin = Path(found.origin)
    if found.submodule_search_locations is None:
        return of_file(origin)
    root = origin.parent
    files = (path for path in root.rglob("*") if path.suffix in _SOURCES)
    return of_value({path.relative_to(root).as_posix(): of_file(path) for path in files})
