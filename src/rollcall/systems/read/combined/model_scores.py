"""The scores of a model for a possible answer in single passages, as features."""

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from rollcall.systems.read.combined.table import Table
from rollcall.systems.read.passage_sentences import ReadPassage

SCORES = ("best", "second", "mean of three", "own page", "rank", "share of the best", "passages over a half")

ModelScores: TypeAlias = Mapping[str, Sequence[Mapping[int | str, float]]]
"""For each model, for each passage, the scores of answers."""

_CERTAIN = 0.1
"""The score from which an answer of a model is a possible answer."""


def only_scored(scores: ModelScores) -> set[int | str]:
    """What a model is fairly certain of, be it a name that the graph lacks or a value."""
    return {
        one
        for per_passage in scores.values()
        for passage in per_passage
        for one, score in passage.items()
        if score >= _CERTAIN
    }


def scored(
    answers: Sequence[int | str],
    read: Sequence[ReadPassage],
    per_passage: Sequence[Mapping[int | str, float]],
) -> Table:
    """A row for each possible answer, by the scores of one model in these passages."""
    found: dict[int | str, list[float]] = {}
    own: dict[int | str, float] = {}
    for passage, scores in zip(read, per_passage, strict=True):
        for one, score in scores.items():
            found.setdefault(one, []).append(score)
            if one == passage.owner:
                own[one] = max(own.get(one, 0.0), score)
    ranking = sorted(found, key=lambda one: -max(found[one]))
    ranked = {one: rank for rank, one in enumerate(ranking)}
    best = max((max(these) for these in found.values()), default=0.0) or 1.0
    rows = []
    for one in answers:
        these = sorted(found.get(one, ()), reverse=True) or [0.0]
        rows.append(
            (
                these[0],
                these[1] if len(these) > 1 else 0.0,
                sum(these[:3]) / 3,
                own.get(one, 0.0),
                1.0 / (1 + ranked.get(one, len(answers))),
                these[0] / best,
                math.log1p(sum(score > 0.5 for score in these)),
            )
        )
    return np.array(rows)
