"""A verifier that knows the words of one relation."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rollcall.evidence import CandidateSentence, Verifier


class Stating(Verifier):
    """Believes sentences with `directed by`, and doubts all others."""

    name = "stating"
    prior = 0.3

    def scores(self, candidates: Sequence[CandidateSentence]) -> NDArray[np.float64]:
        return np.array([0.95 if "directed by" in candidate.text else 0.03 for candidate in candidates])
