"""Partial solutions of a pattern as columns of term numbers, and the steps that extend and filter them.

Each step processes all rows at once with binary search in the index's sorted arrays, so that a small query
needs only a few numpy calls and a large one runs at numpy's speed.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from rollcall._core.errors import RollcallError
from rollcall.graph.index import GraphIndex, Numbers, Pairs
from rollcall.query.statements import Variable
from rollcall.query.values import Date, Number, Point, Text, Value
from rollcall.tables.graph import SHARD_TABLES
from rollcall.tables.table import arrow, columns
from rollcall.text.words import fold

if TYPE_CHECKING:
    import pyarrow as pa


Mask = npt.NDArray[np.bool_]
Ranges = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]
"""Where ranges begin and end."""


ROW = Variable("row ")
"""A column with the row that a search for matches started from; no parsed name contains a space."""


_MOST_ROWS = 20_000_000
_SAMPLED = 16
"""A sample has one of this many rows."""


def check_size(rows: int, most: int = _MOST_ROWS) -> None:
    """Refuse a search that would use too much memory or time, with advice."""
    if rows > most:
        raise RollcallError(
            f"the query has {rows:,} partial solutions, more than {most:,}; say more about the nodes "
            "that only a denial or nothing connects, or use query.to_ibis, which spills to disk"
        )


class Rows:
    """A table of solutions: one column of term numbers per variable; without columns, one empty solution."""

    __slots__ = ("columns", "size")

    def __init__(self, columns: dict[Variable, Numbers], size: int):
        self.columns = columns
        self.size = size

    def __contains__(self, variable: Variable) -> bool:
        return variable in self.columns

    def take(self, selection: npt.NDArray[Any]) -> "Rows":
        """The rows selected by a mask or by row numbers."""
        columns = {variable: column[selection] for variable, column in self.columns.items()}
        size = int(np.count_nonzero(selection)) if selection.dtype == np.bool_ else len(selection)
        return Rows(columns, size)

    def nothing(self) -> "Rows":
        return Rows({variable: column[:0] for variable, column in self.columns.items()}, 0)

    def with_column(self, variable: Variable, column: Numbers) -> Self:
        self.columns[variable] = column
        return self

    def times(self, variable: Variable, values: Numbers) -> "Rows":
        """Every row with every value of a new variable."""
        return self.crossed(Rows({variable: values}, len(values)))

    def crossed(self, other: "Rows") -> "Rows":
        """Every row with every row of a table of other variables."""
        if self.size == 1 and not self.columns:
            return other
        check_size(self.size * other.size)
        columns = {variable: column.repeat(other.size) for variable, column in self.columns.items()}
        columns |= {variable: np.tile(column, self.size) for variable, column in other.columns.items()}
        return Rows(columns, self.size * other.size)

    def pieces(self, count: int, first: Variable | None) -> "Iterator[Rows]":
        """A sample of the rows, then the others in about equal pieces, the same values side by side."""
        sampled = np.zeros(self.size, dtype=np.bool_)
        sampled[::_SAMPLED] = True
        yield self.take(sampled)
        rows = self.take(~sampled)
        if count > 1 and first is not None:
            rows = rows.take(np.argsort(rows.columns[first], kind="stable"))
        edges = np.linspace(0, rows.size, min(count, rows.size) + 1).astype(np.intp)
        for start, end in pairwise(edges.tolist()):
            columns = {variable: column[start:end] for variable, column in rows.columns.items()}
            yield Rows(columns, end - start)

    def different_values(self, kept: Sequence[Variable]) -> "tuple[Rows, npt.NDArray[np.intp] | None]":
        """A new table of these columns, each combination once, and the position of each row in it.

        If all columns are kept, the rows are already unique, and the positions are None.
        """
        if len(kept) == len(self.columns):
            return Rows(dict(self.columns), self.size), None
        if not kept:
            return Rows({}, 1), np.zeros(self.size, dtype=np.intp)
        keys = row_keys([self.columns[variable] for variable in kept])
        _, first, place_of = np.unique(keys, return_index=True, return_inverse=True)
        return Rows({variable: self.columns[variable][first] for variable in kept}, len(first)), place_of

    def project(self, kept: Collection[Variable]) -> "Rows":
        """Only these columns, each combination once; unchanged where there is nothing to drop."""
        if all(variable in kept for variable in self.columns):
            return self
        columns = {variable: column for variable, column in self.columns.items() if variable in kept}
        if not columns:
            return Rows({}, min(self.size, 1))
        first = unique_rows(list(columns.values()))
        return Rows({variable: column[first] for variable, column in columns.items()}, len(first))


def joined(parts: "Sequence[Rows]") -> Rows:
    """The rows of tables of the same columns, each different one once."""
    if len(parts) == 1:
        return parts[0]
    columns = {
        variable: np.concatenate([part.columns[variable] for part in parts]) for variable in parts[0].columns
    }
    if not columns:
        return parts[0]
    first = unique_rows(list(columns.values()))
    return Rows({variable: column[first] for variable, column in columns.items()}, len(first))


def unique_rows(columns: list[Numbers]) -> npt.NDArray[np.intp]:
    """The number of one row for each different combination of values."""
    return np.unique(row_keys(columns), return_index=True)[1]


def row_keys(columns: list[Numbers]) -> npt.NDArray[np.int64]:
    """A number for each row that identifies its combination of values, which must not be negative."""
    key = columns[0].astype(np.int64)
    for column in columns[1:] if len(key) else ():
        # The range is taken from each column: not all columns are terms, one has row numbers.
        width = int(column.max()) + 1
        if int(key.max()) >= _ROOM // width:  # avoid overflow: replace the keys so far by their ranks
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
        key = key * width + column
    return key


_ROOM = 2**63 - 1


def unique_sorted(values: Numbers) -> Numbers:
    """The different values in order; faster than numpy's own function for the few values of a small query."""
    if len(values) < 2:
        return values
    ordered = values.copy()
    ordered.sort()
    first = np.empty(len(ordered), dtype=np.bool_)
    first[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]


