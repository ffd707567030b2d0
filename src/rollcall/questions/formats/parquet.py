"""The columns of `jsonl` as Parquet, which is small and which dataset libraries read directly.

Rows are written in groups, so that a set may be larger than memory. Reading needs no code of its own: the
rows of any Parquet file are recognised like those of any other file.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from rollcall.questions.formats import FORMATS, QuestionFormat
from rollcall.questions.formats.flat import flatten
from rollcall.questions.record import Question
from rollcall.tables.questions import Questions
from rollcall.tables.table import declaration, schema

ENDING = ".parquet"


@FORMATS.register("parquet")
class Parquet(QuestionFormat):
    """The columns of `jsonl` as Parquet."""

    ending = ENDING

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        with RowWriter(path) as writer:
            writer.add(questions)


class RowWriter:
    """Writes a Parquet file of questions; as many rows as a row group has are in memory."""

    def __init__(self, path: Path) -> None:
        from rollcall.tables.writer import TableWriter

        self._file = TableWriter(Questions, path)
        self._rows: list[dict[str, object]] = []

    def add(self, questions: Iterable[Question]) -> None:
        for question in questions:
            self._rows.append(msgspec.to_builtins(flatten(question)))
            if len(self._rows) == declaration(Questions).rows_per_group:
                self._write()

    def _write(self) -> None:
        import pyarrow as pa

        self._file.append_batch(pa.RecordBatch.from_pylist(self._rows, schema=schema(Questions)))
        self._rows = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._write()
        self._file.__exit__(kind, error, trace)
