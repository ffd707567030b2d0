"""Dawid and Skene's estimate of what is true: everybody makes mistakes of their own, and truth is what best
explains all judgments.

Expectation maximisation with a small prior that people are more often right than not, without which a
person with few judgments would be taken at any word, and a mirrored solution would be as likely. Items whose
verdict is known beforehand (injected ones) teach what mistakes somebody makes, and say nothing about how
common a verdict is, since they were not drawn from the set.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rollcall._core.errors import RollcallError
from rollcall.studio.agreement.coefficients import Rating

if TYPE_CHECKING:
    from numpy.typing import NDArray

RIGHT = 0.8
"""How often the prior takes people to be right."""
WEIGHT = 4.0
"""How many judgments of each category the prior is worth."""
SMOOTH = 1.0
"""How many items of each category are added to the shares of categories."""
MOST_ROUNDS = 200
NEAR = 1e-6
"""Probabilities that change by less are settled."""


class DawidSkene(NamedTuple):
    """The estimate: for each item how likely each category is, and for each person how they judge."""

    categories: tuple[str, ...]
    items: tuple[str, ...]
    people: tuple[str, ...]
    probabilities: "NDArray[np.float64]"
    """One row for each item, one column for each category."""
    confusion: "NDArray[np.float64]"
    """For each person and true category, how often they choose each category."""
    shares: "NDArray[np.float64]"
    """How common each category is."""
    objective: tuple[float, ...]
    """The logarithm of likelihood and prior after each round; it never falls."""

    def likeliest(self) -> dict[str, tuple[str, float]]:
        """The likeliest category of each item, and its probability."""
        best = self.probabilities.argmax(axis=1)
        return {
            item: (self.categories[place], float(self.probabilities[row, place]))
            for row, (item, place) in enumerate(zip(self.items, best, strict=True))
        }

    def accuracy(self, person: str) -> float:
        """How often a person is right, over categories as common as they are."""
        matrix = self.confusion[self.people.index(person)]
        return float((matrix.diagonal() * self.shares).sum())


class _Votes(NamedTuple):
    """All ratings as three columns of numbers."""

    item: "NDArray[np.int64]"
    person: "NDArray[np.int64]"
    choice: "NDArray[np.int64]"


def dawid_skene(
    ratings: Iterable[Rating], categories: Sequence[str], known: Mapping[str, str] | None = None
) -> DawidSkene:
    """Estimate what is true from everybody's judgments; `known` has the verdicts known beforehand."""
    last = {(rating.item, rating.person): rating.category for rating in ratings}
    if not last:
        raise RollcallError("there are no judgments to estimate from")
    items = {item: place for place, item in enumerate(dict.fromkeys(item for item, _ in last))}
    people = {person: place for place, person in enumerate(sorted({person for _, person in last}))}
    places = {category: place for place, category in enumerate(categories)}
    strange = sorted({*last.values(), *(known or {}).values()} - places.keys())
    if strange:
        raise RollcallError(f"{strange[0]!r:.80} was chosen, and is none of {', '.join(places)}")
    votes = _Votes(
        np.array([items[item] for item, _ in last]),
        np.array([people[person] for _, person in last]),
        np.array([places[category] for category in last.values()]),
    )
    fixed = np.full(len(items), -1)
    for item, category in (known or {}).items():
        if item in items:
            fixed[items[item]] = places[category]
    found = _estimate(votes, fixed, len(people), len(places))
    return DawidSkene(tuple(places), tuple(items), tuple(people), *found)


def _estimate(
    votes: _Votes, fixed: "NDArray[np.int64]", people: int, size: int
) -> tuple["NDArray[np.float64]", "NDArray[np.float64]", "NDArray[np.float64]", tuple[float, ...]]:
    open_items = fixed < 0
    prior = _prior(size)
    truth = np.zeros((len(fixed), size))
    np.add.at(truth, (votes.item, votes.choice), 1.0)
    truth /= truth.sum(axis=1, keepdims=True)
    truth[~open_items] = np.eye(size)[fixed[~open_items]]
    objective: list[float] = []
    for _ in range(MOST_ROUNDS):
        confusion, shares = _maximise(votes, truth, open_items, prior, people)
        logs = _sums(votes.item, np.log(confusion)[votes.person, :, votes.choice], len(fixed))
        joint = logs + np.log(shares)
        top = joint.max(axis=1, keepdims=True)
        following = np.exp(joint - top)
        likelihood = top[:, 0] + np.log(following.sum(axis=1))
        following /= following.sum(axis=1, keepdims=True)
        following[~open_items] = truth[~open_items]
        told = likelihood[open_items].sum() + (logs * truth)[~open_items].sum()
        objective.append(float(told + (prior * np.log(confusion)).sum() + SMOOTH * np.log(shares).sum()))
        change = float(np.abs(following - truth).max())
        truth = following
        if change < NEAR:
            break
    return truth, confusion, shares, tuple(objective)


def _prior(size: int) -> "NDArray[np.float64]":
    """How many judgments of each true category (row) are added to what everybody chose (column)."""
    if size < 2:
        return np.full((size, size), WEIGHT)
    return WEIGHT * np.where(np.eye(size, dtype=bool), RIGHT, (1 - RIGHT) / (size - 1))


def _maximise(
    votes: _Votes,
    truth: "NDArray[np.float64]",
    open_items: "NDArray[np.bool_]",
    prior: "NDArray[np.float64]",
    people: int,
) -> tuple["NDArray[np.float64]", "NDArray[np.float64]"]:
    """The confusion matrices and shares that best explain the judgments, if this is the truth."""
    size = len(prior)
    chosen = _sums(votes.person * size + votes.choice, truth[votes.item], people * size)
    confusion = prior + chosen.reshape(people, size, size).transpose(0, 2, 1)
    confusion /= confusion.sum(axis=2, keepdims=True)
    shares = truth[open_items].sum(axis=0) + SMOOTH
    return confusion, shares / shares.sum()


def _sums(places: "NDArray[np.int64]", rows: "NDArray[np.float64]", size: int) -> "NDArray[np.float64]":
    """The sum of rows that belong to each place; ten times as fast as `np.add.at`."""
    return np.stack([np.bincount(places, weights=column, minlength=size) for column in rows.T], axis=1)
