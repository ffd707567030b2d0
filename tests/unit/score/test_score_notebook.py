"""Reports and comparisons in a notebook: short texts, tables without holes, and frames of pandas."""

import builtins
import sys
from typing import Any

import pytest

from rollcall import RollcallError
from rollcall.questions import Answer, Prediction, Question
from rollcall.score import Comparison, Report, compare, score

EVIL = "<script>alert(1)</script>"
QUESTIONS = [
    Question(
        f"q{n}",
        f"Question {n}? {EVIL}",
        kind=EVIL if n % 2 else "simple",
        characteristics={"edges": n % 3},
        answers=[Answer(f"answer {n}"), Answer("both")],
    )
    for n in range(24)
]
RUN = [Prediction(one.id, ["both", f"answer {n}"][: 1 + n % 2]) for n, one in enumerate(QUESTIONS[:-1])]
OTHER = [Prediction(one.id, ["wrong"]) for one in QUESTIONS]


@pytest.fixture(scope="module")
def report() -> Report:
    return score(QUESTIONS, RUN, measures="P R F1 min(F1)", by="kind, edges")


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return compare(QUESTIONS, [RUN, OTHER], names=["ours", EVIL], measures="F1 acc", by="kind")


def test_a_report_is_shown_in_a_few_lines(report: Report) -> None:
    shown = repr(report)
    assert len(shown) < 600
    assert shown.startswith("Report(24 questions, profile entity, 95% intervals, by kind, edges, ")
    low, high = report["F1"].interval or (0, 0)
    assert f"  F1       {100 * report['F1'].value:.2f} [{100 * low:.1f}, {100 * high:.1f}]" in shown


def test_many_measures_do_not_fill_the_screen() -> None:
    shown = repr(score(QUESTIONS, RUN, measures=[f"P@{k}" for k in range(1, 60)], confidence=None))
    assert len(shown.splitlines()) < 15
    assert "… and 49 more" in shown


def test_a_comparison_is_shown_in_a_few_lines(comparison: Comparison) -> None:
    first, ours, other = repr(comparison).splitlines()
    assert first == "Comparison(2 runs, 24 questions, profile entity, by kind)"
    assert ours.startswith("  a ours: F1 ")
    assert "b" in ours.rpartition("F1 ")[2]  # the mark of a significant win
    assert other.startswith("  b ")


def test_html_for_notebooks_is_escaped_and_holds_the_breakdowns(
    report: Report, comparison: Comparison
) -> None:
    for shown in (report._repr_html_(), comparison._repr_html_()):
        assert "<script" not in shown
        assert "<table" in shown
        assert len(shown) < 20_000
        assert "by kind" in shown
    assert "by edges" in report._repr_html_()
    assert "&lt;script&gt;" in report._repr_html_()


def test_the_page_and_the_tables_for_papers_are_whole_and_escaped(
    report: Report, comparison: Comparison
) -> None:
    assert report.to_latex().count(r"\begin{tabular}") == 3  # figures, and two breakdowns
    assert comparison.to_latex().count(r"\begin{tabular}") == 2
    for page in (report.to_html(), comparison.to_html()):
        assert page.startswith("<!doctype html>\n<!-- rollcall ")
        assert EVIL not in page


def test_a_frame_of_figures(report: Report) -> None:
    pytest.importorskip("pandas")
    plain = score(QUESTIONS, RUN, measures="P R").to_frame()
    assert list(plain.columns) == ["measure", "value", "low", "high", "n"]
    assert list(plain["measure"]) == ["P", "R"]
    frame = report.to_frame()
    assert list(frame.columns) == ["by", "group", "measure", "value", "low", "high", "n"]
    whole = frame[frame["by"] == "all"].set_index("measure")
    assert whole.loc["F1", "value"] == report["F1"].value
    assert (whole.loc["F1", "low"], whole.loc["F1", "high"]) == report["F1"].interval
    simple = frame[(frame["by"] == "kind") & (frame["group"] == "simple")].set_index("measure")
    group = report.by["kind"]["simple"]
    assert set(simple["n"]) == {group.n}
    assert {str(one): figure.value for one, figure in group.figures.items()} == simple["value"].to_dict()


def test_a_frame_of_questions(report: Report) -> None:
    pytest.importorskip("pandas")
    frame = report.to_frame("questions").set_index("id")
    assert len(frame) == 24
    assert frame.loc["q1", "state"] == "answered"
    assert frame.loc["q23", "state"] == "missing"
    assert frame.loc["q0", "missed"] == ["answer 0"]
    assert frame.loc["q4", "edges"] == 1
    assert frame["F1"].mean() == pytest.approx(report["F1"].value)


def test_frames_of_a_comparison(comparison: Comparison) -> None:
    pytest.importorskip("pandas")
    frame = comparison.to_frame()
    whole = frame[frame["by"] == "all"].set_index(["run", "measure"])
    assert whole.loc[("ours", "F1"), "value"] == comparison.reports[0]["F1"].value
    assert whole.loc[("ours", "F1"), "better_than"] == [EVIL]
    differences = comparison.to_frame("differences")
    assert list(differences["measure"]) == ["F1", "acc"]
    assert list(differences["corrected_p"]) == [one.corrected_p for one in comparison.differences]
    assert len(comparison.to_frame("questions")) == 48
    answers = comparison.to_frame("answers")
    assert set(answers["run"]) == {"ours", EVIL}
    assert "missed" in set(answers["verdict"])
    for shown in (comparison, comparison.reports[0]):
        with pytest.raises(RollcallError, match="choose figures"):
            shown.to_frame("verdicts")  # type: ignore[arg-type]


def test_without_pandas_there_is_one_clear_line(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(RollcallError, match=r"to_frame.. needs pandas.*pip install .rollcall-qa.frames"):
        report.to_frame()


def test_scoring_and_showing_need_no_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def refusing(name: str, *args: Any, **options: Any) -> Any:
        assert name.partition(".")[0] != "pandas"
        return imported(name, *args, **options)

    monkeypatch.setattr(builtins, "__import__", refusing)
    report = score(QUESTIONS, RUN)
    assert repr(report)
    assert report._repr_html_()
    assert report.to_latex()
