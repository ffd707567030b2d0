"""What the miners that join whole tables share: tables in a workbench, groups of facts, samples, results.

- `mining_bench`, `graph_table`, `ids`: the tables and lists that a join reads.
- `AnswerLimits`, `Caps`: the options that these miners share. `MiningResult`: what they report.
- `write_facts`: the facts that proofs need.
- `Group` and the tables made from it: all facts of one relation and one entity.
- `write_found`: queries in parts, written with their canonical text.
- `key`, `drawn`: the key of a query, and random samples by this key.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import ibis
import msgspec
import pyarrow as pa

from rollcall._core.errors import Filter, RollcallError
from rollcall.query import Query, entity, instances
from rollcall.tables.build import GroupCounts, Proofs, ProvableFacts, Queries
from rollcall.tables.engine import Engine, InOrder, Workbench
from rollcall.tables.files import write_batches
from rollcall.tables.graph import GRAPH_TABLES, Facts
from rollcall.tables.table import (
    DeclaredTable,
    Int64,
    Rows,
    String,
    Strings,
    T,
    arrow,
    columns,
    declaration,
    shaped,
    unbound,
)

_SPILL = ".spill"


class MiningResult(NamedTuple):
    """The number of queries that a mining step wrote, and how many each filter removed."""

    queries: int
    removed: dict[Filter, int]


class Ids(DeclaredTable):
    """A list of ids, or of other words."""

    id = String("the id")


@contextmanager
def mining_bench(engine: Engine, out: Path, graph: Path | None = None) -> Iterator[Workbench]:
    """A workbench for a step that writes to the folder `out`, with the tables of a graph folder."""
    out.mkdir(parents=True, exist_ok=True)
    with engine.workbench(out / _SPILL) as bench:
        if graph is not None:
            bench.read_folder("graph", graph, *GRAPH_TABLES)
        yield bench


def graph_table(table: type[T]) -> Rows[T]:
    """A table of the graph."""
    return unbound(table, f"graph_{declaration(table).name}")


def give_ids(bench: Workbench, name: str, values: Iterable[str]) -> None:
    """Name a list of ids."""
    bench.give(Ids, arrow(Ids, {"id": sorted(set(values))}), name)


def ids(name: str) -> Rows[Ids]:
    """A list of ids that was given under a name."""
    return unbound(Ids, name)


DIRECTIONS = ("subject", "object")


class AnswerLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How many answers a query may have in the graph.

    The most is 250: at most 200 validated answers, which must be at least 80 % of all answers.
    """

    min_answers: int = 5
    max_answers: int = 250

    def __post_init__(self) -> None:
        if not 1 <= self.min_answers <= self.max_answers:
            raise RollcallError(
                f"min_answers {self.min_answers} and max_answers {self.max_answers}: the first must be"
                " at least 1 and not above the second"
            )


class Caps(msgspec.Struct, frozen=True, kw_only=True):
    """How many queries of a kind are kept, sampled at random, so that no relation or entity dominates."""

    per_pair: int = 1000
    per_entity: int = 20
    seed: int = 1


def check_directions(directions: Sequence[str]) -> None:
    """Refuse a direction that is neither of the two."""
    for direction in directions:
        if direction not in DIRECTIONS:
            raise RollcallError(f"{direction!r} is not a direction; choose one of {', '.join(DIRECTIONS)}")


# Collects the facts that proofs need. Input: tables of `proofs`. Output: the table `facts`, with each
# fact once. Evidence is searched for these facts.


def write_facts(proofs: Sequence[Path], out: Path, engine: Engine, *, known: Sequence[Path] = ()) -> int:
    """Write `facts`, each fact of the proofs once, without those of earlier files; returns the number."""
    with mining_bench(engine, out) as bench:
        bench.read(Proofs, proofs)
        bench.read(ProvableFacts, known, "known")
        return bench.write(ProvableFacts, _new_facts, out / "facts.parquet")


def _new_facts() -> Rows[ProvableFacts]:
    return needed_facts().distinct().anti_join(unbound(ProvableFacts, "known"), list(columns(ProvableFacts)))


def needed_facts(proofs: str = "proofs") -> Rows[ProvableFacts]:
    """The facts in the table of proofs that an engine knows by a name."""
    return shaped(ProvableFacts, unbound(Proofs, proofs).drop("literal").rename(literal="object_literal"))


# The tables of groups, from which simple queries are mined. A group is a relation, the end of its facts
# that is asked for, and an entity: everything that has the relation to the entity.


class Group(DeclaredTable):
    """A group."""

    relation = String("the relation")
    direction = String("the end of the relation's facts that is asked for: `subject` or `object`")
    entity = String("the entity at the other end")


