"""What the steps of mining by joins share: a graph's tables in a workbench, lists of ids, and the result."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import md5
from itertools import chain
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, Generic, NamedTuple, TypeVar

import ibis
import pyarrow as pa

from rollcall._core.errors import Filter
from rollcall.graph.index import GraphIndex, Numbers
from rollcall.query import Query, entity, instances
from rollcall.tables.build import Proofs, ProvableFacts, Queries
from rollcall.tables.engine import Engine, InOrder, Workbench
from rollcall.tables.files import write_batches
from rollcall.tables.graph import GRAPH_TABLES
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
from rollcall.text.nouns import land_of
from rollcall.text.words import word_list

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


def give_ids(bench: Workbench, name: str, given: Iterable[str]) -> None:
    """Name a list of ids."""
    bench.give(Ids, arrow(Ids, {"id": sorted(set(given))}), name)


def ids(name: str) -> Rows[Ids]:
    """A list of ids that was given under a name."""
    return unbound(Ids, name)


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


class Sizes(Group):
    """A group with any number of answers."""

    answers = Int64("how many answers it has")


class Groups(Sizes):
    """A group with enough answers."""


class Members(Group):
    """An answer of a group."""

    answer = String("the answer")


class TypedGroups(Group):
    """A group, or the part of it whose answers have a class."""

    class_id = String("the class of the answers, if any")
    answers = Sizes.answers


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


def write_found(bench: Workbench, found: Callable[[], Rows[QueryParts]], path: Path) -> int:
    """Write queries that a join found as rows of `queries`, with their text; returns the number."""
    batches = bench.stream(InOrder(QueryParts, found))
    return write_batches(Queries, path, map(_with_text, batches))


def _with_text(batch: pa.RecordBatch) -> pa.RecordBatch:
    parts = ("kind", "relations", "directions", "entities", "class")
    rows = zip(*(batch.column(name).to_pylist() for name in parts), strict=True)
    text = pa.array([query_of(*row).text for row in rows], pa.string())
    named = {name: text if name == "query" else batch.column(name) for name in columns(Queries)}
    return pa.RecordBatch.from_pydict(named)


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


# Finds queries whose answers a reader would find absurd, so that miners drop them. Such answers are
# correct in the graph: X for "which countries have no relations with X?", or the page "List of rivers of
# X", to which a table linked, for a country or a film.

_LIST = "List of "


def names_an_answer(index: GraphIndex, query: Query, answers: Numbers) -> bool:
    """Whether one of the answers (numbers of the index) is an entity in the query."""
    named = {index.entity_number(entity) for entity in query.entities}
    return not named.isdisjoint(answers.tolist())


def is_about_lists(index: GraphIndex, query: Query, answers: Numbers) -> bool:
    """Whether an answer, or an entity in the query, is a page that is a list."""
    named = (number for entity in query.entities if (number := index.entity_number(entity)) is not None)
    entities = (number for number in answers.tolist() if number < index.entity_count)
    return has_list(index, (*named, *entities))


def has_list(index: GraphIndex, entities: Iterable[int]) -> bool:
    """Whether one of some entities is a page that is a list."""
    names = (index.entity_labels[number] or index.entity_ids[number] for number in entities)
    return any(name.startswith(_LIST) for name in names)


# The rows of template, cluster and set-operation queries: the columns that all of them share.


def query_key(query: Query) -> str:
    """The stable key of a query: the md5 of its canonical text."""
    return md5(query.text.encode(), usedforsecurity=False).hexdigest()


def query_row(query: Query, kind: str, answers: int, class_id: str | None) -> dict[str, Any]:
    """The columns that the queries of all miners share."""
    return {
        "key": query_key(query),
        "kind": kind,
        "query": query.text,
        "class": class_id or None,
        "answers": answers,
    }


# Runs many small attempts in numbered order; the results are the same on any engine. Every attempt has
# its own random generator, seeded by the seed and its number. Attempts run in rounds of a fixed size.
# The results of one round may direct the next, and nothing depends on which process made which attempt.
# The first seconds of work are done in this process, because many searches are over by then, and
# starting others would take longer.

Prepared = TypeVar("Prepared")
Task = TypeVar("Task")
Result = TypeVar("Result")

_PIECES = 4
"""A round is divided into this many blocks for each process, so that one slow attempt does not delay the
rest.
"""
ALONE_SECONDS = 3.0
"""How long attempts run in this process before others are asked."""


def chance_of(seed: int, number: int, what: str = "") -> Random:
    """The random generator of one attempt."""
    return Random(f"{seed}/{what}/{number}")


class Rounds(Generic[Prepared, Task, Result]):
    """Runs one round of tasks after the other.

    `prepare` makes what attempts need, once in each process. It and `attempt` must be picklable.
    """

    def __init__(
        self,
        engine: Engine,
        prepare: Callable[[], Prepared],
        attempt: Callable[[Prepared, Task], Result],
    ) -> None:
        self._engine = engine
        self._prepare = prepare
        self._attempt = attempt
        self._each = partial(_attempt_each, attempt)
        self._seconds_left = ALONE_SECONDS
        self._prepared: Prepared | None = None

    def run(self, tasks: Sequence[Task]) -> list[Result]:
        """The results of the tasks of a round, in order."""
        here = self._run_here(tasks)
        if len(here) == len(tasks):
            return here
        rest = tasks[len(here) :]
        size = max(1, len(rest) // (self._engine.jobs * _PIECES))
        blocks = [rest[start : start + size] for start in range(0, len(rest), size)]
        found = self._engine.map_blocks(self._each, blocks, self._prepare)
        return [*here, *chain.from_iterable(found)]

    def _run_here(self, tasks: Sequence[Task]) -> list[Result]:
        """The results of the first tasks, as many as the time allows."""
        results: list[Result] = []
        if self._seconds_left <= 0:
            return results
        if self._prepared is None:
            self._prepared = self._prepare()
        for task in tasks:
            began = perf_counter()
            results.append(self._attempt(self._prepared, task))
            self._seconds_left -= perf_counter() - began
            if self._seconds_left <= 0:
                self._prepared = None
                break
        return results


def _attempt_each(
    attempt: Callable[[Prepared, Task], Result], prepared: Prepared, tasks: Sequence[Task]
) -> list[Result]:
    return [attempt(prepared, task) for task in tasks]


# Names that describe a source's records instead of the world: "notes", "rank", "notability". Graphs made
# from tables have such relations and classes. They are left out unless a recipe says otherwise. Names
# that cannot be put into words are left out, too: those without a word of three letters.

BOOKKEEPING = frozenset(
    {
        "#", "a", "abbr", "abbreviation", "achievement", "achievements", "appearances", "apps",
        "background", "biography", "caption", "code", "comment", "comments", "coord", "coordinates",
        "date", "dates", "description", "details", "episode", "first", "fourth", "from", "gls", "goals",
        "highlights", "history", "image", "img", "index", "information", "key", "last", "link", "links",
        "list", "listing", "map", "misc", "miscellaneous", "more", "n", "name", "names", "new", "no",
        "no.", "notability", "note", "notes", "num", "number", "old", "order", "original", "other",
        "others", "p", "photo", "pic", "picture", "pos", "pos.", "quantity", "rank", "ranking", "ref",
        "ref.", "reference", "references", "refs", "reg", "remark", "remarks", "result", "results",
        "row", "s", "score", "second", "see", "seed", "serial", "significance", "source", "sources",
        "summary", "table", "text", "third", "through", "time", "title", "titles", "to", "total",
        "v", "value", "via", "website", "year", "years",
    }
)  # fmt: skip
"""Headings and relation labels of record keeping, in lower case."""

_NO_THINGS = frozenset(
    {
        "name", "names", "year", "years", "date", "dates", "reign", "reigned", "tenure", "term", "terms",
        "duration", "age", "aired", "notability", "history", "achievement", "achievements", "biography",
        "career", "background", "highlights", "significance", "reason", "reasons", "rationale",
        "comment", "comments", "description", "descriptions", "details", "info", "information", "note",
        "notes", "remark", "remarks", "summary", "trivia",
    }
)  # fmt: skip
"""Last words of headings of columns that contain names, times or prose instead of things or categories."""

_NO_MEASURES = frozenset(
    {
        "bib", "code", "codes", "coordinate", "coordinates", "coords", "easting", "fax", "grid", "id",
        "identifier", "identifiers", "ids", "index", "isbn", "issn", "key", "lane", "lat", "latitude", "lng",
        "lon", "longitude", "no", "northing", "nr", "num", "number", "numbers", "order", "phone", "pick",
        "place", "pos", "position", "postcode", "rank", "ranking", "rankings", "ranks", "round", "row",
        "seed", "serial", "telephone", "url", "zip",
    }
)  # fmt: skip
"""Last words of labels whose figures name a thing, a place in an order, or a point on a map."""

_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]{3}|[^\W\d_a-zA-Z]")
"""Three letters in a row, or one letter of a non-Latin script."""


def can_be_worded(name: str) -> bool:
    """Whether a relation's name contains a word."""
    return _WORD.search(name) is not None


