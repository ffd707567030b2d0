"""Which relations a sentence may state instead of a given one: the rivals of a relation.

A sentence states a relation only if no rival has a clearly higher score. Relations with much the same meaning
("author", "authors", "first author") are akin: they are neither rivals nor negative examples of each other.
Two relations are akin if their labels share the last word, or if the graph often has both between the same
two things.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rollcall.evidence.verifiers.contrast.features import BITS
from rollcall.evidence.verifiers.contrast.fit import FOLDS, Learned
from rollcall.evidence.verifiers.contrast.logistic import FeatureWeights
from rollcall.evidence.verifiers.contrast.sparse import SparseRows

if TYPE_CHECKING:
    from rollcall.evidence.verifiers.contrast.lessons import Lessons

MOST_RIVALS = 12
_BELIEVED = 0.5
_ENOUGH = 30
_JOINED = 0.1
_SENTENCES = 60
_WORD = re.compile(r"[^\W\d_]{2,}")


def akin_relations(
    labels: Mapping[str, str], pairs: Mapping[tuple[str, str], frozenset[str]]
) -> dict[str, set[str]]:
    """For each relation, those with much the same meaning."""
    found: dict[str, set[str]] = {relation: set() for relation in labels}
    heads: dict[str, list[str]] = {}
    for relation, label in labels.items():
        heads.setdefault(_head(label), []).append(relation)
    for head, group in heads.items():
        for relation in group if head else ():
            found[relation].update(other for other in group if other != relation)
    sizes: Counter[str] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    for held, count in Counter(pairs.values()).items():
        for relation in held:
            sizes[relation] += count
        both.update({(one, other): count for one in held for other in held if one < other})
    for (one, other), count in both.items():
        if count >= 2 and count > _JOINED * min(sizes[one], sizes[other]):
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    return found


def _head(label: str) -> str:
    """The head word of a label in the singular: the last word, or the last one before a preposition."""
    noun = re.split(r" (?:of|in|at|by|for|from|on|to|with)\b", label.lower())[0]
    words = _WORD.findall(noun)
    return words[-1].removesuffix("s") if words else ""


def choose_rivals(lessons: "Lessons", learned: Mapping[str, Learned]) -> dict[str, tuple[str, ...]]:
    """For each relation, the relations with the highest scores for its accepted sentences, learned on other
    pages.

    A date of birth is no rival of a place of birth: a sentence that names a place cannot mean a date.
    """
    able = [
        name for name, result in sorted(learned.items()) if result.weights and len(result.labels) >= _ENOUGH
    ]
    if not able:
        return {}
    claims = _claims(lessons, learned, able)
    place = {relation: number for number, relation in enumerate(able)}
    found = {}
    akin, of_values = lessons.known.akin, lessons.known.of_values
    for relation, claim in claims.items():
        otherwise = {other for other in able if (other in of_values) != (relation in of_values)}
        for other in {relation, *akin.get(relation, ()), *otherwise} & place.keys():
            claim[place[other]] = -np.inf
        best = np.argsort(-claim, kind="stable")[:MOST_RIVALS]
        found[relation] = tuple(able[number] for number in best if np.isfinite(claim[number]))
    return found


def _claims(
    lessons: "Lessons", learned: Mapping[str, Learned], able: list[str]
) -> dict[str, NDArray[np.float32]]:
    """The mean log-odds that each able relation gives to the sentences of each relation."""
    chosen = {}
    for relation, result in learned.items():
        if result.weights:
            rows = lessons.own[relation][result.labels >= _BELIEVED]
            chosen[relation] = rows[:: len(rows) // _SENTENCES + 1]
    rows = np.unique(np.concatenate(list(chosen.values())))
    logits = np.zeros((len(rows), len(able)), np.float32)
    for fold in range(FOLDS):
        of_fold = lessons.folds[rows] % FOLDS == fold
        weights = [learned[relation].claims[fold] for relation in able]
        logits[of_fold] = _all_logits(lessons.matrix.take(rows[of_fold]), weights)
    return {
        relation: logits[np.searchsorted(rows, own)].mean(axis=0)
        for relation, own in chosen.items()
        if len(own)
    }


def _all_logits(matrix: SparseRows, weights: list[FeatureWeights]) -> NDArray[np.float32]:
    """The log-odds that several models give to the rows of a matrix, one column for each model."""
    logits = np.zeros((matrix.height, len(weights)), np.float32)
    buffer = np.zeros(1 << BITS)
    for number, one in enumerate(weights):
        logits[:, number] = one.logits(matrix, buffer)
    return logits
