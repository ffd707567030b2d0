"""A candidate: a sentence that may prove a fact. The search writes candidates, and verifiers score them.

`text` is the sentence and `before` the two sentences before it; together they are the premise. The places
where the sentence names the subject and the object are kept, because verifiers mask the names. A pronoun may
name the page's topic, or the sentence may leave it out; it then has no place.
"""

from collections.abc import Iterable
from itertools import pairwise, repeat
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

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
        what = f"the sentence “{self.text:.100}”" if self.before else "the text"
        if len(missing) == 1:
            return f"{what} does not name {missing[0]}"
        return f"{what} names neither {missing[0]}, nor {missing[1]}"


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
