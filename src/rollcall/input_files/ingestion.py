"""Reading several sources into one folder of shards: work is distributed, counted, and resumed after a stop.

Graph and corpus read different things in the same way. Each source is cut into pieces, and each piece becomes
a folder that is either complete or absent; a later run with the same options finds it. Whether the source has
changed is checked piece by piece, by content.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

import msgspec

from rollcall.files import remove
from rollcall.input_files.file_source import Source
from rollcall.input_files.tally import Tally
from rollcall.progress import Progress
from rollcall.tables.engine import Engine, nothing

BLOCK_BYTES = 8 << 20
_SMALL = 4
"""Sources smaller than this fraction of a block are read faster than worker processes could start."""
_PIECES_A_FOLDER = 1000
"""A full dump has a hundred thousand pieces; subfolders keep every folder small."""


class Account(Protocol):
    """What a piece, or all pieces of a source together, found."""

    def add(self, block: Self, source: str = "") -> None: ...


Found = TypeVar("Found", bound=Account)


class SourceReport(msgspec.Struct, Generic[Found]):
    """One source as the manifest describes it."""

    name: str
    kind: str
    size: int
    sha256: str
    found: Found


Work: TypeAlias = tuple[int, Any, bytes]
"""The number of a piece among those of its source, its description, and its content."""
Done: TypeAlias = Callable[[int, Found], None]


@dataclass
class Ending:
    """What is known of a source when all of its blocks have been read."""

    sha256: Callable[[], str] = str
    """The hash of its file; asked for when all of its pieces are done."""
    damage: Tally = field(default_factory=Tally)


class Ingestion(ABC, Generic[Found]):
    """Reads sources piece by piece; graph and corpus define what a piece is and how it is read."""

    format_version: int
    entries = "entries"
    """What the entries of a source are called."""

    def __init__(
        self,
        sources: Sequence[Source],
        shards: Path,
        options: Any,
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

    @staticmethod
    @abstractmethod
    def read_piece(prepared: None, work: Work) -> tuple[int, Found]:
        """Read a piece, in any process; returns its number and its account."""

    @abstractmethod
    def _nothing(self) -> Found:
        """The account before anything has been read."""

    @abstractmethod
    def _tally(self, found: Found) -> Tally:
        """The entries and bad entries of an account."""

    @abstractmethod
    def _pieces(self, place: int, done: "Done[Found]", ending: Ending) -> Iterator[Work]:
        """The pieces of a source that must be read; those that an earlier run read are reported as done."""

    def run(self, engine: Engine) -> list[SourceReport[Found]]:
        """Read everything that an earlier run has not; returns a report on each source."""
        self._forget_other_readings()
        total = sum(source.size for source in self._sources)
        self._is_small = total * _SMALL < self._block_bytes
        with Progress("reading", total, show=self._show) as self._progress:
            return [self._read_source(place, engine) for place in range(len(self._sources))]

    def _folder(self, place: int) -> Path:
        """The folder of a source's shards, named by everything except content that determines the shards."""
        source = self._sources[place]
        reader = [source.kind, source.options, source.settings]
        key = msgspec.json.encode([self.format_version, reader, place, self._options, self._block_bytes])
        return self._shards / hashlib.sha256(key).hexdigest()[:16]

    @staticmethod
    def _piece_folder(folder: Path, number: int) -> str:
        thousand, rest = divmod(number, _PIECES_A_FOLDER)
        return str(folder / f"{thousand:04d}" / f"{rest:03d}")

    def _forget_other_readings(self) -> None:
        wanted = {self._folder(place) for place in range(len(self._sources))}
        for folder in self._shards.iterdir() if self._shards.exists() else []:
            if folder not in wanted:
                remove(folder)

    def _forget_other_pieces(self, place: int, pieces: Collection[int]) -> None:
        """Remove pieces that the source no longer has, because it has become shorter."""
        wanted = {Path(self._piece_folder(self._folder(place), number)) for number in pieces}
        for folder in self._folder(place).glob("*/*"):
            if folder not in wanted:
                remove(folder)

    def _read_source(self, place: int, engine: Engine) -> SourceReport[Found]:
        source = self._sources[place]
        pieces: dict[int, Found] = {}
        running = Tally()

        def done(number: int, found: Found) -> None:
            pieces[number] = found
            running.entries += self._tally(found).entries
            running.bad["all"] = running.bad.get("all", 0) + self._tally(found).bad_total
            bad = running.bad_total
            self._progress.advance(0, f"{running.entries:,} {self.entries}, {bad:,} bad")
            if bad > 10 * self._max_bad * max(running.entries, 1000):
                self._summed(source, pieces, Tally())

        ending = Ending()
        work, read = self._pieces(place, done, ending), type(self).read_piece
        results = (read(None, one) for one in work) if self._is_small else None
        for number, found in results or engine.map_blocks(read, work, nothing):
            done(number, found)
        self._forget_other_pieces(place, pieces)
        return SourceReport(
            source.name,
            source.kind,
            source.size,
            ending.sha256(),
            self._summed(source, pieces, ending.damage),
        )

    def _summed(self, source: Source, pieces: dict[int, Found], damage: Tally) -> Found:
        """The account of all pieces in their order; too many bad entries stop the run here."""
        total = self._nothing()
        self._tally(total).add(damage, source.name)  # first, so that it is among the examples that are shown
        for number in sorted(pieces):
            total.add(pieces[number], source.name)
        self._tally(total).check(source.name, self._max_bad)
        return total
