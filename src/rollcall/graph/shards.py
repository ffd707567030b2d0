"""Shards: the rows from one block of a source, as small Parquet files that are merged at the end.

A reader only appends plain strings to the lists of a `Shard`. Order, duplicates and conflicts between sources
are resolved later, for all shards at once.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollcall.english.folding import fold
from rollcall.query.values import Date, Number, Point, Text, Value
from rollcall.tables.graph import SHARD_TABLES
from rollcall.tables.table import arrow, columns

if TYPE_CHECKING:
    import pyarrow as pa

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


class Shard:
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
        from rollcall.tables.writer import write_scratch

        for table in self.columns:
            if self.count(table):
                path = folder / f"{table}-{part}.parquet"
                write_scratch(self.arrow(table), path, repetitive=_REPETITIVE)

    def arrow(self, table: str) -> "pa.Table":
        declared = SHARD_TABLES[table]
        return arrow(declared, dict(zip(columns(declared), self.columns[table], strict=True)))
