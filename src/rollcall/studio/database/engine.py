"""Transactions on SQLite and PostgreSQL, behind one class.

On SQLite a writing transaction begins with BEGIN IMMEDIATE, so that what it read cannot have changed when it
writes. The threads of one process take turns by a lock of ours: SQLite itself would let them sleep and
retry, and an unlucky thread could wait very long. On PostgreSQL rows are locked where they are chosen.
"""

import math
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import URL, Connection, create_engine, event, func, insert, make_url, select
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    InterfaceError,
    NoSuchModuleError,
    OperationalError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session

from rollcall._core.errors import RollcallError
from rollcall.studio.database.tables import Installation

if TYPE_CHECKING:
    from sqlalchemy.engine.interfaces import DBAPIConnection
    from sqlalchemy.pool import ConnectionPoolEntry


CONNECTIONS = 8
"""More threads would only wait for each other."""
_BUSY_SECONDS = 30
_DISK_FULL = "53100"
"""PostgreSQL's code."""
_SLEW_SECONDS = 1.0
"""How much two clocks may drift apart between two readings without one having been put back."""
_MIGRATION_LOCK = 0x726F6C6C
"""A number of our own, under which PostgreSQL lets one process at a time change the tables."""
_for_visitors: ContextVar[bool] = ContextVar("for_visitors", default=False)


class DatabaseAwayError(Exception):
    """The database is gone, full or damaged while visitors are served; it is not their fault."""

    def __init__(self, line: str, full: bool = False):
        super().__init__(line)
        self.full = full
        """Whether nothing can be stored for lack of space."""


@contextmanager
def for_visitors() -> Iterator[None]:
    """Do something for a visitor, who must not see where the database is.

    What raises a `RollcallError` elsewhere raises a `DatabaseAwayError` here, so it is not shown by mistake.
    """
    token = _for_visitors.set(True)
    try:
        yield
    finally:
        _for_visitors.reset(token)


class Database:
    """One database, given by its URL or by the path of a SQLite file."""

    def __init__(self, place: str | Path):
        self.url = database_url(place)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        patience = "timeout" if self.is_sqlite else "connect_timeout"
        arguments = {} if patience in self.url.query else {patience: _BUSY_SECONDS}
        try:
            self.engine = create_engine(
                self.url,
                pool_size=CONNECTIONS,
                max_overflow=4,
                json_serializer=lambda value: msgspec.json.encode(value).decode(),
                json_deserializer=msgspec.json.decode,
                pool_pre_ping=not self.is_sqlite,  # a server that was restarted has forgotten us
                connect_args=arguments,
            )
        except ModuleNotFoundError as error:
            raise RollcallError(
                f"{self.shown}: needs {error.name}: pip install 'rollcall-qa[postgres]'"
            ) from None
        self._turn = threading.Lock()
        self._file: tuple[int, int] | None = None
        if self.is_sqlite:
            event.listen(self.engine, "connect", _prepare_sqlite)
            event.listen(self.engine, "connect", lambda *_: self._remember_file())
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
        """One connection in a writing transaction that may change the tables, as the only one at that time.

        SQLite changes most of a table by copying it to a new one and dropping the old one, to which other
        rows refer. So foreign keys are off during this time, which SQLite allows only outside a transaction,
        and are all checked before anything is stored.
        """
        with (
            self._turn if self.is_sqlite else nullcontext(),
            self._reaching(),
            self._writing.connect() as connection,
        ):
            self._set_foreign_keys(connection, "OFF")
            try:
                with connection.begin():
                    if not self.is_sqlite:
                        connection.execute(select(func.pg_advisory_xact_lock(_MIGRATION_LOCK)))
                    yield connection
                    self._check_foreign_keys(connection)
            finally:
                self._set_foreign_keys(connection, "ON")

    def _set_foreign_keys(self, connection: Connection, state: str) -> None:
        if self.is_sqlite:
            cursor = connection.connection.cursor()  # through SQLAlchemy, a transaction would begin
            cursor.execute(f"PRAGMA foreign_keys={state}")
            cursor.close()

    def _check_foreign_keys(self, connection: Connection) -> None:
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first() if self.is_sqlite else None
        if broken is not None:
            raise RollcallError(
                f"{self.shown}: row {broken[1]} of the table {broken[0]} refers to a row of the table "
                f"{broken[2]} that does not exist; nothing was changed; restore a backup"
            )

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        try:
            self._check_file()
            yield
        except UnicodeDecodeError as error:  # the library fails at a message about a damaged file
            if not self.is_sqlite:
                raise
            raise RollcallError(f"{self.shown}: the database is damaged; restore a backup") from error
        except (OperationalError, InterfaceError, PoolTimeoutError) as error:
            about = str(getattr(error, "orig", error)).strip().partition("\n")[0]
            full = "is full" in about or getattr(getattr(error, "orig", None), "sqlstate", "") == _DISK_FULL
            raise self._away(f"the database does not answer ({about})", full) from error
        except DatabaseError as error:
            about = str(error.orig)
            if "malformed" in about:
                raise self._away("the database is damaged; restore a backup") from error
            if "file is not a database" not in about:
                raise
            raise self._away("is not a SQLite database; name another file") from None

    def _away(self, why: str, full: bool = False) -> Exception:
        line = f"{self.shown}: {why}"
        return DatabaseAwayError(line, full) if _for_visitors.get() else RollcallError(line)

    def _remember_file(self) -> None:
        self._file = self._file or self._file_now()

    def _file_now(self) -> tuple[int, int] | None:
        try:
            status = Path(self.url.database or "").stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def _check_file(self) -> None:
        """Refuse to use a file that was moved, deleted or replaced: what is written there would be lost."""
        if self._file is not None and (current := self._file_now()) != self._file:
            why = "the file is gone" if current is None else "the file was replaced: start the server again"
            raise self._away(f"the database does not answer ({why})")


