"""How near passages are to a question, by the packaged retriever, as features of possible answers.

A near passage may share no words with the question and still answer it, so nearness both finds passages and
weighs them. Where the corpus is not encoded, nearness is unknown, and the trees can tell.
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
"""One in this many questions that trees learn from is read as if its corpus were not encoded."""


class Nearness:
    """Finds the passages of a corpus that are near a question, and measures how near they are."""

    def __init__(self, retriever: LearnedRetriever, most: int) -> None:
        """`most` is the number of passages that are found."""
        self._retriever, self._most = retriever, most
        self.weights = retriever.weights
        self._rankings: dict[str, list[Passage]] = {}

    def seek(self, questions: Sequence[Asked]) -> None:
        """Find what is near questions that will be read: all vectors are looked at once for all of them."""
        rankings = self._retriever.retrieve(questions, self._most)
        self._rankings = {
            question.question: ranking for question, ranking in zip(questions, rankings, strict=True)
        }

    def nearest(self, question: Asked) -> list[Passage]:
        """The nearest passages of the corpus."""
        if question.question not in self._rankings:
            self.seek([question])
        return self._rankings[question.question]

    def measured(
        self, question: str, passages: Sequence[Passage], read: Sequence[ReadPassage]
    ) -> list[ReadPassage]:
        """Passages as they were read, each with how near it is."""
        near = self._retriever.similarities(question, [passage.id for passage in passages])
        return [passage._replace(near=similarity) for passage, similarity in zip(read, near, strict=True)]


def is_plain(question: str) -> bool:
    """Whether trees learn a question without nearness: if it was always known in training, they would read
    an unknown one as zero."""
    return zlib.crc32(question.encode()) % _PLAIN == 0


def nearness(answers: Sequence[int | str], read: Sequence[ReadPassage]) -> Table:
    """A row for each possible answer; NaN where nothing is known."""
    near: dict[int | str, list[float]] = {}
    own: dict[int | str, float] = {}
    for passage in read:
        if math.isnan(passage.near):
            continue
        entities: set[int | str] = {entity for sentence in passage.sentences for entity in sentence.entities}
        if passage.owner is not None:
            entities.add(passage.owner)
            own[passage.owner] = max(own.get(passage.owner, -1.0), passage.near)
        for entity in entities:
            near.setdefault(entity, []).append(passage.near)
    if not near:
        return np.full((len(answers), len(NEARNESS)), math.nan)
    best = {answer: max(values) for answer, values in near.items()}
    ranked = {
        answer: rank
        for rank, answer in enumerate(sorted(best, key=lambda answer: (-best[answer], str(answer))))
    }
    nearest = max(best.values())
    rows = []
    for answer in answers:
        values = sorted(near.get(answer, ()), reverse=True)
        rows.append(
            (
                values[0] if values else -1.0,
                values[1] if len(values) > 1 else -1.0,
                own.get(answer, -1.0),
                1.0 / (1 + ranked.get(answer, len(ranked))),
                nearest - values[0] if values else 2.0,
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
        questions = [Asked(str(number), query) for number, query in enumerate(filter(None, queries))]
        rankings = self._retriever.retrieve(questions, self._each) if self._retriever and questions else []
        if self._nearness is not None:
            rankings = [self._nearness.nearest(question), *rankings]
        seen = {passage.id for passage in known}
        passages_by_id: dict[str, Passage] = {}
        for passages in rankings:
            for passage in passages:
                if passage.id not in seen:
                    # Scores of other queries cannot be compared with those of the question.
                    passages_by_id.setdefault(
                        passage.id, Passage(passage.id, passage.title, passage.text, None)
                    )
        return FoundFurther(list(passages_by_id.values()), len(rankings))


def _sought(words: QuestionWords) -> list[str]:
    names = [anchor.text for anchor in words.anchors[:_NAMES]]
    return [*names, *(adjective for name in names for adjective in adjectives_of(name)[:1])]


def adjectives_of(name: str) -> Sequence[str]:
    """The adjectives of a land."""
    return demonyms().get(name.removeprefix("the "), ())
