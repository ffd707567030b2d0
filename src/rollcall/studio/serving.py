"""Runs the studio's server: on the loopback address for one person, or for a team behind a proxy.

Silent connections cannot keep other people out: a request that does not arrive in time is dropped, and with
too many connections, a new one replaces the one that has waited longest.
"""

import asyncio
import ipaddress
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import uvicorn
from sqlalchemy import select
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from rollcall._core.errors import RollcallError
from rollcall.studio.database.tables import Project
from rollcall.studio.projects import (
    Materials,
    NewProject,
    find_project,
    make_project,
    materials_at,
    not_judged,
    open_database,
    read_project,
    set_checksum,
    sole_person,
)
from rollcall.studio.records import Collected
from rollcall.studio.web.application import make_application
from rollcall.studio.web.studio import Studio
from rollcall.studio.work.loop import sweep
from rollcall.studio.work.rows import collected

LOOPBACK = "127.0.0.1"
LOCAL_HOSTS = (LOOPBACK, "localhost")
_SWEEP_SECONDS = 60.0
_TURN_SECONDS = 0.0005
MOST_CONNECTIONS = 800
"""Open at a time: with its other files, the server stays below the 1,024 that systems give to a process."""
REQUEST_SECONDS = 60.0
"""Within this time a request must arrive with all of its body, and its client must keep reading."""


class BoundedProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, with bounds on the time and on the number of connections."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection; with too many, the one that has waited longest for its client is dropped."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            waiting = {
                connection._deadline.when(): connection
                for connection in self.connections
                if isinstance(connection, BoundedProtocol) and connection._deadline is not None
            }
            (waiting[min(waiting)] if waiting else self)._drop()
        if not transport.is_closing():
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._stop_watching()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; the time of a request ends when it is complete."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        """Wait for a client that does not read what it asked for."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """Write on."""
        super().resume_writing()
        self._watch()

    def _watch(self) -> None:
        """Let time run while the client is to send or to read something, and only then."""
        answering = self.cycle is not None and not (self.cycle.more_body or self.cycle.response_complete)
        if answering and not self.flow.write_paused and not self.transport.is_closing():
            self._stop_watching()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_SECONDS, self._drop)

    def _stop_watching(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None

    def _drop(self) -> None:
        self._stop_watching()
        self.connections.discard(self)
        self.transport.abort()


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket that listens, so that the port is known before the server runs."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        raise RollcallError(
            f"cannot listen on {host} port {port} ({error.strerror}); choose another"
        ) from None
    bound.listen(2048)
    return bound


def serve_studio(studio: Studio, bound: socket.socket, ready: Callable[[], None] | None = None) -> None:
    """Serve until the process is asked to end."""
    server = make_server(make_application(studio))
    # Otherwise a thread that returns from the database would wait five milliseconds for its turn, each time.
    sys.setswitchinterval(_TURN_SECONDS)
    with _sweeping(studio):
        if ready is not None:
            ready()
        with suppress(KeyboardInterrupt):  # Ctrl-C is how it is ended
            server.run(sockets=[bound])


def make_server(application: Starlette) -> uvicorn.Server:
    """The server of an application, with its bounds."""
    config = uvicorn.Config(
        application,
        http=BoundedProtocol,
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=10,
        lifespan="off",
        backlog=2048,
    )
    return uvicorn.Server(config)


@contextmanager
def _sweeping(studio: Studio) -> Iterator[None]:
    """Reclaim what was abandoned every minute."""
    over = threading.Event()

    def run() -> None:
        while not over.wait(_SWEEP_SECONDS):
            try:
                sweep(studio.database, studio.clock())
            except RollcallError as error:
                studio.note_away(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def serve(
    database: str | Path,
    *,
    host: str = LOOPBACK,
    port: int = 8020,
    sets: Path | str | None = None,
    public_url: str | None = None,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve a studio for a team until interrupted; `ready` is called with the address.

    `public_url` is what people type, where a proxy with TLS stands before the server; without one the server
    is reached as it listens. Without TLS it listens on the loopback address only.
    """
    if public_url:
        check_public_url(public_url)
    parts = urlsplit(public_url or "")
    if not is_loopback(host) and parts.scheme != "https":
        raise RollcallError(
            f"{host} can be reached by others, and passwords would go in the clear; put a proxy with TLS "
            "before it and give --public-url https://HOST (docs/studio.md shows how)"
        )
    folder = None if sets is None else Path(sets)
    if folder is not None and not folder.is_dir():
        raise RollcallError(f"{folder}: no folder of question sets")
    bound = bound_socket(host, port)
    try:
        opened = open_database(database)
    except RollcallError:
        bound.close()
        raise
    studio = Studio(
        opened,
        sets=folder,
        secure=parts.scheme == "https",
        hosts=(parts.hostname, *LOCAL_HOSTS) if parts.hostname else LOCAL_HOSTS,
        public_url=(public_url or "").rstrip("/"),
    )
    address = public_url or f"http://{host}:{bound.getsockname()[1]}"
    try:
        serve_studio(studio, bound, None if ready is None else lambda: ready(address))
    finally:
        opened.close()


