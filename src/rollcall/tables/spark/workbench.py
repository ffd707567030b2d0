"""Tables in a Spark session: every stored table is a folder of Parquet files that all machines see.

Nothing is cached and nothing large is collected: a stored table is written and read back, and so is a sorted
result, file by file in order. So a lost machine loses only work that Spark repeats.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from rollcall.errors import RollcallError
from rollcall.files import remove
from rollcall.tables.engine import ROWS_PER_BATCH, Query, Workbench, engine_path
from rollcall.tables.reader import check
from rollcall.tables.spark.session import engine_errors, first_line
from rollcall.tables.sql import compiled
from rollcall.tables.table import Table, columns, declaration, schema
from rollcall.tables.writer import write_scratch

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, DataFrameReader, SparkSession

_NO_MEMORY = re.compile(r"Resources exhausted|Failed to allocate additional")
_TYPES = {
    "string": "string",
    "array<string>": "array<string>",
    "array<int32>": "array<int>",
    "boolean": "boolean",
    "int32": "int",
    "int64": "bigint",
    "float64": "double",
}
"""Spark's names of the types of columns."""


class SparkWorkbench(Workbench):
    """Tables as Parquet files in a scratch folder, named in a session."""

    def __init__(self, session: "SparkSession", scratch: Path) -> None:
        self._session = session
        self._scratch = scratch.absolute()
        self._scratch.mkdir(parents=True, exist_ok=True)
        self._numbers = count()
        self._stored: dict[str, Path] = {}

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name in list(self._stored):
            self._forget(name)
        remove(self._scratch)
        if isinstance(error, engine_errors()) and _NO_MEMORY.search(str(error)):
            raise RollcallError(
                "the engine has too little memory to compute a table; raise --memory"
            ) from error
        if isinstance(error, engine_errors()):
            raise RollcallError(f"the engine could not compute a table: {first_line(error)}") from error

    def read(self, table: type[Table], files: Path | Sequence[Path], name: str | None = None) -> None:
        paths = [files] if isinstance(files, Path) else files
        if not paths:
            self.give(table, schema(table).empty_table(), name)
            return
        self._name(table, [check(table, path.absolute()) for path in paths], name)

    def give(
        self, table: type[Table], rows: "pa.Table | pa.RecordBatchReader", name: str | None = None
    ) -> None:
        path = self._place(".parquet")
        write_scratch(rows, path, schema(table))
        self._store(table, path, name)

    def keep(self, table: type[Table], query: Query, name: str | None = None) -> None:
        rows = self._session.sql(compiled(query, table, "pyspark"))
        declared = declaration(table).columns
        exact = rows.selectExpr(
            *(f"CAST(`{one}` AS {_TYPES[declared[one].type]}) AS `{one}`" for one in declared)
        )
        self._store(table, self._written(exact, schema(table)), name)

    def drop(self, table: type[Table], name: str | None = None) -> None:
        if (name or declaration(table).name) in self._stored:
            self._forget(name or declaration(table).name)

    def stream(self, query: Query, rows: int = ROWS_PER_BATCH) -> "Iterator[pa.RecordBatch]":
        declared = query().schema().to_pyarrow()
        place = self._written(self._session.sql(compiled(query, None, "pyspark")), declared)
        return _read_back(place, declared, rows)

    def records(self, query: Query) -> list[dict[str, Any]]:
        found = self._session.sql(compiled(query, None, "pyspark")).toArrow()
        return list(found.cast(query().schema().to_pyarrow()).to_pylist())

    def _place(self, ending: str = "") -> Path:
        return self._scratch / f"table-{next(self._numbers)}{ending}"

    def _written(self, rows: "DataFrame", declared: "pa.Schema") -> Path:
        """A folder with the rows, in files whose names have the order of the rows."""
        place = self._place()
        rows.write.parquet(self._target(place))
        if not _parts(place):
            raise RollcallError(not_shared(self._scratch))
        return place

    def _store(self, table: type[Table], place: Path, name: str | None) -> None:
        old = self._stored.get(name or declaration(table).name)
        self._name(table, [place], name)
        self._stored[name or declaration(table).name] = place
        if old is not None:
            remove(old)

    def _name(self, table: type[Table], paths: list[Path], name: str | None) -> None:
        declared = declaration(table).columns
        described = ", ".join(f"`{one}` {_TYPES[declared[one].type]}" for one in columns(table))
        rows = self._files(self._session.read.schema(described), paths)
        rows.createOrReplaceTempView(name or declaration(table).name)

    def _forget(self, name: str) -> None:
        self._session.catalog.dropTempView(name)
        remove(self._stored.pop(name))

    def _files(self, reader: "DataFrameReader", paths: list[Path]) -> "DataFrame":
        """The rows of files, or of a folder.

        Of several paths with quoted signs Spark would read each twice, and it leaves hidden files out. Other
        files than one plain one become links in a folder.
        """
        path = paths[0]
        if len(paths) > 1 or path.name.startswith((".", "_")):
            path = self._place()
            path.mkdir()
            for number, linked in enumerate(paths):
                (path / f"{number:06}.parquet").symlink_to(linked)
        return reader.parquet(engine_path(path, "spark"))

    @staticmethod
    def _target(path: Path) -> str:
        """The path of a new folder, which is no pattern."""
        return f"file:{path}"


def not_shared(folder: Path) -> str:
    """What to say if not all machines see a folder."""
    return (
        f"{folder}: not all machines of the cluster see this folder; put the output on a path that is the "
        "same on all of them, such as a network file system"
    )


def _parts(place: Path) -> list[Path]:
    """The files of a result in the order of its rows."""
    return sorted(place.glob("*.parquet"))


def _read_back(place: Path, declared: "pa.Schema", rows: int) -> "Iterator[pa.RecordBatch]":
    """The rows of files that are removed once they are read."""
    import pyarrow.parquet as pq

    try:
        for part in _parts(place):
            with pq.ParquetFile(part.absolute()) as file:
                for batch in file.iter_batches(rows):
                    yield batch.cast(declared)
            part.unlink()
    finally:
        remove(place)
