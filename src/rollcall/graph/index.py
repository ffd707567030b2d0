"""The memory-mapped index of a graph: sorted arrays of numbers for thousands of small queries.

Entities are numbered by the rank of their id in byte order, literals after them by the rank of their
canonical text: together these are the *terms*. Facts and literal values are in the same arrays, sorted
by relation and subject and again by relation and object, so that each look-up is a slice or a binary search.
"""

import json
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rollcall.english.folding import fold
from rollcall.errors import RollcallError
from rollcall.graph.arrays import open_array
from rollcall.graph.strings import StringTable
from rollcall.query.values import Value, parse_value

Numbers: TypeAlias = npt.NDArray[np.integer[Any]]
Pairs: TypeAlias = tuple[Numbers, Numbers]


_REMEMBERED = 100_000
"""How many entity numbers, and how many values, are cached: queries use the same ones many times."""


class GraphIndex:
    """Numbers instead of names. `forward` and `backward` are views; they neither copy nor sort."""

    def __init__(self, folder: Path):
        try:
            facts = json.loads((folder / "index.json").read_bytes())
        except FileNotFoundError:
            raise RollcallError(
                f"{folder}: no index here; make the graph again with `rollcall graph`"
            ) from None
        self._folder = folder
        self.dtype: np.dtype[Any] = np.dtype(facts["dtype"])
        self.entity_count: int = facts["entities"]
        self.literal_count: int = facts["literals"]
        self.dimensions: tuple[str, ...] = tuple(facts["dimensions"])
        self._forward: dict[int, Pairs] = {}
        self._backward: dict[int, Pairs] = {}
        self._entity_numbers: dict[str, int | None] = {}
        self._relation_numbers: dict[str, int | None] = {}
        self._class_numbers: dict[str, int | None] = {}
        self._values: dict[int, Value] = {}
        self._members: dict[str, Numbers] = {}
        self._value_dimensions: dict[int, int | None] = {}

    # -- strings -------------------------------------------------------------------------------------

    def _strings(self, name: str) -> StringTable:
        return StringTable.open(self._folder, name)

    @cached_property
    def entity_ids(self) -> StringTable:
        return self._strings("entity_ids")

    @cached_property
    def entity_labels(self) -> StringTable:
        """Labels by entity number; an empty string where the entity has none."""
        return self._strings("entity_labels")

    @cached_property
    def entity_descriptions(self) -> StringTable:
        return self._strings("entity_descriptions")

    @cached_property
    def entity_titles(self) -> StringTable:
        return self._strings("entity_titles")

    @cached_property
    def literals(self) -> StringTable:
        """Canonical texts of the literals; literal `i` is the term `entity_count + i`."""
        return self._strings("literals")

    @cached_property
    def relation_ids(self) -> StringTable:
        return self._strings("relation_ids")

    @cached_property
    def relation_labels(self) -> StringTable:
        return self._strings("relation_labels")

    @cached_property
    def relation_aliases(self) -> tuple[tuple[str, ...], ...]:
        """The aliases of each relation; a graph made by an earlier version has none."""
        if not (self._folder / "relation_alias_offsets.npy").exists():
            return ((),) * len(self.relation_ids)
        texts = self._strings("relation_aliases")
        offsets: list[int] = self._array("relation_alias_offsets").tolist()
        return tuple(tuple(texts[number] for number in range(start, end)) for start, end in pairwise(offsets))

    @cached_property
    def class_ids(self) -> StringTable:
        return self._strings("class_ids")

    @cached_property
    def class_labels(self) -> StringTable:
        return self._strings("class_labels")

    # -- from names to numbers -----------------------------------------------------------------------

    def entity_number(self, id_: str) -> int | None:
        known = self._entity_numbers
        if id_ not in known:
            if len(known) >= _REMEMBERED:
                known.clear()
            known[id_] = self.entity_ids.find(id_)
        return known[id_]

    def literal_number(self, text: str) -> int | None:
        """The term number of a literal by its canonical text."""
        found = self.literals.find(text)
        return None if found is None else found + self.entity_count

    def relation_number(self, id_: str) -> int | None:
        if id_ not in self._relation_numbers:
            self._relation_numbers[id_] = self.relation_ids.find(id_)
        return self._relation_numbers[id_]

    def class_number(self, id_: str) -> int | None:
        if id_ not in self._class_numbers:
            self._class_numbers[id_] = self.class_ids.find(id_)
        return self._class_numbers[id_]

    def term_text(self, number: int) -> str:
        """The id of an entity or the canonical text of a literal, by term number."""
        if number < self.entity_count:
            return self.entity_ids[number]
        return self.literals[number - self.entity_count]

    # -- facts and values ----------------------------------------------------------------------------

    @cached_property
    def _relation_offsets(self) -> list[int]:
        offsets: list[int] = self._array("relation_offsets").tolist()
        return offsets

    @cached_property
    def _global_arrays(self) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        names = ("forward_subjects", "forward_objects", "backward_objects", "backward_subjects")
        subjects, objects, sorted_objects, their_subjects = (self._array(name) for name in names)
        return subjects, objects, sorted_objects, their_subjects

    def forward(self, relation: int) -> Pairs:
        """(subjects, objects) of one relation, sorted by subject, then object; objects are terms."""
        pairs = self._forward.get(relation)
        if pairs is None:
            start, end = self._relation_offsets[relation : relation + 2]
            subjects, objects, _, _ = self._global_arrays
            pairs = self._forward[relation] = (subjects[start:end], objects[start:end])
        return pairs

    def backward(self, relation: int) -> Pairs:
        """(objects, subjects) of one relation, sorted by object, then subject."""
        pairs = self._backward.get(relation)
        if pairs is None:
            start, end = self._relation_offsets[relation : relation + 2]
            _, _, objects, subjects = self._global_arrays
            pairs = self._backward[relation] = (objects[start:end], subjects[start:end])
        return pairs

    # -- types ---------------------------------------------------------------------------------------

    @cached_property
    def _types_forward(self) -> Pairs:
        return self._array("type_forward_entities"), self._array("type_forward_classes")

    @cached_property
    def _types_backward(self) -> Pairs:
        return self._array("type_backward_classes"), self._array("type_backward_entities")

    def types_forward(self) -> Pairs:
        """(entities, classes), closed over the class hierarchy, sorted by entity, then class."""
        return self._types_forward

    def types_backward(self) -> Pairs:
        """(classes, entities), closed over the class hierarchy, sorted by class, then entity."""
        return self._types_backward

    def members(self, class_id: str) -> Numbers:
        """The sorted entities of a class and of the classes below it; none if the class is unknown."""
        found = self._members.get(class_id)
        if found is None:
            number = self.class_number(class_id)
            classes, entities = self._types_backward
            start, end = (0, 0) if number is None else np.searchsorted(classes, [number, number + 1])
            found = self._members[class_id] = entities[start:end]
        return found

    def direct_types(self, entity: int) -> Numbers:
        """The numbers of an entity's stated classes, without their ancestors."""
        offsets, classes = self._direct_types
        return classes[offsets[entity] : offsets[entity + 1]]

    @cached_property
    def _direct_types(self) -> Pairs:
        return self._array("direct_type_offsets"), self._array("direct_types")

    # -- literals ------------------------------------------------------------------------------------

    @cached_property
    def literal_dimension(self) -> npt.NDArray[np.int32]:
        """The index in `dimensions` of each literal's dimension; -1 if it has no order."""
        return self._array("literal_dimension")

    def value(self, number: int) -> Value:
        """The value of a literal, by term number."""
        known = self._values
        if number not in known:
            if len(known) >= _REMEMBERED:
                known.clear()
            known[number] = parse_value(self.literals[number - self.entity_count])
        return known[number]

    def value_dimension(self, relation: int) -> int | None:
        """The index in `dimensions` that all objects of a relation share; None if they differ."""
        if relation not in self._value_dimensions:
            objects = self.backward(relation)[0]
            common = None
            if len(objects) and objects[0] >= self.entity_count:
                dimensions = self.literal_dimension[objects - self.entity_count]
                first = int(dimensions[0])
                common = first if first >= 0 and bool((dimensions == first).all()) else None
            self._value_dimensions[relation] = common
        return self._value_dimensions[relation]

    @cached_property
    def literal_low(self) -> npt.NDArray[np.float64]:
        return self._array("literal_low")

    @cached_property
    def literal_high(self) -> npt.NDArray[np.float64]:
        return self._array("literal_high")

    # -- names ---------------------------------------------------------------------------------------

    def aliases(self, entity: int) -> list[str]:
        """The aliases of an entity, in byte order."""
        offsets, texts = self._aliases
        return texts[int(offsets[entity]) : int(offsets[entity + 1])]

    @cached_property
    def _aliases(self) -> tuple[Numbers, StringTable]:
        return self._array("alias_offsets"), self._strings("aliases")

    def named(self, folded: str) -> Numbers:
        """The entities with this folded name: a label, an alias, or the id of what has no label."""
        names, offsets, entities = self._names
        number = names.find(folded)
        return entities[:0] if number is None else entities[offsets[number] : offsets[number + 1]]

    def has_name_beginning(self, folded: str) -> bool:
        """Whether the folded form of some name begins with this text."""
        return self._names[0].has_beginning(folded)

    @property
    def names(self) -> StringTable:
        """The folded forms of all names, sorted."""
        return self._names[0]

    def bearers(self, name: int) -> Numbers:
        """The entities that have a name, by the number of its folded form."""
        _, offsets, entities = self._names
        return entities[offsets[name] : offsets[name + 1]]

    @cached_property
    def _names(self) -> tuple[StringTable, Numbers, Numbers]:
        stored = (self._strings("names"), self._array("name_offsets"), self._array("name_entities"))
        first = next((name for id_ in self.entity_ids if (name := fold(id_))), "")
        if self.entity_labels.is_blank and first and stored[0].find(first) is None:
            return self._with_ids(*stored)
        return stored

    def _with_ids(
        self, names: StringTable, offsets: Numbers, entities: Numbers
    ) -> tuple[StringTable, Numbers, Numbers]:
        """The names of a graph without labels that an earlier version made: it did not store the ids."""
        bearers = {
            name.encode(): set(entities[start:end].tolist())
            for name, (start, end) in zip(names, pairwise(offsets.tolist()), strict=True)
        }
        for number, id_ in enumerate(self.entity_ids):
            if name := fold(id_):
                bearers.setdefault(name.encode(), set()).add(number)
        ordered = sorted(bearers.items())
        counts = [0, *(len(numbers) for _, numbers in ordered)]
        numbers = [number for _, numbers in ordered for number in sorted(numbers)]
        return (
            StringTable.of(name.decode() for name, _ in ordered),
            np.cumsum(counts),
            np.array(numbers, np.int64),
        )

    def _array(self, name: str) -> npt.NDArray[Any]:
        return open_array(self._folder / f"{name}.npy")
