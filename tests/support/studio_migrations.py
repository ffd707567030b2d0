"""Databases of the studio with rows in every table, whatever the tables are, and upgrades that are killed."""

import multiprocessing
import os
import signal
from typing import Any

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import JSON, Boolean, Column, Float, Integer, MetaData, delete, event, insert, inspect, select

from rollcall.studio.database.engine import Database, upgrade
from rollcall.studio.database.tables import Base

Rows = dict[str, list[dict[str, Any]]]
_ROWS = 3
_READING = ("SELECT", "PRAGMA", "BEGIN", "SHOW")


def fill(database: Database) -> None:
    """Put rows into every table that there is, at whatever revision, in the place of those it has."""
    tables = _tables(database)
    with database.write() as session:
        for table in reversed(tables.sorted_tables):
            session.execute(delete(table))
        for table in tables.sorted_tables:
            rows = [
                {column.name: _value(column, number) for column in table.columns}
                for number in range(1, _ROWS + 1)
            ]
            session.execute(insert(table), rows)


def rows_of(database: Database) -> Rows:
    """All rows of all tables."""
    tables = _tables(database)
    with database.snapshot() as session:
        return {
            table.name: [
                dict(row._mapping) for row in session.execute(select(table).order_by(*table.primary_key))
            ]
            for table in tables.sorted_tables
        }


def kept(wanted: Rows, rows: Rows) -> Rows:
    """What rows say in the tables and columns of others, which may be fewer."""
    return {
        table: [{name: row.get(name) for name in columns[0]} for row in rows.get(table, [])]
        for table, columns in wanted.items()
    }


def differences(database: Database) -> list[Any]:
    """Where the tables differ from the declared ones, in what Alembic compares and in foreign keys."""
    with database.connection() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        compared: list[Any] = compare_metadata(context, Base.metadata)
    inspector = inspect(database.engine)
    for table in Base.metadata.sorted_tables:
        declared = {(key.parent.name, key.target_fullname) for key in table.foreign_keys}
        there = {
            (key["constrained_columns"][0], f"{key['referred_table']}.{key['referred_columns'][0]}")
            for key in inspector.get_foreign_keys(table.name)
        }
        compared += declared ^ there
    return compared


def upgrade_killed(place: str, change: int) -> bool:
    """Upgrade in a process that is killed before its so manyth change; False if it made fewer."""
    process = multiprocessing.get_context("forkserver").Process(target=_upgrade, args=(place, change))
    process.start()
    process.join()
    if process.exitcode not in (0, -signal.SIGKILL):
        raise RuntimeError(f"the upgrade ended with {process.exitcode}")
    return process.exitcode != 0


def _upgrade(place: str, change: int) -> None:
    database = Database(place)
    left = change

    def count() -> None:
        nonlocal left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

    def executes(connection: object, cursor: object, statement: str, *others: object) -> None:
        if not statement.lstrip().startswith(_READING):
            count()

    event.listen(database.engine, "before_cursor_execute", executes)
    event.listen(database.engine, "commit", lambda connection: count())
    upgrade(database)


def _tables(database: Database) -> MetaData:
    tables = MetaData()
    tables.reflect(database.engine)
    tables.remove(tables.tables["alembic_version"])
    return tables


def _value(column: Column[Any], number: int) -> object:
    """What a column has in a row; the row of another table that it refers to has the same number."""
    for key in column.foreign_keys:
        return _value(key.column, number)
    if isinstance(column.type, Boolean):
        return number % 2 == 0
    if isinstance(column.type, Integer):
        return number
    if isinstance(column.type, Float):
        return number + 0.5
    return {"row": number} if isinstance(column.type, JSON) else f"{column.name} {number}"
