"""Reads all sources of a corpus into shards: cut, handed out, counted, and taken up again after a stop."""

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec

from rollcall.corpus.layout import FORMAT_VERSION
from rollcall.corpus.read.blocks import LONGEST_LINE, SourceLines, blocks
from rollcall.corpus.read.findings import Findings
from rollcall.corpus.read.work import Piece, ReadOptions, read_piece
from rollcall.files import remove
from rollcall.graph.read.pool import InProcess, Workers, workers
from rollcall.graph.read.sources import Source
from rollcall.progress import Progress

BLOCK_BYTES = 8 << 20
_NO_BUFFER = 1
"""Blocks go to the workers as arguments: they are cut in a way that shared buffers do not fit."""


class SourceReport(msgspec.Struct):
    """One source as the manifest describes it."""

    name: str
    kind: str
    size: int
    sha256: str
    findings: Findings


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
        with (
            workers(jobs, _NO_BUFFER) as pool,
            Progress("reading", total, show=self._show) as self._progress,
        ):
            return [self._read_source(place, pool) for place in range(len(self._sources))]

    def _folder(self, place: int) -> Path:
        """Where a source's shards go: named by everything that decides what is in them."""
        key = msgspec.json.encode(
            [FORMAT_VERSION, self._sources[place].fingerprint(), place, self._options, self._block_bytes]
        )
        return self._shards / hashlib.sha256(key).hexdigest()[:16]

    def _forget_other_readings(self) -> None:
        wanted = {self._folder(place) for place in range(len(self._sources))}
        for folder in self._shards.iterdir() if self._shards.exists() else []:
            if folder not in wanted:
                remove(folder)

    def _read_source(self, place: int, pool: InProcess | Workers) -> SourceReport:
        source = self._sources[place]
        found: dict[int, Findings] = {}
        running = Findings()

        def done(number: int, findings: Findings) -> None:
            found[number] = findings
            running.tally.entries += findings.tally.entries
            running.tally.bad["all"] = running.tally.bad.get("all", 0) + findings.tally.bad_total
            bad = running.tally.bad_total
            self._progress.advance(0, f"{running.tally.entries:,} pages, {bad:,} bad")
            if bad > 10 * self._max_bad * max(running.tally.entries, 1000):
                _sum(source, found).tally.check(source.name, self._max_bad)

        digest, damage = self._read_blocks(place, pool, done)
        pool.finish()
        total = _sum(source, found)
        for kind, reason in damage:
            total.tally.add_bad(0, kind, reason)
        total.tally.check(source.name, self._max_bad)
        return SourceReport(source.name, source.kind, source.size, digest, total)

    def _read_blocks(
        self, place: int, pool: InProcess | Workers, done: Callable[[int, Findings], None]
    ) -> tuple[str, list[tuple[str, str]]]:
        """Cut a file into blocks and give them out; returns its hash and what is wrong with it."""
        source, folder, position = self._sources[place], self._folder(place), 0
        with SourceLines(Path(source.path)) as lines:
            by_page = source.kind == "mediawiki"
            for number, block in enumerate(blocks(lines, self._block_bytes, by_page)):
                own = (
                    folder / f"{number // 1000:04d}" / f"{number % 1000:03d}"
                )  # no folder grows with the dump
                piece = Piece(source.kind, self._options, place, number, str(own))
                finished = piece.finished()
                if finished is None:
                    pool.run(read_piece, piece, block.content, block.overlong, done=partial(done, number))
                else:
                    done(number, finished)
                self._progress.advance(lines.position - position)
                position = lines.position
            damage = [
                ("overlong", f"a line of more than {LONGEST_LINE * self._block_bytes:,} bytes")
            ] * lines.overlong
            if lines.damage:
                damage.append(("damaged", f"{lines.damage}; what came before it was read"))
            return lines.sha256(), damage


def _sum(source: Source, found: dict[int, Findings]) -> Findings:
    total = Findings()
    for number in sorted(found):
        total.add(found[number], source.name)
    return total
