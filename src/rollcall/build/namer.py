"""The names of the entities and values of a set: those of the graph, and those that the text uses."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from rollcall.errors import RollcallError
from rollcall.graph import Graph
from rollcall.query.values import Date, Number, Point, parse_value
from rollcall.questions.record import Answer
from rollcall.questions.value_names import value_names
from rollcall.wording.naming import entity_label


class Namer:
    """Names answers; each entity is looked up once, even if it answers many questions."""

    def __init__(self, graph: Graph, text_names: dict[str, list[str]]):
        self._graph = graph
        self._text_names = text_names
        self._known: dict[tuple[str, bool], tuple[str, list[str]]] = {}
        self._classes: dict[str, tuple[str, ...]] = {}

    def answer(self, answer: str, literal: bool) -> Answer:
        """An answer with its label and all other names, without evidence yet."""
        label, aliases = self._names(answer, literal)
        return Answer(label, None if literal else answer, list(aliases))

    def label(self, id_: str) -> str:
        """The text to show for the id of an entity, a class or a relation."""
        for look in (self._graph.label, self._graph.class_label, self._graph.relation_label):
            if (label := look(id_)) != id_:
                return label
        return entity_label(self._graph, id_)

    def type_of(self, answers: Iterable[tuple[str, bool]]) -> str | None:
        """The most frequent direct class of the answers, or the most frequent kind of value."""
        counts: Counter[str] = Counter()
        for answer, literal in answers:
            if literal:
                counts[_kind(answer)] += 1
            else:
                counts.update(self._graph.class_label(class_) for class_ in self._types(answer))
        return min(counts, key=lambda name: (-counts[name], name)) if counts else None

    def _types(self, entity: str) -> tuple[str, ...]:
        if entity not in self._classes:
            try:
                self._classes[entity] = self._graph.entity(entity).types
            except RollcallError:  # a page on a list need not be an entity of the graph
                self._classes[entity] = ()
        return self._classes[entity]

    def _names(self, answer: str, literal: bool) -> tuple[str, list[str]]:
        if (answer, literal) not in self._known:
            self._known[answer, literal] = (
                self._value_names(answer) if literal else self._entity_names(answer)
            )
        return self._known[answer, literal]

    def _value_names(self, text: str) -> tuple[str, list[str]]:
        value = parse_value(text)
        unit = value.unit if isinstance(value, Number) else None
        named = self.label(unit) if unit is not None else unit
        label, *others = value_names(value, named if named is not None and named != unit else "")
        return label, others

    def _entity_names(self, entity: str) -> tuple[str, list[str]]:
        label, aliases = entity, []
        if self._graph.index.entity_number(entity) is not None:
            record = self._graph.entity(entity)
            label, aliases = entity_label(self._graph, entity), list(record.aliases)
        names = dict.fromkeys([*aliases, *self._text_names.get(entity, ())])
        return label, [name for name in names if name != label]


def _kind(text: str) -> str:
    value: Any = parse_value(text)
    if isinstance(value, Number):
        return "number" if value.unit is None else "quantity"
    return "date" if isinstance(value, Date) else "point" if isinstance(value, Point) else "text"
