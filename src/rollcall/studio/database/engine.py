"""Transactions on SQLite and PostgreSQL, behind one class.

On SQLite a writing transaction begins with BEGIN IMMEDIATE, so that what it read cannot have changed when it
writes, and the threads of one process take turns by a lock of ours: SQLite itself would let them sleep and
try again, and the unlucky one waits longest. On PostgreSQL rows are locked where they are chosen.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import URL, Connection, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError, OperationalError
from sqlalchemy.orm import Session

from rollcall.errors import RollcallError

if TYPE_CHECKING:
    from sqlalchemy.engine.interfaces import DBAPIConnection
    from sqlalchemy.pool import ConnectionPoolEntry

CONNECTIONS = 8
"""More threads would only wait for each other."""
_BUSY_SECONDS = 30


class Database:
    """One database, given by its URL or by the path of a SQLite file."""

    def __init__(self, place: str | Path):
        self.url = database_url(place)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        options = {"connect_args": {"timeout": _BUSY_SECONDS}} if self.is_sqlite else {}
        try:
            self.engine = create_engine(
                self.url,
                pool_size=CONNECTIONS,
                max_overflow=4,
                json_serializer=lambda value: msgspec.json.encode(value).decode(),
                json_deserializer=msgspec.json.decode,
                **options,
            )
        except ModuleNotFoundError as error:
            raise RollcallError(
                f"{self.shown}: needs {error.name}: pip install 'rollcall-qa[postgres]'"
            ) from None
        self._turn = threading.Lock()
        if self.is_sqlite:
            event.listen(self.engine, "connect", _prepare_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)
        self._writing = self.engine.execution_options(rollcall_write=True)
        # One statement is read without BEGIN and ROLLBACK, each of which PostgreSQL would be asked for.
        self._reading = (
            self.engine if self.is_sqlite else self.engine.execution_options(isolation_level="AUTOCOMMIT")
        )
        self._snapshot = (
            self.engine
            if self.is_sqlite
            else self.engine.execution_options(isolation_level="REPEATABLE READ")
        )

    @property
    def shown(self) -> str:
        """The address without its password, for messages."""
        return self.url.render_as_string(hide_password=True)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """For statements that change nothing; on PostgreSQL each sees what is stored by then."""
        with self._reaching(), Session(self._reading, autoflush=False) as session:
            yield session

    @contextmanager
    def snapshot(self) -> Iterator[Session]:
        """The same, where all statements must see one state."""
        with self._reaching(), Session(self._snapshot, autoflush=False) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A transaction that is stored when the block ends, or not at all where it raises."""
        with (
            self._turn if self.is_sqlite else nullcontext(),
            self._reaching(),
            Session(self._writing, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """One connection in a writing transaction, as migrations need it."""
        with (
            self._turn if self.is_sqlite else nullcontext(),
            self._reaching(),
            self._writing.begin() as connection,
        ):
            yield connection

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        try:
            yield
        except UnicodeDecodeError as error:  # the library fails at a message about a damaged file
            if not self.is_sqlite:
                raise
            raise RollcallError(f"{self.shown}: the database is damaged; restore a backup") from error
        except OperationalError as error:
            about = str(error.orig).strip().splitlines()[0]
            raise RollcallError(f"{self.shown}: the database does not answer ({about})") from error
        except DatabaseError as error:
            about = str(error.orig)
            if "malformed" in about:
                raise RollcallError(f"{self.shown}: the database is damaged; restore a backup") from error
            if "file is not a database" not in about:
                raise
            raise RollcallError(f"{self.shown}: is not a SQLite database; name another file") from None


def database_url(place: str | Path) -> URL:
    """The URL of a database; a path is a SQLite file, and PostgreSQL is spoken to through psycopg."""
    text = str(place)
    if text in ("", "sqlite://", "sqlite:///", ":memory:"):
        raise RollcallError("a database needs a place; give the path of a SQLite file")
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
        if url.get_backend_name() not in ("sqlite", "postgresql"):
            raise NoSuchModuleError
    except (ArgumentError, NoSuchModuleError):
        raise RollcallError(
            f"{text.partition('://')[0]!r:.40}: no database of the studio; give the path of a SQLite file or "
            "postgresql://NAME:PASSWORD@HOST/DATABASE"
        ) from None
    if url.get_backend_name() == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    return url


def now() -> float:
    """The time as all tables have it."""
    return time.time()


def _prepare_sqlite(connection: "DBAPIConnection", record: "ConnectionPoolEntry") -> None:
    # The driver begins transactions on its own and too late; we begin them ourselves.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "cache_size=-16000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("rollcall_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
