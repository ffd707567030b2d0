"""GraphQuestions' tables, from JACANA's real result file, in the digits its own scorer prints."""

from pathlib import Path

import pytest

from rollcall.questions import Answer, Question
from rollcall.score import Measure, score
from rollcall.score.breakdown import share_of_first


@pytest.fixture(scope="module")
def printed(jacana: Path) -> dict[str, dict[str, list[str]]]:
    """What the published scorer prints, by heading: `{"nEdge": {"1": [n, P, R, F1, std, time]}}`."""
    lines = (jacana.parent / "graphquestions_jacana.expected.txt").read_text().splitlines()
    tables: dict[str, dict[str, list[str]]] = {"paraphrasing": {}}
    heading = ""
    for line in lines:
        if "\t" not in line:
            heading = line.strip()
        elif heading == "paraphrasing":
            rank, *rest = line.split("\t")
            tables["paraphrasing"][rank] = rest
        else:
            tables[heading] = {"": line.split("\t")}
    return tables


def assert_printed(group: object, row: list[str]) -> None:
    """A group's figures equal a printed row, as far as its twelve digits go."""
    assert group.n == int(row[0])  # type: ignore[attr-defined]
    for measure, text in zip(("P", "R", "F1", "time"), (row[1], row[2], row[3], row[5]), strict=True):
        value = group.figures[Measure.parse(measure)].value  # type: ignore[attr-defined]
        assert value == pytest.approx(float(text), rel=1e-10)


def test_tables_and_paraphrase_curve(jacana: Path, printed: dict[str, dict[str, list[str]]]) -> None:
    by = ["edges", "function", "cardinality", "commonness", "paraphrase-rank"]
    report = score(jacana, jacana, profile="graphquestions", by=by, confidence=None)
    overall = printed["overall performance"][""]
    assert (report.n, f"{100 * report['F1'].value:.2f}", f"{report['time'].value:.2f}") == (
        2587,
        "5.08",
        "2.01",
    )
    assert report["F1"].value == pytest.approx(float(overall[3]), rel=1e-10)
    for edges in "123":
        assert_printed(report.by["edges"][edges], printed[f"nEdge = {edges}"][""])
    for function in ("none", "count", "superlative", "comparative"):
        assert_printed(report.by["function"][function], printed[f"function = {function}"][""])
    assert_printed(report.by["cardinality"]["1"], printed["answer_card = 1"][""])
    assert_printed(report.by["cardinality"][">1"], printed["answer_card > 1"][""])
    for low in (-40, -30, -20, -10):
        group = report.by["commonness"][f"[{low}, {low + 10})"]
        assert_printed(group, printed[f"{low} <= commonness < {low + 10}"][""])
    ranks = report.by["paraphrase-rank"]
    for rank, (n, f1) in printed["paraphrasing"].items():
        group = ranks[str(int(rank) + 1)]
        assert group.n == int(n)
        assert group.figures[Measure("F1")].value == pytest.approx(float(f1), rel=1e-10, abs=1e-12)
    assert f"{share_of_first(ranks, Measure('F1'))['4']:.3f}" == "0.362"


def test_table_5_in_the_papers_digits(jacana: Path) -> None:
    report = score(jacana, jacana, profile="graphquestions", by=["cardinality"], confidence=None)
    rows = {
        key: [f"{100 * group.figures[Measure(name)].value:.2f}" for name in ("P", "R", "F1")]
        for key, group in report.by["cardinality"].items()
    }
    assert rows == {"1": ["14.77", "6.56", "6.56"], ">1": ["11.80", "1.43", "1.98"]}


def test_lists_not_sets() -> None:
    question = Question("1", answers=[Answer("A"), Answer("A"), Answer("B")])
    report = score([question], {"1": ["A", "x", "x"]}, profile="graphquestions", confidence=None)
    assert report["P"].value == pytest.approx(1 / 3)
    assert report["R"].value == pytest.approx(2 / 3)


def test_silence_is_precise() -> None:
    report = score(
        [Question("1", answers=[Answer("A")])], {"1": []}, profile="graphquestions", confidence=None
    )
    assert (report["P"].value, report["R"].value, report["F1"].value) == (1.0, 0.0, 0.0)


def test_unparsable_lines_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "system.res"
    row = '1000000\t0.5\t["A"]\t["A"]\t2,1\tnone\t1\t-12.5'
    path.write_text(f"# qid\ttime\n{row}\nbroken line\n2000000\t0.5\t[A]\t[]\t2,1\tnone\t1\t-12\n")
    report = score(path, path, profile="graphquestions", confidence=None)
    assert report.n == 1
    assert [line.split(": ")[0] for line in report.warnings] == [f"{path}:3", f"{path}:4"]
