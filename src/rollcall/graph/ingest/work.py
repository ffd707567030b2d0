"""One piece of reading, done in a worker process: a block of lines, a whole file, or a block's cells.

A piece writes its shard and its tally into its own folder, which is either complete or absent. A later run
that finds the folder, with the source unchanged, skips the piece.
"""

from pathlib import Path

import msgspec

from rollcall.checksums import sha256
from rollcall.errors import RollcallError
from rollcall.graph.ingest.cells import read_cell
from rollcall.graph.ingest.columns import unit_in_name
from rollcall.graph.ingest.options import ReadOptions
from rollcall.graph.ingest.sources import open_source
from rollcall.graph.shards import RANKS_PER_SOURCE, Shard, ValueRow, value_row
from rollcall.graph.source import LineSource, WholeFileSource
from rollcall.input_files.file_source import Source
from rollcall.input_files.intact import BOM
from rollcall.input_files.piece import finish_piece, finished_piece, has_piece, hash_of, replacing_piece
from rollcall.input_files.tally import Tally
from rollcall.tables.graph import CellRows
from rollcall.tables.reader import read
from rollcall.tables.writer import write_scratch


class Piece(msgspec.Struct, frozen=True):
    """What to read and where its shard goes; `number` counts the blocks of a source from 0."""

    source: Source
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


def read_block(piece: Piece, block: bytes) -> Tally:
    """Read one block of lines into the piece's folder."""
    reader = open_source(piece.source, piece.options)
    assert isinstance(reader, LineSource)
    shard, tally = Shard(piece.rank), Tally()
    first = piece.number == 0
    with piece.source.failures(reader), replacing_piece(Path(piece.folder)) as folder:
        reader.read(block.removeprefix(BOM) if first else block, shard, tally, first)
        folder.mkdir()
        shard.write(folder)
        finish_piece(folder, hash_of(block), tally)
    return tally


def read_file(piece: Piece) -> Tally:
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
    shard = Shard()
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
