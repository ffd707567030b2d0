"""Constraints: a relation, an entity and a direction, which together describe a set of entities.

`subj` means that the answer is the subject, as in (answer, occupation, pianist). `obj` means that the answer
is the object.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

import msgspec
import numpy as np

from rollcall._core.errors import RollcallError
from rollcall.graph.index import GraphIndex, Numbers
from rollcall.graph.rows import contained
from rollcall.mine.attempts import has_list
from rollcall.mine.neighbourhood import FORWARD, Neighbourhood
from rollcall.mine.relations import UNINFORMATIVE
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
    sets = sorted(
        (condition.constraint.answers(around) for condition in conditions if not condition.negated), key=len
    )
    entities, *other_sets = sets
    for members in other_sets:
        entities = entities[contained(entities, members)]
    for condition in conditions:
        if condition.negated and len(entities):
            entities = entities[~contained(entities, condition.constraint.answers(around))]
    return entities


def can_be_negated(
    around: Neighbourhood, constraint: Constraint, affirmed: Iterable[Constraint], answers: Numbers
) -> bool:
    """Whether the graph knows that the answers to a query do not satisfy a constraint.

    It has another fact of the relation for every answer, and most entities have only one: who was born in
    Graz was not born in Linz. Who has received one award may have received others that the graph lacks. The
    constraint must describe several entities, or it would be odd to say that the answers are not among them.
    """
    if any(affirmed_constraint.along == constraint.along for affirmed_constraint in affirmed):
        return False
    several = len(constraint.answers(around)) > 1
    return several and around.mostly_single(constraint.along) and around.have(answers, constraint.along)


def without_redundant(around: Neighbourhood, conditions: Sequence[Signed]) -> list[Signed]:
    """The conditions without the redundant ones, which can be left out without a change of the answers.

    Conditions are tried in the given order. Every subset of the result is free of redundancy, too: a
    condition that excludes an entity among more conditions also excludes it among fewer.
    """
    remaining = list(conditions)
    answers = satisfying(around, remaining)
    for condition in conditions:
        rest = [other for other in remaining if other != condition]
        if any(not other.negated for other in rest) and np.array_equal(satisfying(around, rest), answers):
            remaining = rest
    return remaining


# The parameters of clusters. The defaults are those of RoMQA. Where the paper contradicts itself, the
# main text counts.


class ClusterOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Which clusters are drawn, and which questions are made from them."""

    clusters: int = 1000
    """How many clusters are wanted."""
    least_constraints: int = 3
    """The fewest constraints of a cluster: 3 by RoMQA §2.1."""
    most_constraints: int = 10
    """The most constraints of a cluster: Appendix A draws up to ten (Appendix C avoids 7 and more: set 6)."""
    shared: int = 2
    """How many answers all constraints of a cluster have in common."""
    damping: float = 0.5
    """The exponent with which frequent propositions are removed; 0 removes none."""
    queries: int = 5
    """The most queries of one cluster."""
    draws: int = 15
    """How many times a query is drawn for a cluster; a draw that loses too many constraints or repeats
    another query gives none."""
    remove: float = 0.1
    """The probability that a question leaves out a constraint of its cluster."""
    negate: float = 0.1
    """The probability that a constraint is denied."""
    known: bool = True
    """Whether a constraint is denied only if the graph knows for every answer that it does not hold
    (`constraint.can_be_negated`). The paper takes every missing fact for a false one: set false."""
    least_in_question: int = 2
    """The fewest constraints of a question; with a single one it would be a simple question."""
    most_in_question: int = 4
    """The most constraints of a question: 4 by RoMQA §2.1 (Appendix C says 7). The number is drawn with
    equal probabilities."""
    least_answers: int = 1
    """The fewest answers of a question."""
    most_answers: int = 5000
    """A question must have fewer answers than this."""
    least_questions: int = 2
    """A cluster with fewer questions is left out."""
    candidates: int = 100
    """How many candidates a question has in the closed setting."""
    most_positive: int = 50
    """The most candidates that are answers. The paper does not give the ratio. With at most a half, naming
    all candidates has F1 0.25 on a world (0.335 in the paper)."""
    per_way: int = 20
    """The most constraints of one relation that are collected for a cluster."""
    excluded: Sequence[str] = UNINFORMATIVE
    """Labels or ids of relations that are never asked about."""
    round_size: int = 512
    """How many attempts run before what was found is looked at."""
    attempts: int = 100_000
    """The most attempts; after these the set has what was found."""

    def __post_init__(self) -> None:
        if not 1 <= self.least_in_question <= self.most_in_question:
            raise RollcallError("least_in_question must be from 1 to most_in_question")
        if not self.least_in_question <= self.least_constraints <= self.most_constraints:
            raise RollcallError("least_constraints must be from least_in_question to most_constraints")
        for name in ("remove", "negate"):
            if not 0 <= getattr(self, name) <= 1:
                raise RollcallError(f"{name} is a probability, from 0 to 1, not {getattr(self, name)}")


# The logical queries of a cluster: samples of its constraints, some of them removed or negated. Input:
# the constraints of a cluster. Output: different queries (tuples of `Signed` constraints), each with its
# answers.

Logical = tuple[Signed, ...]


def draw_queries(
    around: Neighbourhood, constraints: list[Constraint], chance: Random, options: ClusterOptions
) -> dict[Logical, Numbers]:
    """Up to `options.queries` different queries with their answers; no two of them have the same answers."""
    queries: dict[Logical, Numbers] = {}
    answer_sets: set[bytes] = set()
    for _ in range(options.draws):
        if len(queries) == options.queries:
            break
        drawn = _draw(around, constraints, chance, options)
        if drawn is None or drawn in queries:
            continue
        answers = satisfying(around, drawn)
        answers = answers[: answers.searchsorted(around.index.dtype.type(around.index.entity_count))]
        if (
            not options.least_answers <= len(answers) < options.most_answers
            or answers.tobytes() in answer_sets
        ):
            continue
        entities = [condition.constraint.entity for condition in drawn]
        if any(entity in answers for entity in entities):  # would name its own answer
            continue
        if has_list(around.index, (*entities, *answers.tolist())):
            continue
        if options.known and not _is_known(around, drawn, answers):
            continue
        answer_sets.add(answers.tobytes())
        queries[drawn] = answers
    return queries


def _is_known(around: Neighbourhood, conditions: Logical, answers: Numbers) -> bool:
    affirmed = [condition.constraint for condition in conditions if not condition.negated]
    negated = [condition.constraint for condition in conditions if condition.negated]
    return all(can_be_negated(around, constraint, affirmed, answers) for constraint in negated)


def _draw(
    around: Neighbourhood, constraints: list[Constraint], chance: Random, options: ClusterOptions
) -> Logical | None:
    remaining = [constraint for constraint in constraints if chance.random() >= options.remove]
    conditions = [Signed(constraint, chance.random() < options.negate) for constraint in remaining]
    if not any(not condition.negated for condition in conditions):
        return None
    # No order leaves a redundant condition; the random order decides which of two equivalent ones stays.
    needed = without_redundant(around, chance.sample(conditions, len(conditions)))
    size = chance.randint(options.least_in_question, options.most_in_question)
    drawn = needed if len(needed) <= size else chance.sample(needed, size)
    if len(drawn) < options.least_in_question or all(condition.negated for condition in drawn):
        return None
    return tuple(sorted(drawn, key=lambda condition: (condition.negated, condition.constraint)))
