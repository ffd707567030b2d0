"""Published benchmarks for agents that search the web.

- `DeepSearchQa`, `FanOutQa`, `Monaco`: questions with a list of answers.
- `WideSearch`: tasks whose answer is a whole table; `GoldTable` has it, and `TableRules` say how it is
  scored.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from rollcall._core.errors import UNREADABLE, RollcallError, why
from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.source import Source
from rollcall.questions.record import Answer, Characteristic, Question, text_items

# DeepSearchQA's table: a problem, the answer as one text, and whether that is one answer or a set. The
# text of the answer is kept, because the published grader reads it; its items become the answers. Without
# an id the problem is the id.

DEEPSEARCHQA = "deepsearchqa"
SET = "Set Answer"


class DeepSearchQaRecord(msgspec.Struct):
    problem: str
    answer: str | int | float = ""
    answer_type: str = ""
    problem_category: str | None = None
    example_id: str | int | None = None


@FORMATS.register(DEEPSEARCHQA)
class DeepSearchQa(QuestionFormat):
    """DeepSearchQA: problems with one answer or a set of them, written as one text."""

    text_key = "problem"

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return {"problem", "answer", "answer_type"} <= source.record.keys()

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        return map(_question, source.records(DeepSearchQaRecord))


def _question(example: DeepSearchQaRecord) -> Question:
    text = str(example.answer).strip()
    items = text_items(text) if example.answer_type == SET else [text] if text else []
    return Question(
        id=example.problem if example.example_id is None else str(example.example_id),
        question=example.problem.strip(),
        kind=example.answer_type or None,
        characteristics={"category": example.problem_category} if example.problem_category else {},
        answers=[Answer(item) for item in items],
        provenance={"format": DEEPSEARCHQA, "answer": text, "answer_type": example.answer_type},
    )


# FanOutQA's JSON: questions whose answers are one value, a list of values, or an object of values by name.
# As its own scorer counts them, every value is an answer, and every key of an object, too; lists may be
# nested. True and false are "yes" and "no".


FANOUTQA = "fanoutqa"


class FanOutQaRecord(msgspec.Struct):
    id: str | int
    question: str = ""
    answer: Any = None
    answers: Any = None
    categories: list[str] = []
    decomposition: list[Any] = []
    necessary_evidence: list[Any] = []


@FORMATS.register(FANOUTQA)
class FanOutQa(QuestionFormat):
    """FanOutQA: answers that are values, lists of values, or objects, whose keys are answers, too."""

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return {"question", "necessary_evidence"} <= source.record.keys()

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        return map(_fanoutqa_question, source.records(FanOutQaRecord))


def _fanoutqa_question(example: FanOutQaRecord) -> Question:
    name_lists = [
        _names(value) for value in _values(example.answers if example.answer is None else example.answer)
    ]
    answers = {names[0]: Answer(names[0], aliases=names[1:]) for names in name_lists if names[0]}
    characteristics: dict[str, Characteristic] = {"steps": len(example.decomposition)}
    if example.categories:
        characteristics["categories"] = example.categories
    kept = {"decomposition": example.decomposition, "necessary_evidence": example.necessary_evidence}
    return Question(
        id=str(example.id),
        question=example.question,
        kind="list" if len(answers) > 1 else "single",
        characteristics=characteristics,
        answers=list(answers.values()),
        provenance={"format": FANOUTQA, **{name: value for name, value in kept.items() if value}},
    )


def _values(answer: object) -> Iterator[str | int | float | bool]:
    """The values in an answer of any shape."""
    if isinstance(answer, dict):
        for key, value in answer.items():
            yield str(key)
            yield from _values(value)
    elif isinstance(answer, list):
        for value in answer:
            yield from _values(value)
    elif isinstance(answer, str | int | float):
        yield answer


def _names(value: str | int | float | bool) -> list[str]:
    """How a value is written; a prediction may have its JSON as well."""
    if isinstance(value, bool):
        return ["yes" if value else "no", str(value)]
    if isinstance(value, float) and value.is_integer():
        return [str(value), str(int(value))]
    return [str(value).strip()]


# MoNaCo's release: questions with their decompositions and validated answers. The file is one object from
# questions to records, or lines of them. A validated answer is a value, or a row of several values that
# belong together; the question itself is the id.


MONACO = "monaco"
BETWEEN_VALUES = " - "
"""What stands between the values of a row, in the name of the answer."""
Value = str | int | float | bool | None


class MonacoRecord(msgspec.Struct):
    question: str
    validated_answer: list[list[Value] | Value] | Value = []
    ex_num: str | int | None = None
    decomposition: list[str] = []


@FORMATS.register(MONACO)
class Monaco(QuestionFormat):
    """MoNaCo: natural, time-consuming questions; an answer is a value or a row of values."""

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return "validated_answer" in (source.record or _first_inside(source))

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterator[Question]:
        if source.shape != "object":
            yield from map(_monaco_question, source.records(MonacoRecord))
            return
        try:
            records = msgspec.json.decode(source.data, type=dict[str, MonacoRecord])
        except UNREADABLE as error:
            raise RollcallError(f"{source.where}: {why(error)}") from error
        yield from map(_monaco_question, records.values())


def _first_inside(source: Source) -> dict[str, Any]:
    """The first record of an object of records."""
    whole = source.first if source.shape == "object" and isinstance(source.first, dict) else {}
    first = next(iter(whole.values()), None)
    return first if isinstance(first, dict) else {}


def _monaco_question(example: MonacoRecord) -> Question:
    validated = example.validated_answer
    listed = validated if isinstance(validated, list) else [] if validated is None else [validated]
    number = {} if example.ex_num is None else {"ex_num": example.ex_num}
    steps: dict[str, object] = {"decomposition": example.decomposition} if example.decomposition else {}
    return Question(
        id=example.question,
        question=example.question,
        kind="list" if len(listed) > 1 else "single",
        characteristics={"steps": len(example.decomposition)} if example.decomposition else {},
        answers=[Answer(label) for label in map(_label, listed) if label],
        provenance={"format": MONACO, **number, **steps},
    )


def _label(answer: list[Value] | Value) -> str:
    values = answer if isinstance(answer, list) else [answer]
    return BETWEEN_VALUES.join(str(value) for value in values if value is not None)


# WideSearch's tasks: a query whose answer is a table, with the rules by which each column is compared.
#
# The tasks are JSON lines; the gold tables are CSV files in a folder beside them, one for each task. Rows are
# the answers, named by their key columns; the table and its rules are kept with the question.

WIDESEARCH = "widesearch"
GOLD = "widesearch_gold"
"""The folder of the gold tables, beside the file of tasks."""
BETWEEN_CELLS = " | "
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


@FORMATS.register(WIDESEARCH)
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
                yield _wide_question(example, Path(source.where).parent / GOLD)
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


def _wide_question(example: WideSearchRecord, folder: Path) -> Question:
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
        answers=[Answer(BETWEEN_CELLS.join(row[key] for key in keys)) for row in table.rows],
        provenance={
            "format": WIDESEARCH,
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
