"""Writing a question set for other tools: the published JSON of QAMPARI, GraphQuestions and RoMQA, lines,
Parquet.

Into a folder goes one file a split, as these sets are published; into a file goes everything. Other files in
the folder are left alone, so that splits may be exported one by one; the files take their places together,
when all are written.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec

from rollcall.errors import RollcallError
from rollcall.file_names import file_names
from rollcall.files import replacing
from rollcall.locks import sole_writer
from rollcall.nesting import UNREADABLE
from rollcall.questions.formats import flat, graphquestions_writing, qampari_writing, romqa_writing
from rollcall.questions.record import Question

FORMATS = ("qampari", "graphquestions", "romqa", "jsonl", "parquet")
_ARRAYS = {"graphquestions": graphquestions_writing.records, "romqa": romqa_writing.records}
_ROWS = 2000


def export(questions: Iterable[Question], format_: str, out: Path) -> list[tuple[Path, int]]:
    """Write questions in a format; returns the files with the number of questions in each."""
    if format_ not in FORMATS:
        raise RollcallError(f"--format {format_}: unknown; there are {', '.join(FORMATS)}")
    suffix = ".parquet" if format_ == "parquet" else ".json" if format_ in _ARRAYS else ".jsonl"
    write = _writer(format_)
    if out.suffix in (".jsonl", ".json", ".parquet"):
        if out.suffix != suffix:
            raise RollcallError(
                f"{out}: --format {format_} writes {suffix} files; name it so, or name a folder"
            )
        with replacing(out) as partial:
            return [(out, write(list(questions), partial))]
    splits: dict[str, list[Question]] = {}
    for question in questions:
        splits.setdefault(question.split or "all", []).append(question)
    ending = f"_data{suffix}" if format_ == "qampari" else suffix
    names = file_names(splits)
    with sole_writer(out), ExitStack() as files:
        if out.exists() and not out.is_dir():
            raise RollcallError(f"{out}: is a file; name a folder, or a file that ends in {suffix}")
        return [
            (path, write(members, files.enter_context(replacing(path))))
            for path, members in (
                (out / f"{names[split]}{ending}", splits[split]) for split in sorted(splits)
            )
        ]


def _writer(format_: str) -> Callable[[list[Question], Path], int]:
    if format_ == "parquet":
        return _write_parquet
    return _array_writer(format_) if format_ in _ARRAYS else _line_writer(format_)


def _array_writer(format_: str) -> Callable[[list[Question], Path], int]:
    def write(questions: list[Question], path: Path) -> int:
        path.write_bytes(msgspec.json.encode(_ARRAYS[format_](questions)) + b"\n")
        return len(questions)

    return write


def _line_writer(format_: str) -> Callable[[list[Question], Path], int]:
    record: Callable[[Question], Any] = qampari_writing.record if format_ == "qampari" else flat.flatten
    encoder = msgspec.json.Encoder()

    def write(questions: list[Question], path: Path) -> int:
        with path.open("wb") as stream:
            for question in questions:
                stream.write(encoder.encode(record(question)) + b"\n")
        return len(questions)

    return write


def _write_parquet(questions: list[Question], path: Path) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

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
    kinds: dict[str, Any] = {"wordings": texts, "relations": texts, "answers": pa.list_(answer)}
    schema = pa.schema([(name, kinds.get(name, text)) for name in flat.Row.__struct_fields__])
    with pq.ParquetWriter(path, schema, compression="zstd", write_page_checksum=True) as writer:
        for chunk in _chunks(questions):
            rows = [msgspec.to_builtins(flat.flatten(question)) for question in chunk]
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))
    return len(questions)


def _chunks(questions: list[Question]) -> Iterator[list[Question]]:
    for first in range(0, max(len(questions), 1), _ROWS):
        yield questions[first : first + _ROWS]


def read_parquet(path: Path) -> list[Question]:
    """Questions from a Parquet file that `export` wrote."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        rows = pq.read_table(path, page_checksum_verification=True).to_pylist()
        return flat.restored(msgspec.convert(rows, list[flat.Row]), str(path))
    except (pa.ArrowException, OSError, *UNREADABLE) as error:
        raise RollcallError(
            f"{path}: is not a Parquet file of questions as `rollcall export` writes it ({error})"
        ) from None
