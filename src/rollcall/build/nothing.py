"""What a build says when nothing is left: which filter removed how many, and which knob to turn."""

import re
from collections.abc import Mapping

from rollcall.build.stage import Outcome

_KNOBS = (
    (r"^fewer than .* answers", "answers.least"),
    (r"^less than .* validated", "answers.validated"),
    (r"^more than .* answers", "answers.most"),
    (r"^no type ", "simple.types"),
    (r"^over .* a relation and type", "simple.per_relation"),
    (r"^second relation known", "composition.coverage"),
    (r"^over the caps", "intersection.per_pair, composition.per_pair"),
    (r"^facts that no sentence was found to state", "evidence.verifier"),
    (r"^facts named together in no sentence", "the corpus: does it have the entities' pages?"),
    (r"^facts of which neither end has a page", "the corpus: is it tied to this graph?"),
    (r"^beyond the quota", "split.quotas"),
    (r"training questions a relation", "split.per_relation"),
)


def nothing_left(outcomes: Mapping[str, Outcome]) -> str:
    """One line: what every stage removed, the greatest first, each with the key of the recipe behind it."""
    told = []
    for stage, outcome in outcomes.items():
        for reason, count in sorted(outcome.removed.items(), key=lambda item: -item[1])[:3]:
            if count:
                knob = next((knob for pattern, knob in _KNOBS if re.search(pattern, reason)), "")
                told.append(f"{stage} removed {count:,} ({reason}{f': {knob}' if knob else ''})")
    why = "; ".join(told) or "no query was mined: does the graph have facts of the recipe's relations?"
    return f"no question is left: {why}. Change a key with --set, such as --set answers.least=3"
