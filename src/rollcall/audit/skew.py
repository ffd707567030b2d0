"""How the entities of a graph are distributed: by class, country, gender, and by how often facts name them.

Which relations say a country or a gender follows from their labels in the graph and, for ids it knows, in the
lexicon, so that graphs with ids of their own are understood, too.
"""

import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from rollcall.mine.commonness import frequencies
from rollcall.wording import Lexicon

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rollcall.graph import Graph

COUNTRY = re.compile(
    r"(?:located in (?:the )?|home |host )?(?:sovereign )?(?:country|nation)|nationality|citizenship"
    r"|(?:country|nation|state) of (?:citizenship|origin|nationality|registry|birth)",
    re.IGNORECASE,
)
GENDER = re.compile(r"(?:sex or )?gender(?: identity)?|sex", re.IGNORECASE)
TENTHS = 10
_JOINTS = re.compile(r"[_\s]+|(?<=[a-z])(?=[A-Z])")
_NONE = -1


class Trait:
    """A value for each entity of a graph that has one, such as its country."""

    def __init__(self, names: list[str], values: "NDArray[np.int64]"):
        self._names = names
        """By value."""
        self._values = values
        """By entity; -1 for none."""

    def of(self, entity: int) -> str | None:
        """The value of an entity, by its number."""
        value = int(self._values[entity])
        return None if value == _NONE else self._names[value]

    def shares(self) -> dict[str, float]:
        """The share of each value among the entities that have one."""
        counts = Counter[str]()
        numbers, found = np.unique(self._values[self._values != _NONE], return_counts=True)
        for number, count in zip(numbers.tolist(), found.tolist(), strict=True):
            counts[self._names[number]] += count
        total = counts.total()
        return {name: count / total for name, count in counts.items()}


def of_relations(graph: "Graph", meaning: re.Pattern[str]) -> Trait | None:
    """What the relations with a meaning say of entities, the first that says anything; None without any."""
    index = graph.index
    values = np.full(index.entity_count, _NONE, dtype=np.int64)
    for relation in reversed(meant_relations(graph, meaning)):
        subjects, objects = index.forward(relation)
        entities = objects < index.entity_count
        values[subjects[entities][::-1]] = objects[entities][::-1]  # of several values the first counts
    used, places = np.unique(values, return_inverse=True)
    names = ["" if number == _NONE else graph.label(index.entity_ids[number]) for number in used.tolist()]
    if len(used) and used[0] == _NONE:
        places, names = places - 1, names[1:]
    return Trait(names, places.astype(np.int64)) if names else None


def meant_relations(graph: "Graph", meaning: re.Pattern[str]) -> list[int]:
    """The relations whose label, in the graph or the lexicon, has a meaning; those with most facts first."""
    index, lexicon = graph.index, Lexicon.load()
    found = []
    for number, (id_, label) in enumerate(zip(index.relation_ids, index.relation_labels, strict=True)):
        names = [label, re.split(r"[/#.]", id_)[-1]]
        names += [lexicon.entry(id_).label] if id_ in lexicon else []
        if any(name and meaning.fullmatch(_JOINTS.sub(" ", name).strip()) for name in names):
            found.append(number)
    return sorted(found, key=lambda number: (-len(index.forward(number)[0]), number))


def of_classes(graph: "Graph") -> Trait:
    """The first directly stated class of every entity."""
    index = graph.index
    firsts = [
        int(types[0]) if len(types := index.direct_types(one)) else _NONE for one in range(index.entity_count)
    ]
    names = [label or id_ for id_, label in zip(index.class_ids, index.class_labels, strict=True)]
    return Trait(names, np.array(firsts, dtype=np.int64))


def of_popularity(graph: "Graph") -> Trait:
    """In which tenth of all entities each is, by the number of facts that name it."""
    degrees, _literals, _relations = frequencies(graph.index)
    values = np.empty(len(degrees), dtype=np.int64)
    values[np.argsort(degrees, kind="stable")] = np.arange(len(degrees)) * TENTHS // max(1, len(degrees))
    ends = {0: " (least known)", TENTHS - 1: " (best known)"}
    return Trait([f"tenth {number + 1}{ends.get(number, '')}" for number in range(TENTHS)], values)
