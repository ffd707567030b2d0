"""How well the retrieved passages support an entity as an answer, in a handful of numbers.

An entity is tied to a name in the question by a sentence that has both, or by a sentence of its own page
that has the name; the other words of the question in that sentence make the tie stronger. The best tie to
each name counts.
"""

import math
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rollcall.graph.graph import Graph
from rollcall.graph.names import fold
from rollcall.questions.run import Passage
from rollcall.systems.read.name_finder import Mention, NameFinder
from rollcall.systems.read.question_words import QuestionWords, cues
from rollcall.systems.retrieve.analysis import terms

_SENTENCE_END = re.compile(r"(?<=[.!?][\"”’' ])\s*(?=[\"“A-Z0-9])|(?<=[.!?])\s+|\n+")

FEATURES = (
    "tied on its own page",
    "tied elsewhere",
    "least tied",
    "near",
    "cues",
    "score",
    "passages",
    "own page",
    "class",
    "of the class and tied",
)


class Sentence(NamedTuple):
    """A sentence ready to be looked at: its folded text, its cues, the names in it."""

    folded: str
    cues: frozenset[str]
    mentions: tuple[Mention, ...]


class Candidate(NamedTuple):
    """An entity by number, with its features."""

    entity: int
    features: tuple[float, ...]


class _Ties:
    """The best found so far about one entity."""

    __slots__ = ("cue", "elsewhere", "near", "own", "own_page", "passages", "score")

    def __init__(self, anchors: int) -> None:
        self.own, self.elsewhere, self.near = [0.0] * anchors, [0.0] * anchors, [0.0] * anchors
        self.cue = self.score = 0.0
        self.passages = 0
        self.own_page = False


class Supporter:
    """Weighs entities named in passages."""

    def __init__(self, graph: Graph, finder: NameFinder, entity_of: Callable[[str], str | None]) -> None:
        """`entity_of` gives the entity that the page of a passage is about, by the passage's id."""
        self._graph, self._finder, self._entity_of = graph, finder, entity_of
        self._sentences = lru_cache(maxsize=20_000)(self._read)

    def candidates(self, words: QuestionWords, passages: Sequence[Passage]) -> list[Candidate]:
        """Every entity in the passages that the question does not name itself, with its features."""
        ties: dict[int, _Ties] = {}
        asked = {entity for anchor in words.anchors for entity in anchor.entities}
        best = max((passage.score or 0.0 for passage in passages), default=0.0) or 1.0
        for passage in passages:
            self._look_at(passage, (passage.score or 0.0) / best, words, ties)
        return [
            Candidate(entity, self._features(entity, one, words))
            for entity, one in sorted(ties.items())
            if entity not in asked
        ]

    def _look_at(self, passage: Passage, score: float, words: QuestionWords, ties: dict[int, _Ties]) -> None:
        owner = self._owner(passage)
        sentences = self._sentences(passage.text)
        title = fold(passage.title)
        whole = f"{title}\n" + "\n".join(sentence.folded for sentence in sentences)
        anchors = [fold(anchor.text) for anchor in words.anchors]
        near = [name in whole for name in anchors]
        seen: set[int] = set()
        for sentence in sentences:
            share = len(words.cues & sentence.cues) / len(words.cues) if words.cues else 1.0
            # The page of a name tells about it in every sentence.
            tied = [name in sentence.folded or name == title for name in anchors]
            for entity in self._entities(sentence, owner):
                one = ties.setdefault(entity, _Ties(len(anchors)))
                where = one.own if entity == owner else one.elsewhere
                for number, is_tied in enumerate(tied):
                    if is_tied:
                        where[number] = max(where[number], 0.25 + 0.75 * share)
                    if near[number]:
                        one.near[number] = max(one.near[number], 0.25 + 0.75 * share)
                one.cue = max(one.cue, share)
                seen.add(entity)
        for entity in seen:
            one = ties[entity]
            one.score = max(one.score, score)
            one.passages += 1
            one.own_page = one.own_page or entity == owner

    def _entities(self, sentence: Sentence, owner: int | None) -> set[int]:
        found = {entity for mention in sentence.mentions for entity in self._meant(mention)}
        if owner is not None:
            found.add(owner)
        return found

    @staticmethod
    def _meant(mention: Mention) -> tuple[int, ...]:
        # A name of very many is no name to go by.
        return mention.entities if len(mention.entities) <= 4 else ()

    def _owner(self, passage: Passage) -> int | None:
        entity = self._entity_of(passage.id)
        if entity is not None:
            return self._graph.index.entity_number(entity)
        named = self._finder.entities(passage.title) if passage.title else ()
        return named[0] if len(named) == 1 else None

    def _read(self, text: str) -> tuple[Sentence, ...]:
        parts = [part for part in _SENTENCE_END.split(text) if part.strip()]
        return tuple(
            Sentence(fold(part), cues(terms(part)), tuple(self._finder.mentions(part))) for part in parts
        )

    def _features(self, entity: int, ties: _Ties, words: QuestionWords) -> tuple[float, ...]:
        count = max(len(words.anchors), 1)
        either = [max(pair) for pair in zip(ties.own, ties.elsewhere, strict=True)]
        fit = self._class_fit(entity, words)
        return (
            sum(ties.own) / count,
            sum(ties.elsewhere) / count,
            min(either, default=0.0),
            sum(ties.near) / count,
            ties.cue,
            ties.score,
            math.log1p(ties.passages),
            float(ties.own_page),
            fit,
            max(fit, 0.0) * min(either, default=0.0),
        )

    def _class_fit(self, entity: int, words: QuestionWords) -> float:
        """1 where the entity is of an asked class, -1 where it is known to be of others only, else 0."""
        if not words.classes:
            return 0.0
        entities, classes = self._graph.index.types_forward()
        first, last = np.searchsorted(entities, [entity, entity + 1])
        if first == last:
            return 0.0
        return -1.0 if words.classes.isdisjoint(classes[first:last].tolist()) else 1.0
