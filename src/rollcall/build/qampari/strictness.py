"""How sure a verifier must be: its own thresholds, or one for all relations.

The contrast verifier takes a pair without a relation as a witness against its wordings. That holds where a
graph is curated; in a graph of open-ended relations ("city", "city or town", "location") most of what it
turns away is true. So where the lexicon does not know the graph's relations, a far lower score is enough.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rollcall.evidence.verifier import Verifier

if TYPE_CHECKING:
    from rollcall.build.inputs import Inputs
    from rollcall.build.qampari.parameters import Parameters
    from rollcall.evidence import Candidate

OPEN_ENDED = 0.05
"""The score that is enough in graphs of open-ended relations."""


class FixedThreshold(Verifier):
    """A verifier that accepts every candidate of at least one score."""

    def __init__(self, inner: Verifier, threshold: float):
        self.name = inner.name
        self.parallel = inner.parallel
        self.threshold = threshold
        self._inner = inner

    def scores(self, candidates: "Sequence[Candidate]") -> Any:
        return self._inner.scores(candidates)


def with_strictness(
    verifier: Verifier, learned: bool, parameters: "Parameters", inputs: "Inputs"
) -> tuple[Verifier, str]:
    """The verifier with the threshold that the recipe asks for, and what to say about it.

    `learned` says whether it learned from the graph, and so takes what the graph lacks for untrue.
    """
    wanted = parameters.evidence.threshold
    if isinstance(wanted, float):
        return FixedThreshold(verifier, wanted), f"sentences are accepted from a score of {wanted:g} on"
    if wanted == "own" or not learned:
        return verifier, ""
    from rollcall.build.qampari.relations import knows_graph

    if knows_graph(inputs.graph, parameters):
        return verifier, ""
    told = f"the lexicon does not know the graph's relations, so a score of {OPEN_ENDED:g} is enough"
    return FixedThreshold(verifier, OPEN_ENDED), told
