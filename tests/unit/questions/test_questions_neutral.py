"""Neutral answers on disk: kept by sets and by formats with a place for them, and counted elsewhere."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollcall import RollcallError
from rollcall.build import Outcome, Runner, Stage, Work, WorkOptions
from rollcall.cli.main import main
from rollcall.cli.shown import show_set
from rollcall.questions import (
    AddedAlias,
    Answer,
    AnswerProvenance,
    Evidence,
    NeutralAnswer,
    Question,
    QuestionSet,
    read_questions,
)
from rollcall.questions.exporting import export, export_files
from rollcall.questions.formats.tables import flatten, restore
from rollcall.questions.statistics import Statistics
from rollcall.tables.build import EvidenceRows
from rollcall.tables.files import write_records

NEAREST = Evidence("Cy came to A.", title="Towns", passage="p7", start=3, end=16, score=0.25, fact="Cy P1 A")
ASKED = Question(
    "q1",
    "Who lives in A?",
    split="test",
    answers=[Answer("Ann", "Q1", ["Annie"], sources=["graph", "text"])],
    neutral=[
        NeutralAnswer("Cy", "Q2", ["Cyrus"], sources=["graph"], unproved="Cy P1 A", nearest=NEAREST),
        NeutralAnswer("Di", "Q3", sources=["graph"], unproved="Di P1 A"),
        NeutralAnswer("Ed; Jr", "Q4", sources=["list"]),
        NeutralAnswer("Flo", "Q5", evidence=[Evidence("Flo lives in A.", score=0.7)], sources=["text"]),
    ],
)
TEXTS = st.text(max_size=6)
PIECES = st.builds(
    Evidence, TEXTS.filter(bool), start=st.none() | st.integers(0, 9), score=st.none() | st.just(0.5)
)
NEUTRAL = st.builds(
    NeutralAnswer,
    TEXTS,
    st.none() | st.just("Q1"),
    st.lists(TEXTS, max_size=2),
    st.lists(PIECES, max_size=2),
    st.lists(st.just(AddedAlias("a", "Q1", "label")), max_size=1),
    st.none() | st.just(AnswerProvenance("runs")),
    st.lists(st.sampled_from(["graph", "text", "list", "people"]), max_size=2),
    unproved=TEXTS,
    nearest=st.none() | PIECES,
)


def test_every_answer_has_a_status_and_neutral_ones_a_reason():
    assert {answer.status for answer in ASKED.answers} == {"counts"}
    assert {answer.status for answer in ASKED.neutral} == {"neutral"}
    assert [answer.reason for answer in ASKED.neutral] == [
        "the nearest sentence does not state it (score 0.25) on Towns: Cy came to A.",
        "no sentence names both",
        "no text proves it",
        "the graph lacks it",
    ]


def test_a_set_keeps_neutral_answers_and_counts_them_apart(tmp_path: Path):
    QuestionSet([ASKED]).save(tmp_path / "set")
    assert QuestionSet.open(tmp_path / "set").questions == [ASKED]
    statistics = Statistics([ASKED])
    assert (statistics.answers, statistics.neutral, statistics.with_neutral) == (1, 4, 1)


def test_questions_of_older_sets_have_answers_that_count(tmp_path: Path):
    """Lines and rows as version 0.1 wrote them, without sources and neutral answers."""
    line = {
        "id": "q1",
        "question": "Who?",
        "answers": [{"label": "Ann", "id": "Q1"}],
        "provenance": {"key": "k"},
    }
    (tmp_path / "questions.jsonl").write_text(json.dumps(line) + "\n")
    (question,) = QuestionSet.open(tmp_path)
    assert (question.answers, question.neutral) == ([Answer("Ann", "Q1")], [])
    assert question.answers[0].status == "counts"
    texts = ("id", "question", "kind", "split", "cluster", "query_text", "query_graph", "query_sparql")
    row = dict.fromkeys((*texts, "characteristics", "more", "provenance"), "")
    answers = [{"id": "Q1", "label": "Ann", "aliases": ["A"], "evidence": []}]
    row |= {"id": "q1", "question": "Who?", "wordings": ["W?"], "relations": ["P1"], "answers": answers}
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "all.parquet")
    (question,) = read_questions(tmp_path / "all.parquet")
    assert (question.answers, question.neutral) == ([Answer("Ann", "Q1", ["A"])], [])


@given(st.lists(NEUTRAL, max_size=3))
@settings(deadline=None)
def test_a_row_of_columns_keeps_everything(neutral):
    question = Question("q", answers=[Answer("Ann", sources=["people"])], neutral=neutral)
    assert restore(flatten(question)) == question


@pytest.mark.parametrize("file_format", ["jsonl", "parquet", "inspect"])
def test_formats_with_a_place_for_neutral_answers_give_them_back(file_format: str, tmp_path: Path):
    exported = export_files([ASKED], file_format, tmp_path / "out")
    assert exported.neutral_left_out == 0
    (file,) = (path for path, written in exported.files if written.number)
    assert read_questions(file).questions == [ASKED]


def test_a_spreadsheet_keeps_their_names(tmp_path: Path):
    export([ASKED], "csv", tmp_path / "all.csv")
    (again,) = read_questions(tmp_path / "all.csv")
    assert [(one.label, one.id, one.aliases) for one in again.neutral] == [
        (one.label, one.id, one.aliases) for one in ASKED.neutral
    ]
    assert [one.label for one in again.answers] == ["Ann"]


def test_plain_records_may_name_them(tmp_path: Path):
    record = {"id": "q1", "question": "Who?", "answers": ["Ann"], "neutral": ["Bo", ["Cy", "Cyrus"]]}
    (tmp_path / "plain.jsonl").write_text(json.dumps(record) + "\n")
    (question,) = read_questions(tmp_path / "plain.jsonl")
    assert question.neutral == [NeutralAnswer("Bo"), NeutralAnswer("Cy", aliases=["Cyrus"])]


def test_a_table_for_a_page_has_a_column_for_neutral_answers(tmp_path: Path):
    (file,) = (
        path for path, written in export_files([ASKED], "markdown", tmp_path / "out").files if written.number
    )
    assert file.read_text().splitlines()[0] == "| question | answers | neutral | kind |"
    assert "| Ann | Cy; Di; Ed; Jr; Flo |" in file.read_text()
    (file,) = (
        path
        for path, written in export_files([Question("q", "Who?")], "markdown", tmp_path / "plain").files
        if written.number
    )
    assert file.read_text().splitlines()[0] == "| question | answers | kind |"


@pytest.mark.parametrize("file_format", ["qampari", "quest", "ragas", "ambigqa"])
def test_formats_without_a_place_get_the_answers_that_count(
    file_format: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    QuestionSet([ASKED]).save(tmp_path / "set")
    with pytest.raises(SystemExit, match="0"):
        main(["export", str(tmp_path / "set"), "--out", str(tmp_path / "out"), "--format", file_format])
    told = " ".join(capsys.readouterr().err.split())
    assert f"left out: 4 neutral answers; --format {file_format} has no place for them" in told
    text = "".join(path.read_text() for path in (tmp_path / "out").iterdir() if path.name != "README.md")
    assert "Ann" in text
    assert "Flo" not in text


def test_show_lists_neutral_answers_and_rejected_facts(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    QuestionSet([ASKED, Question("q2", "Who sings?", answers=[Answer("Bo")])]).save(tmp_path / "set")
    show_set(tmp_path / "set", "q1", False, None)
    shown = capsys.readouterr().out
    assert "◦ Di: no sentence names both" in shown
    assert "• Di" not in shown
    show_set(tmp_path / "set", None, False, None, rejected=True)
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[0:3] == ["Cy P1 A", "Cy · Who lives in A?", "Towns: Cy came to A. [0.25]"]
    assert lines[3:6] == ["Di P1 A", "Di · Who lives in A?", "no sentence names both ends"]
    assert lines[6].startswith("2 rejected facts: 1 with a sentence that names both ends, 1 without")
    show_set(tmp_path / "set", None, True, None, rejected=True)
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(record["fact"], "nearest" in record) for record in records] == [
        ("Cy P1 A", True),
        ("Di P1 A", False),
    ]
    show_set(tmp_path / "set", "q2", False, None, rejected=True)
    assert "no fact of these questions was rejected" in capsys.readouterr().out


def test_neutral_answers_that_are_no_records_are_refused():
    from rollcall.score import score

    with pytest.raises(RollcallError, match="neutral answers that are not a list of NeutralAnswer"):
        score([Question("q", answers=[Answer("a")], neutral=[Answer("b")])], {"q": []})  # type: ignore[list-item]


def test_rejected_facts_of_questions_that_were_not_kept_are_listed_while_the_build_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    proved = Question(
        "q", "Who?", answers=[Answer("Ann", evidence=[Evidence("Ann is in A.", fact="Ann P1 A")])]
    )
    QuestionSet([proved]).save(tmp_path / "set")
    place = {"literal": False, "page": "p1", "sentence": 0, "start": 0, "end": 9, "passage": None}
    row = {**place, "relation": "P1", "object": "A", "side": "subject", "name": "A", "rank": 1}
    rows = [
        {**row, "subject": subject, "text": f"{subject} saw A.", "score": score, "validated": validated}
        for subject, score, validated in (("Ann", 0.4, False), ("Bo", 0.3, False), ("Cy", 0.9, True))
    ]

    def write(work: Work) -> Outcome:
        write_records(EvidenceRows, work.out("evidence"), rows)
        return Outcome(1)

    stages = [Stage("simple-evidence", write)]
    Runner(tmp_path / "set" / ".build", stages, WorkOptions(show_progress=False)).run()
    show_set(tmp_path / "set", None, False, None, rejected=True)
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[:3] == ["Bo P1 A", "needed by no question of the set", "p1: Bo saw A. [0.30]"]
    assert lines[3].startswith("1 rejected fact: 1 with a sentence")
