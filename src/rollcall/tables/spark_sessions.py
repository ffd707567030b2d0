"""Spark sessions: how one is started or reached, and the settings that keep results the same everywhere.

A master `sc://…` is reached through Spark Connect, which needs no Java here; any other master gets its driver
in a Java process of this machine. Only one such driver can run in a process, so one that the calling script
has started is used, and left running.
"""

import hashlib
import os
import pickle
import re
import shutil
import socket
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, count, islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from rollcall._core.errors import RollcallError
from rollcall._core.files import remove
from rollcall._core.workers import in_bytes
from rollcall.tables.engine import ROWS_PER_BATCH, Query, Workbench, compiled, engine_path
from rollcall.tables.files import check, write_scratch
from rollcall.tables.table import DeclaredTable, columns, declaration, schema

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, DataFrameReader, SparkSession


INSTALL = "pip install 'rollcall-qa[spark]'"
_SAME_RESULTS = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.caseSensitive": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.adaptive.enabled": "true",
}
"""Settings of every session. With ANSI mode, a value that does not fit is an error and not null."""
_LEAST_DRIVER = 1 << 30
"""Below about half of this, Spark refuses to start, and what is just above it leaves no room to sort in."""
_CONNECT_PORT = 15002
_SECONDS_TO_REACH = 10
_LOG_SETTINGS = Path(__file__).with_name("log4j2.properties")
_MASTER = re.compile(r"local(\[[\d*]+(,\d+)?\])?|spark://\S+|sc://\S+|k8s://\S+|yarn")


def needs(package: str, command: str = INSTALL) -> None:
    """Raise an error that says how to install a package if it is missing."""
    from importlib.util import find_spec

    if find_spec(package) is None:
        raise RollcallError(f"this engine needs the package {package}; install it with: {command}")


