"""The annotators' pages: what they say of skipped items, of second verdicts, of progress and of the test."""

import html
from pathlib import Path

import pytest

from rollcall.studio.web.studio import Studio
from studio_client import Visitor, studio_of
from studio_project import saved_set, small_project


def studio_with(tmp_path: Path, task: str = "validate", **options: object) -> Studio:
    """A studio with a project of two questions with two answers each, in which ann works."""
    folder = saved_set(tmp_path / "films", questions=2, answers=2)
    database, _, _ = small_project(tmp_path / "studio.sqlite", folder, task=task, **options)
    return studio_of(database)


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    return studio_with(tmp_path, injected=0, minimum=0)


def signed_in(studio: Studio) -> Visitor:
    visitor = Visitor(studio)
    assert visitor.sign_in("ann").status == 303
    return visitor


def test_who_skipped_everything_is_shown_it_again_on_demand(studio: Studio) -> None:
    ann = signed_in(studio)
    asked = []
    while (shown := ann.get("/work/films")).form_key:
        asked.append(shown.form_key)
        ann.post("/work/films/skip", {"form_key": shown.form_key})
    assert len(asked) == 4
    assert "4 that you skipped are still open" in shown.text
    assert ann.post("/work/films/skipped").to == "/work/films"
    assert ann.get("/work/films").form_key
    for _ in asked:
        ann.judge("films", "stated")
    assert "skipped" not in ann.get("/work/films").text


def test_another_verdict_from_a_second_tab_is_told_to_be_too_late(studio: Studio) -> None:
    ann = signed_in(studio)
    key = ann.get("/work/films").form_key
    for choice, told in (("stated", False), ("stated", False), ("not-stated", True)):
        assert ann.post("/work/films", {"form_key": key, "choice": choice}).to == "/work/films"
        following = ann.get("/work/films").text
        assert ("the first verdict stands" in following) == told
    assert "1 by you" in following
    assert "the first verdict stands" not in ann.get("/work/films").text, "it is told once"


@pytest.mark.parametrize("laptop", [True, False])
def test_who_works_alone_sees_their_progress_at_once(studio: Studio, laptop: bool) -> None:
    ann = signed_in(studio)
    studio.laptop = laptop
    assert "0 of 4" in ann.get("/work/films").text
    ann.judge("films", "stated")
    assert ("1 of 4" in ann.get("/work/films").text) == laptop, "for a team it is counted every few seconds"


@pytest.mark.parametrize("form", ["/work/films", "/work/films/undo", "/work/films/skip"])
def test_who_signs_in_again_goes_on_where_the_session_ended(studio: Studio, form: str) -> None:
    assert Visitor(studio).post(form, {"choice": "stated"}).to == "/sign-in?next=/work/films"
    assert Visitor(studio).post("/account", {}).to.endswith("next=/")


def test_the_qualification_test_offers_no_skip(tmp_path: Path) -> None:
    ann = signed_in(studio_with(tmp_path, "write", qualify=2))
    shown = ann.get("/work/films").text
    assert "Qualification test" in shown
    assert "/work/films/skip" not in shown


def test_ones_record_tells_answers_of_one_question_apart(studio: Studio) -> None:
    ann = signed_in(studio)
    told = []
    while (shown := ann.get("/work/films")).form_key:
        told.append(shown.text.partition('class="answer-text"')[2].partition(">")[2].partition("<")[0])
        ann.post("/work/films", {"form_key": shown.form_key, "choice": "stated"})
    record = html.unescape(ann.get("/work/films/record").text)
    assert len(told) == 4
    assert all(f"· {html.unescape(answer)}" in record for answer in told)


def test_an_unknown_address_is_a_page_that_leads_back(studio: Studio) -> None:
    nowhere = signed_in(studio).get("/nowhere")
    assert nowhere.status == 404
    assert 'href="/"' in nowhere.text
    assert "content-security-policy" in nowhere.headers
