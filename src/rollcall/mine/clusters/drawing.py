"""Draws clusters: constraints, the queries that vary them, and the candidates of the closed setting.

- `Constraint`, `Signed`: a relation, an entity and a direction, which together describe a set of entities.
  `subj` means that the answer is the subject, as in (answer, occupation, pianist); `obj`, that it is the
  object.
- `ClusterOptions`: the parameters. `draw_cluster`: the constraints of a cluster. `draw_queries`: samples of
  them, some removed or negated. `draw_candidates`: answers and wrong entities that come close.
- `mine_clusters`: makes attempts in rounds and keeps the first new clusters, up to the wanted number. A
  question belongs to the first cluster that contains it; a cluster with too few of its own is dropped.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from random import Random
from time import perf_counter
from typing import NamedTuple

import msgspec
import numpy as np

from rollcall._core.console import Progress
from rollcall._core.errors import RollcallError
from rollcall.graph import Graph
from rollcall.graph.index import GraphIndex, Numbers
from rollcall.graph.rows import contained, unique_sorted
from rollcall.mine.attempts import Rounds, chance_of, has_list
from rollcall.mine.neighbourhood import BACKWARD, FORWARD, Neighbourhood, hop
from rollcall.mine.relations import UNINFORMATIVE, askable_relations
from rollcall.query import QUESTION, Edge, Entity
from rollcall.tables.engine import Engine
from rollcall.wording import Lexicon

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


# Draws the candidates of a question in the closed setting: answers and wrong entities that come close.
# Input: a question's conditions and answers. Output: a mapping from each candidate to whether it is an
# answer. Wrong candidates satisfy some conditions but not all. Those that satisfy more conditions are
# preferred, but the others get a share too. If the graph has too few of them, entities of the same class
# are added, and then any entities.


def draw_candidates(
    around: Neighbourhood,
    conditions: tuple[Signed, ...],
    answers: Numbers,
    chance: Random,
    options: ClusterOptions,
) -> dict[int, bool]:
    """Candidates in random order, each with whether it is an answer."""
    positives = _sampled(chance, answers, min(options.most_positive, options.candidates))
    wrong = _near_misses(around, conditions, answers, chance, options.candidates - len(positives))
    missing = options.candidates - len(positives) - len(wrong)
    if missing > 0:
        wrong += _fillers(around, {*answers.tolist(), *wrong}, positives, chance, missing)
    drawn = [(entity, True) for entity in positives] + [(entity, False) for entity in wrong]
    return dict(chance.sample(drawn, len(drawn)))


def _near_misses(
    around: Neighbourhood, conditions: tuple[Signed, ...], answers: Numbers, chance: Random, count: int
) -> list[int]:
    """Entities that satisfy some conditions but not all.

    The entities that satisfy the most conditions supply half of the wanted number, the next group half of the
    number still missing, and so on.
    """
    sets = [condition.constraint.answers(around) for condition in conditions]
    limit = around.index.dtype.type(around.index.entity_count)
    entities = unique_sorted(np.concatenate(sets))
    entities = entities[: entities.searchsorted(limit)]
    entities = entities[~contained(entities, answers)]
    satisfied = np.zeros(len(entities), dtype=np.int64)
    for condition, members in zip(conditions, sets, strict=True):
        satisfied += contained(entities, members) != condition.negated
    misses: list[int] = []
    leftover: list[int] = []
    scores = sorted(set(satisfied.tolist()) - {0}, reverse=True)
    for score in scores:
        shuffled = _sampled(chance, entities[satisfied == score], count)
        missing = count - len(misses)
        share = missing if score == scores[-1] else (missing + 1) // 2
        misses += shuffled[:share]
        leftover += shuffled[share:]
    return misses + leftover[: count - len(misses)]


def _fillers(
    around: Neighbourhood, excluded: set[int], positives: list[int], chance: Random, count: int
) -> list[int]:
    """Members of one class of the answers (direct types only), and then any entities."""
    index = around.index
    types = [number for entity in positives for number in index.direct_types(entity).tolist()]
    fillers: list[int] = []
    if types:
        classes, members = index.types_backward()
        class_number = classes.dtype.type(chance.choice(types))
        alike = members[
            classes.searchsorted(class_number, "left") : classes.searchsorted(class_number, "right")
        ]
        fillers = [
            entity for entity in _sampled(chance, alike, count + len(excluded)) if entity not in excluded
        ][:count]
    tries = 0
    used = excluded | set(fillers)
    while len(fillers) < count and tries < 10 * count:
        tries += 1
        entity = chance.randrange(index.entity_count)
        if entity not in used:
            used.add(entity)
            fillers.append(entity)
    return fillers


def _sampled(chance: Random, terms: Numbers, most: int) -> list[int]:
    """At most `most` of the terms, in random order."""
    indexes = chance.sample(range(len(terms)), min(most, len(terms)))
    return [int(terms[index]) for index in indexes]


# Draws the constraints of a cluster: two entities, and what is true of both. Input: a graph's
# `Neighbourhood` and the frequencies of its relations. Output: a sorted list of constraints, or the
# reason why there is none. All that is true of two entities is a set of constraints that share at least
# these two answers, so constraints need not be joined with constraints. Frequent propositions are
# removed with some probability. A proposition is a relation; P(x) is the share of all facts that
# relation x has.


class Propositions(NamedTuple):
    """The frequency of each relation, and the average."""

    share: dict[int, float]
    average: float

    @classmethod
    def of(cls, around: Neighbourhood, relations: list[int]) -> "Propositions":
        index = around.index
        limit = index.dtype.type(index.entity_count)
        counts = {relation: int(index.backward(relation)[0].searchsorted(limit)) for relation in relations}
        total = sum(counts.values()) or 1
        share = {relation: count / total for relation, count in counts.items() if count}
        return cls(share, sum(share.values()) / max(1, len(share)))

    def kept(self, relation: int, damping: float) -> float:
        """The probability that a constraint with this relation is not removed."""
        return float(min(1.0, self.average / self.share[relation]) ** damping)


def draw_cluster(
    around: Neighbourhood, propositions: Propositions, chance: Random, options: ClusterOptions
) -> list[Constraint] | str:
    """The constraints of a cluster, sorted, or the reason why there is none."""
    common: list[Constraint] = []
    for pair in _pairs(around, propositions, chance):
        common = [
            constraint
            for constraint in _common(around, pair, chance, options.per_way)
            if chance.random() < propositions.kept(constraint.relation, options.damping)
        ]
        if len(common) >= options.least_constraints:
            break
    else:
        return "too few constraints in common"
    # Draws without replacement with weight 1/P: the smallest exponential waiting times win.
    waits = {
        constraint: -log(1.0 - chance.random()) * propositions.share[constraint.relation]
        for constraint in common
    }
    drawn = sorted(common, key=lambda constraint: (waits[constraint], constraint))[: options.most_constraints]
    if len(satisfying(around, [Signed(constraint) for constraint in drawn])) < options.shared:
        return "too few answers in common"
    return sorted(drawn)


def _pairs(around: Neighbourhood, propositions: Propositions, chance: Random) -> Iterator[tuple[int, int]]:
    """Pairs an answer of a random constraint with other answers of it, until a pair has enough in common."""
    relation = chance.choice(list(propositions.share))
    subjects, objects = around.index.forward(relation)
    fact_number = chance.randrange(len(subjects))
    direction = chance.choice((FORWARD, BACKWARD))
    entity = int(objects[fact_number] if direction == FORWARD else subjects[fact_number])
    if entity >= around.index.entity_count:
        return
    answers = Constraint(hop(relation, direction), entity).answers(around)
    answers = answers[: answers.searchsorted(around.index.dtype.type(around.index.entity_count))]
    if not len(answers):
        return
    first, *others = chance.sample(range(len(answers)), min(1 + _PARTNERS, len(answers)))
    for other in others:
        yield int(answers[first]), int(answers[other])


_PARTNERS = 8


def _common(around: Neighbourhood, pair: tuple[int, int], chance: Random, per_way: int) -> list[Constraint]:
    """The constraints that both entities satisfy; if a relation gives too many of them, a random sample."""
    constraints: list[Constraint] = []
    for along in sorted(set(around.hops(pair[0])) & set(around.hops(pair[1]))):
        first, second = (around.others(entity, along) for entity in pair)
        shared = first[contained(first, second)]
        entities = [
            entity for entity in shared.tolist() if entity < around.index.entity_count and entity not in pair
        ]
        sampled = entities if len(entities) <= per_way else sorted(chance.sample(entities, per_way))
        constraints += [Constraint(along, entity) for entity in sampled]
    return constraints


class ClusterQuestion(NamedTuple):
    """A logical query of a cluster: its conditions, all its answers, and its candidates in order."""

    conditions: Logical
    answers: Numbers
    candidates: dict[int, bool]


class DrawnCluster(NamedTuple):
    """Constraints that share answers, and the questions made from them."""

    constraints: list[Constraint]
    questions: list[ClusterQuestion]


class MinedClusters(NamedTuple):
    """The clusters, and how many attempts had which outcome."""

    clusters: list[DrawnCluster]
    attempts: int
    outcomes: dict[str, int]
    seconds: float
    propositions: Propositions

    @property
    def questions(self) -> int:
        return sum(len(cluster.questions) for cluster in self.clusters)


class _ClustersReady(NamedTuple):
    around: Neighbourhood
    propositions: Propositions
    options: ClusterOptions
    seed: int


@dataclass(frozen=True)
class _ClustersPreparation:
    graph: Path
    relations: list[int]
    options: ClusterOptions
    seed: int

    def __call__(self) -> _ClustersReady:
        around = Neighbourhood(Graph.open(self.graph).index, self.relations)
        return _ClustersReady(around, Propositions.of(around, self.relations), self.options, self.seed)


def mine_clusters(
    graph: Path,
    options: ClusterOptions,
    engine: Engine,
    *,
    seed: int = 1,
    lexicon: Lexicon | None = None,
    progress: Progress | None = None,
) -> MinedClusters:
    """Draw clusters from a graph until there are enough, or until the number of attempts is used up."""
    started = perf_counter()
    with Graph.open(graph) as opened:
        relations = sorted(askable_relations(opened, options.excluded, lexicon).numbers.values())
    preparation = _ClustersPreparation(graph, relations, options, seed)
    collected = _Collected(options)
    rounds = Rounds(engine, preparation, _attempt)
    while len(collected.clusters) < options.clusters and collected.attempts < options.attempts:
        size = min(options.round_size, options.attempts - collected.attempts)
        for outcome in rounds.run(range(collected.attempts, collected.attempts + size)):
            collected.take(outcome)
        if progress is not None:
            progress.advance(size, f"{len(collected.clusters):,} of {options.clusters:,} clusters")
    if not collected.clusters:
        why = ", ".join(f"{count} {reason}" for reason, count in collected.outcomes.most_common(4))
        raise RollcallError(f"{graph}: no cluster in {collected.attempts} attempts: {why}")
    seconds = perf_counter() - started
    outcomes = dict(collected.outcomes.most_common())
    return MinedClusters(
        collected.clusters, collected.attempts, outcomes, seconds, preparation().propositions
    )


def _attempt(ready: _ClustersReady, number: int) -> DrawnCluster | str:
    """One cluster with its questions, or the reason why there is none."""
    chance = chance_of(ready.seed, number, "cluster")
    constraints = draw_cluster(ready.around, ready.propositions, chance, ready.options)
    if isinstance(constraints, str):
        return constraints
    queries = draw_queries(ready.around, constraints, chance, ready.options)
    if len(queries) < ready.options.least_questions:
        return "too few questions"
    questions = [
        ClusterQuestion(
            conditions, answers, draw_candidates(ready.around, conditions, answers, chance, ready.options)
        )
        for conditions, answers in queries.items()
    ]
    return DrawnCluster(constraints, questions)


class _Collected:
    """The clusters so far: no two have the same constraints, no two questions the same conditions."""

    def __init__(self, options: ClusterOptions) -> None:
        self.options = options
        self.clusters: list[DrawnCluster] = []
        self.attempts = 0
        self.outcomes: Counter[str] = Counter()
        self._clusters: set[tuple[Constraint, ...]] = set()
        self._conditions: set[Logical] = set()

    def take(self, outcome: DrawnCluster | str) -> None:
        if len(self.clusters) >= self.options.clusters:
            return
        self.attempts += 1
        self.outcomes[self._reason(outcome)] += 1

    def _reason(self, outcome: DrawnCluster | str) -> str:
        if isinstance(outcome, str):
            return outcome
        if tuple(outcome.constraints) in self._clusters:
            return "cluster found before"
        new = [question for question in outcome.questions if question.conditions not in self._conditions]
        if len(new) < self.options.least_questions:
            return "questions found before"
        self._clusters.add(tuple(outcome.constraints))
        self._conditions.update(question.conditions for question in new)
        self.clusters.append(DrawnCluster(outcome.constraints, new))
        return "cluster"
