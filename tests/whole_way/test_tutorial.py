"""The tutorial and the pages of tasks are run as they stand, and print what they show."""

import json
import re
import sys
from pathlib import Path

import pytest

import tutorial_run
from made_once import made_once
from places import ROOT
from rollcall.questions import QuestionSet
from shown_commands import missing_line, shown

DOCS = ROOT / "docs"
TASKS = sorted((DOCS / "how-to").glob("*.md"))
AFTERWARDS = [*TASKS, DOCS / "coming-from.md"]


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which somebody has followed the tutorial."""
    return made_once(tmp_path_factory, "tutorial", tutorial_run.make)


@pytest.mark.slow
def test_the_tutorial_prints_what_it_shows(company: Path) -> None:
    printed = json.loads((company / tutorial_run.TRANSCRIPT).read_text())
    assert len(printed) > 12
    tutorial_run.check_printed(DOCS / "tutorial.md", {int(line): text for line, text in printed.items()})


@pytest.mark.slow
def test_the_questions_of_the_tutorial_are_good_ones(company: Path) -> None:
    questions = QuestionSet.open(company / "questions")
    assert len(questions) >= 40
    assert {one.kind for one in questions} == {"simple", "intersection", "composition"}
    wordings = {one.question for one in questions}
    assert not [one for one in wordings if "trained ons" in one or "Who or what" in one]
    assert {"Which pumps contain the H8 housing?", "Which technicians belong to Service?"} <= wordings


@pytest.mark.slow
@pytest.mark.parametrize("page", AFTERWARDS, ids=lambda page: page.stem)
def test_the_page_runs_after_the_tutorial(
    page: Path, company: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tutorial_run.linked(company, tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    tutorial_run.check_printed(page, tutorial_run.run_page(page, tmp_path))
    sys.modules.pop("my_system", None)


def test_every_task_is_listed_and_every_link_leads_somewhere() -> None:
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", (DOCS / "how-to" / "index.md").read_text()))
    assert listed == {page.name for page in TASKS} - {"index.md"}
    for page in (*TASKS, DOCS / "tutorial.md", DOCS / "faq.md", DOCS / "coming-from.md"):
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_what_a_page_shows_must_be_printed() -> None:
    assert missing_line(["a 12 │", "…", "c"], "a   7 │\nb\nc\n") is None
    assert missing_line(["a 12 │", "b"], "b\na 7 │\n") == "b"
    assert missing_line(["  7xe5eazl224p4 · simple"], "  2xe5eazl224pq · simple\n") is None
    assert missing_line(["mentions.jsonl: 91 questions"], "mentions.jsonl: 91 answers\n") == (
        "mentions.jsonl: 91 questions"
    )
    assert shown(DOCS / "tutorial.md")[2].words[:2] == ["rollcall", "graph"]