BY_GROUP = list(columns(Group))
BY_RELATION = ["relation", "direction"]


class GroupSizes(Group):
    """A group with any number of answers."""

    answers = Int64("how many answers it has")


class Groups(GroupSizes):
    """A group with enough answers."""


class GroupMembers(Group):
    """An answer of a group."""

    answer = String("the answer")


class TypedGroups(Group):
    """A group, or the part of it whose answers have a class."""

    class_id = String("the class of the answers, if any")
    answers = GroupSizes.answers


def group_counts(facts: Rows[Facts], direction: str) -> Rows[GroupCounts]:
    """How many groups of each relation have which number of answers, at one end of some facts."""
    named = "object" if direction == "subject" else "subject"
    sizes = facts.group_by("relation", named).agg(answers=ibis._.count())
    counts = sizes.group_by("relation", "answers").agg(groups=ibis._.count())
    return shaped(GroupCounts, counts.mutate(direction=ibis.literal(direction)))


# Queries that joins find in parts, and their canonical text.


class QueryParts(DeclaredTable, sorted_by=("key",)):
    """A query that a join found, in parts."""

    key = Queries.key
    kind = Queries.kind
    relations = Strings("its relations")
    directions = Strings("for each relation, the end of its facts that is asked for: `subject` or `object`")
    entities = Strings("the entities that it names")
    class_ = Queries.class_
    answers = Queries.answers


def write_found(bench: Workbench, queries: Callable[[], Rows[QueryParts]], path: Path) -> int:
    """Write queries that a join found as rows of `queries`, with their text; returns the number."""
    batches = bench.stream(InOrder(QueryParts, queries))
    return write_batches(Queries, path, map(_with_text, batches))


def _with_text(batch: pa.RecordBatch) -> pa.RecordBatch:
    parts = ("kind", "relations", "directions", "entities", "class")
    rows = zip(*(batch.column(name).to_pylist() for name in parts), strict=True)
    text = pa.array([query_of(*row).text for row in rows], pa.string())
    arrays = {name: text if name == "query" else batch.column(name) for name in columns(Queries)}
    return pa.RecordBatch.from_pydict(arrays)


def query_of(
    kind: str,
    relations: Sequence[str],
    directions: Sequence[str],
    entities: Sequence[str],
    class_id: str | None = None,
) -> Query:
    """The query of a simple query, an intersection or a composition in parts.

    A direction says which end of a relation's facts is asked for. The class is the class of the answers; in a
    composition it is the class of the intermediate entities.
    """
    if kind == "composition":
        base = query_of("simple", relations[:1], directions[:1], entities, class_id)
        return base << relations[1] if directions[1] == "subject" else base >> relations[1]
    query = instances(class_id) if class_id is not None else None
    for relation, direction, name in zip(relations, directions, entities, strict=True):
        side = entity(name) << relation if direction == "subject" else entity(name) >> relation
        query = side if query is None else query & side
    assert query is not None
    return query


# The stable key of a query, computed from its structural parts, and random sampling by this key.

SEPARATOR = "\t"
"""Stands between the parts of a key before it is hashed."""


def key(kind: str, *parts: ibis.Value) -> ibis.Value:
    """The md5 of a kind and its parts, as an expression; a missing part, such as a class, is empty."""
    joined: ibis.Value = ibis.literal(kind)
    for part in parts:
        joined = joined + SEPARATOR + part.fill_null("")
    return joined.hexdigest("md5")


def row_key(kind: str, *parts: str) -> str:
    """The same key, computed in Python."""
    return hashlib.md5(SEPARATOR.join([kind, *parts]).encode()).hexdigest()


def lot(seed: int, key_column: ibis.Value) -> ibis.Value:
    """The random number of a query for sampling: a hash of the seed and the key."""
    return (ibis.literal(f"{seed}{SEPARATOR}") + key_column).hexdigest("md5")


def placed(rows: ibis.Table, by: list[str], seed: int) -> ibis.Table:
    """Rows with their `place` (from 0) in a random order among the rows with equal values in the columns
    `by`.
    """
    order = [lot(seed, rows["key"]), rows["key"]]
    return rows.mutate(place=ibis.row_number().over(ibis.window(group_by=by, order_by=order)))


def drawn(rows: Rows[T], by: list[str], most: int, seed: int) -> Rows[T]:
    """A random sample of at most `most` rows for each combination of values in the columns `by`."""
    sample: Rows[T] = placed(rows, by, seed).filter(ibis._.place < most).drop("place")
    return sample
