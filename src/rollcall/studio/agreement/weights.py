"""How much two different categories still agree: weights for Gwet's AC2 and distances for Krippendorff's
alpha.

Nominal categories agree or do not. Ordinal ones are weighed by how many categories lie between them (AC2),
or by how many ratings do (alpha); interval ones by the square of the difference of their values.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from rollcall.errors import RollcallError

if TYPE_CHECKING:
    from numpy.typing import NDArray

Level = Literal["nominal", "ordinal", "interval"]


def category_values(categories: Sequence[str]) -> "NDArray[np.float64]":
    """The numbers that categories of an interval scale are."""
    try:
        return np.array([float(category) for category in categories])
    except ValueError:
        raise RollcallError(
            f"an interval scale has numbers as its categories, and not {', '.join(categories)}"
        ) from None


def agreement_weights(categories: Sequence[str], level: Level) -> "NDArray[np.float64]":
    """How much each pair of categories agrees, from 0 to 1: Gwet's identity, ordinal or quadratic weights."""
    size = len(categories)
    if level == "nominal" or size < 2:
        return np.eye(size)
    if level == "ordinal":
        between = np.abs(np.subtract.outer(np.arange(size), np.arange(size))) + 1.0
        return np.asarray(1 - between * (between - 1) / (size * (size - 1)))
    values = category_values(categories)
    squares = np.subtract.outer(values, values) ** 2
    return np.asarray(1 - squares / squares.max())


def squared_distances(
    categories: Sequence[str], level: Level, totals: "NDArray[np.float64]"
) -> "NDArray[np.float64]":
    """Krippendorff's squared distances, for each row of totals of how often categories were chosen."""
    size = len(categories)
    if level == "nominal":
        return np.broadcast_to(1 - np.eye(size), (len(totals), size, size))
    if level == "ordinal":
        # The ratings between two categories, with half of those at both ends.
        middles = np.cumsum(totals, axis=1) - totals / 2
        return (middles[:, :, None] - middles[:, None, :]) ** 2
    values = category_values(categories)
    return np.broadcast_to(np.subtract.outer(values, values) ** 2, (len(totals), size, size))
