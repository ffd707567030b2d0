"""What a stage that seeks evidence asks of the accepted sentences, and what it records about them.

Every pipeline with evidence uses it, so that manifests say the same in the same words.
"""

from collections.abc import Mapping

from rollcall.build.keys import SearchKeys
from rollcall.build.stage import Outcome
from rollcall.evidence.expected import Acceptance, Expected
from rollcall.evidence.verifiers.verifier import Verifier


def acceptance_for(keys: SearchKeys) -> Acceptance:
    """The rule of acceptance that the keys of every pipeline give."""
    return Acceptance(lose=keys.lose, precision=keys.precision)


def notes(rule: Acceptance, expected: Expected | None, verifier: Verifier) -> list[str]:
    """For people: which sentences were accepted, if not simply by the verifier, and what is expected."""
    if not verifier.has_scores:
        return [
            f"the evidence is not verified: the verifier {verifier.name} accepts all that names both ends"
        ]
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
    return [note for note in lines if note]


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


# The message of a build that has no question left: what each filter removed, and which key to change.


def no_questions(outcomes: Mapping[str, Outcome]) -> str:
    """One line: what every stage removed, the largest number first, each with its key of the recipe."""
    reasons = []
    for stage, outcome in outcomes.items():
        for why, count in sorted(outcome.removed.items(), key=lambda item: -item[1])[:3]:
            if count:
                change = outcome.change.get(why, "")
                reasons.append(f"{stage} removed {count:,} ({why}{f': {change}' if change else ''})")
    removed = "; ".join(reasons) or "no query was mined: does the graph have facts of the recipe's relations?"
    return f"no question is left: {removed}. Change a key with --set, such as --set answers.least=3"
