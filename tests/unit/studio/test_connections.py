"""Connections that send half a request, nothing, or read nothing: they are dropped, and others are served."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from rollcall.studio import serving
from rollcall.studio.projects import open_database
from studio_load import HOST, Server
from studio_server import running

PATIENCE = 60.0
HALVES = {
    "nothing": b"",
    "half a line": b"GET /heal",
    "half a head": b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ",
    "half a body": b"POST /sign-in HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\nname=",
    "half a body that nobody reads": b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\na",
}


@pytest.fixture
def address(tmp_path: Path) -> Iterator[tuple[str, int]]:
    with running(tmp_path / "studio.sqlite") as url:
        parts = urlsplit(url)
        yield parts.hostname or "", parts.port or 0


def health(address: tuple[str, int]) -> int:
    connection = HTTPConnection(*address, timeout=PATIENCE)
    connection.request("GET", "/healthz")
    status = connection.getresponse().status
    connection.close()
    return status


def is_dropped(connection: socket.socket) -> bool:
    """Wait until the server ends a connection; an error if it never does."""
    try:
        while connection.recv(65536):
            pass
    except ConnectionError:
        pass
    return True


@pytest.mark.parametrize("sent", HALVES.values(), ids=HALVES)
def test_half_a_request_is_dropped_after_its_time(
    tmp_path: Path, sent: bytes, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serving, "REQUEST_SECONDS", 0.2)
    with running(tmp_path / "studio.sqlite") as url:
        parts = urlsplit(url)
        address = parts.hostname or "", parts.port or 0
        with socket.create_connection(address, timeout=PATIENCE) as connection:
            connection.sendall(sent)
            assert is_dropped(connection)
        assert health(address) == 200
    told = capfd.readouterr()
    assert "Traceback" not in told.out + told.err


def test_a_request_that_comes_byte_by_byte_has_no_more_time(
    address: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "REQUEST_SECONDS", 0.3)
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\n")
        with pytest.raises(ConnectionError):
            for _ in range(2000):
                connection.sendall(b"x-slow: a\r\n")
                assert health(address) == 200, "which takes its time, too"


def test_who_reads_nothing_is_dropped(address: tuple[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "REQUEST_SECONDS", 0.5)
    asked = b"GET /static/studio.css HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(PATIENCE)
        connection.connect(address)
        with pytest.raises(ConnectionError):
            for _ in range(1_000_000):
                connection.sendall(asked)


def test_half_requests_keep_nobody_out(address: tuple[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MOST_CONNECTIONS", 20)
    with ExitStack() as stack:
        halves = []
        for number in range(60):
            connection = stack.enter_context(socket.create_connection(address, timeout=PATIENCE))
            connection.sendall(list(HALVES.values())[number % len(HALVES)])
            halves.append(connection)
            if number % 20 == 19:
                assert health(address) == 200
        assert all(is_dropped(connection) for connection in halves[:40])
        kept = halves[-10:]
        for connection in kept:
            connection.settimeout(0)
            with pytest.raises(BlockingIOError):
                while connection.recv(65536):
                    pass


@pytest.mark.slow
def test_more_half_requests_than_the_server_has_room_for(tmp_path: Path) -> None:
    open_database(tmp_path / "studio.sqlite").close()
    server = Server(str(tmp_path / "studio.sqlite"))
    server.start()
    address = HOST, server.port
    try:
        with ExitStack() as stack:
            halves = []
            for _ in range(serving.MOST_CONNECTIONS + 100):
                connection = stack.enter_context(socket.create_connection(address, timeout=PATIENCE))
                connection.sendall(HALVES["half a head"])
                halves.append(connection)
            assert health(address) == 200
            assert all(is_dropped(connection) for connection in halves[:100])
    finally:
        server.stop()


def test_a_connection_is_used_again_while_its_client_asks(address: tuple[str, int]) -> None:
    connection = HTTPConnection(*address, timeout=PATIENCE)
    for _ in range(5):
        connection.request("GET", "/healthz")
        assert connection.getresponse().read() == b"ok"
        assert connection.sock is not None, "it was closed"
    connection.close()
