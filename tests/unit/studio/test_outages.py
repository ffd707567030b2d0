"""The database is away, full or damaged while the studio serves: people are told to wait, in plain words."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import event, make_url

from postgres_server import PostgresServer
from rollcall.studio.database.engine import Database
from rollcall.studio.projects import open_database
from studio_client import Answer, Visitor, studio_of
from studio_project import join, saved_set, small_project

PLACES = ("/healthz", "/sign-in", "/", "/work/films")


def visitor_at(place: str, tmp_path: Path) -> tuple[Database, Visitor]:
    """Somebody who has an item in hand."""
    database, _, _ = small_project(place, saved_set(tmp_path / "films"), ["ann"])
    ann = Visitor(studio_of(database))
    ann.sign_in("ann")
    return database, ann


def judged(ann: Visitor, key: str) -> Answer:
    return ann.post("/work/films", {"form_key": key, "choice": "stated"})


def check_waits(answer: Answer, place: str, status: int = 503) -> None:
    """A page that says to wait, with nothing about the database."""
    assert (answer.status, answer.headers["retry-after"]) == (status, "10")
    assert "Keep the page" in answer.text or "keep the page" in answer.text
    url = make_url(place) if "://" in place else None
    for secret in (place, Path(place).name, *((str(url.port), "127.0.0.1") if url else ())):
        assert secret not in answer.text


def check_outage(
    place: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    away: Callable[[], None],
    back: Callable[[], None],
    said: str,
) -> None:
    database, ann = visitor_at(place, tmp_path)
    key = ann.get("/work/films").form_key
    assert ann.get("/healthz").status == 200
    cookies = dict(ann.client.cookies)
    away()
    for _ in range(3):
        for path in PLACES:
            check_waits(ann.get(path), place)
        ann.client.cookies.clear()  # a watchdog has none: for it, only the page itself asks the database
        check_waits(ann.get("/healthz"), place)
        ann.client.cookies.update(cookies)
        check_waits(judged(ann, key), place)
        check_waits(ann.post("/work/films/draft", {"form_key": key}), place)
    back()
    assert ann.get("/healthz").status == 200
    assert judged(ann, key).status == 303
    assert ann.get("/work/films").form_key not in ("", key)
    told = capfd.readouterr()
    assert "Traceback" not in told.out + told.err
    lines = [line for line in told.err.splitlines() if line.startswith("rollcall:")]
    assert len(lines) == 2
    assert said in lines[0]
    assert lines[1] == "rollcall: the database stores again"
    database.close()


def test_a_file_that_is_gone_is_waited_for(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "studio.sqlite"
    check_outage(
        str(place),
        tmp_path,
        capfd,
        lambda: move(place, tmp_path / "elsewhere"),
        lambda: move(tmp_path / "elsewhere", place),
        "studio.sqlite: the database does not answer (the file is gone)",
    )


def move(place: Path, to: Path) -> None:
    place.rename(to)


def test_a_file_that_was_replaced_takes_nothing_that_would_be_lost(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "studio.sqlite"
    database, ann = visitor_at(str(place), tmp_path)
    key = ann.get("/work/films").form_key
    open_database(tmp_path / "other.sqlite").close()
    (tmp_path / "other.sqlite").replace(place)
    check_waits(judged(ann, key), str(place))
    assert ann.get("/healthz").status == 503
    assert "the file was replaced: start the server again" in capfd.readouterr().err
    database.close()


def test_a_postgresql_server_that_takes_nobody_is_waited_for(
    postgres: PostgresServer, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    place = postgres.new_database()
    name = make_url(place).database

    def ask(statement: str) -> None:
        with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
            connection.execute(statement)

    def away() -> None:
        ask(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        ask(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")

    check_outage(
        place,
        tmp_path,
        capfd,
        away,
        lambda: ask(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true"),
        "the database does not answer (",
    )


def test_a_postgresql_server_that_was_restarted_is_not_noticed(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    place = postgres.new_database()
    database, ann = visitor_at(place, tmp_path)
    key = ann.get("/work/films").form_key
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
            [make_url(place).database],
        )
    assert judged(ann, key).status == 303
    database.close()


def test_a_full_disk_is_said_without_an_address(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    place = str(tmp_path / "studio.sqlite")
    database, ann = visitor_at(place, tmp_path)
    pages = 1

    @event.listens_for(database.engine, "checkout")
    def fill(connection: sqlite3.Connection, *others: object) -> None:
        connection.execute(f"PRAGMA max_page_count={pages}")  # at least what it has

    fields = {"form_key": ann.get("/work/films").form_key, "choice": "stated"}
    check_waits(ann.post("/work/films/draft", {**fields, "comment": "long " * 20_000}), place, 507)
    refused = ann.post("/work/films", {**fields, "comment": "long " * 790})
    check_waits(refused, place, 507)
    assert "no room" in refused.text
    assert ann.get("/healthz").status == 200
    pages = 1_000_000
    assert ann.post("/work/films", fields).status == 303
    told = capfd.readouterr().err
    assert told.count("database or disk is full") == 1
    assert "Traceback" not in told
    database.close()


def test_a_damaged_file_is_said_to_the_log_alone(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "studio.sqlite"
    database, ann = visitor_at(str(place), tmp_path)
    database.close()
    place.write_bytes(b"no database at all " * 400)
    for more in ("-wal", "-shm"):
        (tmp_path / f"studio.sqlite{more}").unlink(missing_ok=True)
    for path in PLACES:
        check_waits(ann.get(path), str(place))
    assert capfd.readouterr().err.count("rollcall:") == 1


def test_a_page_that_breaks_says_so_in_plain_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database, ann = visitor_at(str(tmp_path / "studio.sqlite"), tmp_path)
    ann.client = type(ann.client)(
        ann.client.app, base_url=str(ann.client.base_url), raise_server_exceptions=False
    )

    def broken(*given: object) -> None:
        raise ZeroDivisionError(str(tmp_path))

    monkeypatch.setattr(Database, "read", broken)
    answer = ann.get("/sign-in")
    assert answer.status == 500
    assert "<h1>Not done</h1>" in answer.text
    assert str(tmp_path) not in answer.text
    assert answer.headers["content-security-policy"]
    database.close()


def test_people_can_still_join_when_it_is_back(tmp_path: Path) -> None:
    place = tmp_path / "studio.sqlite"
    database, _ = visitor_at(str(place), tmp_path)
    fresh = Visitor(studio_of(database))
    move(place, tmp_path / "elsewhere")
    assert fresh.get("/sign-in").status == 503, "the secret was never read"
    move(tmp_path / "elsewhere", place)
    join(database, ["ben"])
    assert fresh.sign_in("ben").to == "/account"
    database.close()
