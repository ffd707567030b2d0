"""The columns of `jsonl` as Parquet, which is small and which dataset libraries read directly.

Rows are written in groups, so that a set may be larger than memory. Reading needs no code of its own: the
rows of any Parquet file are recognised like those of any other file.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import msgspec

from rollcall.questions.formats import FORMATS, QuestionFormat
from rollcall.questions.formats.flat import Row, flatten
from rollcall.questions.record import Question

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS = 2000
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
    """Writes a Parquet file of questions in groups of rows; the size of the groups is always the same."""

    def __init__(self, path: Path) -> None:
        import pyarrow.parquet as pq

        self._schema = _schema()
        self._file = pq.ParquetWriter(path, self._schema, compression="zstd", write_page_checksum=True)
        self._rows: list[dict[str, object]] = []
        self._written = False

    def add(self, questions: Iterable[Question]) -> None:
        for question in questions:
            self._rows.append(msgspec.to_builtins(flatten(question)))
            if len(self._rows) == _ROWS:
                self._write()

    def _write(self) -> None:
        import pyarrow as pa

        self._file.write_table(pa.Table.from_pylist(self._rows, schema=self._schema))
        self._rows, self._written = [], True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._rows or not self._written:
            self._write()
        self._file.close()


def _schema() -> "pa.Schema":
    import pyarrow as pa

    text, texts = pa.string(), pa.list_(pa.string())
    words = ("text", "title", "passage", "url", "fact")
    piece = pa.struct(
        [
            *((name, text) for name in words),
            *((name, pa.int64()) for name in ("start", "end")),
            ("score", pa.float64()),
        ]
    )
    answer = pa.struct([("id", text), ("label", text), ("aliases", texts), ("evidence", pa.list_(piece))])
    kinds: dict[str, pa.DataType] = {"wordings": texts, "relations": texts, "answers": pa.list_(answer)}
    return pa.schema([(name, kinds.get(name, text)) for name in Row.__struct_fields__])
