"""Coefficients of agreement against the library `krippendorff`, and against figures of `irrCAC` 0.4.4.

irrCAC itself needs one old version of scipy, so its figures for four made-up tables stand here. A column is a
person, a row an item, a point a missing judgment.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollcall.studio.agreement import (
    Rating,
    RatingTable,
    gwet,
    krippendorff,
    observed_agreement,
    rating_table,
)

LEVELS = ("nominal", "ordinal", "interval")


def table_of(rows: list[str], size: int) -> RatingTable:
    ratings = [
        Rating(str(item), str(person), chosen)
        for item, row in enumerate(rows)
        for person, chosen in enumerate(row)
        if chosen != "."
    ]
    return rating_table(ratings, [str(place) for place in range(size)])


OF_IRRCAC = [
    (
        4,
        ".0|03|33|32|2.|33|11",
        [(0.4773333333, 0.6), (0.3419664269, 0.7666666667), (0.3098591549, 0.7777777778)],
    ),
    (
        3,
        ".1|22|2.|00|00|00|11|12|.2|11|.0|.2|12",
        [(0.6261061947, 0.75), (0.7772407733, 0.9166666667), (0.8146929825, 0.9375)],
    ),
    (2, "10.|111|111|.11|00.|10.|111|111", [(0.6, 0.75), (0.6, 0.75), (0.6, 0.75)]),
    (
        3,
        "00000|11111|.202.|200.1|000.0|20000|.2.22|00000|0.012|10.11|21..1|22022|2221.|02111|.1.11|1111.",
        [(0.4861372215, 0.65625), (0.4458364532, 0.7923611111), (0.4358635129, 0.809375)],
    ),
]
"""Categories, rows, and for each level the coefficient of Gwet and the observed agreement."""


@pytest.mark.parametrize(("size", "rows", "figures"), OF_IRRCAC)
def test_gwet_is_that_of_irrcac(size, rows, figures):
    table = table_of(rows.split("|"), size)
    for level, (coefficient, agreement) in zip(LEVELS, figures, strict=True):
        assert gwet(table, level).value == pytest.approx(coefficient, abs=1e-8)
        assert observed_agreement(table, level).value == pytest.approx(agreement, abs=1e-8)


@settings(max_examples=60)
@given(st.data())
def test_alpha_is_that_of_the_library(data):
    library = pytest.importorskip("krippendorff")
    size, people = data.draw(st.integers(2, 5)), data.draw(st.integers(2, 5))
    letters = [str(place) for place in range(size)] + ["."]
    rows = data.draw(st.lists(st.text(letters, min_size=people, max_size=people), min_size=2, max_size=12))
    numbers = np.array([[math.nan if one == "." else float(one) for one in row] for row in rows])
    varied = len({one for row in rows for one in row if sum(c != "." for c in row) > 1} - {"."}) > 1
    for level in LEVELS:
        ours = krippendorff(table_of(rows, size), level).value
        if not varied:
            assert ours is None
            continue
        theirs = library.alpha(
            numbers.T, value_domain=[float(place) for place in range(size)], level_of_measurement=level
        )
        assert ours == pytest.approx(theirs, abs=1e-9)
