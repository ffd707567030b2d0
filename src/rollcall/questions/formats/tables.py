"""Questions as plain tables: CSV for spreadsheets, Markdown for a page.

Both show each question with the labels of its answers. The CSV file has all names of every answer in a column
of their own, so that it can be read again; a Markdown table is for people alone.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path

import msgspec

from rollcall._core.errors import UNREADABLE, RollcallError, why
from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.source import BETWEEN, Source, answers_cell
from rollcall.questions.record import Answer, NeutralAnswer, Question
from rollcall.report.csv import csv_lines, text_of_cell
from rollcall.report.markdown import inline

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
