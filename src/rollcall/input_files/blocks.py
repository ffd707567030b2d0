"""Cuts a compressed file into blocks of whole lines, and hashes it on the way.

Reading stops at damage and keeps everything before it; a line longer than a block is skipped. The cuts depend
only on the content and the block size, so that a later run finds the same blocks.
"""

import hashlib
import io
from types import TracebackType
from typing import IO, Any, Self, cast

from rollcall.input_files.input_file import InputFile
from rollcall.input_files.intact import intact
from rollcall.input_files.tally import Tally

_CHUNK = 1 << 20


class _HashedFile(io.RawIOBase):
    """A file that hashes and counts the bytes read from it."""

    def __init__(self, file: InputFile) -> None:
        self._file = file.open()
        self.digest = hashlib.sha256()
        self.position = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._file.readinto(buffer) or 0
        self.digest.update(memoryview(buffer)[:count])
        self.position += count
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


class LineBlocks:
    """Fills buffers with whole lines of one file, in order."""

    def __init__(self, file: InputFile) -> None:
        self._raw = _HashedFile(file)
        self._buffered = io.BufferedReader(self._raw, _CHUNK)
        self._stream = intact(cast(IO[bytes], self._buffered), file.suffix, file)
        self._rest = b""
        self.overlong = 0
        """How many lines were too long for a buffer and were skipped."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()
        self._buffered.close()

    @property
    def position(self) -> int:
        """How many bytes of the compressed file have been read so far."""
        return self._raw.position

    def sha256(self) -> str:
        """The hash of the whole compressed file; reads the rest of the file first."""
        while not self._raw.closed and self._raw.read(_CHUNK):
            pass
        return self._raw.digest.hexdigest()

    def fill(self, buffer: memoryview) -> int:
        """Put as many whole lines as fit into the buffer; returns their length, 0 at the end."""
        filled = len(self._rest)
        buffer[:filled] = self._rest
        self._rest = b""
        while True:
            while filled < len(buffer) and (chunk := self._read(min(_CHUNK, len(buffer) - filled))):
                buffer[filled : filled + len(chunk)] = chunk
                filled += len(chunk)
            if filled < len(buffer):
                return filled  # the last line may lack its line break
            end = _last_line_end(buffer)
            if end:
                self._rest = bytes(buffer[end:])
                return end
            filled = self._pass_over_line(buffer)

    def _pass_over_line(self, buffer: memoryview) -> int:
        """Skip the rest of a line that fills the buffer; returns how many bytes after it the buffer has."""
        self.overlong += 1
        while chunk := self._read(min(_CHUNK, len(buffer))):
            _, found, after = chunk.partition(b"\n")
            if found:
                buffer[: len(after)] = after
                return len(after)
        return 0

    def _read(self, size: int) -> bytes:
        return self._stream.read1(size)

    @property
    def damage(self) -> str | None:
        """Where and how the file is damaged, as far as it was read; None if no damage was found."""
        return self._stream.damage and f"{self._stream.damage} (at byte {self.position:,} of the file)"

    def report(self, tally: Tally) -> None:
        """Add the damage of the file, if there is any, to the bad entries."""
        self._stream.report(tally, f" (at byte {self.position:,} of the file)")


def _last_line_end(buffer: memoryview) -> int:
    """Where the last whole line in a full buffer ends; 0 if there is none."""
    end = len(buffer)
    while end:
        start = max(0, end - _CHUNK)
        found = bytes(buffer[start:end]).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0
