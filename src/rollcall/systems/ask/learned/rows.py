"""Candidates of one question as rows of features, kept as arrays: scored and moved without Python loops."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollcall.systems.ask.learned.adagrad import AdaGrad, Floats


class FeatureRows(NamedTuple):
    """The features of candidates, one row after the other."""

    places: npt.NDArray[np.int32]
    values: npt.NDArray[np.float32]
    """In single precision, since those of all questions are kept."""
    row: npt.NDArray[np.int32]
    """The row of each feature."""
    number: int
    """Of rows."""

    @classmethod
    def of(cls, features: Sequence[Mapping[str, float]], optimiser: AdaGrad) -> "FeatureRows":
        """Rows whose features have places among the weights of an optimiser."""
        return cls(
            optimiser.places([name for one in features for name in one]).astype(np.int32),
            np.array([value for one in features for value in one.values()], dtype=np.float32),
            np.repeat(np.arange(len(features), dtype=np.int32), [len(one) for one in features]),
            len(features),
        )

    def scores(self, weights: Floats) -> Floats:
        """The weighted sum of each row."""
        weighted: Floats = self.values * weights[self.places]
        return _sums(self.row, weighted, self.number)

    def step(self, optimiser: AdaGrad, pulls: Floats) -> None:
        """One step along the gradient, given how much the score of each row should rise."""
        places, where = np.unique(self.places, return_inverse=True)
        pulled: Floats = self.values * pulls[self.row]
        optimiser.step_at(places.astype(np.int64), _sums(where, pulled, len(places)))


def _sums(where: "npt.NDArray[np.integer[Any]]", values: Floats, number: int) -> Floats:
    """The sums of values by place; they are floats also where there is none."""
    return np.bincount(where, values, minlength=number).astype(np.float64)
