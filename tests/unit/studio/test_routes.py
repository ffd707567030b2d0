"""Deny by default: every route is called as everybody, and answers only those whom it declares."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from rollcall.studio.database.engine import Database
from rollcall.studio.database.tables import Person
from rollcall.studio.projects import NewProject, make_project, materials_at
from rollcall.studio.web.application import check_declared
from rollcall.studio.web.studio import Studio
from rollcall.studio.web.visit import ROUTES, Access, Declared, page
from studio_client import ALLOWED, VISITORS, Visitor, studio_of
from studio_project import PASSWORD, join, saved_set, small_project

CRAWLED = [one for one in ROUTES if one.path != "/sign-out"]
"""Signing out would end the sessions that other cases use; `test_signing_in` does it."""
FORMS = [one for one in ROUTES if one.method == "POST"]


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Studio:
    folder = tmp_path_factory.mktemp("studio")
    shelf = folder / "sets"
    shelf.mkdir()
    films = saved_set(shelf / "films")
    database, _, _ = small_project(folder / "studio.sqlite", films, ["annotator"])
    make_project(database, NewProject(task="screen", materials=materials_at(films), name="other"))
    join(database, ["manager"], "manager")
    join(database, ["stranger"], "manager", "other")
    join(database, ["owner"], "manager", "other")
    with database.write() as session:
        for person in session.query(Person).where(Person.login == "owner"):
            person.owner = True
    return studio_of(database, sets=shelf)


@pytest.fixture(scope="module")
def visitors(studio: Studio) -> dict[str, Visitor]:
    found = {name: Visitor(studio) for name in VISITORS}
    for name, visitor in found.items():
        if name != "nobody":
            assert visitor.sign_in(name).status == 303
    return found


def address(declared: Declared) -> str:
    filled = {
        "{project}": "films",
        "{token}": "no-such-token",
        "{number:int}": "999",
        "{key}": "no-such-item",
        "{file}": "judgments.csv",
        "{set}": "films",
        "{id:path}": "q1",
    }
    path = declared.path
    for name, value in filled.items():
        path = path.replace(name, value)
    assert "{" not in path, f"say here what {declared.path} is called with"
    return path


def is_denied(status: int, to: str) -> bool:
    return status == 404 or (status == 303 and to.startswith("/sign-in?"))


@pytest.mark.parametrize("who", VISITORS)
@pytest.mark.parametrize("declared", CRAWLED, ids=lambda one: f"{one.method} {one.path}")
def test_a_route_answers_only_those_whom_it_declares(
    declared: Declared, who: str, visitors: dict[str, Visitor]
) -> None:
    visitor = visitors[who]
    if declared.method == "GET":
        answer = visitor.get(address(declared))
    else:
        answer = visitor.post(address(declared), {"form_key": "none", "state": "open"})
    assert answer.status < 500, answer.text
    if who in ALLOWED[declared.access]:
        there = "999" in address(declared) or "no-such" in address(declared)
        assert there or not is_denied(answer.status, answer.to), answer.text
    else:
        assert is_denied(answer.status, answer.to)
        assert "films" not in answer.text.lower()
        assert who != "nobody" or answer.status == 303


@pytest.mark.parametrize("declared", FORMS, ids=lambda one: f"{one.method} {one.path}")
def test_a_form_without_its_token_does_nothing(declared: Declared, visitors: dict[str, Visitor]) -> None:
    allowed = next(who for who in reversed(VISITORS) if who in ALLOWED[declared.access])
    for forged in ("", "0" * 64):
        assert visitors[allowed].post(address(declared), csrf=forged).status == 403


def test_a_form_from_another_site_does_nothing(visitors: dict[str, Visitor]) -> None:
    visitor = visitors["annotator"]
    visitor.get("/account")
    for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}):
        sent = visitor.client.post("/work/films/undo", data={"csrf": visitor.csrf}, headers=headers)
        assert sent.status_code == 403


def test_every_page_forbids_inline_scripts_framing_and_caching(visitors: dict[str, Visitor]) -> None:
    for path in ("/", "/sign-in", "/work/films", "/no-such-page", "/healthz"):
        headers = visitors["annotator"].get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"


def test_a_route_without_a_declaration_fails_at_start() -> None:
    async def open_door(request: object) -> PlainTextResponse:
        return PlainTextResponse("come in")

    with pytest.raises(TypeError, match="does not say who may call it"):
        check_declared(Starlette(routes=[Route("/door", open_door)]))


def test_a_route_about_a_project_cannot_be_open_to_all() -> None:
    with pytest.raises(TypeError, match="about a project"):
        page("/work/{project}/secret", Access.SIGNED_IN)


def test_every_route_of_the_table_is_in_the_crawl() -> None:
    assert len(ROUTES) > 40
    assert all(address(one).startswith("/") for one in ROUTES)


def test_uploads_and_large_forms_are_refused(visitors: dict[str, Visitor]) -> None:
    visitor = visitors["annotator"]
    sent = visitor.client.post("/work/films", files={"file": ("a.html", b"<script>")})
    assert sent.status_code == 413
    assert visitor.post("/work/films", {"comment": "x" * 300_000}).status == 413
    assert visitor.client.post("/work/films", content=b"\xff\xfe%zz").status_code in (403, 413)


NUMBERED = [one for one in FORMS if "{number:int}" in one.path]


@pytest.mark.parametrize("number", [2**31, 10**30])
@pytest.mark.parametrize("declared", NUMBERED, ids=lambda one: one.path)
def test_a_number_larger_than_any_names_nothing(
    declared: Declared, number: int, visitors: dict[str, Visitor]
) -> None:
    visitors["owner"].get("/account")
    assert visitors["owner"].post(address(declared).replace("999", str(number))).status == 404


def test_what_a_database_cannot_store_breaks_nothing(each_place: str, tmp_path: Path) -> None:
    database, _, _ = small_project(each_place, saved_set(tmp_path / "films"), ["ann"])
    join(database, ["max"], "manager")
    ann, manager = Visitor(studio_of(database)), Visitor(studio_of(database))
    assert ann.sign_in("a\0nn").status == 303, "a NUL is left out"
    assert manager.sign_in("max").status == 303
    for path in ("/work/%00", "/work/films%00/record", "/join/%00"):
        assert ann.get(path).status in (400, 404)
    for path in ("/manage/films/items?q=%00", "/manage/films/items/%00"):
        assert manager.get(path).status == 404
    assert ann.judge("films", "stated", comment="a\0b").status == 303
    assert manager.post("/manage/films/invite", {"note": "for \0 Eve"}).status == 200
    database.close()


def test_a_host_that_is_not_ours_is_refused(studio: Studio) -> None:
    database: Database = studio.database
    visitor = Visitor(studio_of(database, hosts=("127.0.0.1",)))
    assert visitor.client.get("/sign-in", headers={"host": "evil.example"}).status_code == 400
    assert visitor.get("/sign-in").status == 200


def test_a_redirect_after_signing_in_stays_here(studio: Studio, tmp_path: Path) -> None:
    for target in ("https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"):
        visitor = Visitor(studio)
        visitor.get("/sign-in")
        answer = visitor.post("/sign-in", {"name": "annotator", "password": PASSWORD, "next": target})
        assert answer.to == "/"
