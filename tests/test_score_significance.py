"""Intervals and tests against independent statements, and what clusters do to them."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rollcall.errors import RollcallError
from rollcall.questions import Answer, Prediction, Question
from rollcall.score import compare, score
from rollcall.score.figures import Ratio
from rollcall.score.significance import compare_ratios, corrected, paired_t, two_sided_t

RANDOM = random.Random(3)
FIRST = [RANDOM.random() for _ in range(40)]
SECOND = [max(0.0, value - 0.1 * RANDOM.random()) for value in FIRST]
ONES = [1.0] * 40


@given(st.floats(-40, 40), st.integers(1, 5000))
def test_t_distribution(t: float, freedom: int) -> None:
    assert two_sided_t(t, freedom) == pytest.approx(2 * stats.t.sf(abs(t), freedom), rel=1e-8, abs=1e-6)


def test_paired_t_is_students_where_every_question_stands_alone() -> None:
    assert paired_t(Ratio(FIRST, ONES), Ratio(SECOND, ONES)) == pytest.approx(
        stats.ttest_rel(FIRST, SECOND).pvalue
    )


def test_permutation_and_bootstrap_agree_with_scipy() -> None:
    noisy = [value + RANDOM.gauss(0.02, 0.1) for value in FIRST]
    found = compare_ratios([Ratio(FIRST, ONES), Ratio(noisy, ONES)], [(0, 1)], resamples=20_000, seed=1)[0]
    exact = stats.permutation_test(
        (FIRST, noisy),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        n_resamples=20_000,
        rng=2,
    )
    assert found.permutation == pytest.approx(exact.pvalue, abs=0.02)
    assert found.bootstrap == pytest.approx(found.t, abs=0.05)


def test_few_clusters_are_permuted_exactly() -> None:
    found = compare_ratios(
        [Ratio([1.0] * 5, [1.0] * 5), Ratio([0.0] * 5, [1.0] * 5)], [(0, 1)], resamples=10, seed=0
    )[0]
    assert found.permutation == 2 / 2**5


def test_interval_agrees_with_an_independent_bootstrap() -> None:
    questions = [Question(str(n), answers=[Answer("A")]) for n in range(200)]
    said = {str(n): ["A"] if n % 3 else ["x"] for n in range(200)}
    low, high = score(questions, said, measures="R", resamples=4000)["R"].interval
    values = np.array([float(bool(n % 3)) for n in range(200)])
    draws = np.random.default_rng(9).choice(values, (4000, 200)).mean(axis=1)
    assert (low, high) == pytest.approx(np.quantile(draws, [0.025, 0.975]), abs=0.012)


def test_clusters_widen_intervals() -> None:
    """Ten wordings of one query are not ten independent questions."""
    alone = [Question(f"{n}-{m}", answers=[Answer("A")]) for n in range(20) for m in range(10)]
    together = [Question(one.id, answers=one.answers, cluster=one.id.split("-")[0]) for one in alone]
    said = {one.id: ["A"] if int(one.id.split("-")[0]) % 2 else [] for one in alone}
    spread = [
        math.dist((figure.interval[0],), (figure.interval[1],))
        for figure in (score(gold, said, measures="R")["R"] for gold in (alone, together))
    ]
    assert spread[1] > 2 * spread[0]


def test_one_question_has_no_interval() -> None:
    assert score([Question("1", answers=[Answer("A")])], {"1": ["A"]})["F1"].interval is None


@pytest.mark.parametrize(
    ("correction", "wanted"),
    [
        ("holm", [0.03, 0.06, 0.06, None]),
        ("bonferroni", [0.03, 0.12, 0.09, None]),
        ("none", [0.01, 0.04, 0.03, None]),
    ],
)
def test_corrections(correction: str, wanted: list[float | None]) -> None:
    assert corrected([0.01, 0.04, 0.03, None], correction) == pytest.approx(wanted)  # type: ignore[arg-type]


def questions_and_runs() -> tuple[list[Question], list[list[Prediction]]]:
    questions = [Question(str(n), answers=[Answer("A"), Answer("B")]) for n in range(60)]
    good = [Prediction(one.id, ["A", "B"]) for one in questions]
    poor = [Prediction(one.id, ["A", "x"]) for one in questions]
    return questions, [good, poor, list(good)]


def test_comparison_marks_wins() -> None:
    questions, runs = questions_and_runs()
    found = compare(questions, runs, names=["good", "poor", "same"], measures="F1")
    measure = found.reports[0].measures[0]
    assert [found.marks(run, measure) for run in range(3)] == ["b", "", "b"]
    same = next(one for one in found.differences if (one.first, one.second) == (0, 2))
    assert (same.value, same.corrected_p) == (0.0, 1.0)


def test_a_comparison_needs_two_runs_and_all_questions() -> None:
    questions, runs = questions_and_runs()
    with pytest.raises(RollcallError, match="two runs"):
        compare(questions, runs[:1])
    with pytest.raises(RollcallError, match="must count"):
        compare(questions, runs, missing="skip")
