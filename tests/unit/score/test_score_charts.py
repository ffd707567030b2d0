"""The charts of a report: SVG that any reader of XML understands, drawn to scale."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcall.questions import Answer, Prediction, Question
from rollcall.report import Figure
from rollcall.report.html import figure_svg, scale
from rollcall.report.values import Rendered
from rollcall.score import compare, score

EVIL = "<b>&\"'</svg>"


def asked(count: int = 40) -> tuple[list[Question], list[Prediction]]:
    questions = [
        Question(f"q{n}", f"Question {n}?", kind="simple" if n % 2 else EVIL, answers=[Answer(f"a{n}")])
        for n in range(count)
    ]
    return questions, [Prediction(one.id, [f"a{n}"] if n % 4 else []) for n, one in enumerate(questions)]


def opened(chart: Figure) -> ElementTree.Element:
    return ElementTree.fromstring(figure_svg(chart))


def charts_of(result: Rendered) -> list[Figure]:
    return [part for part in result.display("html").parts if isinstance(part, Figure)]


def boxes(svg: ElementTree.Element) -> list[float]:
    return [float(box.attrib["width"]) for box in svg.iter("rect")]


def notes(svg: ElementTree.Element) -> list[str]:
    return [title.text or "" for title in svg.iter("title")]


def test_bars_are_drawn_to_scale_and_tell_their_figures() -> None:
    questions, run = asked()
    report = score(questions, run, by=["kind"])
    charts = {chart.title: opened(chart) for chart in charts_of(report)}
    assert list(charts) == ["Figures", "Questions by F1", "F1 by kind"]
    by_kind = charts["F1 by kind"]
    told = notes(by_kind)
    drawn = dict(
        zip([note.rpartition(": ")[0].rpartition(": ")[0] for note in told], boxes(by_kind), strict=True)
    )
    assert drawn["simple"] == pytest.approx(280)
    assert drawn[EVIL] == pytest.approx(140)
    assert all("questions: 20" in note for note in told)
    assert "10" in " ".join(notes(charts["Questions by F1"])).split()
    assert by_kind.attrib["aria-label"] == "F1 by kind"


def test_a_comparison_has_a_bar_for_each_run_in_each_group() -> None:
    questions, run = asked()
    silent = [Prediction(one.id) for one in questions]
    found = compare(questions, [run, silent], names=["good", EVIL], by=["kind"], resamples=50)
    whole, by_kind = map(opened, charts_of(found))
    assert len(boxes(whole)) == 2
    assert len(boxes(by_kind)) == 4
    assert sorted(boxes(by_kind))[:2] == [0.0, 0.0], "who says nothing has no bar"


def test_the_page_holds_its_charts_and_nothing_that_must_be_evaluated() -> None:
    questions, run = asked()
    page = score(questions, run, by=["kind"], confidence=None).to_html()
    assert page.count("<figure>") == page.count("<svg ") == 3
    assert "unsafe-eval" not in page
    assert len(page) < 100_000


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6))
def test_a_scale_covers_its_values_with_few_round_ticks(low: float, span: float) -> None:
    found = scale(low, low + span, 10.0, 290.0)
    assert 2 <= len(found.ticks) <= 6
    unseen = 1e-6 * (1 + abs(low) + span)
    assert found.ticks[0] <= low + unseen
    assert found.ticks[-1] >= low + span - unseen
    assert list(found.ticks) == sorted(set(found.ticks))
    assert found.at(found.ticks[0]) == 10.0
    assert found.at(found.ticks[-1]) == 290.0
