"""A PostgreSQL server of our own for tests: on the loopback address, in a folder that is thrown away."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

_FAST = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]


def programs() -> Path | None:
    """The folder of the server's programs, if it is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    path = shutil.which("initdb")
    return Path(path).parent if path else None


class PostgresServer:
    """A running server."""

    def __init__(self, port: int):
        self.port = port
        self._made = 0

    def url(self, name: str) -> str:
        """The address of a database."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"

    def new_database(self) -> str:
        """The address of a new, empty database."""
        self._made += 1
        name = f"studio{self._made}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)


@contextmanager
def postgres_server(durable: bool = False) -> Iterator[PostgresServer]:
    """Start a server and end it; `durable` as in use, otherwise fast. The server refuses to run as root."""
    bin_folder = programs()
    assert bin_folder is not None
    user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
    identity = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}
    with tempfile.TemporaryDirectory(prefix="rollcall-postgres-") as folder:
        if user:
            os.chown(folder, user.pw_uid, user.pw_gid)
        data = Path(folder) / "data"
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": folder}
        subprocess.run(
            [bin_folder / "initdb", "-D", data, "-U", "postgres", "--auth=trust", "-E", "UTF8", "--no-sync"],
            check=True,
            capture_output=True,
            cwd=folder,
            env=environment,
            **identity,
        )
        port = _free_port()
        options = ["listen_addresses=127.0.0.1", f"unix_socket_directories={folder}", "max_connections=100"]
        words = [word for option in [*options, *([] if durable else _FAST)] for word in ("-c", option)]
        server = subprocess.Popen(
            [bin_folder / "postgres", "-D", data, "-p", str(port), *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            env=environment,
            **identity,
        )
        try:
            _wait_until_ready(server)
            yield PostgresServer(port)
        finally:
            server.send_signal(signal.SIGINT)  # ends at once; SIGTERM would wait for open connections
            server.communicate(timeout=30)


def _wait_until_ready(server: "subprocess.Popen[str]") -> None:
    assert server.stderr is not None
    for line in server.stderr:
        if "ready to accept connections" in line:
            return
    raise RuntimeError("the PostgreSQL server ended")


def _free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port: int = bound.getsockname()[1]
        return port
