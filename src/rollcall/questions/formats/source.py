"""Questions or predictions before their format is known: their content, shape and first record.

The published sets are JSON lines, one JSON array, one JSON object, a table with tabs, CSV or Parquet, in any
compression. A format recognises its own files by the first record. Rows given by a script are handled in the
same way, so a list of dicts and a file of them mean the same.
"""

import ast
import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

import msgspec

from rollcall._core.errors import UNREADABLE, RollcallError, why
from rollcall._core.files import file_names, open_compressed
from rollcall.input_files.arrow_file import PARQUET, parquet_rows
from rollcall.input_files.rows import SEPARATORS, Quoting, rows_of
from rollcall.questions.question_set import encode_lines
from rollcall.questions.record import Answer, Question
from rollcall.text.nouns import counted
from rollcall.text.words import fold

if TYPE_CHECKING:
    from rollcall.corpus import Corpus
    from rollcall.questions.run import Run


# Cells with several answers, which are separated by semicolons. A list that this would not give back
# as it was (a name has a semicolon, or two answers have the same name) is written as a JSON list, and both
# are read.

BETWEEN = "; "
_SEPARATOR = ";"


def answers_cell(answers: Sequence[Answer]) -> str:
    """The labels of answers as one cell; ids are needed only where two answers have one name."""
    labels = [answer.label for answer in answers]
    names = [fold(label) for label in labels]
    expected: list[object] = [
        {"id": answer.id, "label": answer.label}
        if answer.id is not None and (names.count(name) > 1 or not name)
        else answer.label
        for answer, name in zip(answers, names, strict=True)
    ]
    cell = BETWEEN.join(labels)
    return cell if answers_of(cell) == expected else msgspec.json.encode(expected).decode()


def answers_of(cell: str) -> list[object]:
    """The answers of one cell: a list as JSON or Python writes it, or names between semicolons."""
    if cell.lstrip().startswith("["):
        for read in (msgspec.json.decode, ast.literal_eval):
            try:
                listed = read(cell.strip())
            except (*UNREADABLE, ValueError, SyntaxError, TypeError, MemoryError):
                continue
            if isinstance(listed, list):
                return listed
    return [name for part in cell.split(_SEPARATOR) if (name := part.strip())]


# The keys, and names of columns, under which people keep predictions.

ID_KEYS = (
    *("id", "qid", "question_id", "QuestionId", "instance_id", "example_id"),
    *("question", "question_text", "query", "query_text", "problem"),
)
"""Possible keys of a prediction's question, best first."""
_SAID = (
    *("predictions", "prediction", "pred_answers", "pred", "fid_pred", "output"),
    *("model_outputs", "response", "llm_response"),
)
SAID_KEYS = frozenset(_SAID)
"""Keys that are used only for a system's answers."""
ANSWER_KEYS = (*_SAID, "answers", "answer")
"""Possible keys of the answers, best first: beside `prediction`, `answers` would be the gold ones."""


# Reads the rows of CSV files, and of those with tabs or semicolons, whose first line names known
# columns.

_QUESTION_COLUMNS = {"problem", "question", "query", "question_text"}
"""A first line with one of these names and commas is the head of a CSV file of questions."""
_LONGEST_HEAD = 1 << 16
_LONGEST_CELL = 1 << 17
_ID_COLUMNS = {key.lower() for key in ID_KEYS}
_ANSWER_COLUMNS = {key.lower() for key in ANSWER_KEYS}


def separator_of_head(line: bytes) -> str | None:
    """What separates the names of a first line; nothing if it does not name known columns."""
    for separator in SEPARATORS:
        names = _names(line, separator)
        if names & _ID_COLUMNS and names & _ANSWER_COLUMNS:
            return separator
    return "," if b"\t" not in line and _names(line, ",") & _QUESTION_COLUMNS else None


def _names(line: bytes, separator: str) -> set[str]:
    text = line[:_LONGEST_HEAD].decode("utf-8", "replace")
    try:
        names = next(csv.reader([text], delimiter=separator), [])
    except csv.Error:  # a field longer than any name of a column
        return set()
    return {name.strip().lower() for name in names} if len(names) > 1 else set()


