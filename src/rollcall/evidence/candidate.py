"""A sentence that may prove a fact: what is found on a page, and what every verifier judges.

`text` is the sentence and `before` its two predecessors; together they are the premise. The places where the
sentence names the subject and the object are kept, because verifiers mask the names; the page's topic may be
named by a pronoun or not at all, and then has no place.
"""

from typing import Any

import msgspec


class Candidate(msgspec.Struct, frozen=True):
    """One fact and one sentence that names its two ends; `side` is the end whose page it stands on."""

    subject: str
    relation: str
    object: str
    text: str
    literal: bool = False
    side: str = "subject"
    before: str = ""
    subject_name: str = ""
    object_name: str = ""
    subject_places: tuple[tuple[int, int], ...] = ()
    object_places: tuple[tuple[int, int], ...] = ()
    page: str = ""
    sentence: int = 0
    start: int = 0
    end: int = 0
    name: str = ""
    hypothesis: str = ""

    @property
    def premise(self) -> str:
        """The sentence with its two predecessors."""
        return f"{self.before} {self.text}" if self.before else self.text


COLUMNS = (
    *("subject", "relation", "object", "literal", "side", "page", "sentence", "start", "end", "name", "text"),
    *("before", "subject_name", "object_name", "subject_places", "object_places"),
)


def candidate_schema() -> Any:
    """The columns of the candidates that a search writes."""
    import pyarrow as pa

    kinds: dict[str, Any] = {
        "literal": pa.bool_(),
        "sentence": pa.int32(),
        "start": pa.int64(),
        "end": pa.int64(),
    }
    kinds |= dict.fromkeys(("subject_places", "object_places"), pa.list_(pa.int32()))
    return pa.schema([(name, kinds.get(name, pa.string())) for name in COLUMNS])


def from_batch(batch: Any) -> list[Candidate]:
    """The candidates of an Arrow record batch or table."""
    names = [name for name in candidate_schema().names if name in batch.schema.names]
    columns = []
    for name in names:
        values = batch.column(name).to_pylist()
        if name.endswith("_places"):
            values = [tuple(zip(edges[::2], edges[1::2], strict=True)) for edges in values]
        columns.append(values)
    return [Candidate(**dict(zip(names, row, strict=True))) for row in zip(*columns, strict=True)]