_HEADINGS = frozenset(("name", "names", "title", "titles", "number", "date", "dates", "year", "years"))
"""Words of column headings: "date of issue" is the heading of a column, not a class of things."""

_CLASS_LABEL = re.compile(r"[^\W\d_]{3,}[^\W\d_ ,'’.-]*(?:[ '’.,-]+[^\W_]+)*")
"""Questions name classes, so class labels must be plain words, not "2nd 1" or "size (cm)"."""


def can_name_class(label: str) -> bool:
    """Whether a question may call things by the label of their class."""
    words = label.casefold().split()
    ends_well = words[:1] and not {words[0], words[-1]} & word_list("prepositions")
    counted = words[1:] and words[-1].isdigit()  # `city 2` is one of several columns
    if counted or land_of(label.title()):  # `serbian` is a column of words in a language
        return False
    return bool(_CLASS_LABEL.fullmatch(label) and ends_well and not _HEADINGS.intersection(words))


def promises_no_measure(name: str) -> bool:
    """Whether the values under a label only look like numbers: ranks, row numbers, codes, coordinates."""
    found = _LETTERS.findall(name.casefold())
    return bool(found) and (found[-1] in _NO_MEASURES or name.casefold() in BOOKKEEPING)


def promises_no_things(name: str) -> bool:
    """Whether the last word of a heading or label asks for a name, a time or prose."""
    found = _LETTERS.findall(name.casefold())
    return bool(found) and found[-1] in _NO_THINGS
