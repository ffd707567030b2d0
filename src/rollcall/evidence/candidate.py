"""A candidate: a sentence that may prove a fact. The search writes candidates, and verifiers score them.

`text` is the sentence and `before` the two sentences before it; together they are the premise. The places
where the sentence names the subject and the object are kept, because verifiers mask the names. A pronoun may
name the page's topic, or the sentence may leave it out; it then has no place.
"""

from typing import Any

import msgspec
import pyarrow as pa

from rollcall.tables.evidence import Candidates
from rollcall.tables.table import columns

Places = tuple[tuple[int, int], ...]


class CandidateSentence(msgspec.Struct, frozen=True):
    """One fact and one sentence that names its two ends; `side` is the end whose page has the sentence."""

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


_PLACES = ("subject_places", "object_places")


def from_table(table: pa.Table) -> list[CandidateSentence]:
    """The candidates of a table that a search wrote, or of some of its columns."""
    names = [name for name in columns(Candidates) if name in table.schema.names]
    values_of = []
    for name in names:
        values: list[Any] = table.column(name).to_pylist()
        if name in _PLACES:
            values = [tuple(zip(edges[::2], edges[1::2], strict=True)) for edges in values]
        values_of.append(values)
    return [CandidateSentence(**dict(zip(names, row, strict=True))) for row in zip(*values_of, strict=True)]
