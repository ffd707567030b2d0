"""Reads all sources of a graph into shards: blocks of lines, whole files, then the free-text cells."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from rollcall.graph.ingest.columns import first_year
from rollcall.graph.ingest.decimal_commas import comma_relations
from rollcall.graph.ingest.sources import decimal_of, is_cut_by_lines
from rollcall.graph.ingest.work import Piece, read_block, read_cells, read_file
from rollcall.graph.layout import FORMAT_VERSION, SHARD_FOLDERS
from rollcall.input_files.blocks import LineBlocks
from rollcall.input_files.ingestion import Done, Ending, Ingestion, SourceReport, Work
from rollcall.input_files.piece import piece_source
from rollcall.input_files.tally import Tally
from rollcall.tables.engine import Engine


class GraphIngestion(Ingestion[Tally]):
    """Reads several sources into one folder of a graph's shards."""

    format_version = FORMAT_VERSION

    @staticmethod
    def read_piece(prepared: None, work: Work) -> tuple[int, Tally]:
        number, piece, block = work
        return number, read_block(piece, block) if piece.is_block else read_file(piece)

    def run(self, engine: Engine) -> list[SourceReport[Tally]]:
        reports = super().run(engine)
        self._read_cells(engine, [report.found for report in reports])
        return reports

    def _nothing(self) -> Tally:
        return Tally()

    def _tally(self, found: Tally) -> Tally:
        return found

    def _pieces(self, place: int, done: Done[Tally], ending: Ending) -> Iterator[Work]:
        if is_cut_by_lines(self._sources[place]):
            return self._blocks(place, done, ending)
        return self._whole_file(place, done, ending)

    def _piece(self, place: int, number: int, is_block: bool) -> Piece:
        own = self._piece_folder(self._folder(place), number)
        return Piece(self._sources[place], self._options, place, number, own, is_block)

    def _blocks(self, place: int, done: Done[Tally], ending: Ending) -> Iterator[Work]:
        number, position, buffer = 0, 0, memoryview(bytearray(self._block_bytes))
        with LineBlocks(self._sources[place].file) as blocks:
            while length := blocks.fill(buffer):
                piece, block = self._piece(place, number, True), bytes(buffer[:length])
                finished = piece.finished(block)
                if finished is None:
                    yield number, piece, block
                else:
                    done(number, finished)
                self._progress.advance(blocks.position - position)
                position, number = blocks.position, number + 1
            blocks.report(ending.damage)
            for _ in range(blocks.overlong):
                ending.damage.add_bad(0, "overlong", f"a line of more than {self._block_bytes:,} bytes")
            ending.sha256 = partial(str, blocks.sha256())

    def _whole_file(self, place: int, done: Done[Tally], ending: Ending) -> Iterator[Work]:
        piece = self._piece(place, 0, False)
        finished = piece.finished_file()
        if finished is None:
            yield 0, piece, b""
        else:
            done(0, finished)
        self._progress.advance(self._sources[place].size)
        ending.sha256 = partial(piece_source, Path(piece.folder))

    def _read_cells(self, engine: Engine, tallies: list[Tally]) -> None:
        """Read all free texts as values; it is now known which relations have years or decimal commas."""
        total = Tally()
        for tally in tallies:
            total.add(tally)
        first_years = {
            relation: first
            for relation, (bare, years) in total.bare_integers.items()
            if (first := first_year(relation, bare, years)) is not None
        }
        commas = {
            self._folder(place): comma_relations(tally.decimal_marks, decimal_of(self._sources[place]))
            for place, tally in enumerate(tallies)
        }
        cells = [
            (path, commas[path.parents[2]])
            for path in sorted(self._shards.glob(f"{SHARD_FOLDERS}/cells-*.parquet"))
        ]
        for _ in engine.map_blocks(read_cells, cells, partial(dict, first_years)):
            pass
