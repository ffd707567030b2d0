"""What a possible answer has in common with the likely ones and with the question's words, as features."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rollcall.english.folding import fold
from rollcall.english.months import MONTH_NUMBERS
from rollcall.graph.graph import Graph
from rollcall.systems.read.combined.table import Table
from rollcall.systems.read.passage_sentences import ReadPassage
from rollcall.systems.read.question_words import QuestionWords, cues
from rollcall.systems.retrieve.analysis import terms

LIKENESS = (
    "chance by mentions",
    "rank by mentions",
    "share of the best chance",
    "types like the likely ones",
    "rarity of that type",
    "types",
    "type has the noun",
    "first sentence has the noun",
    "first sentence has the cues",
    "name in the question",
    "name shares words with the names",
)


_UNIT = re.compile(r"[^\W\d_]+")
_UNIT_RARITY = 5.0


class Types:
    """The classes of a graph's entities, and how rare each is; the class of a value is its unit."""

    def __init__(self, graph: Graph) -> None:
        entities, classes = graph.index.types_forward()
        self._entities, self._classes = np.asarray(entities), np.asarray(classes)
        sizes = np.bincount(self._classes, minlength=len(graph.index.class_ids))
        self.rarity: list[float] = (-np.log((sizes + 1) / (len(graph.index.entity_ids) + 1))).tolist()
        self._units: dict[str, int] = {}
        self.stems = [
            cues(terms(label or graph.index.class_ids[number]))
            for number, label in enumerate(graph.index.class_labels)
        ]

    def of(self, answer: int | str) -> tuple[int, ...]:
        """The classes of an entity, or the unit of a value."""
        if isinstance(answer, str):
            return (self._unit(answer),)
        first, last = np.searchsorted(self._entities, [answer, answer + 1])
        return tuple(self._classes[first:last].tolist())

    def _unit(self, value: str) -> int:
        words = _UNIT.findall(fold(value))
        year = len(value) == 4 and value.isdigit()
        unit = (
            "date" if MONTH_NUMBERS.keys() & set(words) else " ".join(words) or ("year" if year else "number")
        )
        if unit not in self._units:
            self._units[unit] = len(self.rarity)
            self.rarity.append(_UNIT_RARITY)
            self.stems.append(cues(terms(unit)))
        return self._units[unit]


class Sought(NamedTuple):
    """What a question, or a part of it, looks for."""

    text: str
    noun: frozenset[str]
    """The stems of its noun."""
    cues: frozenset[str]
    words: QuestionWords


class Likeness:
    """Computes these features with one graph."""

    def __init__(self, graph: Graph, types: Types) -> None:
        self._graph, self._types = graph, types
        self._stems = lru_cache(maxsize=100_000)(lambda label: frozenset(terms(label)))

    def rows(
        self,
        answers: Sequence[int | str],
        sought: Sought,
        read: Sequence[ReadPassage],
        chances: Mapping[int | str, float],
    ) -> Table:
        """A row for each possible answer; `chances` says how likely it is so far."""
        opening = {
            passage.owner: passage.sentences[0].cues
            for passage in reversed(read)
            if passage.owner is not None and passage.sentences
        }
        best = max(chances.values(), default=0.0) or 1.0
        ranked = {one: rank for rank, one in enumerate(sorted(chances, key=lambda one: -chances[one]))}
        types = {one: self._types.of(one) for one in answers}
        weight: dict[int, float] = {}
        for typed, these in types.items():
            for kind in these:
                weight[kind] = weight.get(kind, 0.0) + chances.get(typed, 0.0) ** 2
        total = sum(chances.get(one, 0.0) ** 2 for one in types if isinstance(one, int)) or 1.0
        anchors = {word for anchor in sought.words.anchors for word in terms(anchor.text)}
        text = f" {fold(sought.text)} "
        rows = []
        for one in answers:
            these = types[one]
            chance = chances.get(one, 0.0)
            alike = [((weight[kind] - chance**2) / total * self._types.rarity[kind], kind) for kind in these]
            top = max(alike, default=(0.0, -1))
            label = self._graph.label(self._graph.index.entity_ids[one]) if isinstance(one, int) else one
            stems = self._stems(label)
            first = opening.get(one, frozenset()) if isinstance(one, int) else frozenset()
            rows.append(
                (
                    chance,
                    1.0 / (1 + ranked.get(one, len(answers))),
                    chance / best,
                    top[0],
                    self._types.rarity[top[1]] if top[1] >= 0 else 0.0,
                    float(len(these)),
                    max((share(sought.noun, self._types.stems[kind]) for kind in these), default=0.0),
                    share(sought.noun, first),
                    share(sought.cues, first),
                    float(f" {fold(label)} " in text),
                    len(stems & anchors) / max(len(stems), 1),
                )
            )
        return np.array(rows)


def share(wanted: frozenset[str], found: frozenset[str]) -> float:
    """The share of some stems that are among others."""
    return len(wanted & found) / len(wanted) if wanted else 0.0
