"""`rollcall show` of a question set: the question with an id, or those with some words."""

import json
from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall.cli.shown import show_set
from rollcall.questions import Answer, Evidence, Question, QuestionSet


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    asked = [
        Question(
            f"q{number}", f"Which cup no. {number} is made of silver?", answers=[Answer(f"Cup {number}")]
        )
        for number in range(7)
    ]
    QuestionSet([*asked, Question("q7", "Who sings?", answers=[Answer("Ann")])]).save(tmp_path / "set")
    return tmp_path / "set"


@pytest.mark.parametrize(
    ("what", "number", "shown", "more"),
    [
        ("q1", None, ["Cup 1"], None),
        ("who SINGS", None, ["Ann"], None),
        ("no. 3 is", None, ["Cup 3"], None),
        ("made of silver", None, ["Cup 0", "Cup 1", "Cup 2", "Cup 3", "Cup 4"], "… and 2 more questions"),
        ("made of silver", 7, [f"Cup {number}" for number in range(7)], None),
    ],
)
def test_all_questions_with_the_words_are_shown(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    what: str,
    number: int | None,
    shown: list[str],
    more: str | None,
) -> None:
    show_set(folder, what, False, number)
    lines = capsys.readouterr().out.splitlines()
    assert [line.removeprefix("  • ") for line in lines if line.startswith("  • ")] == shown
    assert [line.partition(" with")[0] for line in lines if line.startswith("…")] == ([more] if more else [])


def test_evidence_without_a_score_is_not_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evidence = [Evidence("Ann sings.", score=0.9), Evidence("Ann sang.")]
    QuestionSet([Question("q", "Who sings?", answers=[Answer("Ann", evidence=evidence)])]).save(
        tmp_path / "set"
    )
    show_set(tmp_path / "set", "q", False, None)
    lines = capsys.readouterr().out.splitlines()
    assert [line.strip() for line in lines if "Ann s" in line] == [
        "Ann sings.  [0.90]",
        "Ann sang.  [not verified]",
    ]


def test_as_json_none_is_left_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    show_set(folder, "silver", True, None)
    text, place, ids = capsys.readouterr().out, 0, []
    while text[place:].strip():
        record, place = json.JSONDecoder().raw_decode(text, len(text) - len(text[place:].lstrip()))
        ids.append(record["id"])
    assert ids == [f"q{number}" for number in range(7)]


def test_words_of_no_question_are_refused(folder: Path) -> None:
    with pytest.raises(RollcallError, match=r"'golden': no question of .* has this id or these words"):
        show_set(folder, "golden", False, None)
