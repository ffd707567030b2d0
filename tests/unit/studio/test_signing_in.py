"""Signing in, invitations and sessions, as somebody with a browser meets them."""

import re
from pathlib import Path

import pytest
from sqlalchemy import select, update

from rollcall.studio.database.tables import AuditEntry, Invitation, Person, WebSession
from rollcall.studio.projects import make_invitation
from rollcall.studio.web.sessions import BY_NAME_AND_ADDRESS, IDLE_SECONDS, LONGEST_SECONDS, WINDOW_SECONDS
from rollcall.studio.web.studio import Studio
from rollcall.studio.work.people import Invited, add_person
from studio_client import Visitor, studio_of
from studio_project import PASSWORD, QUICK, saved_set, small_project

START = 1_800_000_000.0


class Clock:
    """A clock that tests turn."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def studio(tmp_path: Path, clock: Clock) -> Studio:
    database, _, _ = small_project(tmp_path / "studio.sqlite", saved_set(tmp_path / "films"), ["Ann"])
    return studio_of(database, clock=clock)


def test_somebody_signs_in_in_any_case_and_out(studio: Studio) -> None:
    visitor = Visitor(studio)
    assert visitor.get("/").to == "/sign-in?next=/"
    assert visitor.sign_in("ANN").to == "/account"
    assert visitor.get("/").status == 200
    assert visitor.post("/sign-out").status == 303
    assert visitor.get("/").status == 303


@pytest.mark.parametrize(("name", "password"), [("ann", "wrong password"), ("nobody", PASSWORD), ("", "")])
def test_a_wrong_name_and_a_wrong_password_look_the_same(studio: Studio, name: str, password: str) -> None:
    answer = Visitor(studio).sign_in(name, password)
    assert answer.status == 403
    assert "the name or the password is wrong" in answer.text


def test_who_guesses_must_wait_and_others_need_not(studio: Studio, clock: Clock) -> None:
    guesser = Visitor(studio)
    for _ in range(BY_NAME_AND_ADDRESS):
        assert guesser.sign_in("ann", "a wrong one").status == 403
    assert guesser.sign_in("ann").status == 429, "also the right password must wait"
    assert guesser.sign_in("ben").status == 403, "another name need not"
    clock.now += WINDOW_SECONDS + 1
    assert guesser.sign_in("ann").status == 303


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(studio: Studio) -> None:
    for secure in (False, True):
        studio.secure = secure
        visitor = Visitor(studio)
        visitor.client.base_url = visitor.client.base_url.copy_with(scheme="https" if secure else "http")
        cookie = visitor.sign_in("ann").headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert ("secure" in cookie.split("samesite=lax")[1]) == secure
        assert cookie.startswith("__host-rollcall=" if secure else "rollcall_session=")


def test_sessions_end(studio: Studio, clock: Clock) -> None:
    idle, busy = Visitor(studio), Visitor(studio)
    idle.sign_in("ann")
    busy.sign_in("ann")
    while clock.now < START + LONGEST_SECONDS - IDLE_SECONDS:
        clock.now += IDLE_SECONDS / 2
        assert busy.get("/").status == 200
    assert idle.get("/").status == 303
    clock.now = START + LONGEST_SECONDS + 1
    assert busy.get("/").status == 303


def test_nothing_in_the_database_signs_anybody_in(studio: Studio) -> None:
    visitor = Visitor(studio)
    visitor.sign_in("ann")
    token = visitor.client.cookies["rollcall_session"]
    with studio.database.read() as session:
        assert token not in session.scalars(select(WebSession.token_hash)).all()
        stored = session.scalars(select(Person.password)).one()
    assert stored is not None
    assert stored.startswith("$argon2id$")


def test_who_is_locked_out_is_out_at_once(studio: Studio) -> None:
    visitor = Visitor(studio)
    visitor.sign_in("ann")
    with studio.database.write() as session:
        session.execute(update(Person).values(active=False))
    assert visitor.get("/").status == 303
    assert visitor.sign_in("ann").status == 403


def test_a_new_password_ends_other_sessions(studio: Studio) -> None:
    here, there = Visitor(studio), Visitor(studio)
    here.sign_in("ann")
    there.sign_in("ann")
    fields = {"old": PASSWORD, "password": "another password", "password2": "another password"}
    assert here.post("/account", {**fields, "old": "not the old one"}).status == 403
    assert here.post("/account", {**fields, "password2": "something else"}).status == 400
    assert here.post("/account", {**fields, "password": "short", "password2": "short"}).status == 400
    assert here.post("/account", fields).status == 303
    assert here.get("/").status == 200
    assert there.get("/").status == 303
    assert there.sign_in("ann", "another password").status == 303


def invited(studio: Studio, **more: object) -> str:
    return make_invitation(studio.database, "films", Invited(**more))  # type: ignore[arg-type]


def joining(name: str = "Ben", password: str = PASSWORD) -> dict[str, str]:
    return {"name": name, "password": password, "password2": password}


def test_an_invitation_lets_one_person_in_once(studio: Studio, clock: Clock) -> None:
    clock.now = __import__("time").time()
    token = invited(studio, group="team")
    visitor = Visitor(studio)
    assert visitor.get(f"/join/{token}").status == 200
    assert visitor.post(f"/join/{token}", joining("ann")).status == 400, "the name is taken"
    assert visitor.post(f"/join/{token}", joining(password="short")).status == 400  # noqa: S106
    answer = visitor.post(f"/join/{token}", joining())
    assert answer.to == "/work/films"
    assert visitor.get("/work/films").status == 200
    again = Visitor(studio)
    assert again.get(f"/join/{token}").status == 400
    assert again.post(f"/join/{token}", joining("cy")).status in (400, 403)
    with studio.database.read() as session:
        assert token not in str(session.scalars(select(Invitation.token_hash)).all())
        assert "joined" in session.scalars(select(AuditEntry.action)).all()


def test_an_invitation_ends_and_can_be_withdrawn(studio: Studio, clock: Clock) -> None:
    clock.now = __import__("time").time()
    token = invited(studio, days=1.0)
    assert Visitor(studio).get(f"/join/{token}").status == 200
    clock.now += 2 * 24 * 3600
    assert Visitor(studio).get(f"/join/{token}").status == 400
    assert Visitor(studio).get("/join/no-such-token").status == 400


def test_the_laptop_address_is_good_once(studio: Studio) -> None:
    with studio.database.write() as session:
        session.execute(update(Person).values(owner=True))
    studio.laptop = True
    address = f"/laptop/{studio.laptop_token}"
    assert Visitor(studio).get("/laptop/wrong").status == 404
    visitor = Visitor(studio)
    assert visitor.get(address).to == "/work/films"
    assert visitor.get("/work/films").status == 200
    again = Visitor(studio).get(address)
    assert (again.status, "start it again" in again.text) == (400, True)
    assert visitor.get(address).to == "/", "who is in already goes on"
    assert 'type="password"' not in visitor.get("/account").text


def test_without_laptop_mode_there_is_no_laptop_address(studio: Studio) -> None:
    assert Visitor(studio).get(f"/laptop/{studio.laptop_token}").status == 404


def test_forms_of_the_sign_in_page_belong_to_one_browser(studio: Studio) -> None:
    mine, other = Visitor(studio), Visitor(studio)
    mine.get("/sign-in")
    other.get("/sign-in")
    fields = {"name": "ann", "password": PASSWORD}
    assert mine.post("/sign-in", fields, csrf=other.csrf).status == 403
    assert mine.post("/sign-in", fields).status == 303


def test_no_page_shows_a_session_token(studio: Studio) -> None:
    visitor = Visitor(studio)
    visitor.sign_in("ann")
    token = visitor.client.cookies["rollcall_session"]
    for path in ("/", "/account", "/work/films", "/work/films/record"):
        page = visitor.get(path)
        assert token not in page.text
        assert re.search(r"<script(?! src)", page.text) is None


def test_an_owner_gives_a_link_for_a_new_password(studio: Studio, clock: Clock) -> None:
    with studio.database.write() as session:
        add_person(session, "owner", QUICK.hash(PASSWORD), clock.now, owner=True)
    ann, owner = Visitor(studio), Visitor(studio)
    ann.sign_in("ann")
    owner.sign_in("owner")
    page = owner.post("/manage/people/1/reset").text
    path = re.findall(r"/reset/[\w-]+", page)[0]
    fresh = Visitor(studio)
    assert fresh.get(path.replace("reset", "join")).status == 400, "it lets nobody else in"
    assert fresh.get(path).status == 200
    assert fresh.post(path, {"password": "short", "password2": "short"}).status == 400
    fields = {"password": "quite another one", "password2": "quite another one"}
    assert fresh.post(path, fields).to == "/sign-in"
    assert ann.get("/").status == 303, "who was signed in is signed out"
    assert fresh.sign_in("ann").status == 403
    assert fresh.sign_in("ann", "quite another one").status == 303
    assert Visitor(studio).get(path).status == 400, "it is good once"
    assert "set a new password" in owner.get("/manage/log").text
