"""One piece of reading, done in a worker process: a block of a source becomes a shard.

A piece writes its shard and its findings into its own folder, which is either complete or absent. A later run
that finds the folder, with the source unchanged, skips the piece.
"""

from pathlib import Path

import msgspec

from rollcall.corpus.ingest.findings import Findings
from rollcall.corpus.ingest.sources import open_source
from rollcall.corpus.passages import Chunking
from rollcall.corpus.shard import Shard, order_of
from rollcall.input_files.file_source import Source
from rollcall.input_files.piece import finish_piece, finished_piece, has_piece, hash_of, replacing_piece


class Piece(msgspec.Struct, frozen=True):
    """A block of a source, by its number, and the folder of its shard."""

    source: Source
    chunking: Chunking
    place: int
    number: int
    folder: str

    def finished(self, block: bytes, overlong: int) -> Findings | None:
        """The findings of this piece if an earlier run completed it from the same block."""
        folder = Path(self.folder)
        return finished_piece(folder, hash_of(block, overlong), Findings) if has_piece(folder) else None


def read_piece(piece: Piece, block: bytes, overlong: int) -> Findings:
    """Read one block into the piece's folder."""
    shard = Shard(order_of(piece.place, piece.number, 0), piece.chunking)
    findings = Findings()
    for _ in range(overlong):
        findings.tally.add_bad(0, "overlong page", "a page longer than any real one was passed over")
    reader = open_source(piece.source)
    with piece.source.failures(reader), replacing_piece(Path(piece.folder)) as folder:
        reader.read(block, shard, findings)
        findings.dropped_sentences = shard.dropped_sentences
        findings.keep_commonest()
        folder.mkdir()
        shard.write(folder)
        finish_piece(folder, hash_of(block, overlong), findings)
    return findings
