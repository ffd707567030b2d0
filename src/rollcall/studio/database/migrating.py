"""Brings a database to the tables of this version, by Alembic's migrations inside the package.

A new database is made in the same way, and gets its secret then. A database that a newer version of Rollcall
has changed is refused.
"""

import secrets
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection, insert, select

from rollcall.errors import RollcallError
from rollcall.studio.database.engine import Database, now
from rollcall.studio.database.tables import Installation

_MIGRATIONS = Path(__file__).parent / "migrations"


def upgrade(database: Database, revision: str = "head") -> None:
    """Bring the tables up to date; the secret is made if there is none.

    All of it is one transaction, so that a process that is killed meanwhile leaves the database as it was.
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
            made = {"id": 1, "secret": secrets.token_hex(32), "created": now()}
            connection.execute(insert(Installation), made)


def downgrade(database: Database, revision: str) -> None:
    """Go back to the tables of an older version."""
    with database.connection() as connection:
        command.downgrade(_config(connection), revision)


def revisions() -> list[str]:
    """All revisions, oldest first."""
    script = ScriptDirectory.from_config(_config(None))
    return [one.revision for one in script.walk_revisions()][::-1]


def _config(connection: Connection | None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _make_folder(database: Database) -> None:
    if database.is_sqlite and database.url.database:
        folder = Path(database.url.database).parent
        if not folder.is_dir():
            raise RollcallError(f"{folder}: no such folder, in which the database is to be")
