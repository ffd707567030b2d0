"""Cuts sources into blocks of whole entries: lines, also inside archives, or other entries of a source.

Both are made from blocks of whole lines, which stop at damage and hash the file. An entry may be longer than
a block; an entry longer than any real page is skipped.
"""

import io
import tarfile
from collections.abc import Callable, Iterator
from typing import IO, NamedTuple, cast

from rollcall.corpus.ingest.sources import is_tar, tar_lines
from rollcall.input_files.blocks import LineBlocks
from rollcall.input_files.input_file import InputFile
from rollcall.input_files.intact import Intact

LONGEST_PAGE = 256 << 20
LONGEST_LINE = 4
"""In blocks: longer lines are skipped."""


class _Members(io.RawIOBase):
    """The files inside an archive as one stream."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._members: Iterator[IO[bytes]] | None = None
        self._stream = stream
        self._current: IO[bytes] | None = None

    def readable(self) -> bool:
        return True

    def read1(self, size: int = -1) -> bytes:
        if self._members is None:
            self._members = tar_lines(self._stream)
        try:
            while True:
                if self._current is None:
                    self._current = next(self._members, None)
                    if self._current is None:
                        return b""
                if chunk := self._current.read(size):
                    return chunk
                self._current = None
        except tarfile.TarError as error:
            raise EOFError(str(error)) from None


class _Rows(io.RawIOBase):
    """Lines that are made one after the other, as one stream."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self._rest = b""

    def readable(self) -> bool:
        return True

    def read1(self, size: int = -1) -> bytes:
        line = self._rest or next(self._lines, b"")
        self._rest = line[size:] if size >= 0 else b""
        return line[:size] if size >= 0 else line


class SourceLines(LineBlocks):
    """Blocks of whole lines of a file, of the files inside an archive, or of the rows of a table."""

    def __init__(self, file: InputFile, rows: Callable[[Intact], Iterator[bytes]] | None = None) -> None:
        """`rows` turns the decompressed file into lines, if it has none of its own."""
        super().__init__(file)
        if rows is not None:
            self._stream = Intact(cast(IO[bytes], _Rows(rows(self._stream))))
        elif is_tar(file):
            members = _Members(cast(IO[bytes], self._stream))
            self._stream = Intact(cast(IO[bytes], members))


class Block(NamedTuple):
    """Some whole entries, and the number of overlong pages skipped before them."""

    content: bytes
    overlong: int = 0


def blocks(lines: SourceLines, size: int, entry_end: bytes) -> Iterator[Block]:
    """Blocks of about this size, in order; the cuts depend only on the content."""
    return _line_blocks(lines, size) if entry_end == b"\n" else _entry_blocks(lines, size, entry_end)


def _line_blocks(lines: SourceLines, size: int) -> Iterator[Block]:
    """Blocks of whole lines. A large buffer is read and split, so that a line may be longer than a block."""
    buffer = memoryview(bytearray(size * LONGEST_LINE))
    while length := lines.fill(buffer):
        start = 0
        while start < length:
            content = bytes(buffer[start : min(start + size, length)])
            end = content.rfind(b"\n") + 1 if start + size < length else len(content)
            if not end:  # a line longer than a block: everything up to its end
                content = bytes(buffer[start:length])
                end = content.find(b"\n", size) + 1 or len(content)
            yield Block(content[:end])
            start += end


def _entry_blocks(lines: SourceLines, size: int, entry_end: bytes) -> Iterator[Block]:
    """Blocks of whole entries. For an entry longer than a block, blocks are joined until it ends."""
    buffer = memoryview(bytearray(size))
    rest: list[bytes] = []
    rest_size = overlong = 0
    while length := lines.fill(buffer):
        content = bytes(buffer[:length])
        end = content.rfind(entry_end) + len(entry_end) if entry_end in content else 0
        if end:
            yield Block(b"".join([*rest, content[:end]]), overlong)
            rest, rest_size, overlong = [content[end:]], length - end, 0
        elif rest_size + length > LONGEST_PAGE:
            rest, rest_size, overlong = [], 0, overlong + 1
        else:
            rest.append(content)
            rest_size += length
    if b"".join(rest).strip() or overlong:
        yield Block(b"".join(rest), overlong)


def line_of(content: bytes, position: int, cache: dict[str, int]) -> int:
    """The line number (from 1) of a position; positions must not decrease from call to call."""
    line = cache.get("line", 1) + content.count(b"\n", cache.get("position", 0), position)
    cache["line"], cache["position"] = line, position
    return line
