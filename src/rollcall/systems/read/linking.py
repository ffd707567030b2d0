"""The entities that a passage may be about, each with its position; readers choose answers among them.

Names are looked up in the title and the text; a name of too many entities says too little and is left out.
The title of a page also stands for the page's own entity, which it may name in another way.

Where there is no graph, the names that the text itself has take its place (`read.text_names`): a `TextGraph`
has no facts, and its entities are names.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias, cast

import msgspec
import numpy as np

from rollcall.graph.graph import Graph
from rollcall.questions.run import EntityAnswer, Passage
from rollcall.text.name_lookup import NameFinder

Where: TypeAlias = Literal["title", "text"]

HOMONYMS = 4
"""A name of more entities than this is too ambiguous to use."""
_CLASSES = 2
"""Classes that are given for an entity."""


Sort: TypeAlias = Literal["", "place", "noun", "date", "number"]
"""What is known of a name in a text by its form and the words around it; of most proper names nothing."""


class TextGraph(Graph):
    """The names that a text has; their ids mean nothing outside it."""

    def sort_of(self, entity: int) -> Sort:
        """The sort of a name, by its number."""
        return self._sorts(entity)

    @cached_property
    def _sorts(self) -> Callable[[int], Sort]:
        return lru_cache(maxsize=1 << 17)(lambda entity: cast(Sort, self.index.entity_descriptions[entity]))


def answer_of(graph: Graph, entity: int) -> str | EntityAnswer:
    """An entity as an answer: with its id, if that means anything."""
    id_ = graph.index.entity_ids[entity]
    label = graph.label(id_)
    return label if isinstance(graph, TextGraph) else EntityAnswer(id_, label)


class LinkedMention(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A name in a passage: its characters, and the ids of the entities that it may mean."""

    start: int
    end: int
    where: Where
    entities: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    """For each entity the labels of its classes, if the graph has any."""


class Linker:
    """Finds the linked mentions of passages, and caches those of passages that occur again."""

    def __init__(self, graph: Graph, finder: NameFinder, entity_of: Callable[[str], str | None]) -> None:
        """`entity_of` gives the entity of a passage's page, by the passage's id."""
        self._graph, self._finder, self._entity_of = graph, finder, entity_of
        self._kind = lru_cache(maxsize=100_000)(self._class_words)
        self._linked = lru_cache(maxsize=50_000)(self._link)

    def mentions(self, passage: Passage) -> tuple[LinkedMention, ...]:
        """The linked mentions of a passage: those of the title, then those of the text."""
        return self._linked(passage.id, passage.title, passage.text)

    def owner(self, id_: str, title: str) -> int | None:
        """The number of the entity of a passage's page; without a page, of the only entity of that name."""
        entity = self._entity_of(id_)
        if entity is not None:
            return self._graph.index.entity_number(entity)
        named = self._finder.entities(title) if title else ()
        return named[0] if len(named) == 1 else None

    def _link(self, id_: str, title: str, text: str) -> tuple[LinkedMention, ...]:
        mentions = [
            self._mention(mention.start, mention.end, where, mention.entities)
            for where, content in _parts(title, text)
            for mention in self._finder.mentions(content)
            if len(mention.entities) <= HOMONYMS
        ]
        owner = self.owner(id_, title)
        if owner is None or not title:
            return tuple(mentions)
        whole = self._mention(0, len(title), "title", (owner,))
        return (whole, *(mention for mention in mentions if not _same_place(mention, whole)))

    def _mention(self, start: int, end: int, where: Where, entities: Sequence[int]) -> LinkedMention:
        ids = self._graph.index.entity_ids
        return LinkedMention(
            start,
            end,
            where,
            tuple(ids[entity] for entity in entities),
            tuple(self._kind(entity) for entity in entities),
        )

    def _class_words(self, entity: int) -> str:
        entities, classes = self._graph.index.types_forward()
        first, last = np.searchsorted(entities, [entity, entity + 1])
        labels = (
            self._graph.index.class_labels[int(number)]
            for number in classes[first : min(last, first + _CLASSES)]
        )
        return ", ".join(filter(None, labels))


def _parts(title: str, text: str) -> tuple[tuple[Where, str], tuple[Where, str]]:
    return ("title", title), ("text", text)


def _same_place(first: LinkedMention, second: LinkedMention) -> bool:
    return (first.where, first.start, first.end) == (second.where, second.start, second.end)
