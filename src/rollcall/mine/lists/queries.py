"""Makes the queries that a list answers: which entities are on it, and which of them have a given value.

Input: a `ListPage` and `ListOptions`. Output: `ListQuery` records. Words and entities are compared for
equality. Numbers and dates are compared with a round threshold that leaves enough entries on both sides. The
values' own order decides on which side an entry is, so the answers in the proofs are exactly the denotation
of the query. Text need not state the day to prove that something opened before 1950.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple, TypeAlias

import msgspec

from rollcall.corpus.lists import MEMBERSHIP, column_relation
from rollcall.mine.lists.columns import CellFact
from rollcall.mine.lists.pages import ListPage
from rollcall.mine.lists.words import words_of
from rollcall.query import Date, Number, Query, Value, entity, number, parse_value
from rollcall.query.values import holds

_QUANTILES = (0.25, 0.5, 0.75)


class ListOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Which lists are asked about, and how.

    `linked` is the least share of rows whose entry is an entity. `widest` is the largest share of a list that
    a composition may have as answers. `several` is the share of entries that may have more than one value in
    a column that is compared.
    """

    prefix: str = "List of"
    min_answers: int = 5
    max_answers: int = 250
    linked: float = 0.8
    widest: float = 0.8
    several: float = 0.2


Fact: TypeAlias = tuple[str, str, bool]
"""A fact about an answer: relation, object, whether it is a value."""


class ListQuery(NamedTuple):
    """A query with its answers, each with the facts it needs."""

    kind: str
    query: Query
    relations: tuple[str, ...]
    entities: tuple[str, ...]
    answers: dict[str, tuple[Fact, ...]]


class Condition(NamedTuple):
    """A comparator and a target for one column; for every answer, the object that satisfies the condition."""

    relation: str
    comparator: str
    target: str
    literal: bool
    answers: dict[str, str]


def list_queries(page: ListPage, options: ListOptions) -> Iterator[ListQuery]:
    """The membership query of a list, and its compositions."""
    members = page.members
    if len(members) < options.min_answers:
        return
    belongs = (MEMBERSHIP, page.title, False)
    everything = entity(page.title) << MEMBERSHIP
    if len(members) <= options.max_answers:
        proofs: dict[str, tuple[Fact, ...]] = dict.fromkeys(members, (belongs,))
        yield ListQuery("table-simple", everything, (MEMBERSHIP,), (page.title,), proofs)
    most = min(options.max_answers, options.widest * len(members))
    for header, (kind, facts) in sorted(page.columns.items()):
        relation = column_relation(page.title, header)
        if kind in ("number", "date"):
            found = _comparisons(relation, facts, options)
        else:
            found = _equalities(page.title, relation, facts)
        for one in found:
            if options.min_answers <= len(one.answers) <= most:
                yield _composition(everything, page.title, one)


def _composition(everything: Query, title: str, one: Condition) -> ListQuery:
    target: str | Value = parse_value(one.target) if one.literal else one.target
    belongs = (MEMBERSHIP, title, False)
    return ListQuery(
        "table-composition",
        everything.where(one.relation, target, one.comparator),
        (MEMBERSHIP, one.relation),
        (title,) if one.literal else (title, one.target),
        {member: (belongs, (one.relation, object_, one.literal)) for member, object_ in one.answers.items()},
    )


def _equalities(title: str, relation: str, facts: Sequence[tuple[str, CellFact]]) -> Iterator[Condition]:
    """What several rows say in the same way, unless the list's name says it about all entries."""
    said = set(words_of(title))
    by_object: dict[tuple[str, bool], set[str]] = {}
    for member, one in facts:
        by_object.setdefault((one.object, one.literal), set()).add(member)
    for _member, one in facts:
        if one.text and said.issuperset(words_of(one.text)):
            by_object.pop((one.object, one.literal), None)
    for (object_, literal), members in sorted(by_object.items()):
        yield Condition(relation, "=", object_, literal, dict.fromkeys(sorted(members), object_))


def _comparisons(
    relation: str, facts: Sequence[tuple[str, CellFact]], options: ListOptions
) -> Iterator[Condition]:
    values: dict[str, list[Value]] = {}
    for member, one in facts:
        values.setdefault(member, []).append(parse_value(one.object))
    if not values or sum(len(set(own)) > 1 for own in values.values()) > options.several * len(values):
        return  # values of several years or versions: a question cannot say which one is meant
    for threshold in _thresholds([own[0] for own in values.values()]):
        for comparator in ("<", ">"):
            answers = {}
            for member, own in sorted(values.items()):
                meeting = [value for value in own if holds(value.bounds, comparator, threshold.bounds)]
                if meeting:
                    answers[member] = _as_compared(meeting[0], comparator, threshold).text
            if len(values) - len(answers) >= options.min_answers:
                yield Condition(relation, comparator, threshold.text, True, answers)


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
        ((value.bounds.low, value.text, value) for value in values if value.bounds), key=lambda one: one[:2]
    )
    found: dict[Value, None] = {}
    for share in _QUANTILES:
        value = ordered[min(int(len(ordered) * share), len(ordered) - 1)][2]
        if isinstance(value, Date):
            found[Date(_round_year(value.year, [one for *_place, one in ordered]))] = None
        elif isinstance(value, Number):
            found[number(_round(value.amount), value.unit)] = None
    return list(found)


def _round_year(year: int, values: Sequence[Value]) -> int:
    """The decade if the column spans several decades, else the year itself."""
    years = [value.year for value in values if isinstance(value, Date)]
    return year // 10 * 10 if max(years) - min(years) >= 30 else year


def _round(amount: Decimal) -> Decimal:
    """Two significant digits."""
    return amount if amount == 0 else amount.quantize(Decimal(1).scaleb(amount.adjusted() - 1))
