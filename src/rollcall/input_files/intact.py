"""The intact part of a file: its decompressed bytes up to the point where it is truncated or damaged.

Damage in a source is reported with the other bad entries, and everything before it is kept. To a reader, the
file ends there.
"""

import io
from pathlib import Path
from typing import IO, Any, cast

from rollcall.decompression import DamagedFileError, wrap_decompression
from rollcall.files import open_compressed
from rollcall.input_files.tally import Tally

BOM = b"\xef\xbb\xbf"
_BUFFER = 1 << 16


class Intact(io.RawIOBase):
    """Reads a compressed stream to its end or to its first damage, which `damage` then describes."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = cast(io.BufferedReader, stream)
        self.damage: str | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        chunk = self.read1(len(buffer))
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def read1(self, size: int) -> bytes:
        if self.damage is not None:
            return b""
        try:
            return self._stream.read1(size)
        except DamagedFileError as error:
            self.damage = error.reason
        except (EOFError, OSError) as error:
            self.damage = str(error)
        return b""

    def close(self) -> None:
        self._stream.close()
        super().close()

    def report(self, tally: Tally, place: str = "") -> None:
        """Add the damage, if there was any, to the bad entries."""
        if self.damage:
            tally.add_bad(0, "damaged", f"{self.damage}{place}; what came before it was read")


def open_intact(path: Path) -> Intact:
    return Intact(open_compressed(path))


def intact(stream: IO[bytes], suffix: str, name: object) -> Intact:
    return Intact(wrap_decompression(stream, suffix, name))


def without_mark(stream: Intact) -> IO[bytes]:
    """The stream buffered, from after the byte order mark if it begins with one."""
    buffered = io.BufferedReader(stream, _BUFFER)
    if buffered.peek(len(BOM)).startswith(BOM):
        buffered.read(len(BOM))
    return cast(IO[bytes], buffered)
