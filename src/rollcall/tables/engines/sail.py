"""Sail: an engine that speaks Spark's protocol and dialect, without Java, on this machine or elsewhere."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rollcall._core.errors import RollcallError
from rollcall._core.workers import in_bytes
from rollcall.tables.engine import (
    ENGINES,
    ROWS_PER_BATCH,
    Engine,
    Query,
    Workbench,
    compiled,
    engine_path,
)
from rollcall.tables.files import write_scratch
from rollcall.tables.spark_sessions import Sessions, SparkWorkbench, check_master, needs

if TYPE_CHECKING:
    import pyarrow as pa
    from pysail.spark import SparkConnectServer
    from pyspark.sql import DataFrame, DataFrameReader

_INSTALL = "pip install 'rollcall-qa[sail]'"


@ENGINES.register("sail")
class Sail(Engine):
    """Sail, without Java: started here, or one that runs already (`sc://…`)."""

    # Functions run in processes of this machine: Sail would run them in threads that share one interpreter.

    def __init__(self, *, memory: str = "1GB", jobs: int | None = None, master: str | None = None) -> None:
        super().__init__(memory=memory, jobs=jobs, master=master)
        in_bytes(memory)
        needs("pyspark", _INSTALL)
        if master is None:
            needs("pysail", _INSTALL)
        elif not master.startswith("sc://"):
            raise RollcallError(f"--master {master}: Sail is reached as sc://HOST:PORT")
        else:
            check_master(master)
        self._server: SparkConnectServer | None = None
        self._sessions: Sessions | None = None

    def workbench(self, scratch: Path) -> Workbench:
        if self._sessions is None:
            self._sessions = Sessions(self.master or self._start(), self.memory, self.jobs)
        return SailWorkbench(self._sessions.new(), scratch)

    def close(self) -> None:
        super().close()
        if self._sessions is not None:
            self._sessions.close()
        if self._server is not None:
            self._server.stop()
        self._sessions = self._server = None

    def _start(self) -> str:
        """Start a server in this process, and return its address."""
        settings = {
            "RUST_LOG": "error",
            "SAIL_RUNTIME__MEMORY_POOL__TYPE": "greedy",
            "SAIL_RUNTIME__MEMORY_POOL__GREEDY__MAX_SIZE": str(in_bytes(self.memory)),
            "SAIL_EXECUTION__DEFAULT_PARALLELISM": str(self.jobs),
        }
        os.environ |= settings  # the server reads them as it starts; an earlier one had its own
        from pysail.spark import SparkConnectServer

        self._server = SparkConnectServer("127.0.0.1", 0)
        self._server.start(background=True)
        return f"sc://127.0.0.1:{self._server.listening_address[1]}"


class SailWorkbench(SparkWorkbench):
    """Tables in Sail."""

    def _files(self, reader: "DataFrameReader", paths: list[Path]) -> "DataFrame":
        """The rows of files; Sail, too, leaves hidden ones out, and so gets a link for each of those."""
        existing = []
        for path in paths:
            if path.name.startswith((".", "_")):
                link = self._place(".parquet")
                link.symlink_to(path)
                path = link
            existing.append(path)
        return reader.parquet(*(engine_path(path, "sail") for path in existing))

    @staticmethod
    def _target(path: Path) -> str:
        return engine_path(path, "sail")

    def _written(self, rows: "DataFrame", declared: "pa.Schema") -> Path:
        folder = self._place()
        rows.write.parquet(self._target(folder))
        if not folder.exists():  # nothing is written for an empty result
            folder.mkdir()
            write_scratch(declared.empty_table(), folder / "empty.parquet")
        return folder

    def stream(self, query: Query, rows: int = ROWS_PER_BATCH) -> "Iterator[pa.RecordBatch]":
        """The result as it arrives: Sail spreads sorted rows over several files, which have no order."""
        frame = self._session.sql(compiled(query, None, "pyspark"))
        declared = query().schema().to_pyarrow()
        plan = frame._plan.to_proto(self._session.client)
        for part in self._session.client.to_table_as_iterator(plan, {}):
            if hasattr(part, "num_rows"):
                yield from part.cast(declared).to_batches(max_chunksize=rows)
