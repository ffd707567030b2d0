"""The embedded database: the one module that knows DuckDB.

Work on whole tables is written elsewhere as Ibis expressions. This module runs them: a connection with a
memory limit that spills to disk, results streamed in Arrow batches instead of held in memory, and, for
builders that run the same expressions many times, SQL that is compiled only once.
"""

import glob
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from rollcall.checksums import checked
from rollcall.errors import RollcallError

if TYPE_CHECKING:
    import ibis
    import ibis.backends.duckdb

Expression: TypeAlias = "ibis.Table"
Query: TypeAlias = Callable[[], Expression]


def connect(
    memory_limit: str = "1GB", threads: int | None = None, temp_dir: Path | None = None, **settings: Any
) -> "ibis.backends.duckdb.Backend":
    """An Ibis backend on a new embedded database with a memory limit."""
    import ibis

    backend = ibis.duckdb.connect(**_settings(memory_limit, threads, temp_dir), **settings)
    _leave_out_optimizers(backend.con)
    return backend


def stream(backend: Any, expression: Expression, rows: int = 100_000) -> Iterator[Any]:
    """The result of an expression as Arrow record batches, never whole in memory."""
    sql = backend.compile(expression.as_table())
    yield from backend.con.sql(sql).to_arrow_reader(rows)


def _settings(memory_limit: str, threads: int | None, temp_dir: Path | None) -> dict[str, Any]:
    settings: dict[str, Any] = {"memory_limit": memory_limit}
    if threads is not None:
        settings["threads"] = threads
    if temp_dir is not None:
        settings["temp_directory"] = str(temp_dir)
    return settings


_WRONG_OPTIMIZERS = ("common_subplan",)
"""Optimizers that give wrong results. This one (DuckDB 1.5.1 and later, DuckDB issue 25819) treats joins with
different output columns as equal, so that an anti-join with some of a table's own rows removes too few."""


def _leave_out_optimizers(connection: Any) -> None:
    known = {name for (name,) in connection.execute("SELECT name FROM duckdb_optimizers()").fetchall()}
    wrong = ",".join(name for name in _WRONG_OPTIMIZERS if name in known)
    if wrong:
        connection.execute(f"SET disabled_optimizers = '{wrong}'")


class Workbench:
    """A database for one build: named inputs, stored intermediate tables, streamed results.

    A query is a function without arguments that returns an Ibis expression over unbound tables; their names
    are those given here. The order of rows is undefined unless the query uses `order_by`.
    """

    def __init__(
        self, memory_limit: str = "1GB", threads: int | None = None, temp_dir: Path | None = None
    ) -> None:
        import duckdb

        try:
            self._connection = duckdb.connect(config=_settings(memory_limit, threads, temp_dir))
        except (duckdb.ParserException, duckdb.InvalidInputException):
            raise RollcallError(
                f"{memory_limit!r} is not an amount of memory (--memory); write 600MB or 2GB"
            ) from None
        self._memory_limit = memory_limit
        self._connection.execute("SET preserve_insertion_order = false")
        _leave_out_optimizers(self._connection)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        import duckdb

        self._connection.close()
        if isinstance(error, duckdb.OutOfMemoryException):
            raise RollcallError(
                f"{self._memory_limit} of memory is too little to sort in; raise --memory, or lower --jobs"
            ) from error
        if isinstance(error, duckdb.IOException):
            raise RollcallError(f"the database could not read or write: {error}") from error

    def read_parquet(self, name: str, folder: Path, pattern: str) -> None:
        """Name the Parquet files that match a pattern in a folder; those of a graph or corpus are checked."""
        if not glob.has_magic(pattern):
            checked(folder / pattern)
        quoted = f"{glob.escape(str(folder))}/{pattern}".replace("'", "''")
        self._connection.execute(f"CREATE OR REPLACE VIEW \"{name}\" AS FROM read_parquet('{quoted}')")

    def give(self, name: str, table: Any) -> None:
        """Name an Arrow table, which is read without a copy."""
        self._connection.register(name, table)

    def give_batches(self, name: str, reader: Any) -> None:
        """Copy a reader of Arrow batches, which can be read only once, into the database."""
        self._connection.register("given", reader)
        self._connection.execute(f'CREATE OR REPLACE TEMP TABLE "{name}" AS FROM given')
        self._connection.unregister("given")

    def keep(self, name: str, query: Query) -> None:
        """Compute a query and keep its result under a name."""
        self._connection.execute(f'CREATE OR REPLACE TEMP TABLE "{name}" AS {_compiled(query)}')

    def drop(self, name: str) -> None:
        self._connection.execute(f'DROP TABLE IF EXISTS "{name}"')

    def stream(self, query: Query, rows: int = 1 << 17) -> Iterator[Any]:
        """The result of a query in Arrow record batches."""
        return iter(self._connection.sql(_compiled(query)).to_arrow_reader(rows))


@cache
def _compiled(query: Query) -> str:
    import ibis

    return str(ibis.to_sql(query(), dialect="duckdb"))
