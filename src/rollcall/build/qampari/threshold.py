"""Which sentences are accepted: by the verifier's own thresholds, by one score, or by a share of facts."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rollcall.build.qampari.parameters import Parameters
from rollcall.build.qampari.relations import knows_graph
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


class Acceptance(NamedTuple):
    """What accepts sentences: a verifier, or the share of facts that are taken to be stated."""

    verifier: Verifier
    stated: float | None = None
    notes: tuple[str, ...] = ()


def acceptance(verifier: Verifier, learned: bool, parameters: Parameters, graph: Path) -> Acceptance:
    """How sentences are accepted by a recipe; `learned` says whether the verifier learned from the graph.

    Such a verifier takes a pair without a relation as a sign that the relation is not stated. That holds in
    graphs that are kept with care. In a graph of open-ended relations ("place", "home town", "based in")
    most pairs that it rejects by its own threshold are stated.
    """
    chosen = parameters.evidence
    if isinstance(chosen.threshold, float):
        note = f"sentences are accepted from a score of {chosen.threshold:g} on"
        return Acceptance(FixedThreshold(verifier, chosen.threshold), None, (note,))
    if chosen.threshold == "own" or not learned or knows_graph(graph, parameters):
        return Acceptance(verifier)
    note = (
        "the lexicon does not know the graph's relations, so of the facts of each relation that a sentence "
        f"names, the {chosen.stated:.0%} with the best scores are taken to be stated"
    )
    return Acceptance(verifier, chosen.stated, (note,))
