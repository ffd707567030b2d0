"""Intervals and tests against independent statements, and what clusters do to them."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rollcall import RollcallError
from rollcall.questions import Answer, Prediction, Question
from rollcall.score import compare, score
from rollcall.score._display import legend
from rollcall.score.figures import Ratio, effective_number, interval, t_quantile, two_sided_t
from rollcall.score.significance import compare_ratios, corrected, enough_draws, paired_t

RANDOM = random.Random(3)
FIRST = [RANDOM.random() for _ in range(40)]
SECOND = [max(0.0, value - 0.1 * RANDOM.random()) for value in FIRST]
ONES = [1.0] * 40


@given(st.floats(-40, 40), st.integers(1, 5000))
def test_t_distribution(t: float, freedom: int) -> None:
    assert two_sided_t(t, freedom) == pytest.approx(2 * stats.t.sf(abs(t), freedom), rel=1e-8, abs=1e-6)


@given(st.floats(0.01, 0.9999), st.floats(1, 5000))
def test_t_quantile(confidence: float, freedom: float) -> None:
    assert t_quantile(confidence, freedom) == pytest.approx(
        stats.t.ppf((1 + confidence) / 2, freedom), rel=1e-6
    )


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


def test_interval_of_a_large_sample_agrees_with_an_independent_bootstrap() -> None:
    questions = [Question(str(n), answers=[Answer("A")]) for n in range(200)]
    said = {str(n): ["A"] if n % 3 else ["x"] for n in range(200)}
    low, high = score(questions, said, measures="R")["R"].interval
    values = np.array([float(bool(n % 3)) for n in range(200)])
    draws = np.random.default_rng(9).choice(values, (4000, 200)).mean(axis=1)
    assert (low, high) == pytest.approx(np.quantile(draws, [0.025, 0.975]), abs=0.012)


def test_interval_is_wilsons_with_students_t() -> None:
    """Where questions stand alone: Wilson's interval for as many draws as have the scores' variance."""
    values = np.array([0.0, 0.2, 0.5, 1.0, 0.7, 0.0])
    mean, variance = values.mean(), values.var(ddof=1) / len(values)
    draws, t = mean * (1 - mean) / variance, stats.t.ppf(0.975, len(values) - 1)
    ends = np.roots(
        [1 + t**2 / draws, -(2 * mean + t**2 / draws), mean**2]
    )  # (p - mean)² = t² p (1 - p) / draws
    assert interval(Ratio(values.tolist(), [1.0] * 6), 0.95) == pytest.approx(sorted(ends))


def test_a_figure_that_never_varied_may_yet_vary() -> None:
    for value in (0.0, 0.5, 1.0):
        low, high = interval(Ratio([value] * 5, [1.0] * 5), 0.95)
        assert low <= value <= high
        assert high - low > 0.5
    low, high = interval(Ratio([0.0] * 1000, [1.0] * 1000), 0.95)
    assert low == 0
    assert high == pytest.approx(0.0038, abs=2e-4)  # the rule of three: 3 / 1000, and a little


def test_clusters_of_unequal_size_count_as_fewer() -> None:
    assert effective_number([3, 3, 3, 3]) == 4
    assert effective_number([100, 1, 1, 1]) < 1.1
    equal = interval(Ratio([1.0, 2.0, 0.0, 1.0], [2.0] * 4), 0.95)
    unequal = interval(Ratio([2.5, 0.5, 0.0, 1.0], [5.0, 1.0, 1.0, 1.0]), 0.95)
    assert unequal[1] - unequal[0] > equal[1] - equal[0]


def test_seconds_have_an_interval_of_factors() -> None:
    low, high = interval(Ratio([1.0, 2.0, 9.0, 1.5, 1.0, 4.0], [1.0] * 6), 0.95, share=False)
    mean = 18.5 / 6
    assert low > 0
    assert mean / low == pytest.approx(high / mean)
    assert interval(Ratio([1.0, 1.0], [1.0, 1.0]), 0.95, share=False) is None


def test_intervals_cover_and_tests_hold_at_few_clusters() -> None:
    """A small part of benchmarks/bench_intervals.py; percentile bootstrap and plain test: 75 % and 15 %."""
    chance = np.random.default_rng(4)
    samples, clusters = 300, 5
    covered = rejected = 0
    for number in range(samples):
        kind, between = chance.random(clusters), chance.beta(2, 2, clusters)
        scores = np.where(kind < 0.7, 0.0, np.where(kind < 0.75, 1.0, between))
        low, high = interval(Ratio(scores.tolist(), [1.0] * clusters), 0.95)
        covered += low <= 0.175 <= high
        first, second = chance.beta(4, 4, (2, clusters))
        found = compare_ratios(
            [Ratio(first.tolist(), [1.0] * clusters), Ratio(second.tolist(), [1.0] * clusters)],
            [(0, 1)],
            resamples=300,
            seed=number,
        )[0]
        rejected += found.bootstrap < 0.05
    assert covered / samples > 0.93
    assert rejected / samples < 0.07


def test_few_clusters_and_clusters_all_alike_are_warned_of() -> None:
    def warned(count: int, cluster: int = 1, right: int = 3) -> str:
        questions = [
            Question(str(n), answers=[Answer("A"), Answer("B")], cluster=str(n // cluster))
            for n in range(count)
        ]
        said = {str(n): ["A", "B"] if n % right else ["A"] for n in range(count)}
        return " ".join(score(questions, said, measures="P R").warnings)

    assert "4 clusters are too few" in warned(4)
    assert "3 clusters are too few" in warned(30, cluster=10)
    assert "one cluster" in warned(30, cluster=30)
    assert "too few" not in warned(5)
    assert "all 12 clusters have the same P," in warned(12)
    assert not warned(100)
    questions = [Question(str(n), answers=[Answer("A")], cluster=str(n // (n % 9 + 1))) for n in range(100)]
    said = {str(n): ["A"] if n % 25 else ["x"] for n in range(100)}
    assert "near 0 or 100 %, few of the" in " ".join(score(questions, said, measures="P").warnings)
    questions = [
        Question(str(n), answers=[Answer("A")], cluster="c" if n < 90 else str(n)) for n in range(100)
    ]
    assert "11 clusters of such unequal size that they count as 1.2" in " ".join(
        score(questions, {}).warnings
    )


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


def five_runs() -> tuple[list[Question], list[dict[str, list[str]]]]:
    """One run of five is far better than the others, which are alike."""
    questions = [Question(str(n), answers=[Answer("A"), Answer("B")]) for n in range(80)]
    poor = [{str(n): ["A", "x"] if (n + run) % 5 else ["A"] for n in range(80)} for run in range(4)]
    return questions, [*poor, {str(n): ["A", "B"] if n % 10 else ["A", "x"] for n in range(80)}]


@pytest.mark.parametrize("test", ["permutation", "bootstrap", "t"])
def test_one_of_five_runs_is_marked(test: str) -> None:
    questions, runs = five_runs()
    found = compare(questions, runs, test=test)  # type: ignore[arg-type]
    assert len(found.differences) == 60
    assert found.marks(4, found.reports[0].measures[2]) == "abcd"
    assert not found.warnings


def test_draws_follow_the_correction() -> None:
    assert enough_draws(1, 0.05) == enough_draws(50, 0.05) == 10_000
    for comparisons in (60, 500, 4000):
        assert comparisons / (enough_draws(comparisons, 0.05) + 1) < 0.05 / 4
    questions, runs = five_runs()
    found = compare(questions, runs, level=0.01)
    assert found.resamples == found.as_json()["resamples"] == 60_000
    assert "at most 60,000 draws" in legend(found)
    assert "for 60 comparisons" in legend(found)
    assert compare(questions, runs[:2], measures="F1").resamples == 10_000


def test_too_few_draws_or_clusters_to_mark_anything_are_warned_of() -> None:
    questions, runs = five_runs()
    few = compare(questions, runs, resamples=1000)
    assert len(few.warnings) == 1
    assert "1000 samples" in few.warnings[0]
    assert "give --resamples 2400 or more" in few.warnings[0]
    assert few.as_json()["warnings"] == few.warnings
    assert not compare(questions, runs, resamples=2400).warnings
    assert not compare(questions, runs, resamples=1000, correction="none").warnings
    assert not compare(questions, runs, resamples=1000, test="t").warnings
    five = compare(questions[:5], runs[:2], measures="F1")
    assert "5 clusters can be swapped in 32 ways" in five.warnings[0]
    assert not compare(questions[:6], runs[:2], measures="F1").warnings


@pytest.mark.parametrize("resamples", [None, 100])
@pytest.mark.parametrize("profile", ["romqa", "entity"])
def test_a_comparison_where_all_gold_is_empty(profile: str, resamples: int | None) -> None:
    questions = [Question(str(n)) for n in range(8)]
    found = compare(questions, [{"1": ["A"]}, {"2": ["A", "B"]}], profile=profile, resamples=resamples)
    assert found.differences
    for one in found.differences:
        assert (
            (one.value is None)
            == (one.corrected_p is None)
            == (profile == "romqa" and one.measure.name != "acc" and not one.measure.worst)
        )


def test_the_same_difference_in_every_cluster_is_no_proof_at_five() -> None:
    """Without any spread a t would be beyond all bounds; the signs alone say less."""
    ratios = [Ratio([0.8] * 5, [1.0] * 5), Ratio([0.3] * 5, [1.0] * 5)]
    found = compare_ratios(ratios, [(0, 1), (0, 0)], resamples=100, seed=0)
    assert found[0] == (1 / 16, 1 / 16, 1 / 16)
    assert found[1] == (1, 1, 1)


def test_a_comparison_needs_two_runs() -> None:
    questions, runs = questions_and_runs()
    with pytest.raises(RollcallError, match="two runs"):
        compare(questions, runs[:1])


def test_only_questions_that_all_runs_answered_are_compared() -> None:
    questions = [Question(str(n), answers=[Answer("A")]) for n in range(9)]
    first = {str(n): ["A"] for n in range(6)}  # as by `rollcall run --limit 6`
    second = {str(n): ["A" if n < 5 else "B"] for n in range(3, 9)}
    found = compare(questions, [first, second], measures="F1", missing="skip", resamples=100)
    figures = [report["F1"].value for report in found.reports]
    assert (found.reports[0].n, figures) == (3, [1.0, pytest.approx(2 / 3)])
    told = "6 of 9 questions left out, which not every run answered: 0, 1, 2, 6, 7 and 1 more"
    assert told in found.warnings
    assert not any(report.unmatched.lines() for report in found.reports)
    alone = [score(questions[3:6], run, measures="F1")["F1"].value for run in (first, second)]
    assert alone == figures
    counting = compare(questions, [first, second], measures="F1", resamples=100)
    assert (counting.reports[0].n, told in counting.warnings) == (9, False)
    assert counting.warnings == [
        "the runs answer different questions, and those without a prediction count as unanswered: --missing "
        'skip (missing="skip" in Python) compares what all answered (3 questions)'
    ]
    for same in ([first, first], [second | first, second | first]):
        assert not compare(questions, same, measures="F1", resamples=100).warnings
    apart = compare(questions, [{"0": ["A"]}, {"1": ["A"]}], measures="F1", resamples=100)
    assert not apart.warnings  # nothing could be compared that way


def test_runs_that_share_no_question_are_told_so() -> None:
    def told(
        *splits: str | None, runs: tuple[dict[str, list[str]], ...] = ({"0": ["A"]}, {"1": ["A"]})
    ) -> str:
        questions = [Question(str(n), split=split, answers=[Answer("A")]) for n, split in enumerate(splits)]
        with pytest.raises(RollcallError) as refused:
            compare(questions, runs, names=["ours", "theirs"], missing="skip")
        return str(refused.value)

    begin = "no question was answered by all runs: they answer different questions"
    end = ", so they cannot be compared; give runs of the same questions"
    assert told("dev", "test") == f"{begin} (ours: dev; theirs: test){end}"
    for unsaid in (("dev", "dev"), (None, None), ("dev", None)):
        assert told(*unsaid) == begin + end
