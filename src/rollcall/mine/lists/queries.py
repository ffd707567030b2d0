"""Makes the queries that a list answers: which entities are on it, and which of them have a given value.

Input: a `ListPage` and `ListQueryOptions`. Output: `ListQuery` records. Words and entities are compared for
equality. Numbers and dates are compared with a round threshold that leaves enough entries on both sides. The
values' own order decides on which side an entry is, so the answers in the proofs are exactly the denotation
of the query. Text need not state the day to prove that something opened before 1950.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import msgspec
from ibis import _

from rollcall._core.errors import Filter
from rollcall.corpus.lists import MEMBERSHIP, column_relation
from rollcall.mine.joins import MiningResult, give_ids, ids, mining_bench, placed
from rollcall.mine.lists.columns import CellFact, ListPage, words_of
from rollcall.query import Date, Number, Query, Value, entity, number, parse_value
from rollcall.query.values import holds
from rollcall.tables.build import ListQueries, ValidatedAnswers, ValidatedQueries
from rollcall.tables.engine import Engine, Workbench
from rollcall.tables.table import DeclaredTable, Int64, Rows, String, Strings, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir

_QUANTILES = (0.25, 0.5, 0.75)


class ListQueryOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Which lists are asked about, and how.

    `linked` is the least share of rows whose entry is an entity. `widest` is the largest share of a list that
    a composition may have as answers. `several` is the share of entries that may have more than one value in
    a column that is compared. `membership` says whether the proofs of compositions include that an answer is
    on the list.
    """

    prefix: str = "List of"
    min_answers: int = 5
    max_answers: int = 250
    linked: float = 0.8
    widest: float = 0.8
    several: float = 0.2
    membership: bool = True


Fact: TypeAlias = tuple[str, str, bool]
"""A fact about an answer: relation, object, whether it is a value."""


class ListQuery(NamedTuple):
    """A query with its answers, each with the facts it needs."""

    kind: str
    query: Query
    column: str | None
    """The relation of the column that it asks about, if any."""
    answers: dict[str, tuple[Fact, ...]]


class ListCondition(NamedTuple):
    """A comparator and a target for one column; for every answer, the object that satisfies the condition."""

    relation: str
    comparator: str
    target: str
    literal: bool
    answers: dict[str, str]


def list_queries(page: ListPage, options: ListQueryOptions) -> Iterator[ListQuery]:
    """The membership query of a list, and its compositions."""
    members = page.members
    if len(members) < options.min_answers:
        return
    belongs = (MEMBERSHIP, page.title, False)
    everything = entity(page.title) << MEMBERSHIP
    if len(members) <= options.max_answers:
        proofs: dict[str, tuple[Fact, ...]] = dict.fromkeys(members, (belongs,))
        yield ListQuery("table-simple", everything, None, proofs)
    most = min(options.max_answers, options.widest * len(members))
    for header, (kind, facts) in sorted(page.columns.items()):
        relation = column_relation(page.title, header)
        if kind in ("number", "date"):
            conditions = _comparisons(relation, facts, options)
        else:
            conditions = _equalities(page.title, relation, facts)
        for condition in conditions:
            if options.min_answers <= len(condition.answers) <= most:
                yield _composition(everything, page.title, condition)


def _composition(everything: Query, title: str, condition: ListCondition) -> ListQuery:
    target: str | Value = parse_value(condition.target) if condition.literal else condition.target
    belongs = (MEMBERSHIP, title, False)
    return ListQuery(
        "table-composition",
        everything.where(condition.relation, target, condition.comparator),
        condition.relation,
        {
            member: (belongs, (condition.relation, object_, condition.literal))
            for member, object_ in condition.answers.items()
        },
    )


def _equalities(title: str, relation: str, facts: Sequence[tuple[str, CellFact]]) -> Iterator[ListCondition]:
    """What several rows say in the same way, unless the list's name says it about all entries."""
    title_words = set(words_of(title))
    by_object: dict[tuple[str, bool], set[str]] = {}
    for member, fact in facts:
        by_object.setdefault((fact.object, fact.literal), set()).add(member)
    for _member, fact in facts:
        if fact.text and title_words.issuperset(words_of(fact.text)):
            by_object.pop((fact.object, fact.literal), None)
    for (object_, literal), members in sorted(by_object.items()):
        yield ListCondition(relation, "=", object_, literal, dict.fromkeys(sorted(members), object_))


def _comparisons(
    relation: str, facts: Sequence[tuple[str, CellFact]], options: ListQueryOptions
) -> Iterator[ListCondition]:
    values: dict[str, list[Value]] = {}
    for member, fact in facts:
        values.setdefault(member, []).append(parse_value(fact.object))
    if not values or sum(
        len(set(member_values)) > 1 for member_values in values.values()
    ) > options.several * len(values):
        return  # values of several years or versions: a question cannot say which one is meant
    for threshold in _thresholds([member_values[0] for member_values in values.values()]):
        for comparator in ("<", ">"):
            answers = {}
            for member, member_values in sorted(values.items()):
                meeting = [
                    value for value in member_values if holds(value.bounds, comparator, threshold.bounds)
                ]
                if meeting:
                    answers[member] = _as_compared(meeting[0], comparator, threshold).text
            if len(values) - len(answers) >= options.min_answers:
                yield ListCondition(relation, comparator, threshold.text, True, answers)


def _as_compared(value: Value, comparator: str, threshold: Value) -> Value:
    """What text must state for a comparison: of a day, only the year, if that decides already."""
    if (
        not isinstance(value, Date)
        or not isinstance(threshold, Date)
        or value.precision not in ("month", "day")
    ):
        return value
    year = Date(value.year)
    return year if holds(year.bounds, comparator, threshold.bounds) else value


