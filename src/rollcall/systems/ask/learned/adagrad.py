"""AdaGrad with an L1 penalty: how the weights of named features are learned, one question at a time.

Each weight has its own learning rate, which falls with the squares of its gradients. The penalty is applied
to every weight after each step (composite mirror descent), so that weights which are not needed become zero.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
_ROOM = 1024


class AdaGrad:
    """Maximises an objective by its gradients; all weights begin at zero."""

    def __init__(self, rate: float, penalty: float) -> None:
        self._rate, self._penalty = rate, penalty
        self._places: dict[str, int] = {}
        self._weights: Floats = np.zeros(_ROOM)
        self._squares: Floats = np.zeros(_ROOM)

    def places(self, names: "list[str]") -> npt.NDArray[np.int64]:
        """The places of features, new ones at the end."""
        known = self._places
        found = [known.setdefault(name, len(known)) for name in names]
        while len(known) > len(self._weights):
            self._weights = np.concatenate([self._weights, np.zeros_like(self._weights)])
            self._squares = np.concatenate([self._squares, np.zeros_like(self._squares)])
        return np.array(found, dtype=np.int64)

    @property
    def values(self) -> Floats:
        """The weights by place."""
        return self._weights

    def step(self, gradient: Mapping[str, float]) -> None:
        """Go one step up a gradient, given by the names of its features."""
        self.step_at(self.places(list(gradient)), np.array(list(gradient.values()), dtype=np.float64))

    def step_at(self, places: npt.NDArray[np.int64], gradient: Floats) -> None:
        """Go one step up a gradient, given by places, each once."""
        self._squares[places] += gradient**2
        moved = self._squares[places] > 0
        places, gradient = places[moved], gradient[moved]
        self._weights[places] += self._rate * gradient / np.sqrt(self._squares[places])
        if self._penalty:
            used = self._weights.nonzero()[0]
            less = self._rate * self._penalty / np.sqrt(self._squares[used])
            own = self._weights[used]
            self._weights[used] = np.sign(own) * np.maximum(np.abs(own) - less, 0.0)

    def named(self) -> dict[str, float]:
        """The weights that are not zero, by the names of their features."""
        values = self._weights.tolist()
        return {name: values[place] for name, place in self._places.items() if values[place]}

    def state(self) -> "tuple[list[str], Floats, Floats]":
        """Everything that a later training needs to go on: names, weights, and sums of squares."""
        count = len(self._places)
        return list(self._places), self._weights[:count].copy(), self._squares[:count].copy()

    def restore(self, names: "list[str]", weights: Floats, squares: Floats) -> None:
        """Go on from a state."""
        self.places(names)
        self._weights[: len(names)], self._squares[: len(names)] = weights, squares