def check_public_url(url: str) -> None:
    """Raise where this cannot be the address of a studio."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1)
    except ValueError:  # a port that is not a number, or an extra bracket
        good = False
    if not good or parts.path.strip("/") or parts.query or parts.fragment:
        raise RollcallError(f"{url!r:.80}: give the address that people type, such as https://HOST")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


# The studio for one person on one machine: no password, the loopback address, one project in one file.


class Laptop:
    """One person's project, made at the first call and found again at the next."""

    def __init__(self, path: Path, person: str):
        if not path.parent.is_dir():
            raise RollcallError(f"{path.parent}: the folder for the judgments does not exist")
        self._path = path
        self._person = person
        self._project = ""

    def prepare(
        self,
        task: str,
        options: Mapping[str, object],
        questions: Path | str,
        *,
        corpus: Path | str | None = None,
        graph: Path | str | None = None,
        runs: list[Path | str] | None = None,
        beside: list[Path | str] | None = None,
    ) -> str:
        """Make the project, or find it; returns its name."""
        materials = materials_at(questions, corpus, graph, runs, beside)
        wanted = NewProject(task=task, materials=materials, options=options)
        # A mistake in the first call leaves no file behind.
        asked = wanted if self._path.is_file() else read_project(wanted)
        self._database = open_database(self._path)
        known = self._known(task, materials, options)
        self._project = known or make_project(self._database, asked)
        sole_person(self._database, self._project, self._person)
        return self._project

    def _known(self, task: str, materials: Materials, options: Mapping[str, object]) -> str | None:
        with self._database.read() as session:
            projects = session.scalars(select(Project).where(Project.task == task)).all()
        matching = [
            project for project in projects if project.materials.get("questions") == materials.questions
        ]
        if matching and options:
            raise RollcallError(
                f"{self._path}: was started with its own settings; leave --option out to resume it, or name "
                "another file with --database"
            )
        if matching and set_checksum(materials) != matching[-1].set_checksum:
            raise RollcallError(
                f"{materials.questions}: the set was changed since {self._path.name} was started; restore "
                "the old version, or name another file with --database"
            )
        return matching[-1].name if matching else None

    def not_judged(self) -> list[str]:
        """What of the set is not judged, and why, in lines for people."""
        return not_judged(self._database, self._project)

    def serve(self, port: int, ready: Callable[[str], None]) -> Collected:
        """Serve until ended; returns what was judged."""
        bound = bound_socket(LOOPBACK, port)
        studio = Studio(self._database, laptop=True, hosts=LOCAL_HOSTS)
        address = f"http://{LOOPBACK}:{bound.getsockname()[1]}/laptop/{studio.laptop_token}"
        try:
            serve_studio(studio, bound, lambda: ready(address))
            with self._database.snapshot() as session:
                return collected(session, find_project(session, self._project))
        finally:
            self._database.close()
