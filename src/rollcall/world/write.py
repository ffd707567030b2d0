"""Writing a world: the skeleton first, then all blocks by several processes, written in order.

The files, and the folders of later ages, appear together at the end, as one folder. Until then everything is
in a hidden folder beside it, so that an interruption leaves nothing that could be mistaken for a world.
"""

import bz2
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from rollcall._core.console import Progress
from rollcall._core.errors import RollcallError
from rollcall._core.files import remove
from rollcall._core.folders import replacing_folder
from rollcall.tables.engine import Engine, opened
from rollcall.world._block import FinishedBlock, Hashes, Maker, Settings, gzip_member
from rollcall.world._columns import draw_columns
from rollcall.world._pages import FOOTER, header
from rollcall.world._titles import settle

if TYPE_CHECKING:
    from rollcall.world.ages._maker import History, LaterMaker

FEWEST = 500
MOST_AGES = 8
FILES = ("wikidata.json.gz", "pages.xml.bz2", "truth.parquet")
CHANGES = "changes.parquet"
_WORK = "work"
_HASHED_AT_ONCE = 5_000


@dataclass(frozen=True)
class World:
    """Where a world was written, how large it is, and its later ages."""

    folder: Path
    entities: int
    later: "tuple[World, ...]" = ()

    @property
    def wikidata(self) -> Path:
        return self.folder / FILES[0]

    @property
    def pages(self) -> Path:
        return self.folder / FILES[1]

    @property
    def truth(self) -> Path:
        return self.folder / FILES[2]

    @property
    def changes(self) -> Path:
        """What changed from age to age; only a world with several ages has it."""
        return self.folder / CHANGES


def write_world(
    out: Path | str,
    entities: int = 3000,
    seed: int = 1,
    untold: float = 0.15,
    decoys: float = 0.15,
    jobs: int | None = None,
    show: bool | None = None,
    *,
    unknown: float = 0.0,
    unlisted: float = 0.0,
    ages: int = 1,
    engine: Engine | str = "duckdb",
    master: str | None = None,
) -> World:
    """Write a fictional world to the folder `out`; the same seed gives the same bytes.

    `unknown` is the share of facts that the dump leaves out, `unlisted` the share of rows that lists leave
    out. With more than one of `ages`, `out` also gets later dumps of the same world, in folders `age-2`,
    `age-3`, …, and the table of what changed. The files of the first age are the same with and without them.
    `jobs` is the number of processes (default: one for each core). `engine` is where the work runs: an open
    engine, or the name of one, for which `master` says where its cluster is.
    """
    folder = Path(out)
    shares = {"untold": untold, "decoys": decoys, "unknown": unknown, "unlisted": unlisted}
    _check(entities, seed, shares, jobs)
    if not 1 <= ages <= MOST_AGES:
        raise RollcallError(f"--ages {ages}: give 1 to {MOST_AGES}")
    if ages > 1 and unknown:
        raise RollcallError("--ages: later dumps change what the first one says, so --unknown must be 0")
    with (
        replacing_folder(folder, _own_files) as unfinished,
        opened(engine, jobs=jobs, master=master) as running,
    ):
        settings = Settings(entities, seed, untold, decoys, unfinished / _WORK, unknown, unlisted)
        settings.folder.mkdir()
        maker = Maker(settings)
        draw_columns(maker.skeleton)
        prepare = partial(Maker, settings)
        _settle_titles(maker, running, prepare, show)
        _write_files(maker, running, prepare, unfinished, show)
        counts = _write_ages(settings, ages, running, unfinished, show) if ages > 1 else []
        remove(unfinished / _WORK)
    later = [World(folder / age_name(age), count) for age, count in enumerate(counts, 2)]
    return World(folder, maker.census.total, tuple(later))


world = write_world


def age_name(age: int) -> str:
    """The folder of a later age."""
    return f"age-{age}"


def _own_files(folder: Path) -> tuple[str, ...]:
    """The files of a world, recognised by its truth table; without one, they may be the user's own dumps."""
    from rollcall.tables.files import has_columns
    from rollcall.tables.graph import Changes, Truth

    own_files = [*FILES] if has_columns(Truth, folder / FILES[2]) else []
    if own_files and has_columns(Changes, folder / CHANGES):
        own_files.append(CHANGES)
    for age in range(2, MOST_AGES + 1):
        if has_columns(Truth, folder / age_name(age) / FILES[2]):
            own_files += [f"{age_name(age)}/{name}" for name in FILES]
    return tuple(own_files)


