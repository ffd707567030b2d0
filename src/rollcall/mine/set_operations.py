"""`set-operation`: questions that combine sets as in QUEST: A ∪ B, A ∩ B ∩ C, A \\ B, A ∩ B \\ C.

Input: a graph folder and `SetOptions`. Output: `SetCombination` records, written as `queries`, `answers`,
`proofs` and `facts`. Each set is described by a constraint. All sets have answers of one class, so "films by
X or by Y" is asked and "films by X or rivers in Y" is not. No set is redundant: without any one of them the
answers change.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import numpy as np

from rollcall._core.errors import Filter, RollcallError
from rollcall.graph import Graph
from rollcall.graph.evaluate import answer_terms
from rollcall.mine.attempts import Rounds, chance_of, is_about_lists, names_an_answer
from rollcall.mine.clusters.drawing import Constraint, can_be_negated
from rollcall.mine.kinds import KINDS, Mined, MiningContext, QuestionKind
from rollcall.mine.neighbourhood import FORWARD, Neighbourhood
from rollcall.mine.proving import query_row, write_answers
from rollcall.mine.relations import UNINFORMATIVE, askable_relations, can_name_class
from rollcall.query import Query, Typing
from rollcall.query.statements import QUESTION
from rollcall.tables.build import SetQueries
from rollcall.tables.engine import Engine
from rollcall.tables.files import write_records
from rollcall.wording import Lexicon

Combine = Callable[[Sequence[Query]], Query]

OPERATIONS: dict[str, tuple[int, Combine]] = {
    "A ∪ B": (2, lambda sets: sets[0] | sets[1]),
    "A ∩ B ∩ C": (3, lambda sets: sets[0] & sets[1] & sets[2]),
    "A \\ B": (2, lambda sets: sets[0] - sets[1]),
    "A ∩ B \\ C": (3, lambda sets: (sets[0] & sets[1]) - sets[2]),
}
"""The operations by name: the number of sets, and the function that combines them."""


class SetOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How many queries of each operation are mined, and how many answers they may have."""

    per_operation: int = 250
    """How many queries of each operation are wanted."""
    operations: Sequence[str] = tuple(OPERATIONS)
    """Which operations."""
    least_answers: int = 2
    """The fewest answers of a query."""
    most_answers: int = 100
    """The most answers of a query."""
    known: bool = True
    """Whether a set is subtracted only if the graph knows for every answer that it is not in it."""
    excluded: Sequence[str] = UNINFORMATIVE
    """Labels or ids of relations that are never asked about."""
    round_size: int = 512
    """How many attempts run before what was found is looked at."""
    attempts: int = 50_000
    """The most attempts; after these the set has what was found."""

    def __post_init__(self) -> None:
        for operation in self.operations:
            if operation not in OPERATIONS:
                raise RollcallError(
                    f"{operation!r} is not a set operation; choose one of {', '.join(OPERATIONS)}"
                )


@KINDS.register("set-operation")
class SetOperation(QuestionKind):
    """Unions, intersections and differences of sets: A ∪ B, A ∩ B ∩ C, A \\ B, A ∩ B \\ C, as in QUEST."""

    name = "set-operation"
    section = "sets"
    Options = SetOptions
    Rows = SetQueries

    @classmethod
    def mine(cls, options: SetOptions, context: MiningContext) -> Mined:
        """Mine queries that combine sets, the wanted number of each operation."""
        combinations, outcomes = mine_set_operations(
            context.graph, options, context.engine, seed=context.seed, lexicon=context.lexicon
        )
        with Graph.open(context.graph) as graph:
            query_count = write_set_operations(graph, combinations, context.folder)
        counts = {operation: outcomes.get(f"found {operation}", 0) for operation in options.operations}
        return Mined(
            query_count,
            {Filter(why): count for why, count in outcomes.items() if not why.startswith("found A")},
            notes=[
                f"{operation}: {count} of {options.per_operation}"
                for operation, count in counts.items()
                if count < options.per_operation
            ],
        )


class SetCombination(NamedTuple):
    """A query with its operation and the sets it is made of, in order."""

    operation: str
    query: Query
    sets: tuple[str, ...]
    class_id: str | None
    answers: int


class _SetsReady(NamedTuple):
    graph: Graph
    around: Neighbourhood
    relations: list[int]
    options: SetOptions
    seed: int


@dataclass(frozen=True)
class _SetsPreparation:
    graph: Path
    relations: list[int]
    options: SetOptions
    seed: int

    def __call__(self) -> _SetsReady:
        graph = Graph.open(self.graph)
        around = Neighbourhood(graph.index, self.relations)
        return _SetsReady(graph, around, self.relations, self.options, self.seed)


def mine_set_operations(
    graph: Path, options: SetOptions, engine: Engine, *, seed: int = 1, lexicon: Lexicon | None = None
) -> tuple[list[SetCombination], dict[str, int]]:
    """A given number of queries for each operation, in turn, and how many attempts had which outcome."""
    combinations: dict[Query, SetCombination] = {}
    counts: Counter[str] = Counter()
    outcomes: Counter[str] = Counter()
    total = options.per_operation * len(options.operations)
    tried = 0
    with Graph.open(graph) as opened:
        relations = sorted(askable_relations(opened, options.excluded, lexicon).numbers.values())
    rounds = Rounds(engine, _SetsPreparation(graph, relations, options, seed), _attempt)
    while len(combinations) < total and tried < options.attempts:
        lacking = [operation for operation in options.operations if counts[operation] < options.per_operation]
        tasks = [(tried + offset, lacking[offset % len(lacking)]) for offset in range(options.round_size)]
        tried += len(tasks)
        for outcome in rounds.run(tasks):
            if isinstance(outcome, str):
                outcomes[outcome] += 1
            elif outcome.query in combinations or counts[outcome.operation] >= options.per_operation:
                outcomes["found before, or enough of them"] += 1
            else:
                combinations[outcome.query] = outcome
                counts[outcome.operation] += 1
    outcomes.update({f"found {operation}": count for operation, count in counts.items()})
    if not combinations:
        raise RollcallError(f"{graph}: no set operation in {tried} attempts: {dict(outcomes.most_common(3))}")
    return list(combinations.values()), dict(outcomes)


