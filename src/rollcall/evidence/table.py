"""Expressions over the table of evidence that several steps share."""

from typing import TYPE_CHECKING

from rollcall.tables.corpus import Passages
from rollcall.tables.evidence import Evidence
from rollcall.tables.mining import ProvableFacts
from rollcall.tables.table import Rows, columns, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir

FACT = columns(ProvableFacts)


def evidence_table(name: str = "evidence") -> Rows[Evidence]:
    """The table of evidence that is registered in the engine under a name."""
    return unbound(Evidence, name)


def with_passages(rows: "ir.Table") -> Rows[Evidence]:
    """Sentences (`page`, `sentence`) with the passage that contains each; the engine must have `passages`."""
    passages = unbound(Passages).select("first", "last", at="page", passage="id")
    inside = (rows.page == passages.at) & (passages.first <= rows.sentence) & (rows.sentence <= passages.last)
    return shaped(Evidence, rows.left_join(passages, inside))