def _check(entities: int, seed: int, shares: Mapping[str, float], jobs: int | None) -> None:
    if entities < FEWEST:
        raise RollcallError(f"--entities {entities}: a world needs at least {FEWEST} entities")
    if entities > 20_000_000:
        raise RollcallError(f"--entities {entities}: at most 20,000,000 entities are supported")
    if not 0 <= seed < 1 << 63:
        raise RollcallError(f"--seed {seed}: give a whole number from 0 to 2^63-1")
    for name, value in shares.items():
        if not 0 <= value <= 1:
            raise RollcallError(f"--{name} {value}: give a share from 0 to 1")
    if jobs is not None and jobs < 1:
        raise RollcallError(f"--jobs {jobs}: give at least 1")


def _hashes(maker: Maker, numbers: range) -> Hashes:
    return maker.hashes(numbers.start, numbers.stop)


def _block(maker: Maker, index: int) -> FinishedBlock:
    return maker.block(index)


def _settle_titles(maker: Maker, engine: Engine, prepare: Callable[[], Maker], show: bool | None) -> None:
    """Name everything once to find the homonyms."""
    total = maker.census.total
    parts = [range(start, min(start + _HASHED_AT_ONCE, total)) for start in range(0, total, _HASHED_AT_ONCE)]
    labels, aliases = np.zeros(total, np.uint64), np.zeros(total, np.uint64)
    with Progress("naming", total, show=show) as progress:
        for part, hashes in zip(parts, engine.map_blocks(_hashes, parts, prepare), strict=True):
            labels[part.start : part.stop] = np.frombuffer(hashes.labels, np.uint64)
            aliases[part.start : part.stop] = np.frombuffer(hashes.aliases, np.uint64)
            progress.advance(len(part))
    settle(maker.skeleton, maker.titles, labels, aliases)


def _later_maker(settings: Settings, age: int) -> "LaterMaker":
    from rollcall.world.ages._maker import LaterMaker

    return LaterMaker(settings, age)


def _history(maker: "LaterMaker", index: int) -> "History":
    from rollcall.world.ages._maker import history

    return history(maker, index)


def _write_ages(settings: Settings, ages: int, engine: Engine, folder: Path, show: bool | None) -> list[int]:
    """Write the later ages and what changed from each to the next; returns how many entities each has."""
    from rollcall.tables.files import TableWriter
    from rollcall.tables.graph import Changes
    from rollcall.world._facts import read_batch
    from rollcall.world.ages._maker import draw_age, put_index

    counts = []
    with TableWriter(Changes, folder / CHANGES) as rows:
        for age in range(2, ages + 1):
            maker = _later_maker(settings, age)
            draw_age(maker)
            prepare = partial(_later_maker, settings, age)
            total, pairs = maker.later.newcomers.stop, []
            with Progress(f"living age {age}", total, show=show) as progress:
                for part in engine.map_blocks(_history, range(maker.blocks), prepare):
                    rows.append_batch(read_batch(part.rows))
                    pairs.append(part.pairs)
                    progress.advance(part.entities)
            put_index(maker, pairs)
            age_folder = folder / age_name(age)
            age_folder.mkdir()
            _write_files(maker, engine, partial(_later_maker, settings, age), age_folder, show)
            counts.append(total)
    return counts


def _write_files(
    maker: Maker, engine: Engine, prepare: Callable[[], Maker], folder: Path, show: bool | None
) -> None:
    from rollcall.tables.files import TableWriter
    from rollcall.tables.graph import Truth
    from rollcall.world._facts import read_batch

    paths = [folder / name for name in FILES]
    lines, pages = maker.fixed()
    with (
        paths[0].open("wb") as wikidata,
        paths[1].open("wb") as export,
        TableWriter(Truth, paths[2]) as rows,
        Progress("writing", maker.entities, count=True, show=show) as progress,
    ):
        wikidata.write(gzip_member(b"[\n"))
        export.write(bz2.compress(header().encode()))
        for block in engine.map_blocks(_block, range(maker.blocks), prepare):
            wikidata.write(block.wikidata)
            export.write(block.pages)
            rows.append_batch(read_batch(block.truth))
            progress.advance(block.entities)
        _finish(wikidata, export, lines, pages)


def _finish(wikidata: IO[bytes], export: IO[bytes], lines: bytes, pages: bytes) -> None:
    """Write the parts that are the same in every world, which come last, and the closing brackets."""
    wikidata.write(gzip_member(lines + b"]\n"))
    export.write(bz2.compress(pages))
    export.write(bz2.compress(FOOTER.encode()))
