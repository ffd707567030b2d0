"""Fingerprints of inputs, outputs and code, which decide whether a stage runs again.

The fingerprint of a graph or corpus comes from its manifest, after every file was compared with the manifest.
Outputs of stages and other files are hashed completely.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rollcall import checksums
from rollcall.errors import RollcallError


def of_value(value: Any) -> str:
    """The hash of any value that can be written as JSON."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def of_file(path: Path) -> str:
    """The hash of a file's whole content."""
    return checksums.sha256(path)


def of_input(path: Path) -> str:
    """The fingerprint of a file's content, or of everything in a folder; a damaged folder is refused."""
    if path.is_file():
        return of_file(path)
    if not path.is_dir():
        raise RollcallError(f"{path}: no such file or folder")
    manifest = checksums.refuse_damaged_folder(path)
    if manifest is not None:
        return of_file(manifest)
    return of_value(checksums.record(path, checksums.sha256))


def of_files(paths: Sequence[Path]) -> str:
    """The hash of the names and contents of some files; for a folder, of all files in it."""
    parts = {}
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                parts[file.relative_to(path.parent).as_posix()] = of_file(file)
    return of_value(parts)
