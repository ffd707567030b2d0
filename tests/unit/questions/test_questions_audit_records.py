"""What an audit knows of a set is kept in records: extended answers, judgments and completeness."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcall import RollcallError
from rollcall.questions import (
    Answer,
    AnswerProvenance,
    Completeness,
    Evidence,
    Judgment,
    Question,
    QuestionSet,
    read_questions,
)
from rollcall.questions.exporting import export
from rollcall.questions.given import given_questions
from rollcall.questions.judgment import read_judgments, write_judgments
from rollcall.questions.release import export_card, save_set

SOURCE = AnswerProvenance("text", "person", "ann", True, 0.9, "on its page")


def question() -> Question:
    return Question(
        "q1",
        "Which rivers flow through Lyon?",
        answers=[Answer("Rhône", "Q1"), Answer("Saône", provenance=AnswerProvenance("list"))],
        extended=[Answer("Azergues", "Q3", ["L'Azergues"], [Evidence("It does.")], provenance=SOURCE)],
    )


@pytest.mark.parametrize("file_format", ["jsonl", "parquet"])
def test_extended_answers_go_out_and_come_back(tmp_path: Path, file_format: str) -> None:
    [(path, _)] = export([question()], file_format, tmp_path / f"out.{file_format}")
    assert list(read_questions(path)) == [question()]


def test_a_set_keeps_extended_answers_apart(tmp_path: Path) -> None:
    statistics = save_set(tmp_path / "set", [question()], {})
    assert (statistics.answers, statistics.extended, statistics.with_extended) == (2, 1, 1)
    assert QuestionSet.open(tmp_path / "set").questions == [question()]
    assert json.loads((tmp_path / "set" / "manifest.json").read_text())["counts"]["extended"] == 1
    told = "1 question also has 1 `extended` answer"
    assert told in (tmp_path / "set" / "README.md").read_text()
    assert told in export_card([question()], {})
    assert "extended" not in export_card([Question("q2", answers=[Answer("A")])], {})


def test_a_frame_keeps_them(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    assert given_questions(QuestionSet([question()]).to_frame()).questions == [question()]


def test_extended_answers_of_the_wrong_type_are_refused() -> None:
    with pytest.raises(RollcallError, match="extended answers that are not a list of Answer"):
        given_questions([Question("q", extended=["A"])])  # type: ignore[list-item]


def test_published_formats_have_the_original_gold_alone(tmp_path: Path) -> None:
    [(path, _)] = export([question()], "qampari", tmp_path / "out.jsonl")
    [record] = [json.loads(line) for line in path.read_text().splitlines()]
    assert [one["answer_text"] for one in record["answer_list"]] == ["Rhône", "Saône"]


# -- judgments ---------------------------------------------------------------------------------------

JUDGMENTS = st.builds(
    Judgment,
    question=st.text(),
    answer=st.text(),
    entity=st.none() | st.text(),
    right=st.none() | st.booleans(),
    by=st.sampled_from(["person", "truth", "model:small", "verifier:contrast"]),
    who=st.text(),
    score=st.none() | st.floats(0, 1),
    evidence=st.lists(st.builds(Evidence, text=st.text(), score=st.none() | st.floats(0, 1)), max_size=2),
    note=st.text(),
    drawn=st.booleans(),
)


@given(st.lists(JUDGMENTS))
def test_judgments_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, made: list[Judgment]
) -> None:
    path = tmp_path_factory.mktemp("judged") / "judgments.jsonl"
    write_judgments(made, path)
    assert read_judgments(path) == made


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"question": "q1"}', ":2: .*answer"),
        ('{"question": "q1", "answer": "A", "right": "yes"}', ":2: "),
        (
            '{"question": "q1", "answer": "A", "right": true}',
            "judgment 2 has a verdict, but does not say by whom",
        ),
        ('{"question": "q1", "answer": "A", "by": "Ann"}', "judgment 2 is by 'Ann'; write person, truth"),
        ('{"question": "q1", "answer": "A", "by": "model:"}', "judgment 2 is by 'model:'"),
        ('{"question": "q1", "answer": "A", "by": "model:m", "score": 7}', "judgment 2 .* not a probability"),
    ],
)
def test_a_bad_judgment_is_named(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "judgments.jsonl"
    path.write_text('{"question": "q0", "answer": "A", "right": false, "by": "person"}\n' + line + "\n")
    with pytest.raises(RollcallError, match=told):
        read_judgments(path)


def test_a_machine_gives_a_chance_and_a_person_a_verdict() -> None:
    assert Judgment("q", "A", right=True, by="verifier:v", score=0.7).chance == 0.7
    assert Judgment("q", "A", right=True, by="model:m").chance == 1.0
    assert Judgment("q", "A", right=False, by="person", score=0.7).chance == 0.0
    assert Judgment("q", "A").chance is None


# -- completeness ------------------------------------------------------------------------------------


def test_completeness_comes_back_as_it_was(tmp_path: Path) -> None:
    kinds = {"simple": Completeness(0.95, 0.9, 1.0)}
    whole = Completeness(
        0.88, 0.85, 0.91, "chapman", 500, {"kind": kinds, "relation": {"P57": Completeness(0.7)}}
    )
    whole.save(tmp_path / "completeness.json")
    assert Completeness.open(tmp_path / "completeness.json") == whole
    assert whole.of_kind("simple").ends == (0.9, 1.0)
    assert whole.of_kind("other") is whole
    assert whole.of_kind(None).ends == (0.85, 0.91)


def test_a_number_and_a_number_for_each_kind_are_enough(tmp_path: Path) -> None:
    assert Completeness.of(0.88) == Completeness(0.88)
    path = tmp_path / "mine.json"
    path.write_text('{"simple": 0.9, "composition": {"estimate": 0.8, "low": 0.7, "high": 0.9}}')
    found = Completeness.open(path)
    assert found.of_kind("simple").ends == (0.9, 0.9)
    assert found.of_kind("composition").ends == (0.7, 0.9)
    with pytest.raises(RollcallError, match="only that of some kinds"):
        found.of_kind("intersection").ends  # noqa: B018


@pytest.mark.parametrize(
    "given",
    [0, 1.5, -0.1, float("nan"), "0.9", {}, {"simple": 2}, {"estimate": 0.9, "low": 0.95}, None, [0.9]],
)
def test_what_is_no_completeness_is_refused(given: object) -> None:
    with pytest.raises(RollcallError, match="completeness"):
        Completeness.of(given)
