"""What a threshold is expected to lose and to let through, from scores alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcall.evidence.expected import (
    Chances,
    chances,
    expected,
    expected_from,
    losing_at_most,
    precise_from,
    true_share,
)
from rollcall.evidence.find import DIGITS

SHARES = st.floats(0, 0.999)
PRIORS = st.floats(0.05, 0.95)
SCORES = st.lists(st.floats(0, 1).map(lambda score: round(score, DIGITS)), min_size=1, max_size=40)


def of(scores: "list[float] | np.ndarray", prior: float) -> Chances:
    values, counts = np.unique(np.asarray(scores, float), return_counts=True)
    return chances(values, counts, prior)


def drawn(share: float, prior: float, size: int, spread: float = 2.0) -> tuple[np.ndarray, np.ndarray]:
    """Labels with a share of true ones, and scores that are probabilities if the share were the prior.

    The log-likelihood ratio of a normal variable with means 0 and `spread` is linear in it.
    """
    random = np.random.default_rng(5)
    labels = random.random(size) < share
    seen = random.normal(size=size) + spread * labels
    ratio = np.exp(spread * seen - spread**2 / 2)
    odds = ratio * prior / (1 - prior)
    return np.round(odds / (1 + odds), DIGITS), labels


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9, 0.98])
@pytest.mark.parametrize("prior", [0.3, 0.5])
def test_what_is_expected_is_near_the_truth_whatever_share_is_true(share: float, prior: float) -> None:
    scores, labels = drawn(share, prior, 20_000)
    found = of(scores, prior)
    assert true_share(found.scores, found.counts, prior) == pytest.approx(labels.mean(), abs=0.02)
    for threshold in (0.1, 0.3, 0.5):
        figures = expected_from(found, threshold)
        assert figures is not None
        kept = scores >= threshold
        assert figures.true == pytest.approx(labels.mean(), abs=0.02)
        assert figures.lost == pytest.approx(labels[~kept].sum() / labels.sum(), abs=0.03)
        assert figures.precision == pytest.approx(labels[kept].mean(), abs=0.03)


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_thresholds_keep_in_truth_to_what_was_asked_for(share: float) -> None:
    scores, labels = drawn(share, 0.3, 20_000)
    found = of(scores, 0.3)
    threshold = losing_at_most(found, 0.05)
    assert labels[scores < threshold].sum() / labels.sum() == pytest.approx(0.05, abs=0.015)
    threshold = precise_from(found, 0.95)
    assert labels[scores >= threshold].mean() == pytest.approx(0.95, abs=0.015)


def test_scores_taken_as_they_are_would_be_far_off() -> None:
    """Why the share is estimated: where most are true, low scores are often right."""
    scores, labels = drawn(0.9, 0.3, 20_000)
    naive = scores[scores < 0.3].sum() / scores.sum()
    assert abs(naive - labels[scores < 0.3].sum() / labels.sum()) > 0.05


def test_figures_by_hand() -> None:
    found = Chances(np.array([0.2, 0.5, 0.8]), np.array([10, 4, 5]), np.array([0.1, 0.5, 0.8]))
    # 1 of 10, 2 of 4 and 4 of 5 are expected to be true.
    figures = expected_from(found, 0.5)
    assert figures is not None
    assert (figures.true, figures.lost) == (pytest.approx(7 / 19), pytest.approx(1 / 7))
    assert (figures.precision, figures.threshold) == (pytest.approx(6 / 9), 0.5)
    some = expected(found, np.array([0, 2, 5]))
    assert some is not None
    assert (some.lost, some.precision, some.threshold) == (pytest.approx(2 / 7), pytest.approx(5 / 7), None)
    assert [losing_at_most(found, share) for share in (0, 0.14, 0.15, 0.5)] == [0.2, 0.2, 0.5, 0.8]
    assert [precise_from(found, share) for share in (0, 0.6, 0.7, 0.81)] == [0.2, 0.5, 0.8, None]


@given(SCORES, PRIORS, SHARES)
def test_a_threshold_keeps_to_the_share_lost_and_is_the_highest_that_does(
    scores: list[float], prior: float, share: float
) -> None:
    found = of(scores, prior)
    threshold = losing_at_most(found, share)
    assert threshold in found.scores
    figures = expected_from(found, threshold)
    assert figures is not None
    assert figures.lost <= share + 1e-9
    higher = found.scores[found.scores > threshold]
    if len(higher):
        next_ = expected_from(found, float(higher[0]))
        assert next_ is not None
        assert next_.lost > share - 1e-9


@given(SCORES, PRIORS, SHARES)
def test_a_threshold_reaches_the_precision_and_is_the_lowest_that_does(
    scores: list[float], prior: float, share: float
) -> None:
    found = of(scores, prior)
    threshold = precise_from(found, share)
    for one in found.scores.tolist():
        figures = expected_from(found, one)
        assert figures is not None
        assert figures.precision is not None
        if threshold is not None and one >= threshold:
            assert figures.precision >= share - 1e-9
        else:
            assert figures.precision < share + 1e-9


@given(SCORES, PRIORS)
def test_chances_are_probabilities_in_the_order_of_the_scores(scores: list[float], prior: float) -> None:
    found = of(scores, prior)
    assert ((found.chances > 0) & (found.chances < 1)).all()
    assert (np.diff(found.chances) >= 0).all()


@given(SCORES, PRIORS)
def test_the_share_is_that_in_which_the_chances_have_their_mean(scores: list[float], prior: float) -> None:
    found = of(scores, prior)
    share = true_share(found.scores, found.counts, prior)
    assert 0 < share < 1
    if len(found.scores) > 1:
        mean = (found.true.sum() + 1) / (len(scores) + 2)
        assert share == pytest.approx(mean, abs=1e-6) or share == pytest.approx(np.clip(mean, 0.01, 0.99))


@pytest.mark.parametrize("score", [0.0, 0.3, 1.0])
def test_equal_scores_say_nothing_about_the_share(score: float) -> None:
    found = of([score] * 1000, 0.3)
    assert found.chances == pytest.approx([score], abs=1e-5)
    assert losing_at_most(found, 0.05) == score


def test_scores_near_one_or_near_nothing_stay_finite() -> None:
    near = np.linspace(0.999, 1, 500).round(DIGITS)
    sure, unsure = expected_from(of(near, 0.3), 0.999), expected_from(of(1 - near, 0.3), 0.0)
    assert sure is not None
    assert unsure is not None
    assert sure.true > 0.99
    assert sure.lost == 0
    assert unsure.true < 0.01
    assert unsure.precision == pytest.approx(unsure.true)
    assert precise_from(of(1 - near, 0.3), 0.95) is None


def test_without_candidates_nothing_is_expected() -> None:
    found = of([], 0.3)
    assert losing_at_most(found, 0.05) is None
    assert precise_from(found, 0.5) is None
    assert expected_from(found, 0.5) is None
