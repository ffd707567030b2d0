"""How near passages are to a question, by the packaged retriever, as features of possible answers.

What is near has the words of no name in common with the question, perhaps, but says what is asked for: so it
is both found and weighed by it. Where the corpus is not encoded, nothing is known, which trees can tell.
"""

import math
import zlib
from collections.abc import Sequence

import numpy as np

from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Asked
from rollcall.systems.read.combined.table import Table
from rollcall.systems.read.passage_sentences import ReadPassage
from rollcall.systems.retrieve.learned import LearnedRetriever

NEARNESS = (
    "nearest passage",
    "second nearest passage",
    "own page",
    "rank of the nearest passage",
    "behind the nearest of all",
)


_PLAIN = 5
"""Of so many questions that trees learn from, one is read as if its corpus were not encoded."""


class Nearness:
    """Finds the passages of a corpus that are near a question, and tells how near they are."""

    def __init__(self, retriever: LearnedRetriever, most: int) -> None:
        """`most` is the number of passages that are found."""
        self._retriever, self._most = retriever, most
        self.weights = retriever.weights
        self._found: dict[str, list[Passage]] = {}

    def seek(self, questions: Sequence[Asked]) -> None:
        """Find what is near questions that will be read: all vectors are looked at once for all of them."""
        found = self._retriever.retrieve(questions, self._most)
        self._found = {one.question: these for one, these in zip(questions, found, strict=True)}

    def nearest(self, question: Asked) -> list[Passage]:
        """The nearest passages of the corpus."""
        if question.question not in self._found:
            self.seek([question])
        return self._found[question.question]

    def told(
        self, question: str, passages: Sequence[Passage], read: Sequence[ReadPassage]
    ) -> list[ReadPassage]:
        """Passages as they were read, each with how near it is."""
        near = self._retriever.similarities(question, [one.id for one in passages])
        return [one._replace(near=this) for one, this in zip(read, near, strict=True)]


def is_plain(question: str) -> bool:
    """Whether trees learn a question without what is near it: what was never unknown they take for zero."""
    return zlib.crc32(question.encode()) % _PLAIN == 0


def nearness(answers: Sequence[int | str], read: Sequence[ReadPassage]) -> Table:
    """A row for each possible answer; NaN where nothing is known."""
    near: dict[int | str, list[float]] = {}
    own: dict[int | str, float] = {}
    for passage in read:
        if math.isnan(passage.near):
            continue
        here: set[int | str] = {one for sentence in passage.sentences for one in sentence.entities}
        if passage.owner is not None:
            here.add(passage.owner)
            own[passage.owner] = max(own.get(passage.owner, -1.0), passage.near)
        for named in here:
            near.setdefault(named, []).append(passage.near)
    if not near:
        return np.full((len(answers), len(NEARNESS)), math.nan)
    best = {one: max(these) for one, these in near.items()}
    ranked = {one: rank for rank, one in enumerate(sorted(best, key=lambda one: (-best[one], str(one))))}
    nearest = max(best.values())
    rows = []
    for one in answers:
        these = sorted(near.get(one, ()), reverse=True)
        rows.append(
            (
                these[0] if these else -1.0,
                these[1] if len(these) > 1 else -1.0,
                own.get(one, -1.0),
                1.0 / (1 + ranked.get(one, len(ranked))),
                nearest - these[0] if these else 2.0,
            )
        )
    return np.array(rows)
