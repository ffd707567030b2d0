"""What Python may hand in: every form of predictions means one thing, and what is wrong is refused."""

from typing import Any

import pytest

from rollcall import RollcallError
from rollcall.questions import (
    Answer,
    Candidate,
    EntityAnswer,
    Evidence,
    Passage,
    Prediction,
    Question,
    QuestionSet,
    Run,
)
from rollcall.score import Measure, compare, expand, score

GOLD = [Question("q0", answers=[Answer("Ann", "Q1"), Answer("Bo")])]
SAID = {"q0": ["Ann", "Bo"]}


@pytest.mark.parametrize(
    "said",
    [
        SAID,
        {"q0": {"answers": ["Ann", "Bo"]}},
        {"q0": {"predictions": ("Ann", "Bo"), "seconds": 3}},
        {"q0": {"Ann", "Bo"}},
        {"q0": frozenset({EntityAnswer("Q1"), "Bo"})},
        {"q0": (name for name in ("Ann", "Bo"))},
        {"q0": [{"id": "Q1"}, {"label": "Bo"}]},
        {"q0": dict.fromkeys(["Ann", "Bo"]).keys()},
        [{"id": "q0", "answers": ["Ann", "Bo"]}],
        [Prediction("q0", ["Ann", "Bo"])],
        Run([Prediction("q0", [EntityAnswer("Q1", "x"), "Bo"])]),
    ],
)
def test_answers_in_many_forms(said: Any) -> None:
    assert score(GOLD, said, measures="F1", confidence=None)["F1"].value == 1


def test_one_answer_or_none() -> None:
    assert score(GOLD, {"q0": "Bo"}, measures="R", confidence=None)["R"].value == 0.5
    assert score(GOLD, {"q0": EntityAnswer("Q1", "x")}, measures="R", confidence=None)["R"].value == 0.5
    silent = score(GOLD, {"q0": None}, measures="R", confidence=None)
    assert silent["R"].value == 0
    assert silent.warnings == ["the predictions: q0: its answers are null; counted as no answer"]
    assert (
        score([Question("7", answers=[Answer("5")])], {7: 5}, measures="R", confidence=None)["R"].value == 1
    )


def test_passages_of_records_are_read() -> None:
    said = {"q0": {"answers": ["Ann"], "retrieved": [{"id": "p", "text": "Bo"}]}}
    assert score(GOLD, said, measures="ARecall@1", confidence=None)["ARecall@1"].value == 0.5


@pytest.mark.parametrize(
    "said",
    [
        None, 5, b"x", ["Ann"], [None], [["Ann"]], {"q0": [["Ann"]]}, {"q0": [object()]},
        {"q0": {"x": 1}}, {None: ["Ann"]}, {"q0": b"Ann"}, {"q0": object()},
        {"q0": {"answers": {"id": "Q1"}}}, {"q0": [{"x": "Ann"}]}, [Prediction("q0", "Ann")],
        [Prediction(5, ["Ann"])], [Prediction("q0", [None])], [Prediction("q0", retrieved=["p"])],
        [Prediction("q0", retrieved=[Passage(5)])], [Prediction("q0", seconds="x")],
        [Prediction("q0", seconds=float("nan"))], [Prediction("q0", failure=5)], [EntityAnswer("Q1")],
        [{"answers": ["Ann"]}], {"q0": {"answers": [1], "seconds": "x"}},
    ],
)  # fmt: skip
def test_wrong_predictions_are_refused_in_one_line(said: Any) -> None:
    with pytest.raises(RollcallError) as error:
        score(GOLD, said)
    assert "\n" not in str(error.value)
    with pytest.raises(RollcallError):
        compare(GOLD, [said, SAID])


@pytest.mark.parametrize(
    "gold",
    [
        None, 5, b"x", {"q0": ["Ann"]}, ["q0"], [None], [{"id": "q0"}], [Question(5)],
        [Question("q", answers="Ann")], [Question("q", answers=["Ann"])],
        [Question("q", answers=[Answer(5)])], [Question("q", answers=[Answer("A", 5)])],
        [Question("q", answers=[Answer("A", aliases="abc")])],
        [Question("q", answers=[Answer("A", aliases=[5])])],
        [Question("q", answers=[Answer("A", evidence=["x"])])],
        [Question("q", answers=[Answer("A", evidence=[Evidence(5)])])], [Question("q", cluster=5)],
        [Question("q", kind=5)], [Question("q", characteristics=[])], [Question("q", provenance=[])],
        [Question("q", characteristics={"x": {}})], [Question("q", alternatives=[Answer("A")])],
        [Question("q", candidates=[Answer("A")])],
        [Question("q", candidates=[Candidate("A", aliases=None)])], QuestionSet(["q"]),
    ],
)  # fmt: skip
def test_wrong_gold_is_refused_in_one_line(gold: Any) -> None:
    with pytest.raises(RollcallError) as error:
        score(gold, SAID)
    assert "\n" not in str(error.value)
    with pytest.raises(RollcallError):
        compare(gold, [SAID, SAID])


WRONG = [
    ("setting", "half"), ("setting", None), ("missing", "ignore"), ("missing", True),
    ("profile", "best"), ("profile", None), ("profile", ["entity"]), ("measures", 5), ("measures", [5]),
    ("measures", []), ("measures", "F7"), ("by", 5), ("by", [5]), ("by", ["colour"]),
    ("drop_empty", "no"), ("confidence", 95), ("confidence", "0.95"), ("confidence", float("nan")),
    ("confidence", 1),
]  # fmt: skip
WRONG_IN_COMPARISONS = [
    ("test", "sign"), ("test", None), ("correction", "all"), ("level", 0), ("level", 1), ("level", "x"),
    ("names", "ab"), ("names", ["a"]), ("names", [1, 2]), ("resamples", 0),
    ("resamples", -1), ("resamples", 1.5), ("resamples", "many"),
    ("resamples", True), ("seed", -1), ("seed", None), ("seed", 1.5),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_wrong_options_are_refused_in_one_line(name: str, value: Any) -> None:
    with pytest.raises(RollcallError) as error:
        score(GOLD, SAID, **{name: value})
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("name", "value"), [*WRONG, *WRONG_IN_COMPARISONS])
def test_wrong_options_of_a_comparison_are_refused_in_one_line(name: str, value: Any) -> None:
    with pytest.raises(RollcallError) as error:
        compare(GOLD, [SAID, SAID], **{name: value})
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("runs", [None, "run.jsonl", SAID, 5, iter([SAID, SAID])])
def test_runs_are_a_list(runs: Any) -> None:
    with pytest.raises(RollcallError, match="list of runs"):
        compare(GOLD, runs)


@pytest.mark.parametrize(
    "option", [{"lookup": "near"}, {"homonyms": "some"}, {"setting": "half"}, {"sources": "label"}]
)
def test_wrong_options_of_an_expansion_are_refused(option: Any) -> None:
    with pytest.raises(RollcallError):
        expand(GOLD, "nowhere", **option)


def test_measures_and_characteristics_may_be_one_string_or_a_list() -> None:
    questions = [Question("q0", kind="k", answers=[Answer("Ann")], characteristics={"x": 1})]
    report = score(questions, SAID, measures=[Measure("P", cut=3), "R"], by="kind, x", confidence=None)
    assert [str(one) for one in report.measures] == ["P@3", "R"]
    assert list(report.by) == ["kind", "x"]