def _attempt(ready: _SetsReady, task: tuple[int, str]) -> SetCombination | str:
    number, operation = task
    chance = chance_of(ready.seed, number, "set operation")
    needed, combine = OPERATIONS[operation]
    member = _member(ready, chance)
    if member is None:
        return "no fact to start from"
    constraints = _constraints(ready, chance, member, needed, alike=operation == "A ∪ B")
    if constraints is None:
        return "too few constraints of one entity"
    class_id = _class(ready, chance, member)
    sets = [Query.of([constraint.edge(ready.graph.index)]) for constraint in constraints]
    query = _typed(combine(sets), class_id)
    options = ready.options
    answers = answer_terms(ready.graph.index, query)
    if not options.least_answers <= len(answers) <= options.most_answers:
        return "too few or too many answers"
    *affirmed, subtracted = constraints
    if (
        options.known
        and "\\" in operation
        and not can_be_negated(ready.around, subtracted, affirmed, answers)
    ):
        return "not known of every answer"
    if names_an_answer(ready.graph.index, query, answers):
        return "an answer is named in the question"
    if is_about_lists(ready.graph.index, query, answers):
        return "an answer or a name is a list"
    if any(
        _same(ready, _typed(_without(operation, sets, position), class_id), answers)
        for position in range(needed)
    ):
        return "a set is redundant"
    return SetCombination(
        operation, query, tuple(set_query.text for set_query in sets), class_id, len(answers)
    )


def _typed(query: Query, class_id: str | None) -> Query:
    """The query with the class of its answers added to every pattern."""
    if class_id is None:
        return query
    typing = Typing(QUESTION, class_id)
    return Query(
        tuple(replace(pattern, statements=(typing, *pattern.statements)) for pattern in query.patterns)
    )


def _without(operation: str, sets: Sequence[Query], left_out: int) -> Query:
    """The result of an operation without one of its sets."""
    rest = [set_query for number, set_query in enumerate(sets) if number != left_out]
    if operation == "A ∪ B" or (operation == "A \\ B"):
        return rest[0]
    if operation == "A ∩ B ∩ C" or left_out == len(sets) - 1:
        return rest[0] & rest[1]
    return rest[0] - rest[1]


def _same(ready: _SetsReady, query: Query, answers: Any) -> bool:
    return bool(np.array_equal(answer_terms(ready.graph.index, query), answers))


def _member(ready: _SetsReady, chance: Random) -> int | None:
    """One end of a random fact of a random relation."""
    relation = chance.choice(ready.relations)
    subjects, objects = ready.graph.index.forward(relation)
    fact_number = chance.randrange(len(subjects))
    term = int(chance.choice((subjects, objects))[fact_number])
    return term if term < ready.graph.index.entity_count else None


def _constraints(
    ready: _SetsReady, chance: Random, member: int, needed: int, *, alike: bool
) -> list[Constraint] | None:
    """Different constraints that one entity satisfies; for a union, two of one relation with different
    entities.
    """
    hops = ready.around.hops(member)
    if not hops:
        return None
    if alike:
        return _alike(ready, chance, member, chance.choice(hops))
    constraints: list[Constraint] = []
    for along in chance.sample(hops, len(hops)):
        terms = ready.around.others(member, along)
        entity = int(terms[chance.randrange(len(terms))])
        constraint = Constraint(along, entity)
        if entity < ready.graph.index.entity_count and entity != member and _is_set(ready, constraint):
            constraints.append(constraint)
        if len(constraints) == needed:
            return constraints
    return None


def _alike(ready: _SetsReady, chance: Random, member: int, along: int) -> list[Constraint] | None:
    """A constraint that an entity satisfies, and one of the same relation with another random entity."""
    relation, direction = divmod(along, 2)
    terms = ready.around.others(member, along)
    entity = int(terms[chance.randrange(len(terms))])
    index = ready.graph.index
    _, ends = index.forward(relation) if direction == FORWARD else index.backward(relation)
    other = int(ends[chance.randrange(len(ends))])
    if max(entity, other) >= index.entity_count or entity == other:
        return None
    constraints = [Constraint(along, entity), Constraint(along, other)]
    return constraints if all(_is_set(ready, constraint) for constraint in constraints) else None


def _is_set(ready: _SetsReady, constraint: Constraint) -> bool:
    """Whether a constraint describes more than one thing; the birthplace of one person is not a set."""
    return len(constraint.answers(ready.around)) > 1


def _class(ready: _SetsReady, chance: Random, member: int) -> str | None:
    """One of the direct types of the entity."""
    graph = ready.graph
    ids = (graph.index.class_ids[number] for number in graph.index.direct_types(member).tolist())
    classes = [id_ for id_ in ids if can_name_class(graph.class_label(id_))]
    return chance.choice(classes) if classes else None


def write_set_operations(graph: Graph, combined: Sequence[SetCombination], out: Path) -> int:
    """Write `queries`, `answers`, `proofs` and `facts`; returns the number of queries."""
    write_answers(graph.index, [member.query for member in combined], out)
    rows = [
        query_row(member.query, SetOperation.name, member.answers, member.class_id)
        | {"operation": member.operation, "sets": list(member.sets)}
        for member in combined
    ]
    return write_records(SetQueries, out / "queries.parquet", rows)
