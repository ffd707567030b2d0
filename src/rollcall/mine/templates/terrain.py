"""The read-only data from which templates grow: a graph, its ontology, and the relations worth asking about.

`Terrain` is made once in each process and not changed afterwards.
"""

from bisect import bisect_right
from collections.abc import Collection
from functools import cached_property
from itertools import accumulate
from math import sqrt
from random import Random

from rollcall.graph import Graph
from rollcall.mine.neighbourhood import BACKWARD, FORWARD, Neighbourhood, hop
from rollcall.mine.ontology import UNTYPED, Ontology
from rollcall.mine.record_keeping import can_name_class
from rollcall.mine.relation_choice import AskableRelations

Start = tuple[str, int]
"""A start of a template: the question's class and a hop out of it."""


class Terrain:
    """A graph with its ontology and its relations worth asking about, for the growth of templates."""

    def __init__(
        self,
        graph: Graph,
        ontology: Ontology,
        relations: AskableRelations,
        excluded: Collection[str] = (),
        least_instances: int = 5,
        class_share: float = 0.1,
    ) -> None:
        self.graph = graph
        self.index = graph.index
        self.ontology = ontology
        self._least, self._class_share = least_instances, class_share
        self._excluded = {name.casefold() for name in excluded}
        self._sayable_classes: dict[str, bool] = {}
        self.relations, self._compared = relations
        self.around = Neighbourhood(graph.index, sorted(self.relations.values()))

    def is_entity(self, term: int) -> bool:
        return term < self.index.entity_count

    def has_order(self, term: int) -> bool:
        """Whether a term is a value that can be compared."""
        return not self.is_entity(term) and bool(
            self.index.literal_dimension[term - self.index.entity_count] >= 0
        )

    def is_date(self, term: int) -> bool:
        if not self.has_order(term):
            return False
        dimension = self.index.literal_dimension[term - self.index.entity_count]
        return bool(self.index.dimensions[dimension] == "date")

    def may_name(self, relation: int, term: int) -> bool:
        """Whether a question may name a term as the object of a relation: of values, only dates."""
        return self.is_entity(term) or (relation in self._compared and self.is_date(term))

    def class_of(self, chance: Random, entity: int) -> str | None:
        """One of the direct types of an entity, or sometimes a wider class that is sayable."""
        said = (self.index.class_ids[number] for number in self.index.direct_types(entity).tolist())
        direct = [class_id for class_id in said if self._sayable(class_id)]
        if chance.random() < _WIDER:
            entities, classes = self.index.types_forward()
            key = entities.dtype.type(entity)
            mine = classes[entities.searchsorted(key, "left") : entities.searchsorted(key, "right")].tolist()
            wider = [self.index.class_ids[number] for number in mine]
            direct = [class_id for class_id in wider if self._sayable(class_id)] or direct
        return chance.choice(sorted(direct)) if direct else None

    def _sayable(self, class_id: str) -> bool:
        if class_id not in self._sayable_classes:
            label = self.graph.class_label(class_id)
            plain = can_name_class(label) and label.casefold() not in self._excluded
            self._sayable_classes[class_id] = plain and self.ontology.is_sayable(class_id, self._class_share)
        return self._sayable_classes[class_id]

    # -- starts --------------------------------------------------------------------------------------

    @cached_property
    def starts(self) -> dict[str, list[int]]:
        """For every question class, the hops out of it that lead to entities."""
        found: dict[str, set[int]] = {}
        for edge in self.ontology.edges:
            relation = self.relations.get(edge.relation)
            if relation is None or edge.literal or edge.facts < self._least:
                continue
            found.setdefault(edge.subject_class, set()).add(hop(relation, FORWARD))
            found.setdefault(edge.object_class, set()).add(hop(relation, BACKWARD))
        return {class_id: sorted(hops) for class_id, hops in sorted(found.items())}

    @cached_property
    def measured(self) -> dict[str, list[int]]:
        """For every question class, its relations to values that can be compared."""
        found: dict[str, set[int]] = {}
        for edge in self.ontology.edges:
            relation = self.relations.get(edge.relation)
            if relation not in self._compared or not edge.literal or edge.facts < self._least:
                continue
            if edge.object_class.partition(":")[0] in ("number", "quantity", "date"):
                found.setdefault(edge.subject_class, set()).add(hop(relation, FORWARD))
        return {class_id: sorted(hops) for class_id, hops in sorted(found.items())}

    def start(self, chance: Random, *, measured: bool, class_id: str | None = None) -> Start | None:
        """A question class (larger ones are more likely, unless it is given) and a hop out of it."""
        table = self.measured if measured else self.starts
        if class_id is not None:
            return (class_id, chance.choice(table[class_id])) if class_id in table else None
        classes, steps = self._drawn[measured]
        if not classes:
            return None
        chosen = classes[bisect_right(steps, chance.random() * steps[-1])]
        return chosen, chance.choice(table[chosen])

    @cached_property
    def _drawn(self) -> dict[bool, tuple[list[str], list[float]]]:
        """The classes and their cumulative weights, so that one is drawn by bisection."""
        return {
            measured: self._weights(self.measured if measured else self.starts) for measured in (True, False)
        }

    def _is_asked(self, class_id: str) -> bool:
        return self._sayable(class_id) and self.ontology.classes[class_id].entities >= _LEAST_MEMBERS

    def _weights(self, table: dict[str, list[int]]) -> tuple[list[str], list[float]]:
        classes = [class_id for class_id in table if class_id == UNTYPED or self._is_asked(class_id)]
        untyped = max(1, self.index.entity_count // 10)
        sizes = [
            untyped if class_id == UNTYPED else self.ontology.classes[class_id].entities
            for class_id in classes
        ]
        return classes, list(accumulate(sqrt(size) for size in sizes))


_WIDER = 0.3
_LEAST_MEMBERS = 5
"""A class with fewer members, such as the two sexes, makes no good question."""
