"""The table of evidence: its columns, declared once for everything that writes or reads it.

The evidence for facts of the graph and for facts of lists, in every pipeline, has the same columns and types.
Rows are sorted by fact and rank, and the bytes of a file depend only on the rows.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import ibis

from rollcall.engine import Workbench
from rollcall.mine.layout import TABLES
from rollcall.mine.mining import SortedFile

if TYPE_CHECKING:
    import ibis.expr.types as ir

FACT = tuple(TABLES["facts"])
EVIDENCE = {
    **TABLES["facts"],
    "rank": "int32",
    "page": "string",
    "sentence": "int32",
    "start": "int64",
    "end": "int64",
    "passage": "string",
    "side": "string",
    "name": "string",
    "text": "string",
    "score": "float64",
    "validated": "boolean",
}
_PASSAGES = {"id": "string", "page": "string", "first": "int32", "last": "int32"}


def evidence_table(name: str = "evidence") -> "ir.Table":
    """The table of evidence that is registered in the engine under a name."""
    return ibis.table(EVIDENCE, name=name)


def with_passages(rows: "ir.Table") -> "ir.Table":
    """Sentences (`page`, `sentence`) with the passage that contains each; the engine must have `passages`."""
    passages = ibis.table(_PASSAGES, name="passages").select("first", "last", at="page", passage="id")
    inside = (rows.page == passages.at) & (passages.first <= rows.sentence) & (rows.sentence <= passages.last)
    return rows.left_join(passages, inside).select(*EVIDENCE)


def write_evidence(bench: Workbench, query: "Callable[[], ir.Table]", path: Path) -> int:
    """Write rows of evidence, sorted, to a Parquet file; returns their number."""
    with SortedFile(path, EVIDENCE) as file:
        for batch in bench.stream(lambda: query().select(*EVIDENCE).order_by(*EVIDENCE)):
            file.append(*batch.columns)
    return file.rows
