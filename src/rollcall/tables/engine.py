"""Where work runs: expressions over whole tables, and Python functions over blocks.

Work on whole tables is written elsewhere as Ibis expressions over declared tables, and work on single blocks
(reading dumps, searching pages, encoding passages) as Python functions. An `Engine` runs both: on this
machine, or on a cluster. The order of rows is undefined unless an expression sorts them.

- `Workbench`: named tables for one step of work.
- `LocalBlocks`: functions over blocks, in worker processes of this machine.
- `Engine`, `opened`, `WorkOptions`: what runs both, and the options that say where.
"""

import glob
import itertools
import multiprocessing
import os
import pickle
import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypeAlias, TypeVar

from rollcall._core.errors import RollcallError
from rollcall._core.options import PYTHON_ONLY, OnCommandLine, Options
from rollcall._core.registry import Registry
from rollcall._core.workers import Program, Workers, start_server
from rollcall.tables.table import DeclaredTable, Rows, T, declaration, shaped

if TYPE_CHECKING:
    import ibis.expr.operations as ops
    import ibis.expr.types as ir
    import pyarrow as pa


Query: TypeAlias = "Callable[[], ir.Table]"
"""An expression, made when it is needed. The same function must always give the same expression."""
Block = TypeVar("Block")
Prepared = TypeVar("Prepared")
Result = TypeVar("Result")
ROWS_PER_BATCH = 1 << 16
DEFAULT_MEMORY = "1GB"
_HADOOP_SIGNS = re.compile(r"[\[\]{}*?\\]")
"""What has a meaning in Spark's patterns of paths."""


def engine_path(path: Path, engine: Literal["duckdb", "spark", "sail"]) -> str:
    """A path as text that an engine reads as this one file or folder.

    Engines take paths for patterns, replace a `~` at their start, and take `a:b/c` for an address. Every
    path that an engine reads goes through this function.
    """
    path = path.absolute()
    if engine == "sail":
        return path.as_uri()  # no sign of a URI is one of a pattern
    if engine == "spark":
        return "file:" + _HADOOP_SIGNS.sub(r"\\\g<0>", str(path))
    escaped = glob.escape(str(path))
    if escaped != str(path) and "\\" in escaped:
        raise RollcallError(
            f"{path}: DuckDB cannot read a path that has a backslash and one of [ ] ? *; rename the folder"
        )
    return escaped


