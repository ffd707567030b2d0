"""How near passages are to a question, by the packaged retriever, as features of possible answers.

What is near has the words of no name in common with the question, perhaps, but says what is asked for: so it
is both found and weighed by it. Where the corpus is not encoded, nothing is known, which trees can tell.
"""

import math
import zlib
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Asked, Retriever
from rollcall.systems.read.question_words import QuestionWords
from rollcall.systems.read.support import ReadPassage
from rollcall.systems.retrieve.learned import LearnedRetriever
from rollcall.text.nouns import demonyms

# Tables of numbers about possible answers: a row for each.

Table: TypeAlias = npt.NDArray[np.float32]
"""Features, in the order of their names."""
Chances: TypeAlias = npt.NDArray[np.float64]
"""Probabilities."""


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


# Further passages for a question: the nearest ones, and those of its names with the kind of thing asked
# for. A question with several conditions, or with words that no page uses, is far from the passages
# about one of its names. A land is also sought by its adjective, since pages say "a Belarusian runner"
# of a citizen of Belarus. Where a question has no names ("Which Canadian writers were born after
# 1940?"), the kind is sought alone.

_NAMES = 3
"""Names of a question that are sought."""


class FoundFurther(NamedTuple):
    """Passages that were not retrieved for the question, and how many retrievals found them."""

    passages: list[Passage]
    retrievals: int


class Search:
    """Seeks passages with a retriever."""

    def __init__(self, retriever: Retriever | None, each: int, nearness: Nearness | None = None) -> None:
        """`each` passages are sought for each name, if there is a retriever; `nearness` finds the nearest."""
        self._retriever, self._each, self._nearness = retriever, each, nearness

    def further(self, question: Asked, words: QuestionWords, known: Sequence[Passage]) -> FoundFurther:
        """The passages near a question and about its names, or its noun, without the known ones."""
        queries = [f"{name} {words.noun}".strip() for name in _sought(words) or [""]]
        asked = [Asked(str(number), query) for number, query in enumerate(filter(None, queries))]
        rankings = self._retriever.retrieve(asked, self._each) if self._retriever and asked else []
        if self._nearness is not None:
            rankings = [self._nearness.nearest(question), *rankings]
        seen = {one.id for one in known}
        found: dict[str, Passage] = {}
        for passages in rankings:
            for one in passages:
                if one.id not in seen:
                    # Scores of other queries cannot be compared with those of the question.
                    found.setdefault(one.id, Passage(one.id, one.title, one.text, None))
        return FoundFurther(list(found.values()), len(rankings))


def _sought(words: QuestionWords) -> list[str]:
    names = [anchor.text for anchor in words.anchors[:_NAMES]]
    return [*names, *(adjective for name in names for adjective in adjectives_of(name)[:1])]


def adjectives_of(name: str) -> Sequence[str]:
    """The adjectives of a land."""
    return demonyms().get(name.removeprefix("the "), ())
