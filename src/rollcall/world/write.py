"""Writing a world: the skeleton first, then all blocks by several processes, written in order.

The three files appear together at the end, as one folder. Until then everything is in a hidden folder beside
it, so that an interruption leaves nothing that could be mistaken for a world.
"""

import bz2
import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from rollcall.errors import RollcallError
from rollcall.files import remove
from rollcall.folders import replacing_folder
from rollcall.progress import Progress
from rollcall.workers import worker_pool
from rollcall.world.block import Block, Hashes, Maker, Settings, gzip_member
from rollcall.world.draw_columns import draw_columns
from rollcall.world.pages import FOOTER, header
from rollcall.world.titles import settle

FEWEST = 500
FILES = ("wikidata.json.gz", "pages.xml.bz2", "truth.parquet")
_WORK = "work"
_HASHED_AT_ONCE = 5_000
_ROWS_A_GROUP = 100_000


@dataclass(frozen=True)
class World:
    """Where a world was written, and how large it is."""

    folder: Path
    entities: int

    @property
    def wikidata(self) -> Path:
        return self.folder / FILES[0]

    @property
    def pages(self) -> Path:
        return self.folder / FILES[1]

    @property
    def truth(self) -> Path:
        return self.folder / FILES[2]


def write_world(
    out: Path | str,
    entities: int = 3000,
    seed: int = 1,
    untold: float = 0.15,
    decoys: float = 0.15,
    jobs: int | None = None,
    show: bool | None = None,
) -> World:
    """Write a fictional world to the folder `out`; the same seed gives the same bytes."""
    folder = Path(out)
    workers = _check(folder, entities, seed, untold, decoys, jobs)
    with replacing_folder(folder, _own_files) as partial:
        settings = Settings(entities, seed, untold, decoys, partial / _WORK)
        settings.folder.mkdir()
        maker = Maker(settings)
        draw_columns(maker.skeleton)
        with _workers(settings, maker, workers) as each:
            _settle_titles(maker, each, show)
            _write_files(maker, each, partial, show)
        remove(partial / _WORK)
    return World(folder, maker.census.total)


world = write_world


def _own_files(folder: Path) -> tuple[str, ...]:
    """The files of a world, recognised by its truth table; without one, they may be the user's own dumps."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from rollcall.world.truth import SCHEMA

    try:
        return FILES if pq.read_schema(folder / FILES[2]).names == SCHEMA.names else ()
    except (OSError, pa.ArrowException):
        return ()


def _check(folder: Path, entities: int, seed: int, untold: float, decoys: float, jobs: int | None) -> int:
    if entities < FEWEST:
        raise RollcallError(f"--entities {entities}: a world needs at least {FEWEST} entities")
    if entities > 20_000_000:
        raise RollcallError(f"--entities {entities}: at most 20,000,000 entities are supported")
    if not 0 <= seed < 1 << 63:
        raise RollcallError(f"--seed {seed}: give a whole number from 0 to 2^63-1")
    for name, value in (("untold", untold), ("decoys", decoys)):
        if not 0 <= value <= 1:
            raise RollcallError(f"--{name} {value}: give a share from 0 to 1")
    if jobs is not None and jobs < 1:
        raise RollcallError(f"--jobs {jobs}: give at least 1")
    return jobs or os.cpu_count() or 1


Each = Callable[[str, "Iterator[tuple[int, ...]]"], "Iterator[object]"]


@contextmanager
def _workers(settings: Settings, maker: Maker, jobs: int) -> Iterator[Each]:
    """Give a function that calls a method of the maker on many arguments, in order, in `jobs` processes."""
    if jobs == 1:
        yield lambda method, tasks: (getattr(maker, method)(*task) for task in tasks)
        return
    with worker_pool(jobs, initializer=_start, initargs=(settings,)) as pool:

        def each(method: str, tasks: Iterator[tuple[int, ...]]) -> Iterator[object]:
            waiting: deque[Future[object]] = deque()
            for task in tasks:
                waiting.append(pool.submit(_call, method, task))
                if len(waiting) >= 3 * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

        yield each


_maker: Maker | None = None


def _start(settings: Settings) -> None:
    """Prepare a worker."""
    global _maker
    _maker = Maker(settings)


def _call(method: str, task: tuple[int, ...]) -> object:
    result: object = getattr(_maker, method)(*task)
    return result


def _settle_titles(maker: Maker, each: Each, show: bool | None) -> None:
    """Name everything once to find the homonyms."""
    total = maker.census.total
    starts = range(0, total, _HASHED_AT_ONCE)
    labels, aliases = np.zeros(total, np.uint64), np.zeros(total, np.uint64)
    with Progress("naming", total, show=show) as progress:
        parts = each("hashes", ((start, min(start + _HASHED_AT_ONCE, total)) for start in starts))
        for start, part in zip(starts, parts, strict=True):
            assert isinstance(part, Hashes)
            stop = min(start + _HASHED_AT_ONCE, total)
            labels[start:stop] = np.frombuffer(part.labels, np.uint64)
            aliases[start:stop] = np.frombuffer(part.aliases, np.uint64)
            progress.advance(stop - start)
    settle(maker.skeleton, maker.titles, labels, aliases)


def _write_files(maker: Maker, each: Each, partial: Path, show: bool | None) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from rollcall.world.truth import SCHEMA, read_batch

    paths = [partial / name for name in FILES]
    lines, pages = maker.fixed()
    census = maker.census
    with (
        paths[0].open("wb") as wikidata,
        paths[1].open("wb") as export,
        pq.ParquetWriter(paths[2], SCHEMA, compression="zstd", write_page_checksum=True) as rows,
        Progress("writing", census.total, count=True, show=show) as progress,
    ):
        wikidata.write(gzip_member(b"[\n"))
        export.write(bz2.compress(header().encode()))
        waiting: list[pa.Table] = []
        for block in each("block", ((index,) for index in range(census.blocks))):
            assert isinstance(block, Block)
            wikidata.write(block.wikidata)
            export.write(block.pages)
            waiting.append(read_batch(block.truth))
            if sum(len(table) for table in waiting) >= _ROWS_A_GROUP:
                rows.write_table(pa.concat_tables(waiting).combine_chunks())
                waiting.clear()
            progress.advance(block.entities)
        if waiting:
            rows.write_table(pa.concat_tables(waiting).combine_chunks())
        _finish(wikidata, export, lines, pages)


def _finish(wikidata: IO[bytes], export: IO[bytes], lines: bytes, pages: bytes) -> None:
    """Write the parts that are the same in every world, which come last, and the closing brackets."""
    wikidata.write(gzip_member(lines + b"]\n"))
    export.write(bz2.compress(pages))
    export.write(bz2.compress(FOOTER.encode()))
