"""What answers cost, where a list ends, and several trials at one question."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcall import RollcallError
from rollcall.questions import Answer, Prediction, Question, Run, read_run
from rollcall.score import compare, open_profile, score
from rollcall.score.measures import progress

GOLD = [
    Question("1", answers=[Answer("A"), Answer("B", aliases=["Bee"]), Answer("C")]),
    Question("2", answers=[Answer("D")]),
    Question("3", answers=[Answer("E")]),
    Question("4", answers=[Answer("F"), Answer("G")]),
]
RUN = [
    Prediction("1", ["A", "x", "B", "Bee", "y"], seconds=2, tokens=100, money=0.01, steps=4),
    Prediction("2", ["z"], seconds=1, tokens=50, money=0.002, steps=1),
    Prediction("3", failure="broke down", tokens=10),
    Prediction("4", ["F"], seconds=3, tokens=40, money=0.003, steps=1),
]


def test_figures_by_hand() -> None:
    """Three right answers in all; question 3 cost tokens and gave nothing."""
    measures = "seconds/right tokens/right money/right steps/right tokens money steps Padding EarlyStop"
    report = score(GOLD, RUN, measures=measures, confidence=None)
    values = {str(measure): figure.value for measure, figure in report.figures.items()}
    assert values == pytest.approx({
        "seconds/right": 6 / 3,
        "tokens/right": 200 / 3,
        "money/right": 0.015 / 3,
        "steps/right": 6 / 3,
        "tokens": 200 / 4,
        "money": 0.005,
        "steps": 2,
        "Padding": (2 / 5 + 1 / 1 + 0) / 3,  # question 3 has no answer
        "EarlyStop": (0 + 0 + 1 + 1) / 4,  # question 3 stops at once, question 4 after a right one
    })  # fmt: skip
    assert [report.columns[1].shown(place) for place in range(4)] == [50, None, None, 40]
    rows = report.to_frame("questions")
    assert rows["tokens/right"].tolist()[0] == 50


def test_costs_have_intervals_and_can_be_compared() -> None:
    chance = random.Random(1)
    gold = [Question(str(n), answers=[Answer(name) for name in "ABC"]) for n in range(60)]

    def run(dear: float) -> list[Prediction]:
        return [
            Prediction(one.id, ["A", "x", "B"][: chance.randint(0, 3)], tokens=dear * chance.randint(5, 15))
            for one in gold
        ]

    found = compare(gold, [run(10), run(30)], measures="tokens/right F1", resamples=2000)
    cheap, dear = (report["tokens/right"] for report in found.reports)
    assert cheap.interval is not None
    assert cheap.value is not None
    assert cheap.interval[0] < cheap.value < cheap.interval[1]
    assert found.beats(0, found.reports[0].measures[0]) == [1], "less is better"
    assert dear.value is not None
    assert "tokens" in repr(found.reports[0])


@pytest.mark.parametrize(
    "measure", ["tokens", "tokens/right", "money/right", "steps", "steps/right", "seconds/right"]
)
def test_a_run_without_its_costs_is_refused_in_one_line(measure: str) -> None:
    with pytest.raises(RollcallError, match=f"^{measure} needs ") as error:
        score(GOLD, {"1": ["A"]}, measures=measure)
    assert "\n" not in str(error.value)


def test_nothing_right_has_no_cost_per_right_answer() -> None:
    report = score(GOLD, [Prediction("1", ["x"], tokens=5)], measures="tokens/right", confidence=None)
    assert report["tokens/right"].value is None
    assert "no question counts for tokens/right" in report.warnings


@given(st.lists(st.sampled_from(["A", "a", "B", "Bee", "C", "x", "y", ""]), max_size=8))
def test_the_last_right_answer_is_found_as_by_trying_all(said: list[str]) -> None:
    profile = open_profile("entity")
    found = [profile.match(GOLD[0], GOLD[0].answers, said[:length]).found for length in range(len(said) + 1)]
    wanted = next(length for length, number in enumerate(found) if number == found[-1])
    assert progress(profile, GOLD[0], GOLD[0].answers, said) == (len(said), wanted, found[-1], 3)


def test_costs_are_read_and_written(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    Run(RUN).save(path)
    assert read_run(path).predictions == RUN
    rows = [
        {
            "qid": "1",
            "prediction": ["A"],
            "tokens": {"prompt": 90, "completion": 10},
            "steps": "4",
            "trial": 1,
        },
        {"qid": "1", "prediction": ["B"], "money": 0.5, "trial": 2},
    ]
    path.write_text(json.dumps(rows))
    first, second = read_run(path)
    assert (first.tokens, first.steps, first.trial, second.money) == (100, 4, 1, 0.5)


@pytest.mark.parametrize(
    "given_", [{"tokens": "many"}, {"steps": 1.5}, {"money": {"a": None}}, {"trial": True}]
)
def test_bad_costs_are_told(given_: dict[str, object]) -> None:
    with pytest.raises(RollcallError, match=next(iter(given_))):
        score(GOLD, [{"id": "1", "prediction": ["A"], **given_}])


def test_trials_by_hand() -> None:
    run = [
        Prediction("1", ["A", "B", "C"], trial=1),
        Prediction("1", ["A"], trial=2),
        Prediction("2", ["x"], trial=1),
        Prediction("2", ["D"], trial=2),
        Prediction("3", ["E"], trial=1),
        Prediction("3", ["E"], trial=1),
    ]
    report = score(GOLD[:3], run, measures="acc max(acc) min(acc) R max(R)", confidence=None)
    values = {str(measure): figure.value for measure, figure in report.figures.items()}
    assert values == pytest.approx(
        {"acc": 3 / 5, "max(acc)": 1, "min(acc)": 1 / 3, "R": (1 + 1 / 3 + 0 + 1 + 1) / 5, "max(R)": 1}
    )
    assert report.n == 5
    assert report.unmatched.duplicate == ["3"], "the same trial twice"
    assert "1 question has fewer than 2 trials (3)" in report.warnings
    with pytest.raises(RollcallError, match="different trials"):
        compare(GOLD[:3], [run, {"1": ["A"]}])
    assert compare(GOLD[:3], [run, run], resamples=20).reports[0].n == 5


def test_trials_are_one_cluster_for_intervals() -> None:
    """The same answers four times tell no more than once."""
    gold = [Question(str(number), answers=[Answer("A")]) for number in range(20)]
    once = [Prediction(one.id, ["A" if int(one.id) % 3 else "x"]) for one in gold]
    often = [Prediction(one.id, one.answers, trial=trial) for trial in range(4) for one in once]
    first, second = (score(gold, run, measures="F1")["F1"] for run in (once, often))
    assert second.value == pytest.approx(first.value)
    assert second.interval == pytest.approx(first.interval)
