"""The best assignment is as large as an independent solver's."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from rollcall.score.match import best_assignment


@given(st.lists(st.lists(st.integers(0, 6), max_size=4, unique=True), max_size=8))
def test_as_large_as_scipys(choices: list[list[int]]) -> None:
    assigned = best_assignment(choices)
    taken = [answer for answer in assigned if answer is not None]
    assert len(set(taken)) == len(taken)
    assert all(answer is None or answer in chosen for answer, chosen in zip(assigned, choices, strict=True))
    fits = np.zeros((len(choices), 7))
    for name, chosen in enumerate(choices):
        fits[name, chosen] = 1
    rows, columns = linear_sum_assignment(fits, maximize=True)
    assert len(taken) == fits[rows, columns].sum()
