"""The average precision of scores on labelled sentences: how well they put true ones before false ones."""

import numpy as np
from numpy.typing import NDArray


def average_precision(scores: NDArray[np.float64], labels: NDArray[np.bool_]) -> float | None:
    """The mean, over the true sentences, of the precision from each one's score on; None without true ones.

    Sentences with the same score are accepted together, so the result does not depend on their order.
    """
    if not labels.any():
        return None
    _scores, places, counts = np.unique(-scores, return_inverse=True, return_counts=True)
    true = np.bincount(places, weights=labels, minlength=len(counts))
    precision = true.cumsum() / counts.cumsum()
    return float((precision * true).sum() / true.sum())
