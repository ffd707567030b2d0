"""From scores of entities in single passages to answers: combined over passages, and cut at a least score."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from rollcall.questions.run import EntityAnswer
from rollcall.systems.train.combination import Combination, best_combination, over_passages
from rollcall.systems.train.exercise import Exercise
from rollcall.systems.train.thresholds import judged


class EntitySettings(msgspec.Struct, frozen=True):
    """What a scorer of entities keeps beside its weights."""

    length: int
    combination: Combination = "greatest"
    threshold: float = 0.5


def combined(passages: Sequence[Mapping[str, float]], combination: Combination) -> dict[str, float]:
    """The scores of entities over all passages of a question."""
    every: defaultdict[str, list[float]] = defaultdict(list)
    for scores in passages:
        for entity, score in scores.items():
            every[entity].append(score)
    return {entity: over_passages(scores, combination) for entity, scores in every.items()}


def answers(passages: Sequence[Mapping[str, float]], settings: EntitySettings) -> list[EntityAnswer]:
    """The entities above the threshold, the most certain first."""
    scores = combined(passages, settings.combination)
    ranked = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
    return [EntityAnswer(entity) for entity, score in ranked if score >= settings.threshold]


def tuned(
    scores: Sequence[Sequence[Mapping[str, float]]], exercises: Sequence[Exercise], length: int
) -> EntitySettings:
    """The combination and the threshold of the greatest F1."""
    gold = [{answer.id or answer.label for answer in one.answers} for one in exercises]
    best = best_combination(
        lambda combination: [
            judged(combined(one, combination), right) for one, right in zip(scores, gold, strict=True)
        ]
    )
    return EntitySettings(length, best.combination, best.threshold)