def _thresholds(values: Sequence[Value]) -> list[Value]:
    """Round values near the quartiles of a column, in its own unit."""
    ordered = sorted(
        ((value.bounds.low, value.text, value) for value in values if value.bounds),
        key=lambda entry: entry[:2],
    )
    thresholds: dict[Value, None] = {}
    for share in _QUANTILES:
        value = ordered[min(int(len(ordered) * share), len(ordered) - 1)][2]
        if isinstance(value, Date):
            thresholds[Date(_round_year(value.year, [ordered_value for *_key, ordered_value in ordered]))] = (
                None
            )
        elif isinstance(value, Number):
            thresholds[number(_round(value.amount), value.unit)] = None
    return list(thresholds)


def _round_year(year: int, values: Sequence[Value]) -> int:
    """The decade if the column spans several decades, else the year itself."""
    years = [value.year for value in values if isinstance(value, Date)]
    return year // 10 * 10 if max(years) - min(years) >= 30 else year


def _round(amount: Decimal) -> Decimal:
    """Two significant digits."""
    return amount if amount == 0 else amount.quantize(Decimal(1).scaleb(amount.adjusted() - 1))


# Draws the compositions of lists that are kept: few of one column and of one list, and all of them
# varied. Input: `kept` and `validated` of a folder. Output: the same files with fewer rows. This is done
# after validation, since a sample drawn before would mostly consist of queries that no text proves. Of
# two queries about one column, at most half of all their answers are the same: "built before 1900" and
# "built before 1910" are nearly one question.

_SHARED = 0.5
"""The largest share of the answers of two queries that may be the same."""
_DRAWN, _ALL = "drawn", "all_queries"
_NOT_DRAWN = Filter("over what one column or list may have", "per_list")


class ListLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How many compositions of one column and of one list are kept."""

    per_column: int = 6
    per_list: int = 12
    seed: int = 1


class PlacedCompositions(DeclaredTable, sorted_by=("title", "column", "place")):
    """A composition of a list, with its place in a random order of those about the same column."""

    key = ValidatedQueries.key
    title = String("the title of the list")
    column = String("the relation of the column")
    place = Int64("the place, from 0")
    answers = Strings("the validated answers, in order")


class _Chosen(NamedTuple):
    place: int
    column: str
    key: str
    answers: frozenset[str]


def draw_varied(folder: Path, queries: Path, limits: ListLimits, engine: Engine) -> MiningResult:
    """Replace `kept` and `validated` by what is drawn from them; `queries` are all queries about lists."""
    with mining_bench(engine, folder) as bench:
        bench.read(ValidatedQueries, folder / "kept.parquet", "queries")
        bench.read(ListQueries, queries, _ALL)
        bench.read(ValidatedAnswers, folder / "validated.parquet", "answers")
        give_ids(bench, _DRAWN, _draw(bench, limits))
        bench.keep(ValidatedQueries, _drawn_queries)
        bench.keep(
            ValidatedAnswers,
            lambda: unbound(ValidatedAnswers, "answers").semi_join(unbound(ValidatedQueries), "key"),
        )
        count_before = bench.count(_queries)
        kept_count = bench.write(ValidatedQueries, lambda: unbound(ValidatedQueries), folder / "kept.parquet")
        bench.write(ValidatedAnswers, lambda: unbound(ValidatedAnswers), folder / "validated.parquet")
    return MiningResult(kept_count, {_NOT_DRAWN: count_before - kept_count})


def _queries() -> Rows[ValidatedQueries]:
    return unbound(ValidatedQueries, "queries")


def _drawn_queries() -> Rows[ValidatedQueries]:
    drawn = ids(_DRAWN).select(key="id")
    of_columns = _asked_columns().select("key")
    compositions = _queries().semi_join(of_columns, "key").semi_join(drawn, "key")
    return shaped(ValidatedQueries, _queries().anti_join(of_columns, "key").union(compositions))


def _asked_columns() -> "ir.Table":
    """The compositions, with their lists and columns."""
    return unbound(ListQueries, _ALL).filter(_.column.notnull()).select("key", "title", "column")


def _compositions(seed: int) -> Rows[PlacedCompositions]:
    """The compositions, by list and column, in a random order."""
    rows = _queries().select("key").join(_asked_columns(), "key")
    answers = unbound(ValidatedAnswers, "answers")
    collected = answers.group_by("key").agg(answers=answers.answer.collect().sort())
    placed_rows = placed(rows.join(collected, "key"), ["title", "column"], seed)
    return shaped(PlacedCompositions, placed_rows).order_by(["title", "column", "place"])


def _draw(bench: Workbench, limits: ListLimits) -> Iterator[str]:
    """The keys of what is drawn, one list after the other; every column has its turn."""
    batches = bench.stream(lambda: _compositions(limits.seed))
    rows = (row for batch in batches for row in batch.to_pylist())
    for _title, of_list in groupby(rows, key=itemgetter("title")):
        compositions: list[_Chosen] = []
        for _column, of_column in groupby(of_list, key=itemgetter("column")):
            varied: list[_Chosen] = []
            for row in of_column:
                composition = _Chosen(row["place"], row["column"], row["key"], frozenset(row["answers"]))
                if len(varied) < limits.per_column and all(_differ(composition, other) for other in varied):
                    varied.append(composition)
            compositions += varied
        compositions.sort(key=lambda composition: composition[:3])
        yield from (composition.key for composition in compositions[: limits.per_list])


def _differ(left: _Chosen, right: _Chosen) -> bool:
    return len(left.answers & right.answers) <= _SHARED * len(left.answers | right.answers)
