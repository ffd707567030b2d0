"""How the opinions of the model and of `contrast` become one probability."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollcall.evidence.verifiers.learned.verifier import (
    Combination,
    Opinions,
    clipped,
    combine,
    log_odds,
    removed,
)

OWN = Combination(0.1, 0.6, 0.0, 0.13)
"""How the model alone becomes a probability."""


def opinions(count: int, model: float, contrast: float, seed: int) -> Opinions:
    """Log-odds around a mean, with as much noise for both."""
    random = np.random.default_rng(seed)
    return Opinions(random.normal(model, 1.5, count), random.normal(contrast, 1.5, count))


def learned(model: float, contrast: float, count: int = 400) -> Combination:
    """What is learned if the opinions on right and wrong facts are so far apart (from 0)."""
    held = opinions(count, model, contrast, 1)
    return combine(OWN, held, np.arange(count), opinions(2 * count, -model, -contrast, 2))


def test_a_contrast_that_is_noise_does_not_change_the_model():
    assert learned(model=3, contrast=0) == OWN


def test_a_clear_contrast_counts_more_than_a_noisy_model():
    found = learned(model=0, contrast=3)
    assert found.contrast > found.model
    held, wrong = opinions(500, 0, 3, 5), opinions(500, 0, -3, 6)
    groups = np.arange(500)
    assert removed(held, groups, wrong, found) > 0.9 > 0.5 > removed(held, groups, wrong, OWN)


def test_two_good_opinions_are_better_than_one():
    found = learned(model=1.5, contrast=1.5)
    assert found.model > 0
    assert found.contrast > 0
    held, wrong = opinions(500, 1.5, 1.5, 5), opinions(500, -1.5, -1.5, 6)
    groups = np.arange(500)
    assert removed(held, groups, wrong, found) > removed(held, groups, wrong, OWN)


def test_probabilities_are_right_on_average():
    found = learned(model=0, contrast=2)
    right, wrong = (found.probabilities(*opinions(2000, 0, mean, 7)) for mean in (2, -2))
    chances, answers = np.concatenate([right[:600], wrong[:1400]]), np.arange(2000) < 600
    assert chances.mean() == pytest.approx(answers.mean(), abs=0.06)


@pytest.mark.parametrize(("model", "contrast"), [(0, 3), (1.5, 1.5), (0.5, 5)])
def test_where_contrast_leaves_no_doubt_the_model_changes_little(model, contrast):
    found = learned(model, contrast)
    new = Opinions(
        *(
            np.concatenate(parts)
            for parts in zip(
                opinions(400, model, contrast, 8), opinions(800, -model, -contrast, 9), strict=True
            )
        )
    )
    doubtful = found.is_doubtful(new.contrast)
    short = np.where(doubtful, new.model, found.without_model(new.contrast))
    changed = np.abs(found.probabilities(*new) - found.probabilities(short, new.contrast))
    assert changed.mean() < 0.02
    assert (changed[doubtful] == 0).all()
    assert doubtful.mean() < 1, "here the model need not be asked about every sentence"


def test_the_threshold_loses_few_sentences_that_state_their_fact():
    found = learned(model=0, contrast=3)
    assert 0.05 <= found.threshold <= 0.5
    kept = found.probabilities(*opinions(1000, 0, 3, 10)) >= found.threshold
    assert kept.mean() > 0.93


def test_only_one_of_the_sentences_of_a_fact_has_to_state_it():
    stating, other, wrong = opinions(300, 0, 4, 1), opinions(300, 0, -4, 2), opinions(900, 0, -4, 3)
    held = Opinions(*(np.concatenate(parts) for parts in zip(stating, other, strict=True)))
    groups = np.concatenate([np.arange(300), np.arange(300)])
    found = combine(OWN, held, groups, wrong)
    assert found.probabilities(*stating).mean() > 0.8
    assert found.probabilities(*other).mean() < 0.2


NOTHING = Opinions(np.zeros(0), np.zeros(0))
FAR = np.full(300, 99.0)
SAME = Opinions(np.full(300, 2.0), np.full(300, 2.0))


@pytest.mark.parametrize(
    ("held", "wrong"),
    [
        (opinions(50, 1, 1, 1), NOTHING),
        (opinions(1, 1, 1, 1), NOTHING),
        (opinions(1, 1, 1, 1), opinions(1, -1, -1, 2)),
        (SAME, SAME),
        (SAME, NOTHING),
        (Opinions(FAR, FAR), Opinions(-FAR, -FAR)),
    ],
    ids=["no wrong ones", "one", "one of each", "all the same", "the same and no wrong ones", "extreme"],
)  # fmt: skip
def test_little_to_learn_from_still_gives_probabilities(held, wrong):
    groups = np.arange(len(held.model))
    found = combine(OWN, held, groups, wrong)
    scores = found.probabilities(*held)
    assert ((scores >= 0) & (scores <= 1)).all()
    assert 0 < found.threshold < 1
    assert 0 <= removed(held, groups, wrong, found) <= 1


NUMBERS = st.floats(-1e6, 1e6)


@settings(max_examples=50)
@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=20), st.integers(0, 20), st.integers(1, 4))
def test_any_opinions_give_probabilities(rows, right, sentences):
    model, contrast = (np.array(column) for column in zip(*rows, strict=True))
    right = max(1, min(right, len(rows)))
    held = Opinions(model[:right], contrast[:right])
    found = combine(OWN, held, np.arange(right) // sentences, Opinions(model[right:], contrast[right:]))
    scores = found.probabilities(model, contrast)
    assert ((scores >= 0) & (scores <= 1)).all()
    assert found.model >= 0
    assert found.contrast >= 0
    assert 0 <= found.threshold <= 1


def test_log_odds_are_bounded_and_keep_probabilities():
    chances = np.array([0.0, 0.001, 0.3, 0.5, 0.999, 1.0])
    logits = log_odds(chances)
    assert (np.diff(logits) > 0).all()
    assert clipped(logits) == pytest.approx(logits)
    assert np.isfinite(logits).all()
    assert 1 / (1 + np.exp(-logits)) == pytest.approx(chances, abs=1e-3)
