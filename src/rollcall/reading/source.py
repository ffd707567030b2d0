"""A file to read, and what it was recognised as."""

from pathlib import Path

import msgspec


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