def engine_errors() -> "tuple[type[Exception], ...]":
    """What Spark raises when work fails, here or in Java."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    return Py4JError, PySparkException


def pickled(value: object) -> bytes:
    """Functions and what they need as bytes; those of a script are sent whole, others by name."""
    from pyspark import cloudpickle

    content: bytes = cloudpickle.dumps(value)
    return content


def check_master(master: str) -> None:
    """Raise an error if a master is not written as one, or cannot be reached."""
    if not _MASTER.fullmatch(master):
        raise RollcallError(
            f"--master {master}: is not the address of a cluster; write spark://HOST:PORT, sc://HOST:PORT "
            "for Spark Connect, or local[2] for two cores of this machine"
        )
    if master.startswith(("spark://", "sc://")):
        mistakes = [mistake for address in _places(master) if (mistake := _unreachable(*address))]
        if len(mistakes) == len(_places(master)):
            raise RollcallError(
                f"--master {master}: cannot be reached ({mistakes[0]}); check the address, and that it runs"
            )
    if not master.startswith("sc://") and not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        raise RollcallError(
            "--engine spark needs Java 17 or later, and there is none here; install it, set JAVA_HOME, or "
            "use --engine sail or Spark Connect (--master sc://HOST:PORT), which need none"
        )


def _places(master: str) -> list[tuple[str, int]]:
    """The hosts and ports of a master; there may be several, of which one is active."""
    default = _CONNECT_PORT if master.startswith("sc://") else 7077
    addresses = []
    for address in re.split(r"[/;]", master.partition("://")[2])[0].split(","):
        host, _, port = address.rpartition(":")
        addresses.append((host.strip("[]"), int(port)) if host and port.isdecimal() else (address, default))
    return addresses


def _unreachable(host: str, port: int) -> str | None:
    try:
        with socket.create_connection((host, port), timeout=_SECONDS_TO_REACH):
            return None
    except OSError as error:
        return error.strerror or str(error)


class Sessions:
    """The connection to one master; each step of work gets a session with its own names of tables."""

    def __init__(self, master: str, memory: str, jobs: int) -> None:
        self.master = master
        self._jobs = jobs
        self._ours = False
        self._known_slots = 0
        self._connected: list[SparkSession] = []
        self._first = self._connect() if self.is_remote else self._start(in_bytes(memory))

    @property
    def is_remote(self) -> bool:
        """Whether the driver is elsewhere."""
        return self.master.startswith("sc://")

    def new(self, settings: dict[str, str] | None = None) -> "SparkSession":
        """A new session."""
        session = self._connect() if self.is_remote else self._first.newSession()
        for name, value in (_SAME_RESULTS | (settings or {})).items():
            session.conf.set(name, value)
        return session

    @property
    def slots(self) -> int:
        """How many tasks run at the same time, as far as is known."""
        if not self.is_remote:
            return int(self._first.sparkContext.defaultParallelism)
        if not self._known_slots:
            parts = self._first.range(0, 1 << 16).selectExpr("spark_partition_id() AS part").distinct()
            self._known_slots = max(int(parts.count()), 1)
        return self._known_slots

    def close(self) -> None:
        for session in self._connected if self.is_remote else [self._first] if self._ours else []:
            session.stop()
        self._connected.clear()

    def _connect(self) -> "SparkSession":
        from pyspark.sql.connect.session import SparkSession

        try:
            session = SparkSession.builder.remote(self.master).create()
            session.version  # noqa: B018, the first call to the server
        except engine_errors() as error:
            raise RollcallError(f"--master {self.master}: {first_line(error)}") from error
        # Kept to the end: the first session that Python frees ends the threads that all others use.
        self._connected.append(session)
        return session

    def _start(self, memory: int) -> "SparkSession":
        from pyspark import SparkContext
        from pyspark.sql import SparkSession

        running = SparkContext._active_spark_context
        if running is not None and running.master != self.master:
            raise RollcallError(
                f"--master {self.master}: Spark runs already in this process, with {running.master}; stop it "
                "first, or give that master"
            )
        self._ours = running is None
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        builder = SparkSession.builder.master(self.master).appName("rollcall")
        for name, value in self._driver_settings(memory).items() if self._ours else ():
            builder = builder.config(name, value)
        try:
            return builder.getOrCreate()
        except engine_errors() as error:
            if "JAVA_GATEWAY_EXITED" in str(error):
                raise RollcallError(
                    "--engine spark could not start Java; version 17 or later is needed (see what Java said "
                    "above)"
                ) from None
            raise RollcallError(f"--master {self.master}: {first_line(error)}") from error

    def _driver_settings(self, memory: int) -> dict[str, str]:
        settings = {
            "spark.driver.memory": f"{max(memory, _LEAST_DRIVER) >> 20}m",
            "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={_LOG_SETTINGS.as_uri()}",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.catalogImplementation": "in-memory",
            "spark.executorEnv.PYTHONPATH": os.pathsep.join(_own_paths()),
        }
        local = self.master.startswith("local")
        if local or all(host in ("127.0.0.1", "localhost") for host, _ in _places(self.master)):
            settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
        if local:
            # Adaptive execution joins small parts; as many parts as it needs by default cost more to join
            # than little data to compute.
            settings["spark.sql.shuffle.partitions"] = str(2 * self._jobs)
        return settings


def _own_paths() -> list[str]:
    """Where Python finds modules, but for those that came with it: tasks look there as local processes do."""
    with_python = (sys.prefix, sys.base_prefix)
    return [path or str(Path.cwd()) for path in sys.path if not path.startswith(with_python)]


def first_line(error: BaseException) -> str:
    """The first line of an error's text that says something."""
    lines = [line.strip() for line in str(error).splitlines()]
    telling = [line for line in lines if line and not line.startswith("An error occurred while calling")]
    return (telling or [type(error).__name__])[0].removeprefix(": ")


