"""The expected calibration error of scores on labelled sentences: how far they are from probabilities."""

import numpy as np
from numpy.typing import NDArray

BINS = 10


def calibration_error(scores: NDArray[np.float64], labels: NDArray[np.bool_]) -> float:
    """The mean distance between mean score and share of true sentences.

    The scores from 0 to 1 are divided into 10 bins of equal width, of which each has its lower end and the
    last one also 1. Each bin counts as much as it has sentences.
    """
    places = np.minimum((scores * BINS).astype(np.int64), BINS - 1)
    distances = np.bincount(places, weights=scores - labels, minlength=BINS)
    return float(np.abs(distances).sum() / max(len(scores), 1))
