"""How lopsided a set is: by relation, and by the class, popularity, country and gender of its answers.

The figure is the share of questions or answers that would have to change for the set to have the expected
shares (the total variation distance). Expected is what the graph has, and for relations that all are asked
equally often. A lopsided set is not wrong, so these are notes; a threshold makes one of them fail.
"""

import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from rollcall.audit.checks import QUALITY_CHECKS
from rollcall.audit.findings import Findings, QualityCheck
from rollcall.audit.material import Material
from rollcall.graph import Graph
from rollcall.mine.commonness import frequencies
from rollcall.wording import Lexicon

if TYPE_CHECKING:
    from numpy.typing import NDArray


# How the entities of a graph are distributed: by class, country, gender, and by how often facts name
# them. Which relations say a country or a gender follows from their labels in the graph and, for ids it
# knows, in the lexicon, so that graphs with ids of their own are understood, too.

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
        numbers, number_counts = np.unique(self._values[self._values != _NONE], return_counts=True)
        for number, count in zip(numbers.tolist(), number_counts.tolist(), strict=True):
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
    used, value_numbers = np.unique(values, return_inverse=True)
    names = ["" if number == _NONE else graph.label(index.entity_ids[number]) for number in used.tolist()]
    if len(used) and used[0] == _NONE:
        value_numbers, names = value_numbers - 1, names[1:]
    return Trait(names, value_numbers.astype(np.int64)) if names else None


def meant_relations(graph: "Graph", meaning: re.Pattern[str]) -> list[int]:
    """The relations whose label, in the graph or the lexicon, has a meaning; those with most facts first."""
    index, lexicon = graph.index, Lexicon.load()
    relations = []
    for number, (id_, label) in enumerate(zip(index.relation_ids, index.relation_labels, strict=True)):
        names = [label, re.split(r"[/#.]", id_)[-1]]
        names += [lexicon.entry(id_).label] if id_ in lexicon else []
        if any(name and meaning.fullmatch(_JOINTS.sub(" ", name).strip()) for name in names):
            relations.append(number)
    return sorted(relations, key=lambda number: (-len(index.forward(number)[0]), number))


def of_classes(graph: "Graph") -> Trait:
    """The first directly stated class of every entity."""
    index = graph.index
    firsts = [
        int(types[0]) if len(types := index.direct_types(entity)) else _NONE
        for entity in range(index.entity_count)
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


@QUALITY_CHECKS.register("skew-relations")
class SkewRelations(QualityCheck):
    """Relations of questions: how far from all being asked equally often."""

    severity = "note"
    unit = "relations of questions"

    def examine(self, material: Material, findings: Findings) -> None:
        counts = Counter[str]()
        for question in material.questions:
            query = material.query(question)
            counts.update(set(query.relations) if query is not None else ())
        if not counts:
            findings.skip("no question has a query")
            return
        labels = material.graph.relation_label if material.graph is not None else str
        named = Counter[str]()
        for relation, count in counts.items():
            named[labels(relation)] += count
        findings.distribution(named, dict.fromkeys(named, 1 / len(named)))


class AnswerSkew(QualityCheck):
    """The answers that are entities, by a trait, compared with all entities of the graph."""

    severity = "note"
    unit = "answers"
    needs = ("graph",)

    def trait(self, graph: Graph) -> Trait | None:
        """The trait of all entities; None if the graph does not have it."""
        raise NotImplementedError

    def examine(self, material: Material, findings: Findings) -> None:
        assert material.graph is not None
        trait = self.trait(material.graph)
        if trait is None:
            findings.skip("the graph has no such relation")
            return
        counts = Counter[str]()
        for question in material.questions:
            for answer in question.answers:
                number = None if answer.id is None else material.graph.index.entity_number(answer.id)
                value = None if number is None else trait.of(number)
                counts.update(() if value is None else (value,))
        if counts:
            findings.distribution(counts, trait.shares())
        else:
            findings.skip("no answer has a value in the graph")


@QUALITY_CHECKS.register("skew-classes")
class SkewClasses(AnswerSkew):
    """Classes of answers: how far from those of all entities of the graph."""

    def trait(self, graph: Graph) -> Trait:
        return of_classes(graph)


@QUALITY_CHECKS.register("skew-popularity")
class SkewPopularity(AnswerSkew):
    """Popularity of answers, by facts that name them: how far from that of all entities of the graph."""

    def trait(self, graph: Graph) -> Trait:
        return of_popularity(graph)


@QUALITY_CHECKS.register("skew-countries")
class SkewCountries(AnswerSkew):
    """Countries of answers: how far from those of all entities of the graph that have one."""

    def trait(self, graph: Graph) -> Trait | None:
        return of_relations(graph, COUNTRY)


@QUALITY_CHECKS.register("skew-genders")
class SkewGenders(AnswerSkew):
    """Genders of answers: how far from those of all entities of the graph that have one."""

    def trait(self, graph: Graph) -> Trait | None:
        return of_relations(graph, GENDER)
