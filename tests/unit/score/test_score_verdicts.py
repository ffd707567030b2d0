"""The verdict on every answer of every run, as rows, as CSV and as an Excel workbook."""

import csv
import io
import json
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rollcall import RollcallError
from rollcall.cli.main import main
from rollcall.questions import Answer, NeutralAnswer, Question, QuestionSet
from rollcall.report import Heading, Table
from rollcall.report.xlsx import table_xlsx
from rollcall.score import compare, score

ASKED = Question(
    "q1",
    "Who lives in A?",
    kind="simple",
    split="test",
    answers=[Answer("Ann", "Q1", ["Annie"]), Answer("Bo", "Q2"), Answer("Bo", "Q3")],
    neutral=[NeutralAnswer("Cy", "Q4", ["Cyrus"], unproved="Cy P1 A")],
)
EMPTY = Question("q2", "Who does not?")
SAID = {"q1": ["Annie", "=1+1", "Cyrus", "<&>\u0001 "], "q2": []}
HEADINGS = ["run", "id", "question", "kind", "split", "verdict", "answer", "answer_id", "predicted", "reason"]


def verdicts(table: Table) -> list[tuple[object, ...]]:
    """The rows without the question's own columns."""
    return [(row[1], *row[5:]) for row in table.rows]


def test_every_answer_has_a_row():
    table = score([ASKED, EMPTY], SAID).verdicts()
    assert [heading.name for heading in table.headings] == HEADINGS
    assert list(table.rows[0][:5]) == ["", "q1", "Who lives in A?", "simple", "test"]
    rows = verdicts(table)
    assert rows[:3] == [
        ("q1", "found", "Ann", "Q1", "Annie", ""),
        ("q1", "missed", "Bo", "Q2", "", ""),
        ("q1", "missed", "Bo", "Q3", "", ""),
    ]
    assert sorted(row[4] for row in rows if row[1] == "wrong") == ["<&>\u0001 ", "=1+1"]
    assert rows[5] == ("q1", "neutral", "Cy", "Q4", "Cyrus", "no sentence names both")
    assert rows[6] == ("q2", "nothing", "", "", "", "")


def test_missing_and_repeated_predictions_say_why():
    rows = verdicts(score([ASKED], {}).verdicts())
    assert {(row[1], row[-1]) for row in rows} == {("missed", "no prediction")}
    twice = score([ASKED], {"q1": ["Ann", "Annie"]}).verdicts()
    assert ("repeated", "Ann") in {(row[1], row[4]) for row in verdicts(twice)}


def test_a_comparison_has_the_rows_of_all_runs():
    compared = compare(
        [ASKED, EMPTY], [SAID, {"q1": ["Bo"], "q2": ["Eve"]}], names=["one", "two"], resamples=50
    )
    frame = compared.to_frame("answers")
    assert list(frame.columns) == HEADINGS
    assert frame[frame["run"] == "two"]["verdict"].tolist().count("wrong") == 1
    assert len(frame) == len(compared.verdicts().rows)
    alone = score([ASKED, EMPTY], SAID).to_frame("answers")
    assert list(alone.columns) == HEADINGS[1:]


def rows_of_workbook(content: bytes) -> list[list[object]]:
    """The rows of a workbook's sheet; texts are told from numbers and formulas."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        parts = {name: archive.read(name) for name in archive.namelist()}
    types = ElementTree.fromstring(parts["[Content_Types].xml"])
    named = {child.get("PartName", "").lstrip("/") for child in types} - {""}
    assert named <= parts.keys()
    sheet = ElementTree.fromstring(parts["xl/worksheets/sheet1.xml"])
    space = {"m": sheet.tag.partition("}")[0][1:]}
    assert sheet.findall(".//m:f", space) == [], "no formula"
    return [
        [
            float(cell[0].text or "") if cell.get("t") is None and len(cell) else "".join(cell.itertext())
            for cell in row
        ]
        for row in sheet.findall(".//m:row", space)
    ]


def test_a_workbook_keeps_texts_as_texts_and_numbers_as_numbers():
    table = Table(
        "",
        (Heading("text"), Heading("number")),
        [["=1+1", 2], [" <&>\u0001\ud800\n_x0041_", 0.5], ["", None]],
    )
    content = table_xlsx(table)
    assert content == table_xlsx(table)
    assert rows_of_workbook(content) == [
        ["text", "number"],
        ["=1+1", 2.0],
        [" <&>\ufffd\ufffd\n_x005F_x0041_", 0.5],
        ["", ""],
    ]


def test_more_rows_than_a_sheet_has_are_refused():
    with pytest.raises(RollcallError, match=r"1,048,576 rows: an Excel sheet has 1,048,576; write a \.csv"):
        table_xlsx(Table("", (Heading("a"),), [[""]] * 1_048_576))


def status(*words: str) -> int | str | None:
    with pytest.raises(SystemExit) as stopped:
        main(list(words))
    return stopped.value.code


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    QuestionSet([ASKED, EMPTY]).save(tmp_path / "set")
    (tmp_path / "one.json").write_text(json.dumps(SAID))
    (tmp_path / "two.json").write_text(json.dumps({"q1": ["Bo"], "q2": []}))
    return tmp_path


def test_commands_write_them_beside_the_report(folder: Path, capsys: pytest.CaptureFixture[str]):
    for _again in range(2):
        assert status("score", "set", "one.json", "--verdicts", "all.csv", "--json", "figures.json") == 0
    assert "share of the predictions that are right" in capsys.readouterr().out, "the table is still printed"
    with (folder / "all.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == HEADINGS
    assert {row["predicted"] for row in rows if row["verdict"] == "wrong"} == {"'=1+1", "<&>\u0001 "}
    compared = ["compare", "set", "one.json", "two.json", "--resamples", "50", "--verdicts", "all.xlsx"]
    assert status(*compared) == status(*compared) == 0
    assert {row[0] for row in rows_of_workbook((folder / "all.xlsx").read_bytes())[1:]} == {"one", "two"}


def test_other_files_are_not_overwritten(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "mine.xlsx").write_bytes(b"PK\x03\x04 mine")
    (folder / "mine.csv").write_text("a,b\n")
    for name in "mine.xlsx", "mine.csv":
        assert status("score", "set", "one.json", "--verdicts", name) == 2
        assert (
            capsys.readouterr().err
            == f"rollcall: {name}: exists and is no report of Rollcall; name another file\n"
        )
    assert status("score", "set", "one.json", "--verdicts", "all.txt") == 2
    assert "goes to a file that ends in .csv or .xlsx" in capsys.readouterr().err
