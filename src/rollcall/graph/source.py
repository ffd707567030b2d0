"""Graph sources: the kinds of files that a graph is read from. To add one, write one class.

A source declares how its files are recognised, which options it has, and whether a file may be cut at any
line. Rollcall does the rest: worker processes, recording bad entries, and resuming after a stop.
"""

import re
from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.graph.rows import GraphShard
from rollcall.input_files.file_source import FileHead, FileSource
from rollcall.input_files.input_file import Tally, explain

# Options of all graph sources: the languages of names, and whether classes are relations too. The
# options are part of a build's identity: shards read with other options are never reused.

_LANGUAGE = re.compile(r"[a-z][a-z0-9-]*")


class ReadOptions(msgspec.Struct, frozen=True):
    """Options for every source; `rollcall graph --help` describes them."""

    language: str = "en"
    fallback: tuple[str, ...] = ("mul", "en")
    type_facts: bool = False

    def __post_init__(self) -> None:
        for code in self.languages:
            if not _LANGUAGE.fullmatch(code):
                raise RollcallError(f"{code!r} is not a language; give a code such as en or pt-br")

    @property
    def languages(self) -> tuple[str, ...]:
        """The chosen language and its fallbacks, in order of preference, each once; all in lower case."""
        codes = (self.language, *self.fallback)
        return tuple(dict.fromkeys(code.lower().replace("_", "-") for code in codes))


# The lines of a block, with their numbers.


def lines_of(block: bytes, tally: Tally) -> Iterator[tuple[int, bytes]]:
    """The lines of a block with their numbers from 1; afterwards they are counted in the tally."""
    lines = block.split(b"\n")
    if not lines[-1]:
        lines.pop()
    yield from enumerate(lines, 1)
    tally.lines += len(lines)


class GraphSourceContext(NamedTuple):
    """The context for opening a source: the beginning of the file, and the options that all sources share."""

    head: FileHead
    options: ReadOptions


class LineSource(FileSource):
    """A file that can be cut at any line. Its parts are read at the same time, in several processes.

    The public attributes of simple types of an opened object must include everything that affects how a line
    is read, such as the columns of a table: they are compared when an interrupted run is resumed.
    """

    def read(self, block: bytes, shard: GraphShard, tally: Tally, first: bool) -> None:
        """Add the content of a block of whole lines; `first` says whether it is the file's first block."""
        for number, line in lines_of(block, tally):
            if not line.strip():
                continue
            tally.entries += 1
            mark = shard.mark()
            try:
                self.read_line(line, shard, tally)
            except Exception as error:  # any error in one line affects only that line
                shard.restore(mark)
                tally.add_bad(number, "malformed", explain(error))

    def read_line(self, line: bytes, shard: GraphShard, tally: Tally) -> None:
        """Add the content of a line; an exception marks the line as bad."""
        raise NotImplementedError(f"{type(self).__name__} has neither read_line nor read")


class WholeFileSource(FileSource):
    """A file that must be read from its beginning to its end, in one process."""

    needs_path = True

    @abstractmethod
    def read_file(self, path: Path, rank: int) -> Iterator[tuple[GraphShard, Tally]]:
        """The content of the file, part by part, each a `GraphShard(rank)` that fits into memory."""


GraphSource: TypeAlias = LineSource | WholeFileSource
