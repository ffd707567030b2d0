"""Fingerprints that decide whether a stage is redone: of inputs, of outputs, and of code.

A graph or corpus is known by its manifest, once every file has been found to be as the manifest tells.
Outputs of stages and other files are hashed whole.
"""

import hashlib
import importlib.util
import json
from functools import cache
from pathlib import Path
from typing import Any

from rollcall import checksums
from rollcall.errors import RollcallError

_SOURCES = (".py", ".yaml", ".json", ".toml", ".txt", ".md")


def of_value(value: Any) -> str:
    """The hash of anything that can be written as JSON."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def of_file(path: Path) -> str:
    """The hash of a file's whole content."""
    return checksums.sha256(path)


def of_input(path: Path) -> str:
    """The fingerprint of a file's content, or of all that a folder holds; a damaged folder is refused."""
    if path.is_file():
        return of_file(path)
    if not path.is_dir():
        raise RollcallError(f"{path}: no such file or folder")
    manifest = checksums.refuse_damaged_folder(path)
    if manifest is not None:
        return of_file(manifest)
    return of_value(checksums.record(path, checksums.sha256))


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
