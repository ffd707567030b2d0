"""Pieces of sources: the folder of a piece is complete or absent, and its record says what it is made of.

The record says what was read, what was written, and what was found. A later run reuses the piece only if the
bytes of the source are the same and the written files are undamaged. Size and modification time would not
show this. Two processes may write the same piece at once, as a cluster may start a task a second time.
"""

import errno
import hashlib
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from rollcall import checksums
from rollcall.files import PARTIAL, remove

_RECORD = "piece.json"

Found = TypeVar("Found")


def hash_of(content: bytes | memoryview, *more: int) -> str:
    """The hash that identifies a block of a source, together with numbers that also affect what is read."""
    digest = hashlib.sha256(content)
    digest.update(repr(more).encode())
    return digest.hexdigest()


@contextmanager
def replacing_piece(path: Path) -> Iterator[Path]:
    """Give a temporary path for a file, or for the folder of a piece, which then takes its place."""
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex}{PARTIAL}")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        yield partial
        if partial.is_dir():
            _install(partial, path)
        else:
            partial.replace(path)
    finally:
        remove(partial)


def _install(partial: Path, folder: Path) -> None:
    """Put a finished folder in its place, unless the same piece is there already and may be in use."""
    while True:
        try:
            partial.rename(folder)
            return
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
        if _is_same(partial, folder):
            return
        aside = partial.with_name(f"{partial.name}-replaced")
        with suppress(FileNotFoundError):
            folder.rename(aside)
        remove(aside)


def _is_same(one: Path, other: Path) -> bool:
    """Whether two folders hold the same finished piece, undamaged."""
    try:
        record = (one / _RECORD).read_bytes()
        if (other / _RECORD).read_bytes() != record:
            return False
    except FileNotFoundError:
        return False
    return not checksums.damaged(other, checksums.files_of(msgspec.json.decode(record)))


def finish_piece(folder: Path, source: str, found: Any) -> None:
    """Record that everything in a folder was read from content with this hash."""
    record = {
        "source": source,
        "found": msgspec.to_builtins(found),
        checksums.FILES: checksums.record(folder),
    }
    (folder / _RECORD).write_bytes(msgspec.json.encode(checksums.sealed(record)))


def has_piece(folder: Path) -> bool:
    """Whether an earlier run completed a piece here."""
    return (folder / _RECORD).is_file()


def piece_source(folder: Path) -> str:
    """The hash of the content that a piece was read from, according to its record."""
    return str(msgspec.json.decode((folder / _RECORD).read_bytes())["source"])


def finished_piece(folder: Path, source: str, kind: type[Found]) -> Found | None:
    """What an earlier run found in content with this hash, if all its written files are undamaged."""
    try:
        record = msgspec.json.decode((folder / _RECORD).read_bytes())
        if not checksums.is_sealed(record) or record["source"] != source:
            return None
        found = msgspec.convert(record["found"], kind)
    except (OSError, UnicodeDecodeError, msgspec.MsgspecError):
        return None
    return None if checksums.damaged(folder, checksums.files_of(record)) else found
