"""A file to read, and what tells its content from another without reading all of it."""

import hashlib
from pathlib import Path

import msgspec

_LOOKED_AT = 1 << 16


class Source(msgspec.Struct, frozen=True):
    """A file to read: its kind, and for tables their columns and what they hold."""

    path: str
    kind: str
    shape: str = ""
    columns: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return Path(self.path).name

    @property
    def size(self) -> int:
        return Path(self.path).stat().st_size

    def fingerprint(self) -> str:
        """What tells this content from another without reading all of it."""
        path, size = Path(self.path), self.size
        with path.open("rb") as stream:
            head = stream.read(_LOOKED_AT)
            stream.seek(max(0, size - _LOOKED_AT))
            tail = stream.read()
        stamp = f"{size} {path.stat().st_mtime_ns} {self.kind} {self.shape} {self.columns}"
        return hashlib.sha256(stamp.encode() + head + tail).hexdigest()