_MANY = 64


def ranges(keys: Numbers, wanted: Numbers) -> Ranges:
    """Where each wanted key begins and ends among sorted keys."""
    starts = keys.searchsorted(wanted, "left")
    if len(wanted) < _MANY or not len(keys):
        return starts, keys.searchsorted(wanted, "right")
    # If there are many terms, most have no such fact, and absent keys need no second search.
    ends = starts.copy()
    present = (keys.take(starts, mode="clip") == wanted).nonzero()[0]
    ends[present] = keys.searchsorted(wanted[present], "right")
    return starts, ends


def expand(
    starts: npt.NDArray[np.intp], ends: npt.NDArray[np.intp]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """For one range per row: each row number, repeated once per place in its range, and the places."""
    positions = within(starts, ends)
    if len(starts) == 1:
        return np.zeros(len(positions), dtype=np.intp), positions
    return np.arange(len(starts)).repeat(ends - starts), positions


def within(starts: npt.NDArray[np.intp], ends: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """The places within all ranges, one range after the other."""
    if len(starts) < 2:
        return np.arange(starts[0], ends[0]) if len(starts) else starts
    lengths = ends - starts
    upto = lengths.cumsum()
    check_size(int(upto[-1]))
    # The start of each range plus a running number, minus the total length of the ranges before it.
    positions: npt.NDArray[np.intp] = (ends - upto).repeat(lengths)
    positions += np.arange(len(positions))
    return positions


def found_between(
    values: Numbers, starts: npt.NDArray[np.intp], ends: npt.NDArray[np.intp], wanted: Numbers
) -> Mask:
    """Whether each wanted value is in its range of values, which are sorted within each range."""
    low, high = starts.copy(), ends.copy()
    while (searching := (low < high).nonzero()[0]).size:
        middle = (low[searching] + high[searching]) // 2
        less = values[middle] < wanted[searching]
        low[searching[less]] = middle[less] + 1
        high[searching[~less]] = middle[~less]
    hits: Mask = low < ends
    hits[hits] = values[low[hits]] == wanted[hits]
    return hits


def contained(values: Numbers, among: Numbers) -> Mask:
    """Which values are among sorted ones."""
    if not len(among):
        return np.zeros(len(values), dtype=np.bool_)
    hits: Mask = among.take(among.searchsorted(values), mode="clip") == values
    return hits


def slice_of(pairs: Pairs, key: int, dtype: np.dtype[Any]) -> Numbers:
    """The values paired with one key, as a sorted view."""
    keys, values = pairs
    typed_key = dtype.type(key)
    start, end = keys.searchsorted(typed_key, "left"), keys.searchsorted(typed_key, "right")
    return values[start:end]


def different(rows: Rows, variable: Variable, constants: Iterable[int], index: GraphIndex) -> Rows:
    """The rows in which this variable's entity is on no other node; equal literals are allowed."""
    column = rows.columns[variable]
    clash = np.zeros(rows.size, dtype=np.bool_)
    for other, values in rows.columns.items():
        if other not in (variable, ROW):
            clash |= column == values
    clash &= column < index.entity_count
    for constant in constants:
        clash |= column == constant
    return rows.take(~clash) if clash.any() else rows


# Shards: the rows from one block of a source, as small Parquet files that are merged at the end. A
# reader only appends plain strings to the lists of a `GraphShard`. Order, duplicates and conflicts between
# sources are resolved later, for all shards at once.

RANKS_PER_SOURCE = 1000
_REPETITIVE = ["relation", "class", "kind", "dimension", "source"]
ValueRow = tuple[str, str, str | None, float | None, float | None]


def value_row(value: Value) -> ValueRow:
    """A value as it is stored: canonical text, kind, dimension and bounds."""
    match value:
        case Number():
            kind = "number" if value.unit is None else "quantity"
        case Date():
            kind = "date"
        case Text():
            kind = "text"
        case Point():
            kind = "point"
    bounds = value.bounds
    return (value.text, kind, *(bounds or (None, None, None)))


def text_row(content: str, language: str | None = None) -> ValueRow:
    """The row of a text, which has no dimension."""
    return Text(content, language).text, "text", None, None, None


class GraphShard:
    """The rows read from one block, by table and column."""

    def __init__(self, rank: int = 0) -> None:
        """`rank` is the first rank for the labels of this source; later sources have greater ranks."""
        self.rank = rank
        self.columns: dict[str, tuple[list[Any], ...]] = {
            name: tuple([] for _ in columns(table)) for name, table in SHARD_TABLES.items()
        }

    def entity(
        self,
        id_: str,
        label: str | None = None,
        description: str | None = None,
        title: str | None = None,
        preference: int = 0,
    ) -> None:
        ids, labels, folded, descriptions, titles, ranks = self.columns["entities"]
        folded_label = fold(label) if label else None
        ids.append(id_)
        labels.append(label or None)
        folded.append(folded_label)
        descriptions.append(description or None)
        titles.append(title or None)
        ranks.append(self.rank + preference)

    def id_as_name(self, id_: str) -> None:
        """An entity without a label is found by its id."""
        self.entity(id_)
        self.columns["entities"][2][-1] = fold(id_) or None

    def alias(self, entity: str, text: str, source: str, count: int | None = None) -> None:
        entities, texts, folded, sources, counts = self.columns["aliases"]
        folded_text = fold(text)
        entities.append(entity)
        texts.append(text)
        folded.append(folded_text)
        sources.append(source)
        counts.append(count)

    def type(self, entity: str, class_: str) -> None:
        entities, classes = self.columns["types"]
        entities.append(entity)
        classes.append(class_)

    def subclass(self, class_: str, parent: str) -> None:
        classes, parents = self.columns["subclasses"]
        classes.append(class_)
        parents.append(parent)

    def relation(
        self, id_: str, label: str | None, description: str | None = None, preference: int = 0
    ) -> None:
        ids, labels, descriptions, ranks = self.columns["relations"]
        ids.append(id_)
        labels.append(label or None)
        descriptions.append(description or None)
        ranks.append(self.rank + preference)

    def relation_alias(self, id_: str, text: str) -> None:
        ids, texts = self.columns["relation_aliases"]
        ids.append(id_)
        texts.append(text)

    def fact(self, subject: str, relation: str, object_: str) -> None:
        subjects, relations, objects = self.columns["facts"]
        subjects.append(subject)
        relations.append(relation)
        objects.append(object_)

    def value(self, subject: str, relation: str, row: ValueRow) -> None:
        subjects, relations, texts, kinds, dimensions, lows, highs = self.columns["values"]
        subjects.append(subject)
        relations.append(relation)
        texts.append(row[0])
        kinds.append(row[1])
        dimensions.append(row[2])
        lows.append(row[3])
        highs.append(row[4])

    def cell(self, subject: str, relation: str, text: str) -> None:
        subjects, relations, texts = self.columns["cells"]
        subjects.append(subject)
        relations.append(relation)
        texts.append(text)

    def count(self, table: str) -> int:
        return len(self.columns[table][0])

    def mark(self) -> list[int]:
        """The current length of every table, for `restore`."""
        return [len(columns[0]) for columns in self.columns.values()]

    def restore(self, mark: list[int]) -> None:
        """Remove the rows added since the mark, so that a bad entry leaves nothing behind."""
        for lists, length in zip(self.columns.values(), mark, strict=True):
            for column in lists:
                del column[length:]

    def write(self, folder: Path, part: int = 0) -> None:
        """Write every table that has rows as `folder/TABLE-PART.parquet`."""
        from rollcall.tables.files import write_scratch

        for table in self.columns:
            if self.count(table):
                path = folder / f"{table}-{part}.parquet"
                write_scratch(self.arrow(table), path, repetitive=_REPETITIVE)

    def arrow(self, table: str) -> "pa.Table":
        declared = SHARD_TABLES[table]
        return arrow(declared, dict(zip(columns(declared), self.columns[table], strict=True)))
