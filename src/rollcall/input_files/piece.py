"""The record of a finished piece: what was read, what was written, and what was found.

The record is in the piece's folder. A later run reuses the piece only if the bytes of the source are the same
and the written files are undamaged. Size and modification time would not show this.
"""

import hashlib
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from rollcall import checksums

_RECORD = "piece.json"

Found = TypeVar("Found")


def hash_of(content: bytes | memoryview, *more: int) -> str:
    """The hash that identifies a block of a source, together with numbers that also affect what is read."""
    digest = hashlib.sha256(content)
    digest.update(repr(more).encode())
    return digest.hexdigest()


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
