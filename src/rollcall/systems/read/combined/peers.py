"""How much what is said of a possible answer is like what is said of the likely ones, as features.

The answers to one question are of one kind, and texts state one relation in a few ways. So the pages of right
answers begin alike, and the sentences that state them are alike, where neither a class nor a word says so.
"""

from collections.abc import Sequence

import numpy as np

from rollcall.systems.read.combined.table import Chances, Table

_LIKE = ("like the likely ones", "more like the likely ones than like the others")
PEERS = tuple(f"{what} {one}" for what in ("page opens", "stated") for one in _LIKE)


def peers(
    openings: Sequence[frozenset[str]], statements: Sequence[frozenset[str]], chances: Chances
) -> Table:
    """A row for each possible answer, from the words of its page's first sentence and of its statement."""
    found = np.concatenate([_alike(openings, chances), _alike(statements, chances)], axis=1)
    # Processors add in different orders; trees should not depend on that.
    return np.round(found, 4).astype(np.float32)


def _alike(words: Sequence[frozenset[str]], chances: Chances) -> Chances:
    """For each set of words, the mean cosine with the others: by their chances, and less that of the rest."""
    known = {word: place for place, word in enumerate(sorted(frozenset().union(*words)))}
    vectors = np.zeros((len(words), len(known)))
    for row, some in enumerate(words):
        vectors[row, [known[word] for word in some]] = 1.0 / np.sqrt(len(some) or 1)
    likely = _mean_cosine(vectors, chances)
    found: Chances = np.stack([likely, likely - _mean_cosine(vectors, 1.0 - chances)], axis=1)
    return found


def _mean_cosine(vectors: Chances, weights: Chances) -> Chances:
    """The mean cosine of each vector with all others, by their weights."""
    itself = (vectors**2).sum(axis=1) * weights
    rest = np.maximum(weights.sum() - weights, 1e-6)
    found: Chances = (vectors @ (weights @ vectors) - itself) / rest
    return found
