"""Mines clusters: makes attempts in rounds and keeps the first new clusters, up to the wanted number.

Input: a graph folder and `ClusterOptions`. Output: `MinedClusters`, which `writing` writes as tables. A
question belongs to the first cluster that contains it. A cluster with too few questions of its own is
dropped.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from pathlib import Path
from random import Random
from time import perf_counter
from typing import NamedTuple

import numpy as np

from rollcall._core.console import Progress
from rollcall._core.errors import RollcallError
from rollcall.graph import Graph
from rollcall.graph.index import Numbers
from rollcall.graph.rows import contained, unique_sorted
from rollcall.mine.attempts import Rounds, chance_of
from rollcall.mine.clusters.constraint import (
    ClusterOptions,
    Constraint,
    Logical,
    Signed,
    draw_queries,
    satisfying,
)
from rollcall.mine.neighbourhood import BACKWARD, FORWARD, Neighbourhood, hop
from rollcall.mine.relations import askable_relations
from rollcall.tables.engine import Engine
from rollcall.wording import Lexicon

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
