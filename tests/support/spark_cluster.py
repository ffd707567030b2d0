"""A small real cluster: Spark's standalone master and workers, as processes of their own on this machine.

Each process has its own process group, so that killing a worker takes its executor with it, as losing a
machine does. What they say is kept in files.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from queue import Queue

import pytest

from places import SOURCE

_SECONDS_TO_START = 120
_ADDRESS = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
_DEFAULTS = """
spark.executor.memory 512m
spark.executor.extraJavaOptions -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
spark.sql.shuffle.partitions 4
"""


def skip_without(package: str, java: bool = False) -> None:
    """Skip a test that needs what is not installed."""
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    if java and not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.skip("there is no Java")


class Cluster:
    """A master and its workers."""

    def __init__(self, folder: Path, workers: int = 2) -> None:
        self.folder = folder
        self._master, self.master = started(
            folder,
            "master",
            ["org.apache.spark.deploy.master.Master", *_ADDRESS],
            r"Starting Spark master at (spark://\S+)",
        )
        self.workers = [self._worker(number) for number in range(workers)]

    def _worker(self, number: int) -> "subprocess.Popen[str]":
        # Enough for an executor of Spark's own default size: where this process has run a driver before, its
        # Java does not read the settings above, and the driver would wait for such an executor without end.
        size = ["--cores", "1", "--memory", "1100m", "--work-dir", str(self.folder / f"work-{number}")]
        worker, _ = started(
            self.folder,
            f"worker-{number}",
            ["org.apache.spark.deploy.worker.Worker", *_ADDRESS, *size, self.master],
            r"Successfully registered with master (\S+)",
        )
        return worker

    def kill_worker(self, number: int) -> None:
        """Take a machine away: its worker and what that started end at once."""
        os.killpg(self.workers[number].pid, signal.SIGKILL)
        self.workers[number].wait()

    def stop(self) -> None:
        for process in (*self.workers, self._master):
            stop(process)


def started(
    folder: Path, name: str, command: list[str], ready: str, memory: str = "256m"
) -> "tuple[subprocess.Popen[str], str]":
    """Start a process of Spark, and wait until it says that it is ready; returns what it says."""
    import pyspark

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "spark-defaults.conf").write_text(_DEFAULTS)
    home = Path(pyspark.__file__).parent
    environment = {
        **os.environ,
        "SPARK_CONF_DIR": str(folder),
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(folder / "local"),
        "SPARK_DAEMON_MEMORY": memory,
        "SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join([str(SOURCE.parent), *sys.path]),
    }
    process = subprocess.Popen(
        [str(home / "bin/spark-class"), *command],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    log = folder / f"{name}.log"
    said: Queue[str | None] = Queue()
    threading.Thread(target=_keep, args=(process, log, re.compile(ready), said), daemon=True).start()
    found = said.get(timeout=_SECONDS_TO_START)
    assert found is not None, log.read_text()
    return process, found


def stop(process: "subprocess.Popen[str]") -> None:
    """End a process with what it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
    process.wait(timeout=60)


def _keep(
    process: "subprocess.Popen[str]", log: Path, ready: "re.Pattern[str]", said: "Queue[str | None]"
) -> None:
    """Copy what a process says into a file, and tell when it is ready, or has ended before."""
    assert process.stdout is not None
    with log.open("w") as file:
        for line in process.stdout:
            file.write(line)
            file.flush()
            if match := ready.search(line):
                said.put(match[1])
    said.put(None)


@contextmanager
def running(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """A cluster that is stopped at the end; Spark's own settings are those of its folder."""
    skip_without("pyspark", java=True)
    cluster = Cluster(folder, workers)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_CONF_DIR", str(folder))
        try:
            yield cluster
        finally:
            cluster.stop()


@contextmanager
def connect_server(folder: Path) -> Iterator[str]:
    """The address of a Spark Connect server, which is stopped at the end."""
    skip_without("pyspark", java=True)
    settings = [
        "spark.connect.grpc.binding.address=127.0.0.1",
        "spark.connect.grpc.binding.port=0",
        "spark.ui.enabled=false",
        "spark.master=local[2]",
    ]
    server, found = started(
        folder,
        "connect",
        [
            "org.apache.spark.deploy.SparkSubmit",
            "--class",
            "org.apache.spark.sql.connect.service.SparkConnectServer",
            *(word for setting in settings for word in ("--conf", setting)),
            "spark-internal",
        ],
        r"Spark Connect server started at: \S*?:(\d+)",
        "1g",
    )
    try:
        yield f"sc://127.0.0.1:{found}"
    finally:
        stop(server)
