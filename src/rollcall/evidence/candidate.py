"""A candidate: a sentence that may prove a fact. The search writes candidates, and verifiers score them.

`text` is the sentence and `before` the two sentences before it; together they are the premise. The places
where the sentence names the subject and the object are kept, because verifiers mask the names. A pronoun may
name the page's topic, or the sentence may leave it out; it then has no place.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pyarrow as pa

from rollcall.tables.build import EvidenceRows, ProvableFacts
from rollcall.tables.corpus import Passages
from rollcall.tables.engine import InOrder, Query, Workbench
from rollcall.tables.table import DeclaredTable, Rows, columns, declaration, schema, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir


_DEFINITION = re.compile(r" (?:is|are|was|were) an? ")
_PRONOUN = re.compile(
    r"\b(?:it|its|he|him|his|she|her|they|them|their|this|these|who|whom|whose)\b", re.IGNORECASE
)
Places = tuple[tuple[int, int], ...]


class CandidateSentence(msgspec.Struct, frozen=True):
    """One fact and one sentence that names its two ends.

    `side` is the end whose page has the sentence, `subject` or `object`, or `neither`.
    """

    subject: str
    relation: str
    object: str
    text: str
    literal: bool = False
    side: str = "subject"
    before: str = ""
    subject_name: str = ""
    object_name: str = ""
    subject_places: Places = ()
    object_places: Places = ()
    page: str = ""
    sentence: int = 0
    start: int = 0
    end: int = 0
    name: str = ""
    hypothesis: str = ""

    @property
    def premise(self) -> str:
        """The sentence with the two sentences before it."""
        return f"{self.before} {self.text}" if self.before else self.text

    @property
    def defines_other_end(self) -> bool:
        """Whether the sentence only says what the other end is: `Marl is a text editor`, on the page of Norr.

        The end that the page is about is neither named nor meant by a pronoun.
        """
        topic, other = self.subject_places, self.object_places
        if self.side == "object":
            topic, other = other, topic
        if self.literal or self.side == "neither" or topic or not other or other[0][0] > 0:
            return False
        return _DEFINITION.match(self.text, other[0][1]) is not None and not _PRONOUN.search(self.text)

    @property
    def unnamed(self) -> str:
        """Why the sentence cannot state the fact: an end that it does not name; empty if it names both.

        The end that its page is about is understood.
        """
        ends = (
            ("subject", self.subject_places, self.subject_name or self.subject),
            ("object", self.object_places, self.object_name or self.object),
        )
        missing = [f"the {side}, {name}" for side, places, name in ends if not places and self.side != side]
        if not missing:
            return ""
        description = f"the sentence “{self.text:.100}”" if self.before else "the text"
        if len(missing) == 1:
            return f"{description} does not name {missing[0]}"
        return f"{description} names neither {missing[0]}, nor {missing[1]}"


_PLACES = ("subject_places", "object_places")


def from_table(table: pa.Table) -> list[CandidateSentence]:
    """The candidates of a table that a search wrote, or of some of its columns."""
    columns: list[Iterable[Any]] = []
    for field in msgspec.structs.fields(CandidateSentence):
        if field.name not in table.schema.names:
            columns.append(repeat(field.default, table.num_rows))
        elif field.name in _PLACES:
            columns.append(_places(table.column(field.name).combine_chunks()))
        else:
            # Through NumPy, because this makes no Arrow scalar for each value.
            columns.append(table.column(field.name).to_numpy().tolist())
    return list(map(CandidateSentence, *columns))


def _places(edges: Any) -> list[Places]:
    """The places of each candidate, from lists of starts and ends in turn."""
    flat = edges.flatten().to_numpy().tolist()
    pairs = list(zip(flat[::2], flat[1::2], strict=True))
    ends = np.cumsum(edges.value_lengths().to_numpy() // 2).tolist()
    return [tuple(pairs[start:end]) for start, end in pairwise([0, *ends])]


# Expressions over the table of evidence that several steps share.

FACT = columns(ProvableFacts)


def evidence_table(name: str = "evidence") -> Rows[EvidenceRows]:
    """The table of evidence that is registered in the engine under a name."""
    return unbound(EvidenceRows, name)


def with_passages(rows: "ir.Table") -> Rows[EvidenceRows]:
    """Sentences (`page`, `sentence`) with the passage that contains each; the engine must have `passages`."""
    passages = unbound(Passages).select("first", "last", at="page", passage="id")
    inside = (rows.page == passages.at) & (passages.first <= rows.sentence) & (rows.sentence <= passages.last)
    return shaped(EvidenceRows, rows.left_join(passages, inside))


# Sorted tables that one step writes and the next reads once, in Arrow's own format. Parquet takes three
# times as long for them. No file is written for a table without rows.

_ROWS = 1 << 14
_COMPRESSED = pa.ipc.IpcWriteOptions(compression="lz4")


def arrow_file(table: type[DeclaredTable], folder: Path) -> Path:
    """The file of a table in a folder."""
    return folder / f"{declaration(table).name}.arrow"


def write_arrow(bench: Workbench, table: type[DeclaredTable], query: Query, folder: Path) -> int:
    """Write a result, sorted as declared; returns the number of rows."""
    writer, rows = None, 0
    for batch in bench.stream(InOrder(table, query), rows=_ROWS):
        writer = writer or pa.ipc.new_file(
            str(arrow_file(table, folder).absolute()), batch.schema, options=_COMPRESSED
        )
        writer.write_batch(batch)
        rows += batch.num_rows
    if writer is not None:
        writer.close()
    return rows


def read_arrow(table: type[DeclaredTable], folder: Path) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    """The schema of a file and its rows, in batches."""
    path = arrow_file(table, folder)
    if not path.exists():
        return schema(table), iter(())
    file = pa.ipc.open_file(pa.memory_map(str(path)))
    return file.schema, map(file.get_batch, range(file.num_record_batches))
