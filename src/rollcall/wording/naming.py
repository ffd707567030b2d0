"""The names of entities, relations and classes, from a graph or, without a graph, their ids."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from rollcall.corpus.titles import without_parenthesis
from rollcall.english.demonyms import land_of
from rollcall.english.word_lists import word_list
from rollcall.errors import RollcallError
from rollcall.query import Literal
from rollcall.wording.class_nouns import class_noun
from rollcall.wording.heads import kind_above
from rollcall.wording.names_in_text import name_in_text
from rollcall.wording.phrases import Filler, filler_of_name, filler_of_value

if TYPE_CHECKING:
    from rollcall.graph.graph import EntityRecord
    from rollcall.wording.ends import EndNouns
    from rollcall.wording.generic import Ends

_IN_BRACKETS = re.compile(r"\(([^()]+)\)$")
_WORK_CLASSES = re.compile(
    r"\b(?:film|song|album|novel|book|series|work|play|episode|single|painting|game|poem|opera)\b"
)


class Labels(Protocol):
    """The interface that wording needs from a graph."""

    def label(self, id_: str) -> str: ...
    def relation_label(self, id_: str) -> str: ...
    def class_label(self, id_: str) -> str: ...
    def entity(self, id_: str) -> "EntityRecord": ...
    def find(self, name: str) -> "list[EntityRecord]": ...


def entity_label(graph: Labels, id_: str) -> str:
    """The name of an entity: its label, else the title of its page as a name, else its id."""
    label = graph.label(id_)
    if label != id_:
        return label
    try:
        record = graph.entity(id_)
    except RollcallError:  # an id that the graph does not have
        return id_
    return record.label or (without_parenthesis(record.title) if record.title else id_)


class Naming:
    """Labels in the form that a sentence needs."""

    def __init__(
        self,
        graph: Labels | None,
        *,
        ends: "EndNouns | None" = None,
        relation_names: Mapping[str, str] | None = None,
        class_names: Mapping[str, str] | None = None,
        names: Mapping[str, str] | None = None,
        tell_namesakes_apart: bool = False,
    ):
        self._graph = graph
        self._ends = ends
        self._relation_names = relation_names or {}
        self._class_names = class_names or {}
        self._names = names or {}
        self._apart = tell_namesakes_apart
        self.entity = lru_cache(maxsize=65536)(self._entity)

    def relation_label(self, id_: str) -> str:
        if id_ in self._relation_names:
            return self._relation_names[id_]
        return self._graph.relation_label(id_) if self._graph is not None else id_

    def ends(self, relation: str) -> "Ends | None":
        """What the ends of a relation are in the graph, if that is known."""
        return self._ends.of(relation) if self._ends is not None else None

    def is_renamed(self, class_id: str) -> bool:
        """Whether a class has a noun that its label does not give it, and that may mean others, too."""
        return class_id in self._class_names

    def class_label(self, id_: str) -> str:
        if id_ in self._class_names:
            return self._class_names[id_]
        return self._graph.class_label(id_) if self._graph is not None else id_

    def label(self, id_: str) -> str:
        return entity_label(self._graph, id_) if self._graph is not None else id_

    def value(self, literal: Literal) -> Filler:
        """The words for a value; a unit that is an entity is written as its label."""
        return filler_of_value(literal, self.label)

    def _entity(self, id_: str) -> Filler:
        """The words for an entity."""
        label = self.label(id_)
        classes = self.classes(id_)
        added = _IN_BRACKETS.search(id_)
        work = any(_WORK_CLASSES.search(name) for name in (*classes, added[1] if added else ""))
        own = name_in_text(label, (*classes, "film") if work else classes, work=work)
        plain = not work and own.removeprefix("the ") == label
        name = self._names.get(id_, own) if plain else own
        if self._apart and (distinction := self._distinction(id_, label, classes)):
            name = f"{name} ({distinction})"
        kinds = {kind_above(class_noun(one).one) for one in classes}
        if land_of(label) and (not kinds or "place" in kinds):
            return Filler(name, adjective=label, place="place" in kinds)
        if label in word_list("faith_adjectives") and not {"person", "place"} & kinds:
            return Filler(name, adjective=label)
        return Filler(name) if name.endswith(")") else filler_of_name(name)

    def classes(self, id_: str) -> tuple[str, ...]:
        """The labels of the classes of an entity."""
        if self._graph is None:
            return ()
        try:
            return tuple(self.class_label(class_id) for class_id in self._graph.entity(id_).types)
        except RollcallError:  # an id that the graph does not have
            return ()

    def _distinction(self, id_: str, label: str, classes: tuple[str, ...]) -> str:
        """What distinguishes an entity from others with its label: the brackets in its id, or a class."""
        if self._graph is None:
            return ""
        namesakes = [one for one in self._graph.find(label) if one.label == label and one.id != id_]
        if not namesakes:
            return ""
        if (found := _IN_BRACKETS.search(id_)) and f"({found[1]})" not in label:
            return found[1]
        taken = {name for one in namesakes for name in self.classes(one.id)}
        return next((class_noun(name).one for name in classes if name not in taken), "")
