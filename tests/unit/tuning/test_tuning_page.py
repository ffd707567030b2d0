"""The page for tuning: who may open it, what its forms change, and the parts that it sends back."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser
from starlette.testclient import TestClient

from made_once import made_once
from rollcall.tables.engine import WorkOptions
from rollcall.tuning.session import Session
from rollcall.tuning.web import Tuning, make_application
from tuned_pumps import RECIPE, write_pumps

HTMX = {"hx-request": "true"}


@pytest.fixture(scope="module")
def pumps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "pumps-for-a-page", write_pumps)


class Page:
    """A session with its page, and a browser without a screen that was given the address."""

    def __init__(self, session: Session):
        self.session = session
        self.tuning = Tuning(session)
        self.client = self.stranger()
        assert self.client.get(f"/open/{self.tuning.key}").status_code == 303

    def stranger(self) -> TestClient:
        return TestClient(
            make_application(self.tuning), base_url="http://127.0.0.1:8020", follow_redirects=False
        )

    def post(self, path: str, **fields: str) -> str:
        """Send a form as htmx does."""
        answer = self.client.post(path, data={"csrf": self.tuning.csrf, **fields}, headers=HTMX)
        assert answer.status_code == 200, answer.text
        return answer.text

    def number(self, label: str) -> int:
        return next(row.number for row in self.session.relations() if row.label == label)


def session_of(pumps: Path, recipe: str) -> Session:
    return Session(pumps / "graph", pumps / "corpus", recipe, pumps / "cache", WorkOptions(jobs=1))


@pytest.fixture(scope="module")
def opened(pumps: Path) -> Iterator[Session]:
    """One session for all tests."""
    (pumps / "mine.yaml").write_text(RECIPE)
    session = session_of(pumps, str(pumps / "mine.yaml"))
    assert session.step()
    yield session
    session.close()


@pytest.fixture
def file(pumps: Path) -> Path:
    """The recipe's file, as it was at first."""
    (pumps / "mine.yaml").write_text(RECIPE)
    return pumps / "mine.yaml"


@pytest.fixture
def page(opened: Session, file: Path) -> Page:
    opened.reload()
    return Page(opened)


def asked(text: str) -> list[str]:
    return [node.text() for node in LexborHTMLParser(text).css(".asked .text")]


def text_of(text: str, selector: str) -> str:
    node = LexborHTMLParser(text).css_first(selector)
    assert node is not None
    return node.text()


def test_only_the_browser_that_was_given_the_address_is_let_in(page: Page) -> None:
    stranger = page.stranger()
    assert stranger.get("/").status_code == 403
    assert stranger.get("/open/guessed").status_code == 404
    assert stranger.get("/").status_code == 403
    assert page.client.get("/").status_code == 200
    assert page.client.get("/", headers={"host": "evil.example"}).status_code == 400


@pytest.mark.parametrize(
    ("fields", "headers"),
    [
        ({}, {}),
        ({"csrf": "guessed"}, {}),
        (None, {"origin": "http://evil.example"}),
        (None, {"sec-fetch-site": "cross-site"}),
    ],
)
@pytest.mark.parametrize("path", ["/limits", "/relations/0", "/save", "/reload"])
def test_forms_of_other_sites_change_nothing(
    page: Page, path: str, fields: dict[str, str] | None, headers: dict[str, str]
) -> None:
    data = {"csrf": page.tuning.csrf, "answers.least": "9"} if fields is None else fields
    assert page.client.post(path, data=data, headers=headers).status_code == 403
    assert page.session.changes == 0


def test_the_page_runs_no_script_of_others_and_is_not_framed(page: Page) -> None:
    headers = page.client.get("/").headers
    assert "script-src 'self'" in headers["content-security-policy"]
    assert headers["x-frame-options"] == "DENY"
    assert headers["cache-control"] == "no-store"


def test_the_page_says_that_it_mines_and_then_shows_questions(pumps: Path, file: Path) -> None:
    page = Page(session_of(pumps, str(file)))
    before = page.client.get("/").text
    assert "Mining and proving" in before
    assert not asked(before)
    page.session.step()
    after = page.client.get("/").text
    assert "preview" in after
    assert "Which pumps run at Norrbay?" in asked(after)
    assert "Pump K0 – Norrbay" in after
    page.session.close()


