"""Which sentences a build accepts as evidence, what it expects of them, and what it records about that.

Every pipeline with evidence uses this module, so that manifests say the same in the same words.
"""

from pathlib import Path
from typing import Any

from rollcall.build.keys import SearchKeys
from rollcall.build.lexicon import build_lexicon, knows_graph
from rollcall.evidence.expected import Acceptance, Expected
from rollcall.evidence.verifiers.verifier import Verifier


def acceptance_for(keys: SearchKeys) -> Acceptance:
    """The rule of acceptance that the keys of every pipeline give."""
    return Acceptance(lose=keys.lose, precision=keys.precision)


def acceptance(verifier: Verifier, learned: bool, parameters: Any, graph: Path) -> Acceptance:
    """How sentences are accepted by a recipe; `learned` says whether the verifier learned from the graph.

    Such a verifier, unless it gives calibrated probabilities, takes a pair without a relation as a sign that
    the relation is not stated. That holds in graphs that are kept with care. In a graph of open-ended
    relations ("place", "home town", "based in") most pairs that it rejects by its own threshold are stated.
    """
    keys = parameters.evidence
    if keys.expectation is not None:
        return acceptance_for(keys)
    if isinstance(keys.threshold, float):
        return Acceptance(threshold=keys.threshold)
    own_thresholds = keys.threshold == "own" or not learned or verifier.prior is not None
    if own_thresholds or knows_graph(graph, parameters, build_lexicon(parameters.wording)):
        return Acceptance()
    return Acceptance(stated=keys.stated)


def notes(
    rule: Acceptance, expected: Expected | None, verifier: Verifier, shared_names: str = ""
) -> list[str]:
    """For people: which sentences were accepted, if not simply by the verifier, and what is expected.

    `shared_names` says which names do not tell their bearers apart.
    """
    shared = f"{shared_names}; sentences, pages and other facts decide who is meant" if shared_names else ""
    if not verifier.has_scores:
        name = verifier.name
        lines = [f"the evidence is not verified: the verifier {name} accepts all that names both ends"]
        return [note for note in (*lines, shared) if note]
    lines = [_rule(rule, expected)]
    if expected is not None:
        right = "" if expected.precision is None else f" {expected.precision:.1%} of the accepted are right;"
        rough = (
            "" if verifier.prior is not None else f" (roughly: scores of {verifier.name} are uncalibrated)"
        )
        lines.append(
            f"expected by the scores: {expected.true:.1%} of the sentences found state their fact;{right} "
            f"{expected.lost:.1%} of those that state it are lost{rough}"
        )
    return [note for note in (*lines, shared) if note]


def _rule(rule: Acceptance, expected: Expected | None) -> str:
    if rule.stated is not None:
        return (
            "the lexicon does not know the graph's relations, so of the facts of each relation that a "
            f"sentence names, the {rule.stated:.0%} with the best scores are taken to be stated"
        )
    threshold = rule.threshold if expected is None else expected.threshold
    if threshold is not None:
        return f"sentences are accepted from a score of {threshold:g} on"
    if rule.precision is not None:
        return f"no sentence is sure enough for a precision of {rule.precision:g}, so none is accepted"
    return ""


def figures(expected: Expected | None) -> dict[str, float]:
    """For the manifest: the same figures."""
    if expected is None:
        return {}
    values = {
        "threshold": expected.threshold,
        "expected share true": expected.true,
        "expected share lost": expected.lost,
        "expected precision": expected.precision,
    }
    return {name: round(value, 6) for name, value in values.items() if value is not None}
