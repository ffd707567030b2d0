"""How sure a model is of "yes", from the probabilities of the first word of its reply.

If the server gives no probabilities, the word itself decides: 1 for yes, 0 for no, None for anything else.
"""

import math
from collections.abc import Iterable

from rollcall.llm.records import Reply


def yes_probability(reply: Reply) -> float | None:
    """P(yes) / (P(yes) + P(no)) at the first token that is not blank; None if the reply says neither."""
    for chance in reply.chances:
        yes, no = _mass([(chance.token, chance.logprob), *chance.alternatives])
        if yes + no > 0.0:
            return yes / (yes + no)
        if chance.token.strip():
            break
    said = _word(reply.text)
    return {"yes": 1.0, "no": 0.0}.get(said)


def calibrated(probabilities: Iterable[float]) -> list[float]:
    """Channel scores as log-odds: how much more probable the input makes "yes" than the prior does.

    By Bayes' theorem, P(input | yes) / P(input | no) is the odds of yes given the input, divided by the prior
    odds. The prior is the mean over the given inputs. A score above zero is evidence for yes.
    """
    kept = [min(max(probability, 1e-6), 1 - 1e-6) for probability in probabilities]
    if not kept:
        return []
    prior = sum(kept) / len(kept)
    return [_log_odds(probability) - _log_odds(prior) for probability in kept]


def _log_odds(probability: float) -> float:
    return math.log(probability) - math.log1p(-probability)


def _mass(tokens: list[tuple[str, float]]) -> tuple[float, float]:
    seen: dict[str, float] = dict(tokens)  # the token itself is often among its alternatives
    mass = {"yes": 0.0, "no": 0.0}
    for token, logprob in seen.items():
        word = _word(token)
        if word in mass:
            mass[word] += math.exp(logprob)
    return mass["yes"], mass["no"]


def _word(text: str) -> str:
    words = text.replace("▁", " ").split()
    return words[0].strip(".,:;!\"'*`()[]").lower() if words else ""
