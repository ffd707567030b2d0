"""One piece of reading, done in a worker process: a block of a source becomes a shard.

A piece writes its shard into a folder of its own that appears whole or not at all, with its findings inside;
a later run that finds the folder, and the source unchanged, need not do the piece again.
"""

from functools import lru_cache
from pathlib import Path
from typing import Protocol

import msgspec

from rollcall.corpus.passages import Chunking
from rollcall.corpus.read.findings import Findings
from rollcall.corpus.shard import Shard, order_of
from rollcall.files import replacing_part
from rollcall.reading.piece import finish_piece, finished_piece, has_piece, hash_of


class ReadOptions(msgspec.Struct, frozen=True):
    """What decides how pages are read: the cutting of passages, and further template rules."""

    chunking: Chunking = Chunking()
    templates: str = ""
    templates_hash: str = ""


class PageReader(Protocol):
    """Reads blocks of whole entries."""

    def read(self, block: bytes, shard: Shard, findings: Findings) -> None: ...


@lru_cache(maxsize=4)
def _reader(kind: str, options: ReadOptions) -> PageReader:
    if kind == "mediawiki":
        from rollcall.corpus.read.mediawiki import MediaWikiReader

        return MediaWikiReader(options.templates)
    if kind == "enterprise":
        from rollcall.corpus.read.enterprise import EnterpriseLines

        return EnterpriseLines(options.templates)
    from rollcall.corpus.read.json_lines import PageLines, TableLines

    return PageLines() if kind == "pages" else TableLines()


class Piece(msgspec.Struct, frozen=True):
    """A block of a source, by its number, and the folder of its shard."""

    kind: str
    options: ReadOptions
    place: int
    number: int
    folder: str

    def finished(self, block: bytes, overlong: int) -> Findings | None:
        """The findings of this piece if an earlier run completed it from the same block."""
        folder = Path(self.folder)
        return finished_piece(folder, hash_of(block, overlong), Findings) if has_piece(folder) else None


def read_piece(piece: Piece, block: bytes, overlong: int) -> Findings:
    """Read one block into the piece's folder."""
    shard = Shard(order_of(piece.place, piece.number, 0), piece.options.chunking)
    findings = Findings()
    for _ in range(overlong):
        findings.tally.add_bad(0, "overlong page", "a page longer than any real one was passed over")
    _reader(piece.kind, piece.options).read(block, shard, findings)
    findings.dropped_sentences = shard.dropped_sentences
    findings.keep_commonest()
    with replacing_part(Path(piece.folder)) as folder:
        folder.mkdir()
        shard.write(folder)
        finish_piece(folder, hash_of(block, overlong), findings)
    return findings
