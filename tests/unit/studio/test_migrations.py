"""Migrations on both databases: they make the tables that the code declares, keep every row of databases that
earlier versions made, and can be taken back.
"""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import inspect, select
from sqlalchemy.exc import IntegrityError

from rollcall import RollcallError
from rollcall.studio.database.engine import Database, downgrade, revisions, upgrade
from rollcall.studio.database.tables import Installation, ItemRow, PersonGroup
from studio_migrations import differences, fill, kept, rows_of, upgrade_killed


def test_the_migrations_make_the_declared_tables(each_place: str) -> None:
    database = Database(each_place)
    upgrade(database)
    assert differences(database) == []
    database.close()


def test_every_step_can_be_taken_back_and_made_again(each_place: str) -> None:
    database = Database(each_place)
    for revision in revisions():
        upgrade(database, revision)
    downgrade(database, "base")
    assert set(inspect(database.engine).get_table_names()) <= {"alembic_version"}
    upgrade(database)
    database.close()


@pytest.mark.parametrize("earlier", revisions()[:-1])
def test_a_full_database_of_each_earlier_version_is_upgraded_without_loss(
    each_place: str, earlier: str
) -> None:
    database = Database(each_place)
    upgrade(database, earlier)
    fill(database)
    before = rows_of(database)
    assert all(before.values()), "every table has rows"
    upgrade(database)
    assert kept(before, rows_of(database)) == before
    assert differences(database) == []
    with pytest.raises(IntegrityError), database.write() as session:
        session.add(PersonGroup(person_id=999, name="of nobody"))
    database.close()


@pytest.mark.parametrize("earlier", revisions()[:-1])
def test_a_full_database_can_be_taken_back_and_upgraded_again(each_place: str, earlier: str) -> None:
    database = Database(each_place)
    upgrade(database)
    fill(database)
    before = rows_of(database)
    downgrade(database, earlier)
    less = rows_of(database)
    assert kept(less, before) == less
    upgrade(database)
    assert kept(less, rows_of(database)) == less
    assert differences(database) == []
    database.close()


@pytest.mark.parametrize(
    "earlier", [*(pytest.param(one, marks=pytest.mark.slow) for one in revisions()[:-2]), revisions()[-2]]
)
def test_an_upgrade_that_is_killed_anywhere_changes_nothing(place: str, earlier: str) -> None:
    database = Database(place)
    upgrade(database, earlier)
    fill(database)
    before = rows_of(database)
    kills = 0
    while upgrade_killed(place, kills + 1):
        kills += 1
        assert rows_of(database) == before, f"killed at change {kills}"
    assert kills > 1
    assert kept(before, rows_of(database)) == before
    assert differences(database) == []
    database.close()


def test_two_servers_that_start_on_an_old_database_upgrade_it_once(each_place: str) -> None:
    places = [Database(each_place) for _ in range(4)]
    upgrade(places[0], revisions()[0])
    fill(places[0])
    before = rows_of(places[0])
    with ThreadPoolExecutor(len(places)) as threads:
        list(threads.map(upgrade, places))
    assert kept(before, rows_of(places[0])) == before
    for database in places:
        database.close()


def test_a_database_whose_rows_refer_to_nothing_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    database = Database(tmp_path / "studio.sqlite")
    upgrade(database, revisions()[0])
    fill(database)
    with sqlite3.connect(tmp_path / "studio.sqlite") as connection:  # which checks no foreign keys
        connection.execute("UPDATE member SET person_id = 999 WHERE id = 1")
    before = rows_of(database)
    with pytest.raises(RollcallError, match=r"row 1 of the table member refers to a row of the table person"):
        upgrade(database)
    assert rows_of(database) == before
    database.close()


def test_items_of_the_first_tables_are_not_gold(each_place: str) -> None:
    database = Database(each_place)
    upgrade(database, "0001")
    fill(database)
    upgrade(database)
    with database.read() as session:
        assert set(session.scalars(select(ItemRow.gold))) == {False}
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
    with pytest.raises(RollcallError, match="not a database of the studio") as caught:
        Database("mysql://me:secret@host/db")
    assert "secret" not in str(caught.value)


def test_a_database_that_does_not_answer_is_one_line_without_the_password() -> None:
    with pytest.raises(RollcallError, match="does not answer") as caught:
        upgrade(Database("postgresql://me:secret@127.0.0.1:1/db"))
    assert "secret" not in str(caught.value)
