"""How likely a fact that the graph lacks is true, from where its score stands among scores of known facts.

A fact that is true and missing by chance is worded like the facts of its relation that the graph has, so
the rank of its score among theirs is as likely to be any share from 0 to 1; scores of false ones stand
below nearly all. So the upper half of ranks shows how many are true, and how many more there are in a lower
tenth says how likely one of that tenth is. No score need be a probability, and a relation that the verifier
understands badly is compared with itself.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

TENTHS = 10
LOWEST = 0.1
"""Facts below this rank are not counted as stated, known or not: most that stand there are false."""
_ENOUGH = 20
"""So many scores of a relation's known facts can be ranked against; with fewer, those of all relations are.
"""


def ranks(
    scores: Numbers, relations: Sequence[str], known: Numbers, known_relations: Sequence[str]
) -> Numbers:
    """Where each score stands among those of the known facts of its relation, from 0 to 1; equal scores
    share.
    """
    everything = np.sort(known)
    own: dict[str, list[float]] = {}
    for score, relation in zip(known.tolist(), known_relations, strict=True):
        own.setdefault(relation, []).append(score)
    ordered = {name: np.sort(values) for name, values in own.items() if len(values) >= _ENOUGH}
    found = np.zeros(len(scores))
    places: dict[str, list[int]] = {}
    for place, relation in enumerate(relations):
        places.setdefault(relation if relation in ordered else "", []).append(place)
    for relation, which in places.items():
        among = ordered.get(relation, everything)
        low, high = (np.searchsorted(among, scores[which], side) for side in ("left", "right"))
        found[which] = ((low + high) / 2 + 0.5) / (len(among) + 1)
    return found


def chances_of_ranks(found: Numbers) -> Numbers:
    """How likely each of some facts that the graph lacks is true, by the tenth that its rank is in.

    It rises with the rank and is at least what the tenths above leave over; one true and one false are
    added to the upper half, so that few facts do not seem certain.
    """
    if not len(found):
        return found
    tenth = np.minimum((found * TENTHS).astype(np.int64), TENTHS - 1)
    counts = np.bincount(tenth, minlength=TENTHS).astype(np.float64)
    expected = counts[TENTHS // 2 :].mean()
    share = np.minimum(1.0, expected / np.maximum(counts, 1.0))
    rising = np.maximum.accumulate(share)
    most = (counts[TENTHS // 2 :].sum() + 1) / (counts[TENTHS // 2 :].sum() + 2)
    chances: Numbers = np.minimum(rising, most)[tenth]
    return chances
