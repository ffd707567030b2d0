"""Checksums: the manifest of each output folder records its files, and they are checked before use.

A file is identified by its size and CRC-32, which detects a flipped bit or a truncation and is several times
faster than reading from disk. Where someone may have edited a file, as between the stages of a build, SHA-256
is used. A manifest is sealed with the checksum of its own content. A process does not check a file again
while that file is unchanged.
"""

import hashlib
import json
import os
import zlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import msgspec
from isal import isal_zlib

from rollcall._core.errors import RollcallError

Recorded: TypeAlias = tuple[int, str]
"""The size of a file and the checksum of its content."""
Checksum: TypeAlias = Callable[[Path], str]
Item = TypeVar("Item")
Found = TypeVar("Found")

FILES, SEAL = "files", "checksum"
"""The keys of a manifest: the files of its folder as recorded, and the checksum of everything else in it."""
MAKERS = {"graph.json": "rollcall graph", "corpus.json": "rollcall corpus"}
"""The manifests of folders whose damaged files are refused, and the command that rebuilds each folder."""
DAMAGED = "damaged: its content is not what was written"
_CHUNK = 1 << 20
_whole: dict[tuple[Path, Checksum], tuple[tuple[int, ...], Recorded]] = {}
"""The files that this process has found undamaged, with the state of each at that time."""


def crc32(path: Path) -> str:
    """The CRC-32 of a file's content."""
    value, buffer = 0, memoryview(bytearray(_CHUNK))
    with path.open("rb", buffering=0) as stream:
        while count := stream.readinto(buffer):
            value = isal_zlib.crc32(buffer[:count], value)
    return f"{value:08x}"


def sha256(path: Path) -> str:
    """The SHA-256 of a file's content."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def record(folder: Path, of: Checksum = crc32) -> dict[str, Recorded]:
    """The record of every file below a folder, by relative path."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    sums = _mapped(of, paths)
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_size, checksum)
        for path, checksum in zip(paths, sums, strict=True)
    }


def damaged(folder: Path, files: Mapping[str, Recorded], of: Checksum = crc32) -> list[str]:
    """The files that are not as recorded: missing, truncated, or with other content."""
    names = sorted(files)
    whole = _mapped(lambda name: _is_whole(folder / name, files[name], of), names)
    return [name for name, is_whole in zip(names, whole, strict=True) if not is_whole]


def _mapped(function: Callable[[Item], Found], items: Sequence[Item]) -> list[Found]:
    """The results for all items, several at a time; a thread would take longer than one small file."""
    if len(items) < 2:
        return [function(item) for item in items]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(function, items))


def _is_whole(path: Path, recorded: Recorded, of: Checksum) -> bool:
    try:
        status = path.stat()
        state = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_dev)
        if _whole.get((path, of)) == (state, recorded):
            return True
        if status.st_size != recorded[0] or of(path) != recorded[1]:
            return False
    except OSError:
        return False
    _whole[path, of] = (state, recorded)
    return True


def refuse_damaged(folder: Path, files: Mapping[str, Recorded], remedy: str) -> None:
    """Raise an error that names the first file that is not as recorded, and says what to do."""
    for name in damaged(folder, files)[:1]:
        path = folder / name
        if not path.is_file():
            raise RollcallError(f"{path}: is missing; {remedy}")
        raise RollcallError(f"{path}: {DAMAGED}; {remedy}")


def checked(path: Path) -> Path:
    """The path of a file, after checking the file against the manifest of its graph or corpus.

    A file that is not in a graph or corpus is not checked.
    """
    for name, command in MAKERS.items():
        manifest = path.with_name(name)
        if manifest.is_file():
            files = files_of(_read(manifest, again(command)))
            if path.name in files:
                refuse_damaged(path.parent, {path.name: files[path.name]}, again(command))
    return path


def refuse_damaged_folder(folder: Path) -> Path | None:
    """Check every file of a graph or corpus. Returns its manifest, or None for any other folder."""
    for name, command in MAKERS.items():
        manifest = folder / name
        if manifest.is_file():
            refuse_damaged(folder, files_of(_read(manifest, again(command))), again(command))
            return manifest
    return None


def _read(path: Path, remedy: str) -> dict[str, Any]:
    try:
        manifest = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        manifest = None
    if not is_sealed(manifest):
        raise RollcallError(f"{path}: {DAMAGED}; {remedy}")
    return dict(manifest)


def again(command: str) -> str:
    """What to do about a damaged folder."""
    return f"make the {command.rpartition(' ')[2]} again with `{command}`"


def files_of(manifest: Mapping[str, Any]) -> dict[str, Recorded]:
    """The files that a manifest records; none where the entry is not a valid record."""
    try:
        return msgspec.convert(manifest.get(FILES, {}), dict[str, Recorded])
    except msgspec.ValidationError:
        return {}


def sealed(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """A manifest as JSON values, with the checksum of its content as the last entry."""
    content = json.loads(json.dumps(manifest, default=msgspec.to_builtins))
    content.pop(SEAL, None)
    return {**content, SEAL: _content_checksum(content)}


def is_sealed(manifest: object) -> bool:
    """Whether the content of a manifest is what was written."""
    if not isinstance(manifest, dict):
        return False
    content = {key: value for key, value in manifest.items() if key != SEAL}
    return manifest.get(SEAL) == _content_checksum(content)


def _content_checksum(content: Mapping[str, Any]) -> str:
    return f"{zlib.crc32(json.dumps(content, sort_keys=True).encode()):08x}"
