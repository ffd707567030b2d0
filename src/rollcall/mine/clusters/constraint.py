"""Constraints: a relation, an entity and a direction, and the set of entities that satisfy them.

`subj` means that the answer is the subject, as in (answer, occupation, pianist); `obj` that it is the object.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rollcall.graph.index import GraphIndex, Numbers
from rollcall.graph.rows import contained
from rollcall.mine.neighbourhood import FORWARD, Neighbourhood
from rollcall.query import QUESTION, Edge, Entity

SUBJECT, OBJECT = "subj", "obj"


class Constraint(NamedTuple):
    """A hop out of the answer and the entity it leads to, in numbers."""

    along: int
    entity: int

    @property
    def relation(self) -> int:
        return self.along // 2

    @property
    def direction(self) -> str:
        return SUBJECT if self.along % 2 == FORWARD else OBJECT

    def answers(self, around: Neighbourhood) -> Numbers:
        """The sorted entities that satisfy it."""
        return around.others(self.entity, self.along ^ 1)

    def edge(self, index: GraphIndex, *, negated: bool = False) -> Edge:
        """What it says about the question node."""
        relation, entity = index.relation_ids[self.relation], Entity(index.entity_ids[self.entity])
        if self.direction == SUBJECT:
            return Edge(QUESTION, relation, entity, negated)
        return Edge(entity, relation, QUESTION, negated)

    def fact(self, answer: int) -> tuple[int, int, int]:
        """The fact that an answer satisfies it by: subject, relation, object."""
        if self.direction == SUBJECT:
            return answer, self.relation, self.entity
        return self.entity, self.relation, answer


class Signed(NamedTuple):
    """A constraint, affirmed or denied."""

    constraint: Constraint
    negated: bool = False


def satisfying(around: Neighbourhood, conditions: Sequence[Signed]) -> Numbers:
    """The sorted entities that satisfy all conditions, of which at least one is affirmed."""
    sets = sorted((c.constraint.answers(around) for c in conditions if not c.negated), key=len)
    found, *rest = sets
    for other in rest:
        found = found[contained(found, other)]
    for condition in conditions:
        if condition.negated and len(found):
            found = found[~contained(found, condition.constraint.answers(around))]
    return found


def without_redundant(around: Neighbourhood, conditions: Sequence[Signed]) -> list[Signed]:
    """The conditions less those whose absence changes nothing, tried in the order given.

    Every part of what is left is free of redundancy, too: a condition that excludes something among more
    conditions excludes it among fewer.
    """
    kept = list(conditions)
    answers = satisfying(around, kept)
    for condition in conditions:
        rest = [other for other in kept if other != condition]
        if any(not other.negated for other in rest) and np.array_equal(satisfying(around, rest), answers):
            kept = rest
    return kept
