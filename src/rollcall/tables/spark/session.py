"""Spark sessions: how one is started or reached, and the settings that keep results the same everywhere.

A master `sc://…` is reached through Spark Connect, which needs no Java here; any other master gets its driver
in a Java process of this machine. Only one such driver can run in a process, so one that the calling script
has started is used, and left running.
"""

import os
import re
import shutil
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rollcall.errors import RollcallError
from rollcall.tables.memory import in_bytes

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

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


def pickled(thing: object) -> bytes:
    """Functions and what they need as bytes; those of a script are sent whole, others by name."""
    from pyspark import cloudpickle

    found: bytes = cloudpickle.dumps(thing)
    return found


def check_master(master: str) -> None:
    """Raise an error if a master is not written as one, or cannot be reached."""
    if not _MASTER.fullmatch(master):
        raise RollcallError(
            f"--master {master}: is not the address of a cluster; write spark://HOST:PORT, sc://HOST:PORT "
            "for Spark Connect, or local[2] for two cores of this machine"
        )
    if master.startswith(("spark://", "sc://")):
        mistakes = [mistake for place in _places(master) if (mistake := _unreachable(*place))]
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
    found = []
    for place in re.split(r"[/;]", master.partition("://")[2])[0].split(","):
        host, _, port = place.rpartition(":")
        found.append((host.strip("[]"), int(port)) if host and port.isdecimal() else (place, default))
    return found


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
