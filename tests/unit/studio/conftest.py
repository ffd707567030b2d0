"""Databases for tests of the studio: a SQLite file, and a PostgreSQL server where one is installed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from postgres_server import PostgresServer, postgres_server, programs


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server for all tests of this process."""
    if programs() is None:
        pytest.skip("PostgreSQL is not installed")
    with postgres_server() as server:
        yield server


def _empty(kind: str, request: pytest.FixtureRequest, folder: Path) -> str:
    if kind == "sqlite":
        return str(folder / "studio.sqlite")
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture(params=["sqlite", "postgresql"])
def each_place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of each kind, where both may differ."""
    return _empty(request.param, request, tmp_path)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The same, but PostgreSQL only where there is time."""
    return _empty(request.param, request, tmp_path)
