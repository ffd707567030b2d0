"""Graph sources: the kinds of files that a graph is read from. To add one, write one class.

A source declares how its files are recognised, which options it has, and whether a file may be cut at any
line. Rollcall does the rest: worker processes, recording bad entries, and resuming after a stop.
"""

from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

from rollcall.graph.ingest.lines import lines_of
from rollcall.graph.ingest.options import ReadOptions
from rollcall.graph.shards import Shard
from rollcall.input_files.file_source import FileHead, FileSource
from rollcall.input_files.tally import Tally, explain


class SourceContext(NamedTuple):
    """The context for opening a source: the beginning of the file, and the options that all sources share."""

    head: FileHead
    options: ReadOptions


class LineSource(FileSource):
    """A file that can be cut at any line. Its parts are read at the same time, in several processes.

    The public attributes of simple types of an opened object must include everything that affects how a line
    is read, such as the columns of a table: they are compared when an interrupted run is resumed.
    """

    def read(self, block: bytes, shard: Shard, tally: Tally, first: bool) -> None:
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

    def read_line(self, line: bytes, shard: Shard, tally: Tally) -> None:
        """Add the content of a line; an exception marks the line as bad."""
        raise NotImplementedError(f"{type(self).__name__} has neither read_line nor read")


class WholeFileSource(FileSource):
    """A file that must be read from its beginning to its end, in one process."""

    needs_path = True

    @abstractmethod
    def read_file(self, path: Path, rank: int) -> Iterator[tuple[Shard, Tally]]:
        """The content of the file, part by part, each a `Shard(rank)` that fits into memory."""


GraphSource: TypeAlias = LineSource | WholeFileSource
