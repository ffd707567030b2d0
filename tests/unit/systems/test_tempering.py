"""Chances are drawn towards one half where answers are right or wrong together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcall import RollcallError
from rollcall.systems.read.combined.looks import JudgedCandidates, Tempering, UnseenScores, best_tempering

CHANCES = st.lists(st.floats(0, 1), min_size=1, max_size=30).map(np.array)


def unseen(chances, right):
    right = np.array(right, float)
    return UnseenScores(
        JudgedCandidates(np.zeros((len(right), 1)), right), np.array(chances), max(int(right.sum()), 1)
    )


@given(CHANCES, st.floats(0.4, 1.3))
def test_the_order_of_answers_stays(chances, slope):
    tempered = Tempering(slope).of(chances)
    assert ((tempered >= 0) & (tempered <= 1)).all()
    assert (np.diff(tempered[np.argsort(chances)]) >= -1e-12).all()


@given(CHANCES)
def test_a_smaller_slope_is_nearer_to_one_half(chances):
    assert (abs(Tempering(0.6).of(chances) - 0.5) <= abs(chances - 0.5) + 1e-8).all()
    assert (Tempering().of(chances) == chances).all()


def test_where_chances_promise_too_much_a_smaller_slope_is_chosen():
    # Only the first is said to be likely, and in most questions all others are right as well.
    questions = [unseen([0.97] + [0.2] * 9, [1] + [place % 5 > 0] * 9) for place in range(10)]
    assert best_tempering(questions).slope < 1


def test_where_chances_are_certain_and_right_they_stay_as_they_are():
    assert best_tempering([unseen([1.0, 1.0, 0.0], [1, 1, 0])] * 5) == Tempering(1.0)


def test_it_is_kept_with_the_trees(tmp_path):
    assert Tempering.open(tmp_path) == Tempering(1.0)  # trees from before
    Tempering(0.85).save(tmp_path)
    assert Tempering.open(tmp_path) == Tempering(0.85)
    (tmp_path / "tempering.json").write_text('{"slope": "much"}')
    with pytest.raises(RollcallError, match=r"tempering\.json: cannot be read .* train it again"):
        Tempering.open(tmp_path)
