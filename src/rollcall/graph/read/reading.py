"""Reads all sources of a graph into shards: cut, handed out, counted, and taken up again after a stop."""

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from rollcall.files import remove
from rollcall.graph.layout import FORMAT_VERSION, SHARD_FOLDERS
from rollcall.graph.read.blocks import LineBlocks
from rollcall.graph.read.columns import first_year
from rollcall.graph.read.options import ReadOptions
from rollcall.graph.read.pool import InProcess, Workers, workers
from rollcall.graph.read.sources import Source
from rollcall.graph.read.tally import Tally
from rollcall.graph.read.work import Piece, read_cells, read_file
from rollcall.progress import Progress

BLOCK_BYTES = 8 << 20
_SMALL = 4
"""Sources of less than this part of a block are read before worker processes could start."""


class SourceReport(msgspec.Struct):
    """One source as the manifest describes it."""

    name: str
    kind: str
    size: int
    sha256: str
    tally: Tally


class Reading:
    """The reading of several sources into one folder of shards."""

    def __init__(
        self,
        sources: Sequence[Source],
        shards: Path,
        options: ReadOptions,
        *,
        max_bad: float = 0.01,
        block_bytes: int = BLOCK_BYTES,
        show_progress: bool | None = None,
    ) -> None:
        self._sources = sources
        self._shards = shards
        self._options = options
        self._max_bad = max_bad
        self._block_bytes = block_bytes
        self._show = show_progress

    def run(self, jobs: int) -> list[SourceReport]:
        """Read everything that an earlier run has not; returns a report on each source."""
        self._forget_other_readings()
        total = sum(source.size for source in self._sources)
        worthwhile = total * _SMALL >= self._block_bytes
        with workers(jobs if worthwhile else 1, self._block_bytes) as pool:
            with Progress("reading", total, show=self._show) as self._progress:
                reports = [self._read_source(place, pool) for place in range(len(self._sources))]
            self._read_cells(pool, [report.tally for report in reports])
        return reports

    def _folder(self, place: int) -> Path:
        """Where a source's shards go: named by everything that decides what is in them."""
        key = msgspec.json.encode(
            [FORMAT_VERSION, self._sources[place].fingerprint(), place, self._options, self._block_bytes]
        )
        return self._shards / hashlib.sha256(key).hexdigest()[:16]

    def _piece(self, place: int, number: int, folder: Path) -> Piece:
        # A thousand blocks to a folder: a full dump has a hundred thousand.
        own = folder / f"{number // 1000:04d}" / f"{number % 1000:03d}"
        return Piece(self._sources[place], self._options, place, number, str(own))

    def _forget_other_readings(self) -> None:
        wanted = {self._folder(place) for place in range(len(self._sources))}
        for folder in self._shards.iterdir() if self._shards.exists() else []:
            if folder not in wanted:
                remove(folder)

    def _read_source(self, place: int, pool: InProcess | Workers) -> SourceReport:
        source = self._sources[place]
        tallies: dict[int, Tally] = {}
        running = Tally()

        def done(number: int, tally: Tally) -> None:
            tallies[number] = tally
            running.add(msgspec.structs.replace(tally, examples=[]))
            remark = f"{running.entries:,} entries, {running.bad_total:,} bad"
            self._progress.advance(0, remark)
            if running.bad_total > 10 * self._max_bad * max(running.entries, 1000):
                self._sum(source, tallies).check(source.name, self._max_bad)

        if source.by_lines:
            digest, damage = self._read_lines(place, pool, done)
        else:
            digest, damage = self._read_whole(place, pool, done)
        pool.finish()
        total = Tally()
        total.add(damage, source.name)  # first, so that it is among the examples that are shown
        total.add(self._sum(source, tallies))
        total.check(source.name, self._max_bad)
        return SourceReport(source.name, source.kind, source.size, digest, total)

    def _sum(self, source: Source, tallies: dict[int, Tally]) -> Tally:
        total = Tally()
        for number in sorted(tallies):
            total.add(tallies[number], source.name)
        return total

    def _read_lines(self, place: int, pool: InProcess | Workers, done: Any) -> tuple[str, Tally]:
        """Cut a file into blocks and give them out; returns its hash and what is wrong with it."""
        folder, number, position = self._folder(place), 0, 0
        with LineBlocks(Path(self._sources[place].path)) as blocks:
            while length := blocks.fill(pool.free_buffer()):
                piece = self._piece(place, number, folder)
                finished = piece.finished()
                if finished is None:
                    pool.read(piece, length, partial(done, number))
                else:
                    done(number, finished)
                self._progress.advance(blocks.position - position)
                position, number = blocks.position, number + 1
            damage = Tally()
            if blocks.damage:
                damage.add_bad(0, "damaged", f"{blocks.damage}; what came before it was read")
            for _ in range(blocks.overlong):
                damage.add_bad(0, "overlong", f"a line of more than {self._block_bytes:,} bytes")
            return blocks.sha256(), damage

    def _read_whole(self, place: int, pool: InProcess | Workers, done: Any) -> tuple[str, Tally]:
        source = self._sources[place]
        piece = self._piece(place, 0, self._folder(place))
        finished = piece.finished()
        if finished is None:
            pool.run(read_file, piece, done=partial(done, 0))
        else:
            done(0, finished)
        with Path(source.path).open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        pool.finish()
        self._progress.advance(source.size)
        return digest, Tally()

    def _read_cells(self, pool: InProcess | Workers, tallies: list[Tally]) -> None:
        """Read all free texts as values, relation by relation knowing which hold years."""
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