def rows(path: Path, data: bytes, separator: str) -> Iterator[dict[str, str]]:
    """The rows under the names of the first line."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RollcallError(f"{path}: is not a CSV file ({why(error)})") from None
    quoting, head = _quoting(text, separator), list[str]()
    for line, row, problem in rows_of(text, separator, quoting=quoting, longest=_LONGEST_CELL):
        if problem:
            raise RollcallError(f"{path}:{line}: {problem}")
        if not head:
            head = row
        elif len(row) > len(head):
            raise RollcallError(
                f"{path}:{line}: has {counted(len(row), 'cell')}, and the first line has {len(head)}"
            )
        else:
            yield dict(zip(head, [*row, *[""] * (len(head) - len(row))], strict=True))


def _quoting(text: str, separator: str) -> Quoting:
    """Whether quotation marks enclose cells: files with tabs often have them as they stand in names."""
    if separator == "\t":
        try:
            for _ in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True):
                pass
        except csv.Error:
            return csv.QUOTE_NONE
    return csv.QUOTE_MINIMAL


Shape = Literal["lines", "array", "object", "table"]
Record = TypeVar("Record")

WRAPPERS = ("data", "Data", "questions", "results")
"""Keys of the list of records in some published files."""
_RECORD_KEYS = {"id", "qid", "question", "question_text", "instance_id", "query", "problem"}
"""Keys by which an object is one record of a file of lines."""

_TREC_COLUMNS = (4, 6)
"""How many words the lines of TREC's judgments and runs have, which may be separated by spaces."""
_TREC_SECOND = (b"Q0", b"0")
"""The second word of these lines, which TREC's tools ignore."""


class Source(NamedTuple):
    """Content with its shape; `first` is its first record, or the whole of a single object."""

    where: str
    """The file, or a name for data given by a script; messages begin with it."""
    data: bytes
    shape: Shape
    first: object
    of_cells: bool = False
    """Whether it is a text file with named columns, so that a list may be written as one text."""

    @property
    def record(self) -> dict[str, object]:
        """The first record; empty if the first value is not a record."""
        return self.first if isinstance(self.first, dict) and self.shape in ("lines", "array") else {}

    def records(self, kind: type[Record]) -> Iterator[Record]:
        """All records as the given type; an error names the line or the record."""
        if self.shape == "lines":
            return self._lines(msgspec.json.Decoder(kind))
        try:
            return iter(msgspec.json.decode(self.data, type=list[kind]))  # type: ignore[valid-type]
        except UNREADABLE as error:
            raise RollcallError(self._first_bad(msgspec.json.Decoder(kind), why(error))) from error

    def _lines(self, decoder: msgspec.json.Decoder[Record]) -> Iterator[Record]:
        for number, line in enumerate(io.BytesIO(self.data), 1):
            try:
                if not line.isspace():
                    yield decoder.decode(line)
            except UNREADABLE as error:
                raise RollcallError(f"{self.where}:{number}: {why(error)}") from error

    def _first_bad(self, decoder: msgspec.json.Decoder[Record], otherwise: str) -> str:
        """The number of the record in an array that is not valid."""
        try:
            for number, raw in enumerate(msgspec.json.decode(self.data, type=list[msgspec.Raw]), 1):
                try:
                    decoder.decode(raw)
                except UNREADABLE as error:
                    return f"{self.where}: record {number}: {why(error)}"
        except UNREADABLE:
            pass
        return f"{self.where}: {otherwise}"


def load(path: Path) -> Source:
    """Read a file and find its shape; a list inside an object is taken out of it."""
    data = _read(path)
    opening = data[:1] if not data[:1].isspace() else data.lstrip()[:1]
    if data.startswith(PARQUET):
        return rows_source(parquet_rows(data, path), str(path))
    if opening == b"[":
        return _array(path, data)
    if opening == b"{":
        return unwrapped(_object_or_lines(path, data))
    line = data.lstrip(b"\r\n").split(b"\n", 1)[0]
    if (separator := separator_of_head(line)) is not None:
        return rows_source(rows(path, data, separator), str(path))._replace(of_cells=True)
    if b"\t" in line:
        return Source(str(path), data, "table", line.decode("utf-8", "replace"))
    if len(line.split()) in _TREC_COLUMNS and line.split()[1].upper() in _TREC_SECOND:
        return Source(str(path), data, "table", line.decode("utf-8", "replace"))
    begins = line[:40].decode("utf-8", "replace")
    raise RollcallError(
        f"{path}: neither JSON, JSON lines, Parquet, CSV nor a table with tabs (it begins with {begins!r}); "
        "the first line of a CSV file names its columns, such as id,answers or id,question,answers"
    )


def rows_source(records: Iterable[object], where: str) -> Source:
    """Rows of Python values, such as those of a data frame, as a source.

    Tables have every column in every row, so a missing value counts as a missing key.
    """
    plain: list[object] = []
    first: object = None
    encoder = msgspec.json.Encoder(enc_hook=_plain)
    for number, row in enumerate(records, 1):
        if not isinstance(row, Mapping):
            raise RollcallError(f"{where}: record {number} is a {type(row).__name__}, not a dict")
        try:
            built = msgspec.json.decode(encoder.encode({str(key): value for key, value in row.items()}))
        except (TypeError, ValueError, RecursionError, OverflowError) as error:
            raise RollcallError(f"{where}: record {number}: {why(error)}") from None
        first = built if number == 1 else first
        kept = _without_missing(built)
        if isinstance(kept, dict) and isinstance(kept.get("id"), int):
            kept["id"] = str(kept["id"])  # a column of numbers gives numbers
        plain.append(kept)
    return Source(where, msgspec.json.encode(plain), "array", first)


