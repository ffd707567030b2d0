"""Predictions and questions in CSV files and tables with tabs, with several answers in one cell."""

import csv
import io
import math
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcall import RollcallError
from rollcall.questions import Answer, EntityAnswer, Question, read_questions, read_run
from rollcall.questions.exporting import export
from rollcall.questions.formats.source import answers_cell, answers_of
from rollcall.report.csv import csv_lines, text_of_cell
from rollcall.score import score

TEXTS = st.text(st.characters(codec="utf-8"), min_size=1) | st.text(
    "aB;[]\"'=-,\t\r\n ", min_size=1, max_size=6
)
ANSWERS = st.lists(st.builds(Answer, TEXTS, st.none() | st.sampled_from(["Q1", "Q2", "Q3"])), max_size=4)
SAID = {"1": ["Edda Korhonen", "Leopold Brandauer"], "2": []}


def written(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8", newline="")
    return path


def said(path: Path) -> dict[str, list[str | EntityAnswer]]:
    return {one.id: one.answers for one in read_run(path)}


@given(ANSWERS)
def test_a_cell_gives_back_the_answers_that_were_written_into_it(answers: list[Answer]) -> None:
    ((cell,),) = csv.reader(io.StringIO("".join(csv_lines([[answers_cell(answers)]])), newline=""))
    read = answers_of(text_of_cell(cell))
    labels = [one["label"] if isinstance(one, dict) else one for one in read]
    assert labels == [answer.label for answer in answers]
    assert all(
        one["id"] == answer.id for one, answer in zip(read, answers, strict=True) if isinstance(one, dict)
    )


@given(st.text() | st.text("=+-@\t\r\n＝ '\"1.5e,", max_size=6), st.sampled_from(["\n", "\r\n"]))
def test_no_text_is_a_formula_in_a_table_and_every_text_is_read_back(text: str, end: str) -> None:
    lines = "".join(csv_lines([["id", text], ["2", "x"]], end))
    (_, cell), second = csv.reader(io.StringIO(lines, newline=""))
    assert second == ["2", "x"]
    assert text_of_cell(cell) == text
    if cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝")):
        assert cell.isascii()
        assert not math.isnan(float(cell)), "only a number begins with a sign"


def test_numbers_are_written_as_numbers() -> None:
    assert [*csv_lines([[-1, -0.5, "-5", "+1e3", "-x", "--5", None, ""]])] == ["-1,-0.5,-5,+1e3,'-x,'--5,,\n"]


def test_a_table_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    path = written(
        tmp_path / "old.csv",
        "id,question,answers,number_of_answers,kind,split,cluster,answer_names\n"
        '1, =who?, =A,1, -5,,,"[[null,""=A"",[]]]"\n',
    )
    (read,) = read_questions(path)
    assert (read.question, read.kind, read.answers[0].label) == ("=who?", "-5", "=A")
    assert said(path) == {"1": ["=A"]}


@given(st.lists(st.tuples(TEXTS, TEXTS, ANSWERS), min_size=1, max_size=3, unique_by=lambda one: one[0]))
def test_an_exported_table_reads_back_as_predictions(rows: list[tuple[str, str, list[Answer]]]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "set.csv"
        export([Question(id_, text, answers=answers) for id_, text, answers in rows], "csv", path)
        assert {one.id: one.question for one in read_questions(path)} == {id_: text for id_, text, _ in rows}
        labels = {
            id_: [one if isinstance(one, str) else one.label for one in answers]
            for id_, answers in said(path).items()
        }
        assert labels == {id_: [answer.label for answer in answers] for id_, _, answers in rows}


def test_an_exported_table_has_every_answer_right(tmp_path: Path) -> None:
    same = [Answer("Ann", "Q1"), Answer("ANN", "Q2"), Answer("Bo")]
    names = [Answer("Steins;Gate"), Answer("[REC]"), Answer("-5"), Answer('"Heroes"')]
    questions = [Question("=1", "who?", answers=same), Question("2", "what?", answers=names)]
    export(questions, "csv", tmp_path / "set.csv")
    report = score(questions, tmp_path / "set.csv")
    assert [report[name].value for name in ("P", "R", "F1", "acc")] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    "content",
    [
        "id,answers\n1,Edda Korhonen; Leopold Brandauer\n2,\n",
        "ID, Answers\r\n1, Edda Korhonen;Leopold Brandauer\r\n2,\r\n,\r\n",
        '\ufeffid;answers\n1;"Edda Korhonen; Leopold Brandauer"\n2;\n',
        "id\tanswers\n1\tEdda Korhonen; Leopold Brandauer\n2\t\n",
        'id,answers\n1,"[""Edda Korhonen"", ""Leopold Brandauer""]"\n2,[]\n',
        "id,answers\n1,\"['Edda Korhonen', 'Leopold Brandauer']\"\n2,[]\n",
        "id,answer\n1,Edda Korhonen\n1,Leopold Brandauer\n2,\n",
        "id,question,answers,prediction\n1,who?,Cy,Edda Korhonen; Leopold Brandauer\n2,where?,Cy,\n",
    ],
)
def test_a_table_with_ids_and_answers_holds_predictions(tmp_path: Path, content: str) -> None:
    assert said(written(tmp_path / "said.csv", content)) == SAID


def test_quotation_marks_in_a_table_with_tabs_may_stand_for_themselves(tmp_path: Path) -> None:
    path = written(tmp_path / "said.tsv", 'id\tanswers\n1\t"Heroes; Low\n2\tLodger\n')
    assert said(path) == {"1": ['"Heroes', "Low"], "2": ["Lodger"]}


def test_what_a_model_wrote_keeps_its_own_rules(tmp_path: Path) -> None:
    path = written(tmp_path / "said.csv", 'problem,answer,response\nwho?,A,"1. Ann; 2. Bo"\n')
    assert said(path) == {"who?": ["1. Ann; 2. Bo"]}
    path = written(tmp_path / "output.csv", 'id,output\n1,"Ann, Bo."\n')
    assert said(path) == {"1": ["Ann", "Bo"]}


def test_trials_of_a_table_are_kept_apart(tmp_path: Path) -> None:
    path = written(
        tmp_path / "said.csv", "id,answers,trial,seconds,failure\n1,A,1,2.5,\n1,B,2,,broke\n1,C,1,,\n"
    )
    assert [(one.trial, one.answers, one.seconds, one.failure) for one in read_run(path)] == [
        (1, ["A", "C"], 2.5, None),
        (2, ["B"], None, "broke"),
    ]


def test_gold_in_a_plain_table_is_a_set_of_answers(tmp_path: Path) -> None:
    path = written(
        tmp_path / "gold.csv", 'id,question,answers\n1,who?,Ann; Bo\n2,who?,"[[""Cy"", ""C""], ""Di""]"\n'
    )
    assert [[(one.label, one.aliases) for one in question.answers] for question in read_questions(path)] == [
        [("Ann", []), ("Bo", [])],
        [("Cy", ["C"]), ("Di", [])],
    ]


def test_a_file_that_is_none_of_these_is_named_in_plain_text(tmp_path: Path) -> None:
    with pytest.raises(
        RollcallError, match=r"it begins with 'name,colour'\); the first line of a CSV file names"
    ) as error:
        read_run(written(tmp_path / "x.csv", "name,colour\nA,red\n"))
    assert "b'" not in str(error.value)


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ('1,A\n2,"B\n3,C\n', "x.csv:4: a quote that opens in line 4 is not closed, so the rest is one field"),
        (
            '1,"A\n2,"B"\n',
            "x.csv:3: a quote that opens in line 3 is not closed, or one inside is not doubled",
        ),
        ('1,"' + "A\n" * 70_000, "x.csv:3: a quote that opens in line 3 is not closed"),
    ],
)
def test_a_quote_that_is_not_closed_is_told_with_its_line(rows: str, line: str, tmp_path: Path) -> None:
    with pytest.raises(RollcallError, match=line):
        read_run(written(tmp_path / "x.csv", f"\nid,answers\n{rows}"))
