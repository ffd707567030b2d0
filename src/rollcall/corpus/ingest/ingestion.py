"""Reads all sources of a corpus into shards: blocks of whole pages or lines."""

from collections.abc import Iterator
from functools import partial

from rollcall.corpus.ingest.blocks import LONGEST_LINE, SourceLines, blocks
from rollcall.corpus.ingest.findings import Findings
from rollcall.corpus.ingest.sources import open_source
from rollcall.corpus.ingest.work import Piece, read_piece
from rollcall.corpus.layout import FORMAT_VERSION
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
        source, folder, position = self._sources[place], self._folder(place), 0
        with SourceLines(source.file) as lines:
            for number, block in enumerate(blocks(lines, self._block_bytes, open_source(source).entry_end)):
                own = self._piece_folder(folder, number)
                piece = Piece(source, self._options, place, number, own)
                finished = piece.finished(block.content, block.overlong)
                if finished is None:
                    yield number, (piece, block.overlong), block.content
                else:
                    done(number, finished)
                self._progress.advance(lines.position - position)
                position = lines.position
            for _ in range(lines.overlong):
                most = LONGEST_LINE * self._block_bytes
                ending.damage.add_bad(0, "overlong", f"a line of more than {most:,} bytes")
            if lines.damage:
                ending.damage.add_bad(0, "damaged", f"{lines.damage}; what came before it was read")
            ending.sha256 = partial(str, lines.sha256())
