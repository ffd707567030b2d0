"""Mines clusters: makes attempts in rounds and keeps the first new clusters, up to the wanted number.

Input: a graph folder and `ClusterOptions`. Output: `MinedClusters`, which `writing` writes as tables. A
question belongs to the first cluster that contains it. A cluster with too few questions of its own is
dropped.
"""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from rollcall.errors import RollcallError
from rollcall.graph import Graph
from rollcall.graph.index import Numbers
from rollcall.mine.clusters.candidates import draw_candidates
from rollcall.mine.clusters.constraint import Constraint
from rollcall.mine.clusters.logical import Logical, draw_queries
from rollcall.mine.clusters.options import ClusterOptions
from rollcall.mine.clusters.sample import Propositions, draw_cluster
from rollcall.mine.neighbourhood import Neighbourhood
from rollcall.mine.relation_choice import askable_relations
from rollcall.mine.rounds import Rounds, chance_of
from rollcall.progress import Progress
from rollcall.tables.engine import Engine
from rollcall.wording import Lexicon


class ClusterQuestion(NamedTuple):
    """A logical query of a cluster: its conditions, all its answers, and its candidates in order."""

    conditions: Logical
    answers: Numbers
    candidates: dict[int, bool]


class Cluster(NamedTuple):
    """Constraints that share answers, and the questions made from them."""

    constraints: list[Constraint]
    questions: list[ClusterQuestion]


class MinedClusters(NamedTuple):
    """The clusters, and how many attempts had which outcome."""

    clusters: list[Cluster]
    attempts: int
    outcomes: dict[str, int]
    seconds: float
    propositions: Propositions

    @property
    def questions(self) -> int:
        return sum(len(cluster.questions) for cluster in self.clusters)


class _Ready(NamedTuple):
    around: Neighbourhood
    propositions: Propositions
    options: ClusterOptions
    seed: int


@dataclass(frozen=True)
class _Preparation:
    graph: Path
    relations: list[int]
    options: ClusterOptions
    seed: int

    def __call__(self) -> _Ready:
        around = Neighbourhood(Graph.open(self.graph).index, self.relations)
        return _Ready(around, Propositions.of(around, self.relations), self.options, self.seed)


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
    preparation = _Preparation(graph, relations, options, seed)
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


def _attempt(ready: _Ready, number: int) -> Cluster | str:
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
    return Cluster(constraints, questions)


class _Collected:
    """The clusters so far: no two have the same constraints, no two questions the same conditions."""

    def __init__(self, options: ClusterOptions) -> None:
        self.options = options
        self.clusters: list[Cluster] = []
        self.attempts = 0
        self.outcomes: Counter[str] = Counter()
        self._clusters: set[tuple[Constraint, ...]] = set()
        self._conditions: set[Logical] = set()

    def take(self, outcome: Cluster | str) -> None:
        if len(self.clusters) >= self.options.clusters:
            return
        self.attempts += 1
        self.outcomes[self._reason(outcome)] += 1

    def _reason(self, outcome: Cluster | str) -> str:
        if isinstance(outcome, str):
            return outcome
        if tuple(outcome.constraints) in self._clusters:
            return "cluster found before"
        new = [question for question in outcome.questions if question.conditions not in self._conditions]
        if len(new) < self.options.least_questions:
            return "questions found before"
        self._clusters.add(tuple(outcome.constraints))
        self._conditions.update(question.conditions for question in new)
        self.clusters.append(Cluster(outcome.constraints, new))
        return "cluster"