# Tables in a Spark session: every stored table is a folder of Parquet files that all machines see.
# Nothing is cached and nothing large is collected: a stored table is written and read back, and so is a
# sorted result, file by file in order. So a lost machine loses only work that Spark repeats.

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

    def read(self, table: type[DeclaredTable], files: Path | Sequence[Path], name: str | None = None) -> None:
        paths = [files] if isinstance(files, Path) else files
        if not paths:
            self.give(table, schema(table).empty_table(), name)
            return
        self._name(table, [check(table, path.absolute()) for path in paths], name)

    def give(
        self, table: type[DeclaredTable], rows: "pa.Table | pa.RecordBatchReader", name: str | None = None
    ) -> None:
        path = self._place(".parquet")
        write_scratch(rows, path, schema(table))
        self._store(table, path, name)

    def keep(self, table: type[DeclaredTable], query: Query, name: str | None = None) -> None:
        rows = self._session.sql(compiled(query, table, "pyspark"))
        declared = declaration(table).columns
        exact = rows.selectExpr(
            *(f"CAST(`{column}` AS {_TYPES[declared[column].type]}) AS `{column}`" for column in declared)
        )
        self._store(table, self._written(exact, schema(table)), name)

    def drop(self, table: type[DeclaredTable], name: str | None = None) -> None:
        if (name or declaration(table).name) in self._stored:
            self._forget(name or declaration(table).name)

    def stream(self, query: Query, rows: int = ROWS_PER_BATCH) -> "Iterator[pa.RecordBatch]":
        declared = query().schema().to_pyarrow()
        folder = self._written(self._session.sql(compiled(query, None, "pyspark")), declared)
        return _read_back(folder, declared, rows)

    def records(self, query: Query) -> list[dict[str, Any]]:
        result = self._session.sql(compiled(query, None, "pyspark")).toArrow()
        return list(result.cast(query().schema().to_pyarrow()).to_pylist())

    def _place(self, ending: str = "") -> Path:
        return self._scratch / f"table-{next(self._numbers)}{ending}"

    def _written(self, rows: "DataFrame", declared: "pa.Schema") -> Path:
        """A folder with the rows, in files whose names have the order of the rows."""
        folder = self._place()
        rows.write.parquet(self._target(folder))
        if not _parts(folder):
            raise RollcallError(not_shared(self._scratch))
        return folder

    def _store(self, table: type[DeclaredTable], folder: Path, name: str | None) -> None:
        old = self._stored.get(name or declaration(table).name)
        self._name(table, [folder], name)
        self._stored[name or declaration(table).name] = folder
        if old is not None:
            remove(old)

    def _name(self, table: type[DeclaredTable], paths: list[Path], name: str | None) -> None:
        declared = declaration(table).columns
        described = ", ".join(f"`{column}` {_TYPES[declared[column].type]}" for column in columns(table))
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
        """The path of a new folder, which is not a pattern."""
        return f"file:{path}"


def not_shared(folder: Path) -> str:
    """What to say if not all machines see a folder."""
    return (
        f"{folder}: not all machines of the cluster see this folder; put the output on a path that is the "
        "same on all of them, such as a network file system"
    )


def _parts(folder: Path) -> list[Path]:
    """The files of a result in the order of its rows."""
    return sorted(folder.glob("*.parquet"))


def _read_back(folder: Path, declared: "pa.Schema", rows: int) -> "Iterator[pa.RecordBatch]":
    """The rows of files that are removed once they are read."""
    import pyarrow.parquet as pq

    try:
        for part in _parts(folder):
            with pq.ParquetFile(part.absolute()) as file:
                for batch in file.iter_batches(rows):
                    yield batch.cast(declared)
            part.unlink()
    finally:
        remove(folder)


# Python functions over blocks as tasks of a Spark cluster. Blocks go out in waves of a bounded size, a
# few blocks to a task, and two waves at a time, so that no machine waits for the last block of a wave.
# What a function raises comes back as a value and is raised here: it is neither retried nor wrapped. A
# task whose machine is lost is run again by Spark.

Block = TypeVar("Block")
Prepared = TypeVar("Prepared")
Result = TypeVar("Result")
_WAVE_BYTES = 1 << 25
_WAVE_ROUNDS = 4
"""A wave has this many blocks for each task that can run at the same time."""
_WAVES = 2
_COLUMNS = "number bigint, fine boolean, value binary"
_ONE_BLOCK_AT_A_TIME = {"spark.sql.execution.arrow.maxRecordsPerBatch": "1"}


