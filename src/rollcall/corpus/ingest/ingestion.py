"""Reads all sources of a corpus into shards: blocks of whole pages or lines."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from rollcall.corpus.ingest.blocks import LONGEST_LINE, SourceLines, blocks
from rollcall.corpus.ingest.findings import Findings
from rollcall.corpus.ingest.sources import open_source
from rollcall.corpus.ingest.work import Piece, read_piece
from rollcall.corpus.layout import FORMAT_VERSION
from rollcall.input_files.ingestion import Ingestion, SourceReport
from rollcall.input_files.pool import InProcess, Workers, workers
from rollcall.input_files.tally import Tally
from rollcall.tables.engine import Engine


class CorpusIngestion(Ingestion[Findings]):
    """Reads several sources into one folder of a corpus's shards."""

    format_version = FORMAT_VERSION
    entries = "pages"

    def run(self, engine: Engine) -> list[SourceReport[Findings]]:
        """Read everything that an earlier run has not; returns a report on each source."""
        # Blocks are passed to the workers as arguments, since their sizes do not fit shared buffers.
        with workers(engine.jobs) as pool:
            return self._read_all(pool)

    def _nothing(self) -> Findings:
        return Findings()

    def _tally(self, found: Findings) -> Tally:
        return found.tally

    def _read_pieces(
        self, place: int, pool: InProcess | Workers, done: Callable[[int, Findings], None]
    ) -> tuple[str, Tally]:
        source, folder, position = self._sources[place], self._folder(place), 0
        with SourceLines(Path(source.path)) as lines:
            for number, block in enumerate(blocks(lines, self._block_bytes, open_source(source).entry_end)):
                own = self._piece_folder(folder, number)
                piece = Piece(source, self._options, place, number, own)
                finished = piece.finished(block.content, block.overlong)
                if finished is None:
                    pool.run(read_piece, piece, block.content, block.overlong, done=partial(done, number))
                else:
                    done(number, finished)
                self._progress.advance(lines.position - position)
                position = lines.position
            damage = Tally()
            for _ in range(lines.overlong):
                most = LONGEST_LINE * self._block_bytes
                damage.add_bad(0, "overlong", f"a line of more than {most:,} bytes")
            if lines.damage:
                damage.add_bad(0, "damaged", f"{lines.damage}; what came before it was read")
            return lines.sha256(), damage
