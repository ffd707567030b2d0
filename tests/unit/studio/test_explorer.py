"""The explorer: what is found, what a page shows, and runs side by side."""

import pytest

from rollcall import RollcallError
from rollcall.questions import Answer, EntityAnswer, NeutralAnswer, Prediction, QuestionSet, Run
from rollcall.studio.explorer import (
    ExplorerQuery,
    OpenIndexes,
    SetIndex,
    find,
    neighbours,
    question_page,
    run_figures,
    side_by_side,
)
from rollcall.studio.export.version import new_version
from rollcall.studio.records import Verdict
from rollcall.studio.tasks.task import TaskMaterial
from studio_records import film_set, judged_project


@pytest.fixture
def index(tmp_path) -> SetIndex:
    questions = film_set(120)
    for number, question in enumerate(questions):
        question.kind = "simple" if number % 3 else "composition"
        question.characteristics["aggregate"] = number % 2 == 0
        question.characteristics["relations"] = ["P57", f"P{number % 4}"]
    questions.questions[7].answers[0].aliases.append("Ñandú & the <b>Gang</b>")
    questions.save(tmp_path / "set")
    return SetIndex.open(tmp_path / "set")


def ids(index: SetIndex, *given: object) -> list[str]:
    return [entry.id for entry in find(index, ExplorerQuery(*given)).entries]


def test_all_words_must_occur_in_question_or_answers(index):
    assert ids(index, "director 77 direct") == ["q77"]
    assert ids(index, "FILM 8-0") == ["q8", *[one for one in ids(index, "film 8-0") if one != "q8"]]
    assert ids(index, "nandu gang") == ["q8"]
    assert ids(index, "no such word") == []


def test_pages_have_fifty_and_stay_within_what_there_is(index):
    first = find(index, ExplorerQuery())
    assert (first.total, first.pages, len(first.entries)) == (120, 3, 50)
    last = find(index, ExplorerQuery(page=99))
    assert (last.page, len(last.entries)) == (3, 20)
    assert find(index, ExplorerQuery(page=-1)).page == 1


def test_filters_by_characteristic_count_what_is_left(index):
    found = find(index, ExplorerQuery("", {"kind": "composition", "relations": "P2"}))
    assert found.total == sum(number % 3 == 0 and number % 4 == 2 for number in range(120))
    facets = {facet.name: facet for facet in found.facets}
    assert facets["kind"].values == [("composition", found.total)]
    assert facets["kind"].chosen == "composition"
    assert facets["aggregate"].values == [("yes", found.total)]
    assert dict(facets["relations"].values) == {"P57": found.total, "P2": found.total}
    assert "cluster" not in facets
    assert find(index, ExplorerQuery("", {"kind": "no such kind"})).total == 0
    assert find(index, ExplorerQuery("", {"no such name": "x"})).total == 0


def test_next_and_previous_are_those_of_the_search(index):
    wanted = ExplorerQuery("", {"kind": "composition"})
    assert neighbours(index, "q4", wanted) == ("q1", "q7")
    assert neighbours(index, "q1", wanted) == (None, "q4")
    assert neighbours(index, "q2", wanted) == (None, None)


def test_a_question_is_read_whole(index):
    assert index.question("q8").answers[0].aliases[-1] == "Ñandú & the <b>Gang</b>"
    assert index.question("q120").answers[0].evidence
    with pytest.raises(RollcallError, match="no question 'q999'"):
        index.question("q999")


def test_a_set_that_changed_is_read_anew(index):
    indexes = OpenIndexes()
    before = indexes.get(index.folder)
    assert indexes.get(index.folder) is before
    film_set(3).save(index.folder)
    assert len(indexes.get(index.folder)) == 3
    with pytest.raises(RollcallError, match=r"the set changed|no question"):
        before.question("q119")


