"""Fingerprints that decide whether a stage is redone: of inputs, of outputs, and of code.

A graph or corpus may be far larger than what a build reads of it, so a folder is known by its manifest and by
the footers of its Parquet files, which hold the sizes and bounds of every column. Outputs of stages and other
files are hashed whole.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rollcall.errors import RollcallError

_PARQUET = b"PAR1"
_MANIFESTS = ("graph.json", "corpus.json")


def of_value(value: Any) -> str:
    """The hash of anything that can be written as JSON."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def of_file(path: Path) -> str:
    """The hash of a file's whole content."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def of_input(path: Path) -> str:
    """The fingerprint of a file or folder; a graph or corpus goes by its manifest and its tables' footers."""
    if path.is_file():
        return of_file(path)
    if not path.is_dir():
        raise RollcallError(f"{path}: no such file or folder")
    if not any((path / name).is_file() for name in _MANIFESTS):
        return of_files([path])
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


def of_files(paths: Sequence[Path]) -> str:
    """The hash of the names and contents of some files; of folders, of all files in them."""
    parts = {}
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                parts[file.relative_to(path.parent).as_posix()] = of_file(file)
    return of_value(parts)