def test_every_field_has_a_label_and_every_form_works_without_scripts(page: Page) -> None:
    tree = LexborHTMLParser(page.client.get("/").text)
    labelled = {node.attributes.get("for") for node in tree.css("label")}
    for node in tree.css("input:not([type=hidden]), select"):
        assert node.attributes.get("aria-label") or node.attributes.get("id") in labelled, node.html
    answer = page.client.post("/limits", data={"csrf": page.tuning.csrf, "answers.least": "6"})
    assert answer.status_code == 303
    assert page.session.recipe.parameters.answers.least == 6
    refused = page.client.post("/limits", data={"csrf": page.tuning.csrf, "answers.least": "x"})
    assert refused.status_code == 400
    assert "is not a whole number" in refused.text


def test_a_limit_changes_the_questions_and_says_what_is_not_saved(page: Page) -> None:
    text = page.post("/limits", **{"answers.least": "6"})
    assert asked(text)
    assert "1 change not saved" in text
    assert len(asked(text)) < len(asked(page.post("/limits", **{"answers.least": "3"})))


def test_an_answer_without_proof_is_grey_with_its_reason(page: Page) -> None:
    tree = LexborHTMLParser(page.client.get("/").text)
    neutral = [node.text() for node in tree.css(".answers .neutral")]
    assert any("Pump K9" in text and "no sentence names both" in text for text in neutral)


def test_words_change_how_a_relation_reads_or_say_what_is_wrong(page: Page) -> None:
    path = f"/relations/{page.number('runs at')}"
    text = page.post(path, asked="yes", forward="hums at {object}", noun="site")
    assert "Which pumps hum at Norrbay?" in asked(text)
    assert "Which pumps hum at Norrbay?" in text_of(text, ".reads")
    wrong = page.post(path, asked="yes", forward="hums")
    assert "forward must hold the other end exactly once" in text_of(wrong, ".reads .alert")
    assert "Which pumps hum at Norrbay?" in asked(wrong)


def test_a_relation_without_its_mark_is_left_out(page: Page) -> None:
    path = f"/relations/{page.number('maker')}"
    assert not any("made" in text for text in asked(page.post(path)))
    assert any("made" in text for text in asked(page.post(path, asked="yes")))


def test_questions_are_filtered_by_relation_and_kind(page: Page) -> None:
    maker = next(row.id for row in page.session.relations() if row.label == "maker")
    text = page.client.get("/questions", params={"in_relation": maker, "in_kind": "simple"}).text
    assert asked(text)
    assert all("made" in question and "run" not in question for question in asked(text))
    kept = page.post("/limits", **{"answers.least": "3", "in_relation": maker, "in_kind": "simple"})
    assert asked(kept) == asked(text)


def test_the_state_is_sent_again_only_if_it_changed(page: Page) -> None:
    text = page.client.get("/state").text
    told = re.search(r'"told": "([^"]*)"', text)
    assert told is not None
    assert page.client.get("/state", params={"told": told[1]}).status_code == 204
    page.session.set_limits({"answers.least": "6"})
    changed = page.client.get("/state", params={"told": told[1]})
    assert changed.status_code == 200
    assert asked(changed.text)
    tree = LexborHTMLParser(changed.text)
    beside = {node.attributes.get("id") for node in tree.css("[hx-swap-oob]")}
    assert beside == {"results", "saved", "count"}  # the state itself takes the place of the old one


def test_saving_writes_the_files_and_says_how_to_build(page: Page, file: Path) -> None:
    page.post("/limits", **{"answers.least": "4"})
    text = page.post("/save")
    assert "rollcall build" in text
    assert file.read_text() == RECIPE.replace("least: 3", "least: 4")


def test_a_file_that_somebody_else_changed_is_not_overwritten(page: Page, file: Path) -> None:
    page.post("/limits", **{"answers.least": "4"})
    file.write_text(RECIPE + "# theirs\n")
    assert "changed on disk" in page.client.get("/state").text
    assert "was changed since it was opened" in page.post("/save")
    assert file.read_text() == RECIPE + "# theirs\n"
    assert "rollcall build" in page.post("/save", anyway="yes")
    assert file.read_text() == RECIPE.replace("least: 3", "least: 4") + "# theirs\n"
    file.write_text(RECIPE)
    assert page.client.post("/reload", data={"csrf": page.tuning.csrf}).status_code == 303
    assert "changed on disk" not in page.client.get("/").text


def test_a_packaged_recipe_is_saved_to_the_file_that_is_named(pumps: Path, tmp_path: Path) -> None:
    session = session_of(pumps, "qampari")
    page = Page(session)
    assert LexborHTMLParser(page.client.get("/").text).css_first("input[name=file]") is not None
    assert "give a file for your own recipe" in page.post("/save", file="")
    own = tmp_path / "own.yaml"
    assert str(own) in page.post("/save", file=str(own))
    assert own.is_file()
    session.close()
