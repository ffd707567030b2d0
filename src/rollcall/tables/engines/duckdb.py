"""The engine on this machine: DuckDB, with a memory limit and spilling to disk, and local processes."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from rollcall._core.errors import RollcallError
from rollcall._core.files import remove
from rollcall._core.workers import check_address_space, fitting_memory, in_bytes
from rollcall.tables.engine import (
    DEFAULT_MEMORY,
    ENGINES,
    ROWS_PER_BATCH,
    Engine,
    Query,
    Workbench,
    compiled,
    engine_path,
)
from rollcall.tables.table import DeclaredTable, columns, declaration, file_name, schema

if TYPE_CHECKING:
    import duckdb
    import ibis.backends.duckdb
    import pyarrow as pa


_INTERRUPTED = "Query interrupted"
"""How DuckDB reports that Ctrl-C, or a request to end, arrived in the middle of a query."""
_WRONG_OPTIMIZERS = ("common_subplan",)
"""Optimizers that give wrong results. This one (DuckDB 1.5.1 and later, DuckDB issue 25819) treats joins with
different output columns as equal, so that an anti-join with some of a table's own rows removes too few."""

_BYTES_PER_THREAD = 150_000_000
_LEAST_MEMORY = "64MB"
"""The least memory with which the tables of a finished folder are read."""


@ENGINES.register("duckdb")
class DuckDB(Engine):
    """DuckDB and local processes, on this machine."""

    def __init__(
        self, *, memory: str = DEFAULT_MEMORY, jobs: int | None = None, master: str | None = None
    ) -> None:
        if master is not None:
            raise RollcallError(
                "--master: DuckDB runs on this machine alone; for a cluster, add --engine spark"
            )
        super().__init__(memory=memory, jobs=jobs)
        check_address_space(memory)

    def workbench(self, scratch: Path) -> Workbench:
        return DuckDBWorkbench(self.memory, _threads(self.jobs, self.memory), scratch)


class DuckDBWorkbench(Workbench):
    """Tables in an embedded database."""

    def __init__(self, memory: str, threads: int | None = None, scratch: Path | None = None) -> None:
        import duckdb

        self._memory = memory
        self._scratch = scratch
        try:
            self._connection = duckdb.connect(config=_settings(memory, threads, scratch))
            self._connection.execute("SET preserve_insertion_order = false")
            leave_out_optimizers(self._connection)
        except (duckdb.ParserException, duckdb.InvalidInputException):
            raise RollcallError(
                f"{memory!r} is not an amount of memory (--memory); write 600MB or 2GB"
            ) from None
        except duckdb.OutOfMemoryException:
            raise RollcallError(_too_little(memory)) from None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        import duckdb

        self._connection.close()
        if self._scratch is not None:
            remove(self._scratch)
        if isinstance(error, duckdb.OutOfMemoryException) or (
            isinstance(error, OSError)
            and str(error).startswith("Out of Memory Error")  # in a stream of Arrow
        ):
            raise RollcallError(_too_little(self._memory)) from error
        if isinstance(error, RuntimeError) and str(error) == _INTERRUPTED:
            raise KeyboardInterrupt from None
        if isinstance(error, duckdb.IOException):
            raise RollcallError(f"the database could not read or write: {error}") from error

    def read(self, table: type[DeclaredTable], files: Path | Sequence[Path], name: str | None = None) -> None:
        paths = [files] if isinstance(files, Path) else files
        if not paths:
            self.give(table, schema(table).empty_table(), name)
            return
        from rollcall.tables.files import check

        rows = parquet_rows([check(table, path) for path in paths])
        column_list = ", ".join(f'"{column}"' for column in columns(table))
        self._connection.unregister(_name(table, name))  # rows in memory would hide the files
        self._connection.execute(
            f'CREATE OR REPLACE VIEW "{_name(table, name)}" AS SELECT {column_list} FROM {rows}'
        )

    def give(
        self, table: type[DeclaredTable], rows: "pa.Table | pa.RecordBatchReader", name: str | None = None
    ) -> None:
        import pyarrow as pa

        if isinstance(rows, pa.Table):
            self._connection.register(_name(table, name), rows.select(columns(table)))
            return
        self._connection.register("given", rows)
        self._connection.execute(f'CREATE OR REPLACE TEMP TABLE "{_name(table, name)}" AS FROM given')
        self._connection.unregister("given")

    def keep(self, table: type[DeclaredTable], query: Query, name: str | None = None) -> None:
        self._connection.execute(
            f'CREATE OR REPLACE TEMP TABLE "{_name(table, name)}" AS {compiled(query, table, "duckdb")}'
        )

    def drop(self, table: type[DeclaredTable], name: str | None = None) -> None:
        self._connection.execute(f'DROP TABLE IF EXISTS "{_name(table, name)}"')

    def stream(self, query: Query, rows: int = ROWS_PER_BATCH) -> "Iterator[pa.RecordBatch]":
        return iter(self._connection.sql(compiled(query, None, "duckdb")).to_arrow_reader(rows))


def parquet_rows(paths: Sequence[Path]) -> str:
    """The rows of Parquet files in SQL; a folder `name=value` is not taken for a column."""
    listed = ", ".join("'" + engine_path(path, "duckdb").replace("'", "''") + "'" for path in paths)
    return f"read_parquet([{listed}], hive_partitioning = false)"


def _too_little(memory: str) -> str:
    return f"{memory} of memory is too little to sort in; raise --memory, or lower --jobs"


def _name(table: type[DeclaredTable], name: str | None) -> str:
    return name or declaration(table).name


def _threads(jobs: int, memory: str) -> int:
    """The number of threads for sorting that the memory allows."""
    return max(1, min(jobs, in_bytes(memory) // _BYTES_PER_THREAD))


def _settings(
    memory: str, threads: int | None, scratch: Path | None
) -> "dict[str, str | bool | int | float | list[str]]":
    settings: dict[str, str | bool | int | float | list[str]] = {"memory_limit": memory}
    if threads is not None:
        settings["threads"] = threads
    if scratch is not None:
        settings["temp_directory"] = str(scratch.absolute())
    return settings


def connect() -> "ibis.backends.duckdb.Backend":
    """An Ibis backend on a new embedded database, for tables that users write expressions over."""
    import ibis

    backend = ibis.duckdb.connect(**_settings(fitting_memory(DEFAULT_MEMORY, _LEAST_MEMORY), None, None))
    leave_out_optimizers(backend.con)
    return backend


def leave_out_optimizers(connection: "duckdb.DuckDBPyConnection") -> None:
    """Turn off the optimizers that give wrong results, where this version has them."""
    optimizers = {name for (name,) in connection.execute("SELECT name FROM duckdb_optimizers()").fetchall()}
    wrong = ",".join(name for name in _WRONG_OPTIMIZERS if name in optimizers)
    if wrong:
        connection.execute(f"SET disabled_optimizers = '{wrong}'")


# The tables of a finished folder as Ibis tables on an embedded database.


class IbisTables:
    """Ibis tables as attributes, by their names; a subclass says which there are."""

    def __init__(self, folder: Path, tables: Iterable[type[DeclaredTable]]) -> None:
        self.backend = connect()
        # A table named "tables" would be taken for DuckDB's own list of tables.
        for table in tables:
            name = declaration(table).name
            self.backend.con.execute(
                f"CREATE TEMP VIEW rollcall_{name} AS FROM {parquet_rows([folder / file_name(table)])}"
            )
            setattr(self, name, self.backend.table(f"rollcall_{name}"))

    def close(self) -> None:
        self.backend.disconnect()
