"""The threshold of the verifier: its own for each relation, or one number in the recipe for all relations."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rollcall.build.qampari.parameters import EvidenceKeys
from rollcall.evidence.verifiers.verifier import Verifier

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rollcall.evidence import CandidateSentence


class FixedThreshold(Verifier):
    """A verifier that accepts every candidate with at least a given score."""

    def __init__(self, inner: Verifier, threshold: float):
        self.name = inner.name
        self.parallel = inner.parallel
        self.threshold = threshold
        self._inner = inner

    def scores(self, candidates: "Sequence[CandidateSentence]") -> "NDArray[np.float64]":
        return self._inner.scores(candidates)


def with_threshold(verifier: Verifier, chosen: EvidenceKeys) -> "tuple[Verifier, list[str]]":
    """The verifier with the threshold of the recipe, and remarks about it."""
    if isinstance(chosen.threshold, str):
        return verifier, []
    note = f"sentences are accepted from a score of {chosen.threshold:g} on"
    return FixedThreshold(verifier, chosen.threshold), [note]
