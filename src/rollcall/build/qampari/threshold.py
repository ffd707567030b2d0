"""Which sentences are accepted: by the verifier's own thresholds, by one score, by what is expected of them,
or by a share of facts.
"""

from pathlib import Path

from rollcall.build.expectation import asked
from rollcall.build.qampari.parameters import Parameters
from rollcall.build.qampari.relations import knows_graph
from rollcall.evidence.acceptance import Acceptance
from rollcall.evidence.verifiers.verifier import Verifier


def acceptance(verifier: Verifier, learned: bool, parameters: Parameters, graph: Path) -> Acceptance:
    """How sentences are accepted by a recipe; `learned` says whether the verifier learned from the graph.

    Such a verifier, unless it gives calibrated probabilities, takes a pair without a relation as a sign that
    the relation is not stated. That holds in graphs that are kept with care. In a graph of open-ended
    relations ("place", "home town", "based in") most pairs that it rejects by its own threshold are stated.
    """
    chosen = parameters.evidence
    if chosen.expectation is not None:
        return asked(chosen)
    if isinstance(chosen.threshold, float):
        return Acceptance(threshold=chosen.threshold)
    own = chosen.threshold == "own" or not learned or verifier.prior is not None
    if own or knows_graph(graph, parameters):
        return Acceptance()
    return Acceptance(stated=chosen.stated)
