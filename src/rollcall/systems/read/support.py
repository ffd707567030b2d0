"""Computes how well passages support an entity as an answer, as a few features.

An entity is tied to a name in the question by a sentence that has both, or by a sentence of its own page that
has the name. The other words of the question in that sentence make the tie stronger. The best tie to each
name counts. What classes and pages say has three values (for, against, nothing), because many graphs have no
classes, and many texts have no page about one thing.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rollcall.graph.graph import Graph
from rollcall.questions.run import Passage
from rollcall.systems.read.linking import HOMONYMS, Linker, TextGraph
from rollcall.systems.read.question_words import QuestionWords, cues
from rollcall.systems.retrieve.bm25 import terms
from rollcall.text.name_lookup import NameFinder
from rollcall.text.names import whole_words
from rollcall.text.sentences import split
from rollcall.text.words import fold

# The sentences of a passage, prepared for reading: folded text, cues, names, and the entity of the page.
# A passage consists of whole sentences, so the splitter of the corpus finds the sentences of the corpus
# in it; passages of other origin are split in the same way. Names are looked up and not taken from
# links, because text links a thing once and names it often.


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


class PassagePreparation:
    """Prepares passages, and caches those that occur again."""

    def __init__(self, graph: Graph, finder: NameFinder, entity_of: Callable[[str], str | None]) -> None:
        """`entity_of` gives the entity of a passage's page, by the passage's id."""
        self._finder, self._linker = finder, Linker(graph, finder, entity_of)
        self._sentences = lru_cache(maxsize=20_000)(self._cut)

    def read(self, passages: Sequence[Passage]) -> list[ReadPassage]:
        best = max((passage.score or 0.0 for passage in passages), default=0.0) or 1.0
        return [
            ReadPassage(
                self._linker.owner(passage.id, passage.title),
                fold(passage.title),
                self._sentences(passage.text),
                (passage.score or 0.0) / best,
            )
            for passage in passages
        ]

    def _cut(self, text: str) -> tuple[ReadSentence, ...]:
        return tuple(self._sentence(text[start:end]) for start, end in split(text))

    def _sentence(self, text: str) -> ReadSentence:
        named = self._named(text)
        return ReadSentence(text, fold(text), cues(terms(text)), frozenset(named), named)

    def _named(self, text: str) -> dict[int, str]:
        names: dict[int, str] = {}
        for mention in self._finder.mentions(text):
            if len(mention.entities) <= HOMONYMS:
                for entity in mention.entities:
                    names.setdefault(entity, fold(mention.text))
        return names


FEATURES = (
    "tied on its own page",
    "tied on the page of another",
    "tied on no entity's page",
    "least tied",
    "near",
    "cues",
    "score",
    "own page",
    "only on pages of others",
    "of the class",
    "of other classes",
    "of the class and tied",
)


class PossibleAnswer(NamedTuple):
    """A possible answer: an entity by number, or a value by its text; with its features."""

    answer: int | str
    features: tuple[float, ...]


class _Ties:
    """The best values so far for one entity."""

    __slots__ = ("cue", "near", "of_another", "of_none", "own", "own_page", "score", "untied")

    def __init__(self, anchors: int) -> None:
        self.own, self.of_another, self.of_none, self.near = ([0.0] * anchors for _ in range(4))
        self.cue = self.score = 0.0
        self.own_page = self.untied = False


def supported(graph: Graph, words: QuestionWords, passages: Sequence[ReadPassage]) -> list[PossibleAnswer]:
    """Every entity in the passages that the question does not itself name, with its features."""
    ties: dict[int, _Ties] = {}
    for passage in passages:
        _look_at(passage, words, ties)
    asked = {entity for anchor in words.anchors for entity in anchor.entities}
    return [
        PossibleAnswer(entity, _features(graph, entity, entity_ties, words))
        for entity, entity_ties in sorted(ties.items())
        if entity not in asked and suits(graph, entity, words)
    ]


def suits(graph: Graph, entity: int, words: QuestionWords) -> bool:
    """Whether a name of a text is of a sort that the question asks for; entities of a graph always are."""
    if not isinstance(graph, TextGraph):
        return True
    sort = graph.sort_of(entity)
    if words.kind in ("date", "number") or sort in ("date", "number"):
        return sort == words.kind
    if words.kind == "person":
        return sort == ""
    if sort == "noun":
        name = graph.index.entity_labels[entity]
        is_asked = cues(terms(name.split()[-1])) <= words.cues | cues(terms(words.noun))
        return not is_asked and (not words.classes or class_fit(graph, entity, words.classes) > 0)
    return True


def has_name(folded: str, name: str) -> bool:
    """Whether a folded text has a name as whole words: "group 1" is not in "group 15"."""
    return name in folded and any(whole_words(folded, name))


def strength(cues: frozenset[str], sentence_cues: frozenset[str]) -> float:
    """The strength of a tie in a sentence with these words: between a quarter and one."""
    return 0.25 + 0.75 * (len(cues & sentence_cues) / len(cues) if cues else 1.0)


def class_fit(graph: Graph, entity: int, wanted: frozenset[int]) -> float:
    """1 if the entity belongs to a wanted class, -1 if it is known to belong only to others, else 0."""
    if not wanted:
        return 0.0
    entities, classes = graph.index.types_forward()
    first, last = np.searchsorted(entities, [entity, entity + 1])
    if first == last:
        return 0.0
    return -1.0 if wanted.isdisjoint(classes[first:last].tolist()) else 1.0


_PERSONAL = re.compile(
    r"(?:(?:Mc|Mac|O['’])?[^\W\d_a-z][^\W\d_A-Z]*(?:[.'’-] ?| |$)|(?:de|di|la|van|von|der|del) ){1,6}"
)
"""How the name of a person may be written: words with one capital each, and initials."""


def _fit(graph: Graph, entity: int, words: QuestionWords) -> float:
    """The fit of the class; a name of which a text says nothing may be a person if the question asks who."""
    fit = class_fit(graph, entity, words.classes)
    if fit or words.kind != "person" or not isinstance(graph, TextGraph) or graph.sort_of(entity):
        return fit
    return float(_PERSONAL.fullmatch(graph.index.entity_labels[entity]) is not None)


def _look_at(passage: ReadPassage, words: QuestionWords, ties: dict[int, _Ties]) -> None:
    names = [fold(anchor.text) for anchor in words.anchors]
    whole = "\n".join((passage.title, *(sentence.folded for sentence in passage.sentences)))
    near = [has_name(whole, name) for name in names]
    seen: set[int] = set()
    for sentence in passage.sentences:
        cue = strength(words.cues, sentence.cues)
        ties_here = [strength(cues, sentence.cues) for cues in words.conditions]
        # Every sentence on the page of a name is about it.
        tied = [has_name(sentence.folded, name) or name == passage.title for name in names]
        entities = sentence.entities if passage.owner is None else sentence.entities | {passage.owner}
        seen |= entities
        for entity in entities:
            entity_ties = ties.get(entity) or ties.setdefault(entity, _Ties(len(names)))
            elsewhere = entity_ties.of_none if passage.owner is None else entity_ties.of_another
            where = entity_ties.own if entity == passage.owner else elsewhere
            for number, (is_tied, tie) in enumerate(zip(tied, ties_here, strict=True)):
                if is_tied and tie > where[number]:
                    where[number] = tie
                if near[number] and tie > entity_ties.near[number]:
                    entity_ties.near[number] = tie
            entity_ties.cue = max(entity_ties.cue, cue)
    for entity in seen:
        entity_ties = ties[entity]
        entity_ties.score = max(entity_ties.score, passage.score)
        entity_ties.own_page = entity_ties.own_page or entity == passage.owner
        entity_ties.untied = entity_ties.untied or passage.owner is None


def _features(graph: Graph, entity: int, ties: _Ties, words: QuestionWords) -> tuple[float, ...]:
    count = max(len(words.anchors), 1)
    least = min(map(max, ties.own, ties.of_another, ties.of_none), default=0.0)
    fit = _fit(graph, entity, words)
    return (
        sum(ties.own) / count,
        sum(ties.of_another) / count,
        sum(ties.of_none) / count,
        least,
        sum(ties.near) / count,
        ties.cue,
        ties.score,
        float(ties.own_page),
        float(not ties.own_page and not ties.untied),
        float(fit > 0),
        float(fit < 0),
        float(fit > 0) * least,
    )
