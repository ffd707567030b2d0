"""How far two scorings of the same responses agree: verdict by verdict on gold answers, and in F1.

Answers are aligned by name, because a judge may write down the expected answers in its own way; those that
only one of the two has are not compared. Cohen's kappa says how much of the agreement is not chance.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rollcall.score.columns import GoldSetting, answer_sets, predicted
from rollcall.score.match import Match, Resolution
from rollcall.score.name_keys import name_key
from rollcall.score.pairing import Pairs
from rollcall.score.profile import Profile


class Verdicts(NamedTuple):
    """The resolution and the figures of each pair, under one profile."""

    resolutions: list[Resolution]
    matches: list[Match]


class Agreement(NamedTuple):
    """Two scorings compared, over what both have judged."""

    answers: int
    same: float | None
    """The share of gold answers with the same verdict; None if there are none to compare."""
    kappa: float | None
    """Cohen's kappa; None if it is not defined, as where all verdicts are the same."""
    questions: int
    distance: float | None
    """The mean absolute difference of F1."""


def verdicts(pairs: Pairs, profile: Profile, setting: GoldSetting) -> Verdicts:
    """Every pair resolved with the answer set that fits best."""
    resolutions, matches = [], []
    for question, prediction in pairs:
        said = predicted(prediction)
        tried = [profile.resolve(question, gold, said) for gold in answer_sets(question, setting)]
        rated = [profile.rate(one) for one in tried]
        best = max(range(len(tried)), key=lambda place: (rated[place].f1, rated[place].recall))
        resolutions.append(tried[best])
        matches.append(rated[best])
    return Verdicts(resolutions, matches)


def agreement(first: Verdicts, second: Verdicts) -> Agreement:
    """How far two scorings agree."""
    both = [
        place
        for place, (one, other) in enumerate(zip(first.matches, second.matches, strict=True))
        if one.judged and other.judged
    ]
    decided = [
        pair for place in both for pair in _aligned(first.resolutions[place], second.resolutions[place])
    ]
    apart = [abs(first.matches[place].f1 - second.matches[place].f1) for place in both]
    return Agreement(
        answers=len(decided),
        same=_mean(float(one == other) for one, other in decided),
        kappa=cohen_kappa(decided),
        questions=len(both),
        distance=_mean(apart),
    )


def cohen_kappa(decided: Sequence[tuple[bool, bool]]) -> float | None:
    """Agreement beyond chance of two yes-or-no judgements; None if chance alone explains everything.

    >>> cohen_kappa([(True, True), (False, False), (True, False), (False, False)])
    0.5
    """
    if not decided:
        return None
    total = len(decided)
    same = sum(one == other for one, other in decided) / total
    first, second = (sum(pair[place] for pair in decided) / total for place in (0, 1))
    chance = first * second + (1 - first) * (1 - second)
    return None if chance == 1 else (same - chance) / (1 - chance)


def _aligned(one: Resolution, other: Resolution) -> list[tuple[bool, bool]]:
    """The verdicts of both on the answers that both have, by name."""
    named = {name_key(label): hit for label, hit in zip(other.gold, other.found, strict=True)}
    return [
        (hit, named[key])
        for label, hit in zip(one.gold, one.found, strict=True)
        if (key := name_key(label)) in named
    ]


def _mean(values: Iterable[float]) -> float | None:
    listed = list(values)
    return math.fsum(listed) / len(listed) if listed else None
