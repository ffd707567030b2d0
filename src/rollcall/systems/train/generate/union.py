"""The answers of many passages as one list: equal names are one answer, and weak ones are left out."""

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from rollcall.score.name_keys import name_keys
from rollcall.systems.read.kept_scores import ScoredAnswer
from rollcall.systems.train.combination import Combination, best_combination, over_passages
from rollcall.systems.train.exercise import Exercise
from rollcall.systems.train.thresholds import Judged, judged


class Union(msgspec.Struct, frozen=True):
    """How the answers of all passages are combined."""

    combination: Combination = "greatest"
    threshold: float = 0.5
    """The least score of an answer that is given."""


def united(scores: Sequence[Sequence[ScoredAnswer]], combination: Combination) -> list[ScoredAnswer]:
    """All answers with their scores over all passages, best first; each under its best spelling."""
    every = [one for these in scores for one in these]
    equal: defaultdict[bytes, list[ScoredAnswer]] = defaultdict(list)
    for key, one in zip(name_keys([one.answer for one in every]), every, strict=True):
        equal[key].append(one)
    found = [
        ScoredAnswer(
            max(these, key=lambda one: one.score).answer,
            over_passages([one.score for one in these], combination),
        )
        for these in equal.values()
    ]
    return sorted(found, key=lambda one: (-one.score, one.answer))


def given(scores: Sequence[Sequence[ScoredAnswer]], union: Union) -> list[str]:
    """The answers to give."""
    return [one.answer for one in united(scores, union.combination) if one.score >= union.threshold]


def best_union(exercises: Sequence[Exercise], scores: Sequence[Sequence[Sequence[ScoredAnswer]]]) -> Union:
    """The combination and threshold with the greatest mean F1."""
    best = best_combination(
        lambda combination: [
            _judged(exercise, united(these, combination))
            for exercise, these in zip(exercises, scores, strict=True)
        ]
    )
    return Union(best.combination, best.threshold)


def _judged(exercise: Exercise, found: Sequence[ScoredAnswer]) -> Judged:
    """The answers to an exercise, each once under whichever of its names is best, as they are scored."""
    named = {
        key: answer.id or answer.label
        for answer in exercise.answers
        for key in name_keys([answer.label, *answer.aliases])
    }
    scores: dict[str, float] = {}
    for key, one in zip(name_keys([one.answer for one in found]), found, strict=True):
        scores.setdefault(named.get(key, one.answer), one.score)
    return judged(scores, set(named.values()))
