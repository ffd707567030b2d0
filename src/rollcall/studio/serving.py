"""Runs the studio's server: on the loopback address for one person, or for a team behind a proxy."""

import ipaddress
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette

from rollcall.errors import RollcallError
from rollcall.studio.projects import open_database
from rollcall.studio.web.application import make_application
from rollcall.studio.web.studio import Studio
from rollcall.studio.work.loop import sweep

LOOPBACK = "127.0.0.1"
LOCAL_HOSTS = (LOOPBACK, "localhost")
_SWEEP_SECONDS = 60.0
_TURN_SECONDS = 0.0005


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
    server = uvicorn.Server(_config(make_application(studio)))
    # A thread that comes back from the database would else wait five milliseconds for its turn, each time.
    sys.setswitchinterval(_TURN_SECONDS)
    with _sweeping(studio):
        if ready is not None:
            ready()
        with suppress(KeyboardInterrupt):  # Ctrl-C is how it is ended
            server.run(sockets=[bound])


def _config(application: Starlette) -> uvicorn.Config:
    return uvicorn.Config(
        application,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=10,
        lifespan="off",
        backlog=2048,
    )


@contextmanager
def _sweeping(studio: Studio) -> Iterator[None]:
    """Reclaim what was abandoned every minute."""
    over = threading.Event()

    def run() -> None:
        while not over.wait(_SWEEP_SECONDS):
            try:
                sweep(studio.database, studio.clock())
            except RollcallError as error:  # the database may be away for a while
                print(f"rollcall: {error}", flush=True)

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
    """Serve a studio for a team until interrupted; `ready` is told the address.

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
    except ValueError:  # a port that is no number, or a bracket too many
        good = False
    if not good or parts.path.strip("/") or parts.query or parts.fragment:
        raise RollcallError(f"{url!r:.80}: give the address that people type, such as https://HOST")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
