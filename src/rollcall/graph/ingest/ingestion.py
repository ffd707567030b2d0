"""Reads all sources of a graph into shards: blocks of lines, whole files, then the free-text cells."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path

import msgspec

from rollcall._core.checksums import sha256
from rollcall._core.errors import RollcallError
from rollcall.graph.index import FORMAT_VERSION, SHARD_FOLDERS
from rollcall.graph.ingest.cells import comma_relations, first_year, read_cell, unit_in_name
from rollcall.graph.ingest.identity import SettledIds, settle_ids
from rollcall.graph.rows import RANKS_PER_SOURCE, GraphShard, ValueRow, value_row
from rollcall.graph.source import GraphSource, GraphSourceContext, LineSource, ReadOptions, WholeFileSource
from rollcall.graph.sources import GRAPH_SOURCES
from rollcall.input_files import file_source
from rollcall.input_files.file_source import (
    HEAD_BYTES,
    Fetch,
    FileHead,
    Formats,
    LineBlocks,
    SourceFile,
    finish_piece,
    finished_piece,
    has_piece,
    hash_of,
    piece_source,
    replacing_piece,
)
from rollcall.input_files.ingestion import Done, Ending, Ingestion, SourceReport, Work
from rollcall.input_files.input_file import BOM, InputFile, Intact, Tally, without_mark
from rollcall.tables.engine import Engine
from rollcall.tables.files import read, write_scratch
from rollcall.tables.graph import CellRows

# The kind of each file of a graph, with its options: given, or recognised by its suffix and beginning.


def find_sources(
    files: Sequence[InputFile],
    fetch: Fetch,
    formats: Formats,
    source_options: Mapping[str, object],
    options: ReadOptions,
) -> list[SourceFile]:
    """The files with their kinds and options; an error names a file that cannot be recognised."""
    return file_source.find_sources(
        files, fetch, formats, source_options, GRAPH_SOURCES, read_head, lambda source: _open(source, options)
    )


@lru_cache(maxsize=4)
def open_source(source: SourceFile, options: ReadOptions) -> GraphSource:
    """The source object that reads a file; each process opens its own."""
    return _open(source, options)


def is_cut_by_lines(source: SourceFile) -> bool:
    """Whether parts of a file can be read at the same time."""
    return issubclass(GRAPH_SOURCES.find(source.kind), LineSource)


def decimal_of(source: SourceFile) -> str:
    """What the user says of the decimal sign in a file's numbers."""
    return str(msgspec.json.decode(source.options).get("decimal", "auto"))


def _open(source: SourceFile, options: ReadOptions) -> GraphSource:
    kind = GRAPH_SOURCES.find(source.kind)
    source_options = msgspec.json.decode(source.options, type=kind.Options)
    opened: GraphSource = kind.open(
        source_options, GraphSourceContext(FileHead(source.file, source.head), options)
    )
    return opened


def read_head(file: InputFile) -> FileHead:
    """The beginning of a file; an empty file is refused."""
    with Intact(file.open_decompressed()) as stream:
        content = without_mark(stream).read(HEAD_BYTES)
    if not content and stream.damage:
        raise RollcallError(f"{file}: cannot be decompressed: {stream.damage}")
    if not content.strip():
        raise RollcallError(f"{file}: is empty")
    return FileHead(file, content)


# One piece of reading, done in a worker process: a block of lines, a whole file, or a block's cells. A
# piece writes its shard and its tally into its own folder, which is either complete or absent. A later
# run that finds the folder, with the source unchanged, skips the piece.


class GraphPiece(msgspec.Struct, frozen=True):
    """What to read and where its shard goes; `number` counts the blocks of a source from 0."""

    source: SourceFile
    options: ReadOptions
    place: int
    number: int
    folder: str
    is_block: bool
    """Whether it is a block of lines, or a whole file."""

    def finished(self, block: bytes) -> Tally | None:
        """The tally of this piece if an earlier run completed it from the same block."""
        folder = Path(self.folder)
        return finished_piece(folder, hash_of(block), Tally) if has_piece(folder) else None

    def finished_file(self) -> Tally | None:
        """The tally of this piece if an earlier run completed it from the same file."""
        folder = Path(self.folder)
        return finished_piece(folder, sha256(self.source.file.path), Tally) if has_piece(folder) else None

    @property
    def rank(self) -> int:
        return self.place * RANKS_PER_SOURCE


