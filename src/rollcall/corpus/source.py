"""Text sources: the kinds of files that a corpus is read from. To add one, write one class.

A source declares how its files are recognised, which options it has, and where an entry of a file ends.
Rollcall does the rest: worker processes, recording bad entries, and resuming after a stop.
"""

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from rollcall.corpus.ingest.findings import Findings
from rollcall.corpus.shard import Shard
from rollcall.input_files.file_source import FileHead, FileSource
from rollcall.input_files.input_file import InputFile
from rollcall.input_files.intact import Intact
from rollcall.input_files.tally import Tally, explain


class SourceContext(NamedTuple):
    """The context for opening a source: the beginning of the file."""

    head: FileHead


class TextSource(FileSource):
    """A file of pages. It is cut where entries end, and the parts are read in several processes.

    The public attributes of simple types of an opened object must include everything that affects how an
    entry is read: they are compared when an interrupted run is resumed.
    """

    entry_end: ClassVar[bytes] = b"\n"
    """The bytes at the end of every entry; a file is cut only there."""
    entry_name: ClassVar[str] = "line"
    """The word for entries in messages about bad ones."""

    def read(self, block: bytes, shard: Shard, findings: Findings) -> None:
        """Add the content of a block of whole entries."""
        line = 1
        for entry in block.split(self.entry_end):
            if entry and not entry.isspace():
                findings.tally.entries += 1
                mark = shard.mark()
                try:
                    self.read_entry(entry, shard, findings, line)
                except Exception as error:  # any error in one entry affects only that entry
                    shard.restore(mark)
                    findings.tally.add_bad(line, f"unreadable {self.entry_name}", explain(error))
            line += entry.count(b"\n") + self.entry_end.count(b"\n")
        findings.tally.lines = block.count(b"\n")

    def read_entry(self, entry: bytes, shard: Shard, findings: Findings, line: int) -> None:
        """Add the page of an entry, by `shard.add_page`; an exception marks the entry as bad."""
        raise NotImplementedError(f"{type(self).__name__} has neither read_entry nor read")


class RowSource(TextSource):
    """A file that cannot be cut: one process reads it to its end, and hands its rows on as lines."""

    @abstractmethod
    def lines(self, stream: Intact, file: InputFile, tally: Tally) -> Iterator[bytes]:
        """The rows as entries of the source, from the decompressed stream of the file or from its path.

        What cannot be read is added to the tally.
        """
