"""`none`: accepts every sentence that names both ends, and gives no scores; for comparison."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rollcall.evidence.candidate import CandidateSentence
from rollcall.evidence.verifiers import VERIFIERS
from rollcall.evidence.verifiers.verifier import Verifier

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@VERIFIERS.register("none")
class EveryMention(Verifier):
    """Accepts every sentence that names both ends; evidence is then not verified and has no score."""

    name = "none"
    parallel = True
    has_scores = False

    def scores(self, candidates: Sequence[CandidateSentence]) -> "NDArray[np.float64]":
        import numpy as np

        return np.ones(len(candidates))
