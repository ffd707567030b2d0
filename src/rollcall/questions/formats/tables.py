"""Questions as tables: CSV for spreadsheets, Markdown for a page, Parquet and flat JSON lines for libraries.

- `Csv`, `Markdown`: each question with the labels of its answers. CSV has all names of every answer in a
  column of their own, so that it can be read again; a Markdown table is for people alone.
- `Parquet`, `Flat`: rows of one shape (`ParquetRow`), from which questions are restored as they were.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec

from rollcall._core.errors import UNREADABLE, RollcallError, why
from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.source import BETWEEN, Source, answers_cell, write_lines
from rollcall.questions.record import (
    AddedAlias,
    Answer,
    AnswerProvenance,
    AnswerSource,
    Candidate,
    Characteristic,
    Evidence,
    NeutralAnswer,
    QueryRecord,
    Question,
)
from rollcall.report.csv import csv_lines, text_of_cell
from rollcall.report.markdown import inline
from rollcall.tables.build import Questions
from rollcall.tables.table import declaration, schema

_NAMES = "answer_names"
HEADS = (
    *("id", "question", "answers", "number_of_answers", "kind", "split", "cluster", _NAMES),
    *("neutral", "neutral_names"),
)


class _Row(msgspec.Struct):
    id: str
    question: str
    kind: str = ""
    split: str = ""
    cluster: str = ""
    answer_names: str = "[]"
    neutral_names: str = "[]"


class _Names(msgspec.Struct, array_like=True):
    """The names of one answer: its id, its label, and its aliases."""

    id: str | None
    label: str
    aliases: list[str] = []


@FORMATS.register("csv")
class Csv(QuestionFormat):
    """A table for spreadsheets: a row for each question, its answers in one cell."""

    split_in_name = False
    ending = ".csv"
    keeps_neutral = True

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return {"id", "question", _NAMES} <= source.record.keys()

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        return (_question(row, source.where) for row in source.records(_Row))

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        with path.open("w", encoding="utf-8", newline="") as stream:
            stream.writelines(csv_lines(chain([HEADS], map(_cells, questions))))


@FORMATS.register("markdown")
class Markdown(QuestionFormat):
    """A Markdown table of questions and their answers, for a page; neutral answers have a column if there
    are any.
    """

    ending = ".md"
    has_card = False
    keeps_neutral = True

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        with path.open("w", encoding="utf-8") as stream:
            names = [
                "question",
                "answers",
                *(["neutral"] if any(question.neutral for question in questions) else []),
                "kind",
            ]
            stream.write(f"| {' | '.join(names)} |\n|{'---|' * len(names)}\n")
            for question in questions:
                cells = {
                    "question": question.question,
                    "answers": BETWEEN.join(answer.label for answer in question.answers),
                    "neutral": BETWEEN.join(answer.label for answer in question.neutral),
                    "kind": question.kind or "",
                }
                stream.write(f"| {' | '.join(inline(cells[name]) for name in names)} |\n")


def _cells(question: Question) -> Sequence[str]:
    return (
        question.id,
        question.question,
        answers_cell(question.answers),
        str(len(question.answers)),
        question.kind or "",
        question.split or "",
        question.cluster or "",
        _names_cell(question.answers),
        answers_cell(question.neutral),
        _names_cell(question.neutral),
    )


def _names_cell(answers: Sequence[Answer]) -> str:
    names = [_Names(answer.id, answer.label, answer.aliases) for answer in answers]
    return msgspec.json.encode(names).decode()


def _names_of(row: _Row, column: str, where: str) -> list[_Names]:
    try:
        return msgspec.json.decode(getattr(row, column), type=list[_Names])
    except UNREADABLE as error:
        raise RollcallError(f"{where}: question {row.id!r:.80}: {column}: {why(error)}") from None


def _question(row: _Row, where: str) -> Question:
    names, neutral = (_names_of(row, column, where) for column in (_NAMES, "neutral_names"))
    cells = (row.id, row.question, row.kind, row.split, row.cluster)
    id_, text, kind, split, cluster = map(text_of_cell, cells)
    return Question(
        id=id_,
        question=text,
        kind=kind or None,
        split=split or None,
        cluster=cluster or None,
        answers=[Answer(answer.label, answer.id, answer.aliases) for answer in names],
        neutral=[NeutralAnswer(answer.label, answer.id, answer.aliases) for answer in neutral],
    )


# The columns of `jsonl` as Parquet, which is small and which dataset libraries read directly.
#
# Rows are written in groups, so that a set may be larger than memory. Reading needs no code of its own: the
# rows of any Parquet file are recognised like those of any other file.

# Questions as rows with a fixed set of columns, for tools that need every column in every row. Dataset
# libraries guess a column's type from the first rows. So every field is written in every row, and data
# without a fixed shape (the query's graph, characteristics, provenance) is written as a JSON string.
# Nothing is lost: the question can be restored from its row.

FLAT = "jsonl"
T = TypeVar("T")

_json = msgspec.json.Encoder(order="sorted")


class FlatEvidence(msgspec.Struct):
    """A piece of evidence; an unknown field is empty or below zero."""

    text: str
    title: str
    passage: str
    url: str
    start: int
    end: int
    score: float
    fact: str


class FlatAnswer(msgspec.Struct):
    id: str
    label: str
    aliases: list[str]
    evidence: list[FlatEvidence]
    sources: list[AnswerSource] = []


class FlatNeutral(FlatAnswer):
    unproved: str = ""
    nearest: list[FlatEvidence] = []
    """The sentence that comes nearest to stating this fact, if there is one."""


class More(msgspec.Struct, omit_defaults=True):
    """Fields that few questions have."""

    alternatives: list[list[Answer]] = []
    candidates: list[Candidate] = []
    added: list[list[AddedAlias]] = []
    """The provenance of added aliases, for each answer."""
    provenance: list[AnswerProvenance | None] = []
    """The provenance of each answer, if any has one."""
    neutral_added: list[list[AddedAlias]] = []
    neutral_provenance: list[AnswerProvenance | None] = []
    extended: list[Answer] = []
    searched: bool = False


class ParquetRow(msgspec.Struct, kw_only=True):
    """A question in which every field has one type."""

    id: str
    question: str
    kind: str
    split: str
    cluster: str
    wordings: list[str]
    relations: list[str]
    query_text: str
    query_graph: str
    query_sparql: str
    characteristics: str
    answers: list[FlatAnswer]
    neutral: list[FlatNeutral] = []
    more: str
    """As JSON: `More`."""
    provenance: str


def flatten(question: Question) -> ParquetRow:
    """The row of a question."""
    query = question.query or QueryRecord()
    relations = question.characteristics.get("relations")
    more = More(
        question.alternatives, question.candidates, extended=question.extended, searched=question.searched
    )
    more.added, more.provenance = _additions(question.answers)
    more.neutral_added, more.neutral_provenance = _additions(question.neutral)
    return ParquetRow(
        id=question.id,
        question=question.question,
        kind=question.kind or "",
        split=question.split or "",
        cluster=question.cluster or "",
        wordings=question.wordings,
        relations=list(relations) if isinstance(relations, list) else [],
        query_text=query.text,
        query_graph=_text(query.graph),
        query_sparql=query.sparql or "",
        characteristics=_text(question.characteristics),
        answers=[_answer(answer) for answer in question.answers],
        neutral=[_neutral(answer) for answer in question.neutral],
        more="" if more == More() else _text(more),
        provenance=_text(question.provenance),
    )


def restore(row: ParquetRow) -> Question:
    """The question of a row."""
    graph = msgspec.json.decode(row.query_graph) if row.query_graph else None
    query = QueryRecord(row.query_text, graph, row.query_sparql or None)
    more = _value(row.more, More) or More()
    answers = [_restored(answer) for answer in row.answers]
    _add(answers, more.added, more.provenance)
    neutral = [_restored_neutral(answer) for answer in row.neutral]
    _add(neutral, more.neutral_added, more.neutral_provenance)
    return Question(
        id=row.id,
        question=row.question,
        wordings=row.wordings,
        kind=row.kind or None,
        query=query if query != QueryRecord() else None,
        characteristics=_value(row.characteristics, dict[str, Characteristic]) or {},
        cluster=row.cluster or None,
        split=row.split or None,
        answers=answers,
        neutral=neutral,
        alternatives=more.alternatives,
        candidates=more.candidates,
        extended=more.extended,
        searched=more.searched,
        provenance=_value(row.provenance, dict[str, Any]) or {},
    )


def _additions(
    answers: Sequence[Answer],
) -> tuple[list[list[AddedAlias]], list[AnswerProvenance | None]]:
    """The added aliases and the provenance of answers; empty if none has any."""
    added = [answer.added for answer in answers] if any(answer.added for answer in answers) else []
    has_provenance = any(answer.provenance for answer in answers)
    return added, [answer.provenance for answer in answers] if has_provenance else []


def _add(
    answers: Sequence[Answer],
    added: Sequence[list[AddedAlias]],
    provenance: Sequence[AnswerProvenance | None],
) -> None:
    """Give answers their added aliases and their provenance again."""
    for answer, aliases in zip(answers, added, strict=False):
        answer.added = aliases
    for answer, origin in zip(answers, provenance, strict=False):
        answer.provenance = origin


@FORMATS.register(FLAT)
class Flat(QuestionFormat):
    """JSON lines with every column in every row; nothing of a question is lost."""

    split_in_name = False
    keeps_neutral = True

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return {"query_text", "query_graph", "answers"} <= source.record.keys()

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterator[Question]:
        for number, row in enumerate(source.records(ParquetRow), 1):
            try:
                yield restore(row)
            except UNREADABLE as error:
                raise RollcallError(f"{source.where}: row {number}: {why(error)}") from None

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        write_lines(map(flatten, questions), path)


def _answer(answer: Answer) -> FlatAnswer:
    evidence = [_flat_evidence(piece) for piece in answer.evidence]
    return FlatAnswer(answer.id or "", answer.label, answer.aliases, evidence, answer.sources)


def _neutral(answer: NeutralAnswer) -> FlatNeutral:
    nearest = [] if answer.nearest is None else [_flat_evidence(answer.nearest)]
    flat = _answer(answer)
    return FlatNeutral(
        flat.id, flat.label, flat.aliases, flat.evidence, flat.sources, answer.unproved, nearest
    )


def _flat_evidence(piece: Evidence) -> FlatEvidence:
    return FlatEvidence(
        text=piece.text,
        title=piece.title or "",
        passage=piece.passage or "",
        url=piece.url or "",
        start=-1 if piece.start is None else piece.start,
        end=-1 if piece.end is None else piece.end,
        score=-1.0 if piece.score is None else float(piece.score),
        fact=piece.fact or "",
    )


def _restored(answer: FlatAnswer) -> Answer:
    evidence = [_restored_evidence(piece) for piece in answer.evidence]
    return Answer(answer.label, answer.id or None, answer.aliases, evidence, sources=answer.sources)


def _restored_neutral(answer: FlatNeutral) -> NeutralAnswer:
    return NeutralAnswer(
        answer.label,
        answer.id or None,
        answer.aliases,
        [_restored_evidence(piece) for piece in answer.evidence],
        sources=answer.sources,
        unproved=answer.unproved,
        nearest=next(map(_restored_evidence, answer.nearest), None),
    )


def _restored_evidence(piece: FlatEvidence) -> Evidence:
    return Evidence(
        text=piece.text,
        title=piece.title or None,
        passage=piece.passage or None,
        url=piece.url or None,
        start=None if piece.start < 0 else piece.start,
        end=None if piece.end < 0 else piece.end,
        score=None if piece.score < 0 else piece.score,
        fact=piece.fact or None,
    )


def _text(value: object) -> str:
    return _json.encode(value).decode() if value else ""


def _value(text: str, kind: type[T]) -> T | None:
    return msgspec.json.decode(text, type=kind) if text else None


ENDING = ".parquet"


@FORMATS.register("parquet")
class Parquet(QuestionFormat):
    """The columns of `jsonl` as Parquet."""

    ending = ENDING
    keeps_neutral = True

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        with RowWriter(path) as writer:
            writer.add(questions)


class RowWriter:
    """Writes a Parquet file of questions; as many rows as a row group has are in memory."""

    def __init__(self, path: Path) -> None:
        from rollcall.tables.files import TableWriter

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
