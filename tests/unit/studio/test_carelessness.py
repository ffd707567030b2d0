"""Who is warned and stopped: the rule's steps, and its error rates against draws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcall.studio.figures import CarelessRule, error_rates, standing


def test_who_misses_everything_is_warned_then_stopped():
    found = standing([True] * 20)
    assert found.state == "stopped"
    assert (found.warned_at, found.stopped_at) == (3, 7)


def test_who_finds_everything_is_left_alone():
    assert standing([False] * 500).state == "fine"
    assert standing([]).state == "fine"


def test_a_good_start_does_not_hide_later_carelessness():
    assert standing([False] * 300 + [True] * 10).state == "stopped"


def test_who_heeds_the_warning_goes_on():
    found = standing([True, True, True, *[False] * 40, True, *[False] * 10])
    assert (found.state, found.warned_at, found.stopped_at) == ("warned", 3, None)


@given(st.lists(st.booleans(), max_size=60))
def test_nobody_is_stopped_unwarned_nor_taken_back(misses):
    found = standing(misses)
    if found.stopped_at is not None:
        assert found.warned_at is not None
        assert found.warned_at < found.stopped_at
        assert standing([*misses, False, False]).state == "stopped"
    assert (found.seen, found.missed) == (len(misses), sum(misses))


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.5])
def test_error_rates_are_those_of_draws(rate):
    drawn = np.random.default_rng(1).random((3000, 40)) < rate
    found = [standing(row.tolist()) for row in drawn]
    told = error_rates(rate, 40)
    assert np.mean([one.state == "stopped" for one in found]) == pytest.approx(told.stopped, abs=0.03)
    assert np.mean([one.warned_at is not None for one in found]) == pytest.approx(told.warned, abs=0.03)
    if told.stopped > 0.1:
        waited = np.mean([one.stopped_at for one in found if one.stopped_at is not None])
        assert waited == pytest.approx(told.until_stopped, rel=0.05)


def test_the_rule_finds_the_careless_and_spares_the_careful():
    """As docs/studio.md says: of a thousand judgments a hundred are injected."""
    assert error_rates(0.05, 100).stopped < 0.0001
    assert error_rates(0.1, 100).stopped < 0.006
    assert error_rates(0.5, 50).stopped > 0.99
    assert error_rates(1.0, 7).stopped == pytest.approx(1)


def test_a_stricter_rule_stops_sooner():
    strict = CarelessRule(careful=0.05, careless=0.4, warn=1.5, stop=2.0)
    assert error_rates(0.3, 30, strict).stopped > error_rates(0.3, 30).stopped
