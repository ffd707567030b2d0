"""Reads all sources of a graph into shards: blocks of lines, whole files, then the free-text cells."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from rollcall.graph.ingest.columns import first_year
from rollcall.graph.ingest.sources import is_cut_by_lines
from rollcall.graph.ingest.work import Piece, read_block, read_cells, read_file
from rollcall.graph.layout import FORMAT_VERSION, SHARD_FOLDERS
from rollcall.graph.sources import GRAPH_SOURCES
from rollcall.input_files.blocks import LineBlocks
from rollcall.input_files.ingestion import Ingestion, SourceReport
from rollcall.input_files.piece import piece_source
from rollcall.input_files.pool import InProcess, Workers, workers
from rollcall.input_files.tally import Tally

_SMALL = 4
"""Sources smaller than this fraction of a block are read faster than worker processes could start."""

Done = Callable[[int, Tally], None]


class GraphIngestion(Ingestion[Tally]):
    """Reads several sources into one folder of a graph's shards."""

    format_version = FORMAT_VERSION

    def run(self, jobs: int) -> list[SourceReport[Tally]]:
        """Read everything that an earlier run has not; returns a report on each source."""
        worthwhile = sum(source.size for source in self._sources) * _SMALL >= self._block_bytes
        with workers(jobs if worthwhile else 1, self._block_bytes, read_block, self._preloaded()) as pool:
            reports = self._read_all(pool)
            self._read_cells(pool, [report.found for report in reports])
        return reports

    def _preloaded(self) -> list[str]:
        """The Rollcall modules that workers need; a user's own module may change while this process runs."""
        kinds = {GRAPH_SOURCES.find(source.kind).__module__ for source in self._sources}
        return [read_block.__module__, *sorted(kind for kind in kinds if kind.startswith("rollcall."))]

    def _nothing(self) -> Tally:
        return Tally()

    def _tally(self, found: Tally) -> Tally:
        return found

    def _read_pieces(self, place: int, pool: InProcess | Workers, done: Done) -> tuple[str, Tally]:
        if is_cut_by_lines(self._sources[place]):
            return self._read_lines(place, pool, done)
        return self._read_whole(place, pool, done)

    def _piece(self, place: int, number: int, folder: Path) -> Piece:
        own = self._piece_folder(folder, number)
        return Piece(self._sources[place], self._options, place, number, own)

    def _read_lines(self, place: int, pool: InProcess | Workers, done: Done) -> tuple[str, Tally]:
        folder, number, position = self._folder(place), 0, 0
        with LineBlocks(Path(self._sources[place].path)) as blocks:
            while length := blocks.fill(buffer := pool.free_buffer()):
                piece = self._piece(place, number, folder)
                finished = piece.finished(buffer[:length])
                if finished is None:
                    pool.read(piece, length, partial(done, number))
                else:
                    done(number, finished)
                self._progress.advance(blocks.position - position)
                position, number = blocks.position, number + 1
            damage = Tally()
            blocks.report(damage)
            for _ in range(blocks.overlong):
                damage.add_bad(0, "overlong", f"a line of more than {self._block_bytes:,} bytes")
            return blocks.sha256(), damage

    def _read_whole(self, place: int, pool: InProcess | Workers, done: Done) -> tuple[str, Tally]:
        source = self._sources[place]
        piece = self._piece(place, 0, self._folder(place))
        finished = piece.finished_file()
        if finished is None:
            pool.run(read_file, piece, done=partial(done, 0))
        else:
            done(0, finished)
        pool.finish()
        self._progress.advance(source.size)
        return piece_source(Path(piece.folder)), Tally()

    def _read_cells(self, pool: InProcess | Workers, tallies: list[Tally]) -> None:
        """Read all free texts as values; it is now known which relations have years."""
        total = Tally()
        for tally in tallies:
            total.add(tally)
        first_years = {
            relation: first
            for relation, (bare, years) in total.bare_integers.items()
            if (first := first_year(relation, bare, years)) is not None
        }
        for cells in sorted(self._shards.glob(f"{SHARD_FOLDERS}/cells-*.parquet")):
            pool.run(read_cells, cells, first_years, done=lambda _: None)
        pool.finish()