def _plain(value: object) -> object:
    """Convert a value that JSON does not have to one that it has: arrays of other libraries, any iterable."""
    if isinstance(value, msgspec.Struct):
        return msgspec.to_builtins(value)
    if isinstance(value, Mapping):
        return {str(key): item for key, item in value.items()}
    listed = getattr(value, "tolist", None)
    if callable(listed):
        return listed()
    if isinstance(value, Iterable):
        return list(value)
    raise TypeError(f"a value of the type {type(value).__name__} cannot be written as JSON")


def _without_missing(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_missing(item) for key, item in value.items() if item is not None}
    return [_without_missing(item) for item in value] if isinstance(value, list) else value


def _read(path: Path) -> bytes:
    with open_compressed(path) as stream:
        data = stream.read()
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    if not data or data.isspace():
        raise RollcallError(f"{path}: is empty")
    return data


def _array(path: Path, data: bytes) -> Source:
    try:
        raw = msgspec.json.decode(data, type=list[msgspec.Raw])
        first = msgspec.json.decode(raw[0]) if raw else None
    except UNREADABLE as error:
        raise RollcallError(f"{path}: not JSON ({why(error)})") from error
    return Source(str(path), data, "array", first)


def _object_or_lines(path: Path, data: bytes) -> Source:
    line = next(line for line in io.BytesIO(data) if not line.isspace())
    try:
        first = msgspec.json.decode(line)
    except UNREADABLE as error:
        return _object(path, data, why(error))
    end = data.index(line) + len(line)
    if _has_more(data, end) or _RECORD_KEYS & first.keys():
        return Source(str(path), data, "lines", first)
    return Source(str(path), data, "object", first)


def _has_more(data: bytes, end: int) -> bool:
    """Whether anything but white space follows `end`; reads no further than necessary."""
    return bool(data[end : end + 4096].strip()) or bool(data[end + 4096 :].strip())


def _object(path: Path, data: bytes, first_line_error: str) -> Source:
    try:
        return Source(str(path), data, "object", msgspec.json.decode(data))
    except UNREADABLE:
        raise RollcallError(f"{path}:1: not JSON ({first_line_error})") from None


def unwrapped(source: Source) -> Source:
    """The list inside an object such as `{"data": […]}`, as a source of its own."""
    if source.shape == "object" and isinstance(source.first, dict):
        for key in WRAPPERS:
            inside = source.first.get(key)
            if isinstance(inside, list) and inside and isinstance(inside[0], dict):
                return Source(source.where, msgspec.json.encode(inside), "array", inside[0])
    return source


# Writes records to files: as lines, or as one array.


def write_lines(records: Iterable[object], path: Path) -> None:
    """Write one record on each line."""
    with path.open("wb") as stream:
        stream.writelines(encode_lines(records))


def write_array(records: list[dict[str, object]], path: Path) -> None:
    """Write all records in one array."""
    path.write_bytes(msgspec.json.encode(records) + b"\n")


# What is exported, and the files that it becomes. A format says which files its folder has and how each
# is written; `rollcall.questions.exporting` puts them in their places together. So tools that want a
# folder of several files need no code of their own for that.

UNSPLIT = "all"


@dataclass
class ExportSource:
    """The questions of an export, and what is exported with them."""

    questions: list[Question]
    name: str = "questions"
    """What the export is called, for tools whose datasets and tasks have names."""
    run: "Run | None" = None
    corpus: "Corpus | None" = None

    @cached_property
    def splits(self) -> dict[str, list[Question]]:
        """The questions of each split."""
        by_split: dict[str, list[Question]] = {}
        for question in self.questions:
            by_split.setdefault(question.split or UNSPLIT, []).append(question)
        return {split: by_split[split] for split in sorted(by_split)}

    @cached_property
    def split_names(self) -> dict[str, str]:
        """The name of each split as part of a file name."""
        return file_names(self.splits)


class ExportedFile(NamedTuple):
    """One file of an export, by its place in the folder."""

    name: str
    write: Callable[[Path], None]
    number: int | None = None
    """The number of things in it, if it is known."""
    holds: str = "questions"
    split: str | None = None
    """The split whose questions it has, if it has those of one."""


def split_files(
    material: ExportSource, ending: str, write: Callable[[Sequence[Question], Path], None]
) -> list[ExportedFile]:
    """One file for each split."""
    return [
        ExportedFile(
            f"{material.split_names[split]}{ending}",
            lambda path, members=members: write(members, path),  # type: ignore[misc]
            len(members),
            split=split,
        )
        for split, members in material.splits.items()
    ]


def text_file(name: str, text: str) -> ExportedFile:
    """A file with this text."""
    return ExportedFile(name, lambda path: _write_text(path, text))


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
