"""Cuts sources into blocks of whole entries: lines of JSON, also inside archives, or pages of XML.

Both build on blocks of whole lines, which bear damage and hash the file. A page may be longer than a block;
one that is longer than any real page is passed over.
"""

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from rollcall.corpus.read.sources import is_tar, tar_lines
from rollcall.graph.read.blocks import LineBlocks

_PAGE_END = b"</page>"
LONGEST_PAGE = 256 << 20


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
            self._members = tar_lines(tarfile.open(fileobj=self._stream, mode="r|"))  # noqa: SIM115
        while True:
            if self._current is None:
                self._current = next(self._members, None)
                if self._current is None:
                    return b""
            try:
                chunk = self._current.read(size)
            except tarfile.TarError as error:
                raise EOFError(str(error)) from None
            if chunk:
                return chunk
            self._current = None


class SourceLines(LineBlocks):
    """Blocks of whole lines of a file, or of the files inside an archive."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        if is_tar(path):
            self._stream = cast(IO[bytes], _Members(self._stream))


class Block:
    """Some whole entries, and what stood before them that belongs to none."""

    def __init__(self, content: bytes, lines_before: int, overlong: int = 0) -> None:
        self.content = content
        self.lines_before = lines_before
        self.overlong = overlong


def blocks(lines: SourceLines, buffer: memoryview, by_page: bool) -> Iterator[Block]:
    """Blocks of a source, in order, cut by its content alone."""
    rest: list[bytes] = []
    rest_size = lines_before = overlong = 0
    while length := lines.fill(buffer):
        content = bytes(buffer[:length])
        end = content.rfind(_PAGE_END) + len(_PAGE_END) if by_page and _PAGE_END in content else 0
        if not by_page:
            yield Block(content, lines_before)
            lines_before += content.count(b"\n")
        elif end:
            whole = b"".join([*rest, content[:end]])
            yield Block(whole, lines_before, overlong)
            lines_before += whole.count(b"\n")
            rest, rest_size, overlong = [content[end:]], length - end, 0
        elif rest_size + length > LONGEST_PAGE:
            lines_before += sum(part.count(b"\n") for part in rest) + content.count(b"\n")
            rest, rest_size, overlong = [], 0, overlong + 1
        else:
            rest.append(content)
            rest_size += length
    if b"".join(rest).strip() or overlong:
        yield Block(b"".join(rest), lines_before, overlong)


def line_of(content: bytes, position: int, cache: dict[str, Any]) -> int:
    """The line, from 1, of a position that is not before the last one asked for."""
    line = cache.get("line", 1) + content.count(b"\n", cache.get("position", 0), position)
    cache["line"], cache["position"] = line, position
    return int(line)
