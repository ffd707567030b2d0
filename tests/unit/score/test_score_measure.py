"""Measures print and parse as themselves, and refuse what has no meaning."""

import re

import pytest
from hypothesis import example, given, reject
from hypothesis import strategies as st

from places import ROOT
from rollcall import RollcallError
from rollcall.questions import Answer, Evidence, Passage, Prediction, Question
from rollcall.score import MEASURES, Measure, parse_measures, score

KNOWN = [
    "P",
    "R",
    "F1",
    "R>=0.8",
    "F1>=0.5",
    "acc",
    "EM",
    "P@10",
    "ARecall@200",
    "ERecall@5",
    "min(F1)",
    "R-5",
    "F1-5",
]


@pytest.mark.parametrize("text", [*KNOWN, "min(P@10)", "min(F1>=0.5)", "time", "acc@1", "F1@3>=0.25"])
def test_round_trip(text: str) -> None:
    measure = Measure.parse(text)
    assert str(measure) == text
    assert Measure.parse(str(measure)) == measure


@given(
    st.sampled_from(MEASURES.names),
    st.one_of(st.none(), st.integers(1, 10**9)),
    st.one_of(st.none(), st.integers(1, 10**9)),
    st.one_of(st.none(), st.floats(0, 1, exclude_min=True), st.integers(1, 100).map(lambda n: n / 100)),
    st.booleans(),
)
@example("R", None, None, 0.899999999, False)
@example("F1", None, None, 5e-324, False)
@example("P", None, None, 1 - 2**-53, True)
def test_every_value_is_refused_or_round_trips(
    name: str, cut: int | None, cap: int | None, threshold: float | None, worst: bool
) -> None:
    try:
        measure = Measure(name, cut, cap, threshold, worst)
    except RollcallError:
        reject()
    assert Measure.parse(str(measure)) == measure
    assert parse_measures(str(measure)) == [measure]


@pytest.mark.parametrize(
    "text",
    [
        "F2",
        "",
        "P@",
        "P@0",
        "ARecall",
        "EM@3",
        "min(min(F1))",
        "min(time)",
        "F1>=2",
        "F1>=0",
        "R-",
        "F1>=1.2.3",
        "P@" + "9" * 5000,
        "R-0",
        "R5",
        "F1>=1e-3",
        "F1>=" + "0" * 5000,
        "min(" * 5000,
    ],
)
def test_nonsense_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(RollcallError) as error:
        parse_measures(text)
    assert "\n" not in str(error.value)


def test_lists_drop_repeats() -> None:
    assert [str(measure) for measure in parse_measures("F1, P  F1")] == ["F1", "P"]


GOLD = [
    Question(
        "1",
        answers=[
            Answer("A", evidence=[Evidence("A is here.", "p1"), Evidence("Proof of A.")]),
            Answer("B", aliases=["Bee"]),
        ],
    ),
    Question("2", answers=[Answer("C")]),
]


def test_retrieval_measures() -> None:
    passages = [
        Passage("p9", text="The bee sleeps."),
        Passage("p1", "Title"),
        Passage("p3", "A", "Here is proof of a, too."),
    ]
    run = [Prediction("1", ["A", "x", "B"], passages), Prediction("2", ["C"], [Passage("p5", text="Cats")])]
    found = score(GOLD, run, measures="ARecall@1 ARecall@3 ERecall@2 ERecall@3 P@1 P@2 EM", confidence=None)
    values = {str(measure): figure.value for measure, figure in found.figures.items()}
    assert values == {
        "ARecall@1": 0.25,  # "bee" names B; "cats" does not name C
        "ARecall@3": 0.5,
        "ERecall@2": 0.5,  # question 2 has no evidence and does not count
        "ERecall@3": 1.0,
        "P@1": 1.0,
        "P@2": 0.75,
        "EM": 1.0,
    }


@pytest.mark.parametrize(("measure", "about"), [("ARecall@5", "hold none"), ("time", "how long")])
def test_what_the_run_lacks_is_said(measure: str, about: str) -> None:
    with pytest.raises(RollcallError, match=about):
        score(GOLD, {"1": ["A"]}, measures=measure, confidence=None)


def test_a_run_of_passages_alone_is_not_taken_for_wrong_answers() -> None:
    run = [Prediction("1", retrieved=[Passage("p1", text="The bee sleeps.")]), Prediction("2")]
    warned = score(GOLD, run, measures="F1", confidence=None).warnings
    assert any("no answers" in line and "ARecall@K" in line for line in warned)
    assert not score(GOLD, run, measures="ARecall@1", confidence=None).warnings
    assert not score(GOLD, [Prediction("1", ["A"]), Prediction("2")], measures="F1", confidence=None).warnings


def test_every_measure_and_profile_is_documented() -> None:

    from rollcall.score import PROFILES

    text = (ROOT / "docs" / "reference" / "measures.md").read_text()
    for name in (*MEASURES.names, *PROFILES.names):
        assert re.search(rf"(`|^### ){re.escape(name)}\b", text, re.MULTILINE), name
