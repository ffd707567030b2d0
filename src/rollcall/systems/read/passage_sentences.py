"""The sentences of a passage, prepared for reading: folded text, cues, names, and the entity of the page.

A passage consists of whole sentences, so the splitter of the corpus finds the sentences of the corpus in it;
passages of other origin are split in the same way. Names are looked up and not taken from links, because text
links a thing once and names it often.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rollcall.english.folding import fold
from rollcall.english.sentences import split
from rollcall.graph.graph import Graph
from rollcall.questions.run import Passage
from rollcall.systems.read.linking import HOMONYMS, Linker
from rollcall.systems.read.name_finder import NameFinder
from rollcall.systems.read.question_words import cues
from rollcall.systems.retrieve.analysis import terms


class ReadSentence(NamedTuple):
    """One prepared sentence of a passage."""

    text: str
    folded: str
    cues: frozenset[str]
    entities: frozenset[int]
    names: Mapping[int, str]
    """How it writes the name of each entity, folded."""


class ReadPassage(NamedTuple):
    """A prepared passage."""

    owner: int | None
    """The entity of its page."""
    title: str
    sentences: Sequence[ReadSentence]
    score: float
    """Its retrieval score, as a share of the best score."""
    near: float = math.nan
    """How near it is to the question; NaN if that is not known."""


class PassageReading:
    """Prepares passages, and caches those that occur again."""

    def __init__(self, graph: Graph, finder: NameFinder, entity_of: Callable[[str], str | None]) -> None:
        """`entity_of` gives the entity of a passage's page, by the passage's id."""
        self._finder, self._linker = finder, Linker(graph, finder, entity_of)
        self._sentences = lru_cache(maxsize=20_000)(self._cut)

    def read(self, passages: Sequence[Passage]) -> list[ReadPassage]:
        best = max((passage.score or 0.0 for passage in passages), default=0.0) or 1.0
        return [
            ReadPassage(
                self._linker.owner(one.id, one.title),
                fold(one.title),
                self._sentences(one.text),
                (one.score or 0.0) / best,
            )
            for one in passages
        ]

    def _cut(self, text: str) -> tuple[ReadSentence, ...]:
        return tuple(self._sentence(text[start:end]) for start, end in split(text))

    def _sentence(self, text: str) -> ReadSentence:
        named = self._named(text)
        return ReadSentence(text, fold(text), cues(terms(text)), frozenset(named), named)

    def _named(self, text: str) -> dict[int, str]:
        found: dict[int, str] = {}
        for one in self._finder.mentions(text):
            if len(one.entities) <= HOMONYMS:
                for entity in one.entities:
                    found.setdefault(entity, fold(one.text))
        return found