def database_url(place: str | Path) -> URL:
    """The URL of a database; a path is a SQLite file, and PostgreSQL is accessed through psycopg."""
    text = str(place)
    if text in ("", "sqlite://", "sqlite:///", ":memory:"):
        raise RollcallError(
            "an empty path or an in-memory database cannot be used; give the path of a SQLite file"
        )
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
        if url.get_backend_name() not in ("sqlite", "postgresql"):
            raise NoSuchModuleError
    except (ArgumentError, NoSuchModuleError):
        raise RollcallError(
            f"{text.partition('://')[0]!r:.40}: is not a database of the studio; give the path of a SQLite "
            "file or postgresql://NAME:PASSWORD@HOST/DATABASE"
        ) from None
    if url.get_backend_name() == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    return url


def now() -> float:
    """The time as all tables have it."""
    return time.time()


class ServerClock:
    """The time for a server: when the machine's clock is put back, it continues by what `steady` measured.

    When the machine's clock is put forward, or the machine slept, it follows.
    """

    def __init__(self, wall: Callable[[], float] = now, steady: Callable[[], float] | None = None):
        self._wall, self._steady = wall, steady
        self._turn = threading.Lock()
        self._last, self._last_steady = -math.inf, math.inf
        self._ahead = 0.0

    def __call__(self) -> float:
        """The time now; never less than it was before."""
        with self._turn:
            wall = self._wall()
            steady = wall if self._steady is None else self._steady()
            least = self._last + max(0.0, steady - self._last_steady)
            if wall + self._ahead < least - _SLEW_SECONDS:
                self._ahead = least - wall
            self._last, self._last_steady = max(self._last, wall + self._ahead), steady
            return self._last


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


# Brings a database to the tables of this version, by Alembic's migrations inside the package. A new
# database is made in the same way, and gets its secret then. A database that a newer version of Rollcall
# has changed is refused.

_MIGRATIONS = Path(__file__).parent / "migrations"


def upgrade(database: Database, revision: str = "head") -> None:
    """Bring the tables up to date; the secret is made if there is none.

    All of it is one transaction, so a killed process leaves the database as it was.
    """
    _make_folder(database)
    with database.connection() as connection:
        try:
            command.upgrade(_config(connection), revision)
        except CommandError as error:
            raise RollcallError(
                f"{database.shown}: was changed by a newer version of Rollcall ({error}); "
                "use that version, or restore a backup"
            ) from None
        if revision == "head" and connection.scalar(select(Installation.id)) is None:
            row = {"id": 1, "secret": secrets.token_hex(32), "created": now()}
            connection.execute(insert(Installation), row)


def downgrade(database: Database, revision: str) -> None:
    """Go back to the tables of an older version."""
    with database.connection() as connection:
        command.downgrade(_config(connection), revision)


def revisions() -> list[str]:
    """All revisions, oldest first."""
    script = ScriptDirectory.from_config(_config(None))
    return [revision.revision for revision in script.walk_revisions()][::-1]


def _config(connection: Connection | None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _make_folder(database: Database) -> None:
    if database.is_sqlite and database.url.database:
        folder = Path(database.url.database).parent
        if not folder.is_dir():
            raise RollcallError(f"{folder}: the folder for the database does not exist")