def read_block(piece: GraphPiece, block: bytes) -> Tally:
    """Read one block of lines into the piece's folder."""
    reader = open_source(piece.source, piece.options)
    assert isinstance(reader, LineSource)
    shard, tally = GraphShard(piece.rank), Tally()
    first = piece.number == 0
    with piece.source.failures(reader), replacing_piece(Path(piece.folder)) as folder:
        reader.read(block.removeprefix(BOM) if first else block, shard, tally, first)
        folder.mkdir()
        shard.write(folder)
        finish_piece(folder, hash_of(block), tally)
    return tally


def read_file(piece: GraphPiece) -> Tally:
    """Read a file that cannot be cut into the piece's folder, part by part."""
    reader = open_source(piece.source, piece.options)
    assert isinstance(reader, WholeFileSource)
    file, total = piece.source.file, Tally()
    content = sha256(file.path)
    with piece.source.failures(reader), replacing_piece(Path(piece.folder)) as folder:
        folder.mkdir()
        for part, (shard, tally) in enumerate(reader.read_file(file.path, piece.rank)):
            shard.write(folder, part)
            total.add(tally)
        if sha256(file.path) != content:
            raise RollcallError(f"{file}: was changed while it was read; run the same command again")
        finish_piece(folder, content, total)
    return total


def read_cells(first_years: dict[str, int], work: tuple[Path, frozenset[str]]) -> None:
    """Read the free texts of one shard as values, now that it is known which relations hold years.

    With the shard come those of its relations whose numbers have decimal commas.
    """
    cells, commas = work
    columns = read(CellRows, cells).to_pydict()
    shard = GraphShard()
    rows: dict[tuple[str, str], ValueRow] = {}
    units: dict[str, str | None] = {}
    for subject, relation, text in zip(columns["subject"], columns["relation"], columns["text"], strict=True):
        row = rows.get((relation, text))
        if row is None:
            if relation not in units:
                units[relation] = unit_in_name(relation)
            value = read_cell(
                text,
                first_year=first_years.get(relation),
                unit=units[relation],
                decimal_comma=relation in commas,
            )
            row = rows[relation, text] = value_row(value)
        shard.value(subject, relation, row)
    with replacing_piece(cells.with_name(cells.name.replace("cells", "values-cells", 1))) as path:
        write_scratch(shard.arrow("values"), path)


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

    def settle_ids(self, engine: Engine, scratch: Path) -> SettledIds:
        """Decide which equal ids of different tables and columns mean one entity."""
        folders = [self._folder(number) for number in range(len(self._sources))]
        return settle_ids(self._sources, folders, self._shards, engine, scratch)

    def _nothing(self) -> Tally:
        return Tally()

    def _tally(self, findings: Tally) -> Tally:
        return findings

    def _pieces(self, source_number: int, done: Done[Tally], ending: Ending) -> Iterator[Work]:
        if is_cut_by_lines(self._sources[source_number]):
            return self._blocks(source_number, done, ending)
        return self._whole_file(source_number, done, ending)

    def _piece(self, source_number: int, number: int, is_block: bool) -> GraphPiece:
        folder = self._piece_folder(self._folder(source_number), number)
        return GraphPiece(
            self._sources[source_number], self._options, source_number, number, folder, is_block
        )

    def _blocks(self, source_number: int, done: Done[Tally], ending: Ending) -> Iterator[Work]:
        number, position, buffer = 0, 0, memoryview(bytearray(self._block_bytes))
        with LineBlocks(self._sources[source_number].file) as blocks:
            while length := blocks.fill(buffer):
                piece, block = self._piece(source_number, number, True), bytes(buffer[:length])
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

    def _whole_file(self, source_number: int, done: Done[Tally], ending: Ending) -> Iterator[Work]:
        piece = self._piece(source_number, 0, False)
        finished = piece.finished_file()
        if finished is None:
            yield 0, piece, b""
        else:
            done(0, finished)
        self._progress.advance(self._sources[source_number].size)
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
            self._folder(number): comma_relations(tally.decimal_marks, decimal_of(self._sources[number]))
            for number, tally in enumerate(tallies)
        }
        cells = [
            (path, commas[path.parents[2]])
            for path in sorted(self._shards.glob(f"{SHARD_FOLDERS}/cells-*.parquet"))
        ]
        for _ in engine.map_blocks(read_cells, cells, partial(dict, first_years)):
            pass
