"""Constraints: a relation, an entity and a direction, which together describe a set of entities.

`subj` means that the answer is the subject, as in (answer, occupation, pianist). `obj` means that the answer
is the object.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from rollcall.graph.index import GraphIndex, Numbers
from rollcall.graph.rows import contained
from rollcall.mine.neighbourhood import FORWARD, Neighbourhood
from rollcall.query import QUESTION, Edge, Entity

SUBJECT, OBJECT = "subj", "obj"


class Constraint(NamedTuple):
    """A hop out of the answer and the entity to which it leads, both as numbers."""

    along: int
    entity: int

    @property
    def relation(self) -> int:
        return self.along // 2

    @property
    def direction(self) -> str:
        return SUBJECT if self.along % 2 == FORWARD else OBJECT

    def answers(self, around: Neighbourhood) -> Numbers:
        """The entities that satisfy the constraint, sorted."""
        return around.others(self.entity, self.along ^ 1)

    def edge(self, index: GraphIndex, *, negated: bool = False) -> Edge:
        """The constraint as a statement about the question node."""
        relation, entity = index.relation_ids[self.relation], Entity(index.entity_ids[self.entity])
        if self.direction == SUBJECT:
            return Edge(QUESTION, relation, entity, negated)
        return Edge(entity, relation, QUESTION, negated)

    def fact(self, answer: int) -> tuple[int, int, int]:
        """The fact by which an answer satisfies the constraint: subject, relation, object."""
        if self.direction == SUBJECT:
            return answer, self.relation, self.entity
        return self.entity, self.relation, answer


class Signed(NamedTuple):
    """A constraint, affirmed or negated."""

    constraint: Constraint
    negated: bool = False


def satisfying(around: Neighbourhood, conditions: Sequence[Signed]) -> Numbers:
    """The entities that satisfy all conditions, sorted; at least one condition must be affirmed."""
    sets = sorted((c.constraint.answers(around) for c in conditions if not c.negated), key=len)
    found, *rest = sets
    for other in rest:
        found = found[contained(found, other)]
    for condition in conditions:
        if condition.negated and len(found):
            found = found[~contained(found, condition.constraint.answers(around))]
    return found


def can_be_negated(
    around: Neighbourhood, constraint: Constraint, affirmed: Iterable[Constraint], answers: Numbers
) -> bool:
    """Whether the graph knows that the answers to a query do not satisfy a constraint.

    It has another fact of the relation for every answer, and most entities have only one: who was born in
    Graz was not born in Linz. Who has received one award may have received others that the graph lacks. The
    constraint must describe several entities, or nobody would say that the answers are not among them.
    """
    if any(one.along == constraint.along for one in affirmed):
        return False
    several = len(constraint.answers(around)) > 1
    return several and around.mostly_single(constraint.along) and around.have(answers, constraint.along)


def without_redundant(around: Neighbourhood, conditions: Sequence[Signed]) -> list[Signed]:
    """The conditions without the redundant ones, which can be left out without a change of the answers.

    Conditions are tried in the given order. Every subset of the result is free of redundancy, too: a
    condition that excludes an entity among more conditions also excludes it among fewer.
    """
    kept = list(conditions)
    answers = satisfying(around, kept)
    for condition in conditions:
        rest = [other for other in kept if other != condition]
        if any(not other.negated for other in rest) and np.array_equal(satisfying(around, rest), answers):
            kept = rest
    return kept