def test_what_is_no_set_is_said(tmp_path):
    with pytest.raises(RollcallError, match="not a question set"):
        OpenIndexes().get(tmp_path)
    (tmp_path / "questions.jsonl").write_text('{"id": "a"}\n{"id": 3}\n')
    with pytest.raises(RollcallError, match=r"questions.jsonl:2: "):
        SetIndex.open(tmp_path)


RUNS = [
    Run([Prediction("q1", ["film 1-0", "Film 1-1", "Nonsense"])], "first"),
    Run([Prediction("q1", [EntityAnswer("Q1000"), "nonsense", "Later"])], "second"),
    Run([Prediction("q2", ["Film 2-0"])], "third"),
    Run([Prediction("q1", failure="out of memory")], "fourth"),
]


def test_runs_side_by_side():
    question = film_set().questions[0]
    question.extended = [Answer("Later")]
    found = side_by_side(question, RUNS)
    assert [run.name for run in found.runs] == ["first", "second", "third", "fourth"]
    assert [run.answered for run in found.runs] == [True, True, False, True]
    assert found.runs[3].failure == "out of memory"
    assert found.runs[0].precision == pytest.approx(2 / 3)
    assert found.runs[0].recall == pytest.approx(2 / 6)
    said = {line.answer: line for line in found.lines}
    assert list(said)[:6] == [f"Film 1-{place}" for place in range(6)]
    assert said["Film 1-0"].names == ("film 1-0", "Q1000", "", "")
    assert (said["Later"].kind, said["Later"].names) == ("extended", ("", "Later", "", ""))
    assert said["Nonsense"].names == ("Nonsense", "nonsense", "", "")
    assert [said[name].kind for name in ("Film 1-0", "Nonsense")] == ["gold", "added"]


def test_neutral_answers_are_shown_with_the_reason_and_cost_nothing(tmp_path):
    question = film_set().questions[0]
    question.neutral = [NeutralAnswer("Unproved", "Q77", unproved="Q77 P1 Q1", sources=["graph"])]
    run = Run([Prediction("q1", ["Film 1-0", "unproved"])], "first")
    found = side_by_side(question, [run])
    assert (found.runs[0].precision, found.runs[0].recall) == (1, pytest.approx(1 / 6))
    assert {line.answer: (line.kind, line.names) for line in found.lines}["Unproved"] == (
        "neutral",
        ("unproved",),
    )
    shown = question_page(question).answers[-1]
    assert (shown.label, shown.neutral, shown.extended) == ("Unproved", "no sentence names both", False)
    QuestionSet([question]).save(tmp_path / "set")
    assert ids(SetIndex.open(tmp_path / "set"), "unproved") == ["q1"]


def test_figures_of_runs_are_those_of_scoring(index):
    (first,) = run_figures(index.without_evidence(), RUNS[:1])
    assert first.questions == 120
    value, bounds = first.figures["R"]
    assert value == pytest.approx(2 / 6 / 120)
    assert bounds[0] <= value <= bounds[1]


def test_a_page_has_query_evidence_and_verdicts():
    collected = judged_project(
        "validate",
        TaskMaterial(film_set()),
        ["ann"],
        lambda item, person: Verdict("not-stated" if item.injected else "stated", comment="well said"),
    )
    question = next(iter(new_version(film_set(), collected).questions))
    page = question_page(question, runs=RUNS[:2])
    assert page.query["query"]["text"]
    parts = page.answers[0].passages[0]["parts"]
    assert "".join(part["text"] for part in parts) == "Film 1-0 was directed by Director 1."
    assert any(part["mark"] and part["name"] for part in parts)
    assert "ann" in page.answers[0].provenance
    assert page.projects[0].items[0].verdicts[0].person == "ann"
    assert page.runs is not None


def test_questions_without_query_or_evidence_have_a_page_too():
    question = film_set(1).questions[0]
    question.query = None
    question.answers = [Answer("Alone")]
    page = question_page(question)
    assert (page.query, page.answers[0].passages, page.runs, page.projects) == ({}, [], None, [])
