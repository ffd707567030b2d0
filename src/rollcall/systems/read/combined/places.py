"""Where the passages stand that name a possible answer, as features."""

import math
from collections.abc import Sequence

import numpy as np

from rollcall.systems.read.combined.table import Table
from rollcall.systems.read.passage_sentences import ReadPassage

PLACES = (
    "passages that name it",
    "first passage that names it",
    "first passage of its own page",
    "score of its own page",
    "share of passages that name it",
    "in a title",
    "names with it in a sentence",
)


def places(answers: Sequence[int | str], read: Sequence[ReadPassage]) -> Table:
    """A row for each possible answer."""
    count: dict[int | str, int] = {}
    first: dict[int | str, int] = {}
    own: dict[int | str, tuple[int, float]] = {}
    beside: dict[int | str, int] = {}
    for rank, passage in enumerate(read):
        here: set[int | str] = set()
        for sentence in passage.sentences:
            here |= sentence.entities
            for one in sentence.entities:
                beside[one] = max(beside.get(one, 0), len(sentence.entities))
        if passage.owner is not None:
            here.add(passage.owner)
            own.setdefault(passage.owner, (rank, passage.score))
        for named in here:
            count[named] = count.get(named, 0) + 1
            first.setdefault(named, rank)
    total = max(len(read), 1)
    return np.array(
        [
            (
                math.log1p(count.get(one, 0)),
                1.0 / (1 + first.get(one, total)),
                1.0 / (1 + own[one][0]) if one in own else 0.0,
                own[one][1] if one in own else 0.0,
                count.get(one, 0) / total,
                float(one in own),
                math.log1p(beside.get(one, 0)),
            )
            for one in answers
        ]
    )
