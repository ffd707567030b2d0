"""WideSearch's tasks: a query whose answer is a table, with the rules by which each column is compared.

The tasks are JSON lines; the gold tables are CSV files in a folder beside them, one for each task. Rows are
the answers, named by their key columns; the table and its rules are kept with the question.
"""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from rollcall._core.errors import UNREADABLE, RollcallError, why
from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.source import Source
from rollcall.questions.record import Answer, Question

NAME = "widesearch"
GOLD = "widesearch_gold"
"""The folder of the gold tables, beside the file of tasks."""
BETWEEN = " | "
"""What stands between the key cells of a row, in the name of the answer."""


class ColumnRules(msgspec.Struct, omit_defaults=True):
    """How the cells of one column are prepared and compared."""

    preprocess: list[str] = []
    metric: list[str] = []
    criterion: str | float | None = None


class TableRules(msgspec.Struct, omit_defaults=True):
    """How a table is compared: its columns, those that identify a row, and the rules of each column."""

    required: list[str]
    unique_columns: list[str]
    eval_pipeline: dict[str, ColumnRules] = {}


class GoldTable(msgspec.Struct):
    """A table as its file has it: no cell is read as a number yet."""

    columns: list[str]
    rows: list[list[str]]


class WideTask(msgspec.Struct):
    """What a question's provenance has of its task."""

    evaluation: TableRules
    table: GoldTable


class WideSearchRecord(msgspec.Struct):
    instance_id: str
    query: str
    evaluation: TableRules | str
    language: str | None = None
    answer: str | None = None
    """The gold table as CSV, where the record itself has it."""


@FORMATS.register(NAME)
class WideSearch(QuestionFormat):
    """WideSearch: queries that are answered by a table, compared cell by cell."""

    text_key = "query"

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return {"instance_id", "query", "evaluation"} <= source.record.keys()

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterator[Question]:
        for example in source.records(WideSearchRecord):
            try:
                yield _question(example, Path(source.where).parent / GOLD)
            except (ValueError, csv.Error, *UNREADABLE) as error:
                raise RollcallError(f"{source.where}: {example.instance_id!r:.80}: {why(error)}") from None


def task_of(question: Question) -> WideTask | None:
    """The gold table of a question and the rules for it; None for a question of another set."""
    known = {key: question.provenance.get(key) for key in ("evaluation", "table")}
    if None in known.values():
        return None
    try:
        task = msgspec.convert(known, WideTask)
    except msgspec.ValidationError:
        return None
    table = task.table
    whole = all(len(row) == len(table.columns) for row in table.rows)
    return task if whole and set(task.evaluation.required) <= set(table.columns) else None


def column_name(text: str) -> str:
    """A column's name as it is compared.

    >>> column_name(" Founded in ")
    'foundedin'
    """
    return text.strip().lower().replace(" ", "")


def _question(example: WideSearchRecord, folder: Path) -> Question:
    evaluation = example.evaluation
    rules = msgspec.json.decode(evaluation, type=TableRules) if isinstance(evaluation, str) else evaluation
    text = example.answer if example.answer is not None else _gold_text(example.instance_id, folder)
    table = _table(text, rules.required)
    keys = [table.columns.index(name) for name in rules.unique_columns if name in table.columns]
    about: dict[str, Any] = {} if example.language is None else {"language": example.language}
    return Question(
        id=example.instance_id,
        question=example.query,
        characteristics={**about, "columns": len(rules.required)},
        answers=[Answer(BETWEEN.join(row[key] for key in keys)) for row in table.rows],
        provenance={
            "format": NAME,
            "evaluation": msgspec.to_builtins(rules),
            "table": msgspec.to_builtins(table),
        },
    )


def _gold_text(identity: str, folder: Path) -> str:
    file = f"{identity}.csv"
    if Path(file).name != file or "\0" in file:
        raise ValueError("its id is not a file name, so its gold table cannot be found")
    if not (folder / file).is_file():
        raise ValueError(f"its gold table is missing; it is looked for at {folder / file}")
    return (folder / file).read_text(encoding="utf-8-sig")


def _table(text: str, required: list[str]) -> GoldTable:
    """The required columns of a table."""
    rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    if not rows:
        raise ValueError("its gold table is empty")
    columns = [column_name(name) for name in rows[0]]
    missing = [name for name in required if name not in columns]
    if missing:
        raise ValueError(
            f"its gold table lacks the column {missing[0]!r:.80}; it has {', '.join(columns):.200}"
        )
    indices = [columns.index(name) for name in required]
    return GoldTable(
        list(required), [[row[index] if index < len(row) else "" for index in indices] for row in rows[1:]]
    )
