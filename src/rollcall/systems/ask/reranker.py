"""Ranks the candidates of a question again: their features with learned weights, and a cross-encoder.

The cross-encoder reads the question beside the query in words, so it knows wordings that no list has; the
features know the graph. Both weights, and how sure a reading is, were fitted to questions that the
cross-encoder had not seen.
"""

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Protocol

import msgspec

from rollcall.errors import RollcallError
from rollcall.nesting import UNREADABLE
from rollcall.systems.ask.features import FEATURES
from rollcall.systems.ask.model import probabilities
from rollcall.systems.ask.pairs import Pair, pair_of
from rollcall.systems.ask.reading import Reading
from rollcall.systems.ask.understanding import Candidate

SETTINGS = "ask.json"
NETWORK = "network"
"""The name of the cross-encoder's score among the features of a candidate."""
SURETY = ("share", "left over", "unnamed relation", "unsure name", "alone")
"""What a reading's surety depends on: the log-odds of its share among the candidates, some of its features,
and whether there is no other candidate."""
_LEAST_SHARE = 1e-4


class RerankerSettings(msgspec.Struct, frozen=True):
    """What was fitted."""

    length: int
    """The greatest number of tokens of a pair."""
    weights: dict[str, float]
    """Of the features, and of the cross-encoder's score."""
    surety: dict[str, float]
    """Of a logistic regression, with its `constant`."""

    def score(self, features: Mapping[str, float]) -> float:
        """The score of a candidate by its features, among them the cross-encoder's score."""
        return sum(weight * features[name] for name, weight in self.weights.items())


class PairScorer(Protocol):
    """A cross-encoder."""

    @property
    def fingerprint(self) -> str:
        """What tells its weights from others."""

    def scores(self, pairs: Sequence[Pair]) -> list[float]:
        """How well each wording says what its question asks."""


class Reranker:
    """Ranks candidates by a cross-encoder and their features."""

    def __init__(self, settings: RerankerSettings, scorer: PairScorer) -> None:
        self._settings, self._scorer = settings, scorer

    @cached_property
    def version(self) -> str:
        """What tells this reranker from others."""
        told = msgspec.json.encode([self._settings, self._scorer.fingerprint], order="sorted")
        return hashlib.sha256(told).hexdigest()[:16]

    def ranked(
        self,
        reading: Reading,
        candidates: Sequence[Candidate],
        words: Callable[[Candidate], str],
        name: Callable[[int], str],
    ) -> list[Candidate]:
        """The candidates with their new scores, best first."""
        pairs = [pair_of(reading, one, words(one), name) for one in candidates]
        found = []
        for one, score in zip(candidates, self._scorer.scores(pairs), strict=True):
            features = {**one.features, NETWORK: score}
            found.append(replace(one, features=features, score=self._settings.score(features)))
        ranked = sorted(found, key=lambda one: -one.score)
        best = next(one for one in found if _says_the_same(one, ranked[0]))
        return [best, *(one for one in ranked if one is not best)]

    def surety(self, ranked: Sequence[Candidate]) -> float:
        """How likely the answers of the first candidate are right."""
        shares = probabilities([one.score for one in ranked])
        agreeing = [one.agrees_with(ranked[0]) for one in ranked]
        share = sum(own for own, agrees in zip(shares, agreeing, strict=True) if agrees)
        told = surety_inputs(share, ranked[0].features, alone=all(agreeing))
        weights = self._settings.surety
        odds = weights["constant"] + sum(
            weights[name] * value for name, value in zip(SURETY, told, strict=True)
        )
        return math.exp(-_unsaid(ranked[0])) / (1.0 + math.exp(-odds))


def _says_the_same(one: Candidate, other: Candidate) -> bool:
    """Whether candidates differ in what the graph does not tell apart, such as the class of films.

    Then the features know better which of them says what the question says.
    """
    return one.query.relations == other.query.relations and one.agrees_with(other)


def _unsaid(candidate: Candidate) -> float:
    """How many relations a candidate has of which the question says nothing at all: "Acme Runner?".

    No cross-encoder can know what such a question means, and no question that it learned from is like it.
    """
    features = candidate.features
    return 0.0 if features["left over"] else features["unnamed relation"]


def surety_inputs(share: float, features: Mapping[str, float], *, alone: bool) -> list[float]:
    """What the surety of a reading depends on."""
    kept = min(max(share, _LEAST_SHARE), 1.0 - _LEAST_SHARE)
    odds = 0.0 if alone else math.log(kept / (1.0 - kept))
    return [odds, *(features[name] for name in SURETY[1:4]), float(alone)]


def read_reranker_settings(folder: Path) -> RerankerSettings:
    """The settings in a folder of a trained `ask`."""
    try:
        found = msgspec.json.decode((folder / SETTINGS).read_bytes(), type=RerankerSettings)
    except (OSError, *UNREADABLE) as error:
        raise RollcallError(f"{folder / SETTINGS}: cannot be read ({error}); train again") from None
    if set(found.weights) != {*FEATURES, NETWORK} or set(found.surety) != {*SURETY, "constant"}:
        raise RollcallError(f"{folder / SETTINGS}: is of another version of Rollcall; train again")
    return found
