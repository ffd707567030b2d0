"""Reads all sources of a corpus into shards: blocks of whole pages or lines."""

import hashlib
from collections.abc import Iterator
from functools import partial

import msgspec

from rollcall.corpus.ingest.blocks import LONGEST_LINE, Block, SourceLines, blocks
from rollcall.corpus.ingest.findings import Findings
from rollcall.corpus.ingest.folders import document_blocks
from rollcall.corpus.ingest.sources import open_source
from rollcall.corpus.ingest.work import Piece, read_piece
from rollcall.corpus.layout import FORMAT_VERSION
from rollcall.corpus.source import RowSource
from rollcall.input_files.ingestion import Done, Ending, Ingestion, Work
from rollcall.input_files.tally import Tally


class CorpusIngestion(Ingestion[Findings]):
    """Reads several sources into one folder of a corpus's shards."""

    format_version = FORMAT_VERSION
    entries = "pages"

    @staticmethod
    def read_piece(prepared: None, work: Work) -> tuple[int, Findings]:
        number, (piece, overlong), content = work
        return number, read_piece(piece, content, overlong)

    def _nothing(self) -> Findings:
        return Findings()

    def _tally(self, found: Findings) -> Tally:
        return found.tally

    def _pieces(self, place: int, done: Done[Findings], ending: Ending) -> Iterator[Work]:
        source = self._sources[place]
        reader = open_source(source)
        if source.file.members:
            yield from self._documents(place, done, ending)
            return
        rows = None
        if isinstance(reader, RowSource):
            rows = partial(reader.lines, file=source.file, tally=ending.damage)
        with source.failures(reader), SourceLines(source.file, rows) as lines:
            position = 0
            for number, block in enumerate(blocks(lines, self._block_bytes, reader.entry_end)):
                yield from self._piece(place, number, block, done)
                self._progress.advance(lines.position - position)
                position = lines.position
            for _ in range(lines.overlong):
                most = LONGEST_LINE * self._block_bytes
                ending.damage.add_bad(0, "overlong", f"a line of more than {most:,} bytes")
            if lines.damage:
                ending.damage.add_bad(0, "damaged", f"{lines.damage}; what came before it was read")
            ending.sha256 = partial(str, lines.sha256())

    def _documents(self, place: int, done: Done[Findings], ending: Ending) -> Iterator[Work]:
        digest = hashlib.sha256()
        for number, (block, size) in enumerate(document_blocks(self._sources[place].file)):
            yield from self._piece(place, number, block, done)
            self._progress.advance(size)
            for line in block.content.splitlines():
                told = msgspec.json.decode(line)
                digest.update(f"{told['name']} {told['sha256']}\n".encode())
        ending.sha256 = digest.hexdigest

    def _piece(self, place: int, number: int, block: Block, done: Done[Findings]) -> Iterator[Work]:
        """The work on a block, unless an earlier run did it."""
        own = self._piece_folder(self._folder(place), number)
        piece = Piece(self._sources[place], self._options, place, number, own)
        finished = piece.finished(block.content, block.overlong)
        if finished is None:
            yield number, (piece, block.overlong), block.content
        else:
            done(number, finished)