class Workbench(ABC):
    """Named tables for one step of work: inputs, stored intermediate results, streamed results."""

    def __enter__(self) -> Self:
        return self

    @abstractmethod
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Forget all tables and remove what was stored."""

    @abstractmethod
    def read(self, table: type[DeclaredTable], files: Path | Sequence[Path], name: str | None = None) -> None:
        """Name the rows of Parquet files, which are checked; without files the table is empty."""

    def read_folder(self, kind: str, folder: Path, *tables: type[DeclaredTable]) -> None:
        """Name the files of tables in a graph or corpus folder: `graph_facts`, `corpus_pages`, …"""
        for table in tables:
            name = declaration(table).name
            self.read(table, folder / f"{name}.parquet", f"{kind}_{name}")

    @abstractmethod
    def give(
        self, table: type[DeclaredTable], rows: "pa.Table | pa.RecordBatchReader", name: str | None = None
    ) -> None:
        """Name rows that are in memory, or that can be read only once."""

    @abstractmethod
    def keep(self, table: type[DeclaredTable], query: Query, name: str | None = None) -> None:
        """Compute a query, which must give the columns of the table, and keep its rows under a name."""

    @abstractmethod
    def drop(self, table: type[DeclaredTable], name: str | None = None) -> None:
        """Forget the rows kept under a name."""

    @abstractmethod
    def stream(self, query: Query, rows: int = ROWS_PER_BATCH) -> "Iterator[pa.RecordBatch]":
        """The result of a query in Arrow record batches, never whole in memory."""

    def write(self, table: "type[T]", query: "Callable[[], ir.Table | Rows[T]]", path: Path) -> int:
        """Write a result as a Parquet file, sorted as declared; returns the number of rows."""
        from rollcall.tables.files import write_batches

        return write_batches(table, path, self.stream(InOrder(table, query)))

    def records(self, query: Query) -> list[dict[str, Any]]:
        """A small result as Python values."""
        return [row for batch in self.stream(query) for row in batch.to_pylist()]

    def count(self, query: Query) -> int:
        """The number of rows of a query."""
        return int(self.records(lambda: query().agg(rows=query().count()))[0]["rows"])


@dataclass(frozen=True)
class InOrder:
    """A query whose rows are shaped like a table and sorted as declared."""

    table: type[DeclaredTable]
    query: Query

    @property
    def __name__(self) -> str:
        return getattr(self.query, "__name__", "<lambda>")

    def __call__(self) -> "ir.Table":
        return shaped(self.table, self.query()).order_by(list(declaration(self.table).sorted_by))


# Python functions over blocks, in worker processes of this machine.
#
# One group of workers serves a whole command: it starts with the second block of the first work that has one,
# and later work finds it running. What a function needs besides its block is prepared once in each process.

_PROTOCOL = pickle.HIGHEST_PROTOCOL
_AHEAD = 4
"""For each process, so many blocks are taken before the first of their results is used."""


class LocalBlocks:
    """Runs functions over blocks in this process, or in others if that can be faster."""

    def __init__(self, jobs: int) -> None:
        # A worker of any pool may not start processes of its own.
        self._jobs = 1 if multiprocessing.current_process().daemon else jobs
        self._workers: Workers | None = None
        self._numbers = itertools.count()
        self._prepare_here: object = None
        self._prepared_here: Any = None
        self._prepare_there: object = None
        self._preparation = 0

    def map(
        self,
        function: Callable[[Prepared, Block], Result],
        blocks: Iterable[Block],
        prepare: Callable[[], Prepared],
    ) -> Iterator[Result]:
        """The results of a function for each block, in the order of the blocks.

        If `prepare` is the same object as in the call before, what it prepared is used again.
        """
        waiting = iter(blocks)
        first = list(islice(waiting, 2))
        fewest = 1 if self._prepare_there is prepare else 2
        in_workers = self._jobs > 1 and len(first) >= fewest
        waiting = chain(first, waiting)
        del first  # what blocks need in memory ends with their use
        if in_workers:
            yield from self._in_workers(function, waiting, prepare)
            return
        for block in waiting:
            yield function(self._prepared(prepare), block)

    def _prepared(self, prepare: Callable[[], Prepared]) -> Prepared:
        """What was prepared in this process."""
        if self._prepare_here is not prepare:
            self._prepare_here = self._prepared_here = None  # free its memory first
            self._prepared_here = prepare()
            self._prepare_here = prepare
        prepared: Prepared = self._prepared_here
        return prepared

    def _in_workers(
        self,
        function: Callable[[Prepared, Block], Result],
        blocks: Iterator[Block],
        prepare: Callable[[], Prepared],
    ) -> Iterator[Result]:
        if self._workers is None:
            start_server(_modules(function, prepare))
            self._workers = Workers(self._jobs)
        workers = self._workers
        number = next(self._numbers)
        if self._prepare_there is not prepare:
            self._prepare_there, self._preparation = prepare, number
        program = Program(number, self._preparation, pickle.dumps((function, prepare), _PROTOCOL))
        tasks: deque[int] = deque()
        try:
            for block in blocks:
                tasks.append(workers.give(program, block))
                while len(tasks) >= self._jobs * _AHEAD or (tasks and workers.is_done(tasks[0])):
                    yield workers.result(tasks.popleft())
            while tasks:
                yield workers.result(tasks.popleft())
        finally:
            workers.forget(program, tasks)

    def close(self) -> None:
        """End the workers, and forget what was prepared."""
        if self._workers is not None:
            self._workers.end()
            self._workers = None
        self._prepare_here = self._prepared_here = self._prepare_there = None


def _modules(*functions: Callable[..., object]) -> list[str]:
    """The modules of functions; only Rollcall's, since a user's module may change while this process runs."""
    plain = [function.func if isinstance(function, partial) else function for function in functions]
    names = {getattr(function, "__module__", None) or "" for function in plain}
    return sorted(name for name in names if name.startswith("rollcall."))


class Engine(ABC):
    """Runs work. It is opened once for a command or a call, and holds what takes long to start."""

    def __init__(
        self, *, memory: str = DEFAULT_MEMORY, jobs: int | None = None, master: str | None = None
    ) -> None:
        """`memory` limits what the engine uses on this machine, `jobs` is the number of processes here (by
        default one for each core), and `master` says where a cluster is."""
        self.memory = memory
        self.jobs = jobs or os.cpu_count() or 1
        self.master = master
        self._processes = LocalBlocks(self.jobs)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @abstractmethod
    def workbench(self, scratch: Path) -> Workbench:
        """A new workbench; what does not fit in memory goes into a folder, which is removed at the end."""

    def map_blocks(
        self,
        function: Callable[[Prepared, Block], Result],
        blocks: Iterable[Block],
        prepare: Callable[[], Prepared],
    ) -> Iterator[Result]:
        """The results of a function for each block, in the order of the blocks; in processes of this machine.

        `prepare` makes what the function needs, once in each process, and gives it as the first argument. It,
        the function, blocks and results must be picklable. Blocks are taken as they are needed.
        """
        return self._processes.map(function, blocks, prepare)

    def close(self) -> None:
        """Release what the engine holds."""
        self._processes.close()


def nothing() -> None:
    """The `prepare` of a function that needs only its block."""


def map_here(
    function: Callable[[Prepared, Block], Result], blocks: Iterable[Block], prepare: Callable[[], Prepared]
) -> Iterator[Result]:
    """The same as `map_blocks`, in this process: for work so little that handing it out takes longer."""
    prepared = prepare()
    for block in blocks:
        yield function(prepared, block)


ENGINES: Registry[type[Engine]] = Registry("engine", "engines", "rollcall.tables.engines")


@contextmanager
def opened(
    engine: "Engine | str" = "duckdb",
    *,
    memory: str = DEFAULT_MEMORY,
    jobs: int | None = None,
    master: str | None = None,
) -> Iterator[Engine]:
    """An engine given by name, opened here and closed at the end; one that is open already stays open."""
    if isinstance(engine, Engine):
        yield engine
        return
    kind = ENGINES.find(engine)
    if not (isinstance(kind, type) and issubclass(kind, Engine)):
        raise RollcallError(f"{engine}: is not an engine; name a subclass of rollcall.tables.engine.Engine")
    with kind(memory=memory, jobs=jobs, master=master) as new:
        yield new


WORK = "Where the work runs"


class WorkOptions(Options, frozen=True, kw_only=True):
    """Where work runs, with how many processes and how much memory; the output is always the same."""

    engine: Annotated[Engine | str, OnCommandLine(str, ("--engine",), metavar="NAME", panel=WORK)] = "duckdb"
    """duckdb (this machine), spark (a cluster) or sail (Spark's dialect without Java); the output is the
    same. `rollcall plugins --kind engines` lists them."""
    master: Annotated[str | None, OnCommandLine(metavar="URL", panel=WORK)] = None
    """Where the cluster is: spark://HOST:PORT, sc://HOST:PORT for Spark Connect, or local[2]. All machines
    must see the same paths."""
    jobs: Annotated[int | None, OnCommandLine(int, ("--jobs", "-j"), least=0, default=0, panel=WORK)] = None
    """Number of processes on this machine; 0 for one per core."""
    memory: Annotated[str, OnCommandLine(panel=WORK)] = DEFAULT_MEMORY
    """Memory on this machine for sorting and joining; the rest goes to disk."""
    show_progress: Annotated[bool | None, PYTHON_ONLY] = None
    """Whether progress is shown; by default, on a terminal."""

    def opened(self) -> AbstractContextManager[Engine]:
        """The engine, opened if it is not open."""
        return opened(self.engine, memory=self.memory, jobs=self.jobs, master=self.master)


# Queries as SQL: the only place that turns Ibis expressions into an engine's text.

_known: dict[tuple[Query, type[DeclaredTable] | None, str], str] = {}
"""The SQL of queries that are functions of a module: compiling one takes longer than running it on little."""


def compiled(query: Query, table: type[DeclaredTable] | None, dialect: str) -> str:
    """The SQL of a query, with exactly the columns of a table if one is given."""
    if (query, table, dialect) in _known:
        return _known[query, table, dialect]
    sql = _rendered((query() if table is None else shaped(table, query())).op(), dialect)
    if getattr(query, "__name__", "<lambda>") != "<lambda>":
        _known[query, table, dialect] = sql
    return sql


@lru_cache(maxsize=256)
def _rendered(expression: "ops.Node", dialect: str) -> str:
    """The SQL of an expression; one that another function built in the same way is not rendered again."""
    import ibis

    if dialect == "pyspark":
        _set_spark_options()
    return str(ibis.to_sql(expression.to_expr(), dialect=dialect))


def _set_spark_options() -> None:
    """Ibis reads these options when it compiles, but sets them only with its own Spark connection.

    That connection would load pandas and Spark's Python package, which compiling does not need.
    """
    import ibis

    class Options(ibis.config.Config):  # type: ignore[misc]
        treat_nan_as_null: bool = False

    if ibis.options.pyspark is None:
        ibis.options.pyspark = Options()
