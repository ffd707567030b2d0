"""Migrations on both databases: they make the tables that the code declares, and can be taken back."""

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, select

from rollcall.errors import RollcallError
from rollcall.studio.database.engine import Database
from rollcall.studio.database.migrating import downgrade, revisions, upgrade
from rollcall.studio.database.tables import Base, Installation, ItemRow


def test_the_migrations_make_the_declared_tables(each_place: str) -> None:
    database = Database(each_place)
    upgrade(database)
    with database.connection() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
    database.close()


def test_every_step_can_be_taken_back_and_made_again(each_place: str) -> None:
    database = Database(each_place)
    for revision in revisions():
        upgrade(database, revision)
    downgrade(database, "base")
    assert set(inspect(database.engine).get_table_names()) <= {"alembic_version"}
    upgrade(database)
    database.close()


def test_items_of_the_first_tables_are_kept_and_are_not_gold(each_place: str) -> None:
    database = Database(each_place)
    upgrade(database, "0001")
    with database.connection() as connection:
        connection.exec_driver_sql(
            "INSERT INTO project (id, name, title, task, settings, materials, set_checksum, state, blind, "
            "hourly_rate, currency, created) "
            "VALUES (1, 'p', 'P', 'screen', '{}', '{}', '', 'open', true, 0, '', 0)"
        )
        connection.exec_driver_sql(
            "INSERT INTO item (id, project_id, key, question, stage, shown, hidden, place, pool, injected, "
            'needed, after, barred, state, why, "check") '
            "VALUES (1, 1, 'k', 'q', 'judge', '{}', '{}', 0, false, false, 1, '', '{}', 'open', '', '')"
        )
    upgrade(database)
    with database.read() as session:
        item = session.scalars(select(ItemRow)).one()
        assert (item.key, item.gold) == ("k", False)
    database.close()


def test_the_secret_is_made_once(each_place: str) -> None:
    secrets = []
    for _ in range(2):
        database = Database(each_place)
        upgrade(database)
        with database.read() as session:
            secrets.append(session.scalars(select(Installation.secret)).one())
        database.close()
    assert secrets[0] == secrets[1]
    assert len(secrets[0]) == 64


def test_a_database_of_a_newer_version_is_refused(each_place: str) -> None:
    database = Database(each_place)
    upgrade(database)
    with database.connection() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = 'later'")
    with pytest.raises(RollcallError, match="newer version of Rollcall"):
        upgrade(database)
    database.close()


def test_an_address_of_another_kind_is_refused_without_its_password() -> None:
    with pytest.raises(RollcallError, match="no database of the studio") as caught:
        Database("mysql://me:secret@host/db")
    assert "secret" not in str(caught.value)


def test_a_database_that_does_not_answer_is_one_line_without_the_password() -> None:
    with pytest.raises(RollcallError, match="does not answer") as caught:
        upgrade(Database("postgresql://me:secret@127.0.0.1:1/db"))
    assert "secret" not in str(caught.value)
