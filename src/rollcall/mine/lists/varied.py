"""Draws the compositions of lists that are kept: few of one column and of one list, and all of them varied.

Input: `kept` and `validated` of a folder. Output: the same files with fewer rows. This is done after
validation, since a sample drawn before would mostly consist of queries that no text proves. Of two queries
about one column, at most half of all their answers are the same: "built before 1900" and "built before 1910"
are nearly one question.
"""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import msgspec
from ibis import _

from rollcall.filter import Filter
from rollcall.mine.keys import placed
from rollcall.mine.mining import MiningResult, give_ids, ids, mining_bench
from rollcall.tables.engine import Engine, Workbench
from rollcall.tables.mining import Answers, ValidatedQueries
from rollcall.tables.table import Int64, Rows, String, Strings, Table, shaped, unbound

_SHARED = 0.5
"""The largest share of the answers of two queries that may be the same."""
_DRAWN = "drawn"
_NOT_DRAWN = Filter("over what one column or list may have", "per_list")


class ListLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How many compositions of one column and of one list are kept."""

    per_column: int = 6
    per_list: int = 12
    seed: int = 1


class PlacedCompositions(Table, sorted_by=("title", "column", "place")):
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


def draw_varied(folder: Path, limits: ListLimits, engine: Engine) -> MiningResult:
    """Replace `kept` and `validated` by what is drawn from them."""
    with mining_bench(engine, folder) as bench:
        bench.read(ValidatedQueries, folder / "kept.parquet", "queries")
        bench.read(Answers, folder / "validated.parquet", "answers")
        give_ids(bench, _DRAWN, _draw(bench, limits))
        bench.keep(ValidatedQueries, _kept)
        bench.keep(Answers, lambda: unbound(Answers, "answers").semi_join(unbound(ValidatedQueries), "key"))
        before = bench.count(_queries)
        kept = bench.write(ValidatedQueries, lambda: unbound(ValidatedQueries), folder / "kept.parquet")
        bench.write(Answers, lambda: unbound(Answers), folder / "validated.parquet")
    return MiningResult(kept, {_NOT_DRAWN: before - kept})


def _queries() -> Rows[ValidatedQueries]:
    return unbound(ValidatedQueries, "queries")


def _kept() -> Rows[ValidatedQueries]:
    drawn = ids(_DRAWN).select(key="id")
    of_lists = _queries().filter(_.relations.length() > 1).semi_join(drawn, "key")
    return shaped(ValidatedQueries, _queries().filter(_.relations.length() == 1).union(of_lists))


def _compositions(seed: int) -> Rows[PlacedCompositions]:
    """The compositions, by list and column, in a random order."""
    rows = _queries().filter(_.relations.length() > 1)
    rows = rows.select("key", title=_.entities[0], column=_.relations[1])
    answers = unbound(Answers, "answers")
    collected = answers.group_by("key").agg(answers=answers.answer.collect().sort())
    found = placed(rows.join(collected, "key"), ["title", "column"], seed)
    return shaped(PlacedCompositions, found).order_by(["title", "column", "place"])


def _draw(bench: Workbench, limits: ListLimits) -> Iterator[str]:
    """The keys of what is drawn, one list after the other; every column has its turn."""
    batches = bench.stream(lambda: _compositions(limits.seed))
    rows = (row for batch in batches for row in batch.to_pylist())
    for _title, of_list in groupby(rows, key=itemgetter("title")):
        chosen: list[_Chosen] = []
        for _column, of_column in groupby(of_list, key=itemgetter("column")):
            varied: list[_Chosen] = []
            for row in of_column:
                one = _Chosen(row["place"], row["column"], row["key"], frozenset(row["answers"]))
                if len(varied) < limits.per_column and all(_differ(one, other) for other in varied):
                    varied.append(one)
            chosen += varied
        yield from (one.key for one in sorted(chosen, key=lambda one: one[:3])[: limits.per_list])


def _differ(one: _Chosen, other: _Chosen) -> bool:
    return len(one.answers & other.answers) <= _SHARED * len(one.answers | other.answers)