class SparkBlocks:
    """Runs functions over blocks on a cluster."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._session = sessions.new(_ONE_BLOCK_AT_A_TIME)

    def map(
        self,
        function: Callable[[Prepared, Block], Result],
        blocks: Iterable[Block],
        prepare: Callable[[], Prepared],
    ) -> Iterator[Result]:
        """The results of a function for each block, in the order of the blocks; a single block stays here."""
        waiting = iter(blocks)
        first = list(islice(waiting, 2))
        if len(first) < 2:
            yield from (function(prepare(), block) for block in first)
            return
        task = _Task(pickled((function, prepare)))
        pending: deque[Future[list[tuple[bool, bytes]]]] = deque()
        threads = ThreadPoolExecutor(_WAVES)
        try:
            for wave in _waves(chain(first, waiting), self._sessions.slots * _WAVE_ROUNDS):
                pending.append(threads.submit(self._run, task, wave))
                if len(pending) >= _WAVES:
                    yield from _values(pending.popleft().result())
            while pending:
                yield from _values(pending.popleft().result())
        finally:
            threads.shutdown(cancel_futures=True)

    def _run(self, task: "_Task", wave: list[bytes]) -> list[tuple[bool, bytes]]:
        """What each block of a wave gave; after an error the blocks behind it may have been left out."""
        import pyarrow as pa

        rows = pa.table(
            {"number": pa.array(range(len(wave)), pa.int64()), "block": pa.array(wave, pa.binary())}
        )
        try:
            results = self._session.createDataFrame(rows).mapInArrow(task, _COLUMNS).toArrow()
        except engine_errors() as error:
            raise _failed(error) from error
        values = sorted(results.to_pylist(), key=lambda row: row["number"])
        return [(row["fine"], row["value"]) for row in values]


def _waves(blocks: Iterator[Block], most: int) -> Iterator[list[bytes]]:
    wave: list[bytes] = []
    for block in blocks:
        wave.append(pickle.dumps(block, pickle.HIGHEST_PROTOCOL))
        if len(wave) >= most or sum(map(len, wave)) >= _WAVE_BYTES:
            yield wave
            wave = []
    if wave:
        yield wave


def _values(outcomes: list[tuple[bool, bytes]]) -> Iterator[Any]:
    for fine, value in outcomes:
        if not fine:
            raise pickle.loads(value)
        yield pickle.loads(value)


def _failed(error: BaseException) -> RollcallError:
    text = str(error)
    if "No module named 'rollcall" in text:
        return RollcallError(
            "the machines of the cluster cannot import rollcall; install the same version there, for the "
            "Python that PYSPARK_PYTHON names"
        )
    if "Python worker exited unexpectedly" in text:
        return RollcallError(
            "a Python process of the cluster was killed again and again, perhaps because it was out of memory"
        )
    return RollcallError(f"a task of the cluster failed: {first_line(error)}")


class _Task:
    """A function, and what prepares it, as Spark sends them to its Python processes."""

    def __init__(self, program: bytes) -> None:
        self._program = program
        self._name = hashlib.sha256(program).hexdigest()

    def __call__(self, batches: "Iterator[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
        import pyarrow as pa

        for batch in batches:
            for row in batch.to_pylist():
                fine, value = self._outcome(row["block"])
                yield pa.RecordBatch.from_pydict(
                    {"number": [row["number"]], "fine": [fine], "value": pa.array([value], pa.binary())}
                )

    def _outcome(self, block: bytes) -> tuple[bool, bytes]:
        try:
            if self._name not in _programs:
                function, prepare = pickle.loads(self._program)
                _programs.clear()
                _programs[self._name] = (function, prepare())
            function, prepared = _programs[self._name]
            return True, pickle.dumps(function(prepared, pickle.loads(block)), pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            return False, _pickled(error)


_programs: dict[str, tuple[Callable[[Any, Any], Any], Any]] = {}
"""In a Python process of the cluster: the function and what it was prepared with, for the work at hand."""


def _pickled(error: Exception) -> bytes:
    """An error with the place where it was raised; one that cannot be sent becomes its text."""
    if not isinstance(error, RollcallError):
        error.add_note("".join(traceback.format_exception(error)))
    try:
        content = pickle.dumps(error)
        pickle.loads(content)
    except Exception:
        return pickle.dumps(RollcallError(f"{type(error).__name__}: {error}"))
    return content
