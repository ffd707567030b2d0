"""Questions and runs as scripts give them: the only module that knows all their forms.

Each may be a path, a Rollcall object, records, plain dicts, or a table of another library: a Hugging Face
`Dataset` (or several by split), a pandas or polars frame, an Arrow table. Tables are recognised by their
methods, so none of these libraries is imported. An error is one line that names the record.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import UnionType
from typing import TypeAlias

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.questions.formats import AnswersAs
from rollcall.questions.formats.predictions import KeyedPairs, from_record, of_id
from rollcall.questions.formats.source import ID_KEYS, Source, load, rows_source
from rollcall.questions.opening import holds_predictions, no_lists, read_questions, read_run, run_of, set_of
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Candidate, Evidence, NeutralAnswer, Question
from rollcall.questions.run import EntityAnswer, Passage, Prediction, Run

# Finds faults in records that were made by hand; their types are not checked when they are made. A
# string in place of a list would be scored letter by letter. So every field that scoring uses is
# checked, and a fault is described in one line.


def question_fault(question: object) -> str | None:
    """What is wrong with a question, in the fields that scoring uses."""
    if not isinstance(question, Question):
        return f"is {kind(question)}, not a Question"
    for name in ("kind", "cluster", "split"):
        if not isinstance(value := getattr(question, name), str | None):
            return f"has a {name} that is {kind(value)}, not a string"
    if not isinstance(question.id, str) or not isinstance(question.question, str):
        return f"has an id or a text that is not a string: {question.id!r:.80}"
    if not isinstance(question.characteristics, Mapping) or not isinstance(question.provenance, Mapping):
        return f"({question.id!r:.80}) has characteristics or a provenance that are not mappings"
    for name, value in question.characteristics.items():
        plain = isinstance(value, str | int | float | None) or _are(value, str)
        if not isinstance(name, str) or not plain:
            return f"({question.id!r:.80}) has a characteristic {name!r:.80} that is {kind(value)}"
    if not _are(question.alternatives, list | tuple):
        return f"({question.id!r:.80}) has alternatives that are not a list of lists of answers"
    for answers in (question.answers, *question.alternatives):
        if not _are(answers, Answer):
            return f"({question.id!r:.80}) has answers that are not a list of Answer"
    if not _are(question.candidates, Candidate):
        return f"({question.id!r:.80}) has candidates that are not a list of Candidate"
    if not _are(question.extended, Answer):
        return f"({question.id!r:.80}) has extended answers that are not a list of Answer"
    if not _are(question.neutral, NeutralAnswer):
        return f"({question.id!r:.80}) has neutral answers that are not a list of NeutralAnswer"
    named = (
        *question.answers,
        *question.neutral,
        *question.candidates,
        *question.extended,
        *(answer for other in question.alternatives for answer in other),
    )
    fault = next(filter(None, map(_answer_fault, named)), None)
    return None if fault is None else f"({question.id!r:.80}) {fault}"


def _answer_fault(answer: Answer) -> str | None:
    if not isinstance(answer.label, str) or not isinstance(answer.id, str | None):
        return f"has an answer whose label or id is not a string: {answer.label!r:.80}"
    if not _are(answer.aliases, str):
        return f"has an answer whose aliases are not a list of strings: {answer.label!r:.80}"
    if not _are(answer.evidence, Evidence) or not all(
        isinstance(piece.text, str) and isinstance(piece.passage, str | None) for piece in answer.evidence
    ):
        return f"has an answer whose evidence is not a list of Evidence: {answer.label!r:.80}"
    return None


def prediction_fault(prediction: Prediction) -> str | None:
    """What is wrong with a prediction."""
    if not isinstance(prediction.id, str):
        return f"has an id that is {kind(prediction.id)}, not a string"
    if not _are(prediction.answers, str | EntityAnswer) or not all(
        isinstance(answer, str) or (isinstance(answer.id, str) and isinstance(answer.label, str))
        for answer in prediction.answers
    ):
        return f"({prediction.id!r:.80}) has answers that are not a list of strings and entities"
    if not _are(prediction.retrieved, Passage) or not all(
        isinstance(text, str)
        for passage in prediction.retrieved
        for text in (passage.id, passage.title, passage.text)
    ):
        return f"({prediction.id!r:.80}) has retrieved passages that are not a list of Passage"
    if not isinstance(prediction.failure, str | None):
        return f"({prediction.id!r:.80}) has a failure that is {kind(prediction.failure)}, not a string"
    for name in ("seconds", "tokens", "money", "steps", "trial"):
        value = getattr(prediction, name)
        if value is not None and not is_number(value):
            return f"({prediction.id!r:.80}) has {name} that are not a number: {value!r:.80}"
    return None


def _are(value: object, kinds: type | UnionType) -> bool:
    """Whether a value is a list (or tuple) of values of these types."""
    return isinstance(value, list | tuple) and all(isinstance(member, kinds) for member in value)


def is_number(value: object) -> bool:
    """Whether a value is a finite number; true and false are not numbers."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < float("inf")


def is_listed(value: object) -> bool:
    """Whether a value is a sequence but not a string."""
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)


def kind(value: object) -> str:
    """The type of a value, for a message."""
    return "nothing (None)" if value is None else f"a value of type {type(value).__name__}"


Questions: TypeAlias = QuestionSet | Path | str | Mapping[str, object] | Iterable[object]
"""A set, the path of one or of a published file, records, plain dicts, a table, or any of these by split."""
Predictions: TypeAlias = Run | Path | str | Mapping[str, object] | Iterable[object]
"""A run, its path, records, plain dicts, a table, or a mapping from ids to answers or records."""

GOLD = "the gold"
PREDICTIONS = "the predictions"


def given_questions(
    given: Questions,
    where: str = GOLD,
    *,
    file_format: str | None = None,
    answers: AnswersAs | None = None,
) -> QuestionSet:
    """Questions of any form as a set; `where` is the name of the data in messages."""
    if isinstance(given, str | Path):
        return read_questions(given, file_format=file_format, answers=answers)
    if isinstance(given, QuestionSet):
        _check_questions(given, where, answers)
        return given
    if isinstance(given, Mapping):
        return _by_split(given, where, file_format, answers)
    rows = _rows(given)
    if rows is None:
        raise RollcallError(
            f"{where}: give a file, a question set, a table or a list of questions, not {kind(given)}"
        )
    if rows and isinstance(rows[0], Mapping):
        return set_of(rows_source(rows, where), file_format=file_format, answers=answers)
    _check_questions(rows, where, answers)
    return QuestionSet(row for row in rows if isinstance(row, Question))


def given_run(given: Predictions) -> Run:
    """Predictions of any form as a run."""
    if isinstance(given, str | Path):
        return read_run(given)
    warnings: list[str] = []
    if isinstance(given, Mapping):
        if given and all(_is_table(table) for table in given.values()):
            given = [row for table in given.values() for row in _rows(table) or []]
        else:
            return Run([_of_id(key, value, warnings) for key, value in given.items()], warnings=warnings)
    rows = _rows(given)
    if rows is None:
        raise RollcallError(
            f"{PREDICTIONS}: give a file, a run, a table, a list of predictions or a mapping from ids to "
            f"answers, not {kind(given)}"
        )
    predictions = [_prediction(number, row, warnings) for number, row in enumerate(rows, 1)]
    if isinstance(given, Run):
        return Run(predictions, given.name, [*given.warnings, *warnings], given.settings)
    return Run(predictions, warnings=warnings)


def run_in_gold(gold: Questions) -> Run:
    """The predictions that are beside the gold answers in a file or table."""
    source: Source | None = None
    if isinstance(gold, str | Path):
        source = None if Path(gold).is_dir() else load(Path(gold))
    elif not isinstance(gold, QuestionSet | Mapping):
        rows = _rows(gold) or []
        source = rows_source(rows, GOLD) if rows and isinstance(rows[0], Mapping) else None
    if source is None or not holds_predictions(source):
        where = gold if isinstance(gold, str | Path) else GOLD
        raise RollcallError(f"{where}: holds no predictions; give a file of them after it")
    return run_of(source)


def _check_questions(questions: Iterable[object], where: str, answers: AnswersAs | None) -> None:
    if answers is not None:
        raise no_lists(where, "rollcall", answers)
    for number, question in enumerate(questions, 1):
        if (fault := question_fault(question)) is not None:
            raise RollcallError(f"{where}: question {number} {fault}")


def _by_split(
    given: Mapping[str, object], where: str, file_format: str | None, answers: AnswersAs | None
) -> QuestionSet:
    """Questions of several splits, as in a Hugging Face `DatasetDict`, each with its split's name."""
    if not given or not all(_is_listed(part) for part in given.values()):
        raise RollcallError(
            f"{where}: give a file, a question set, a table or a list of questions, not {kind(given)}; "
            "a single record belongs in a list, and a mapping leads from splits to questions"
        )
    questions: list[Question] = []
    manifest: dict[str, object] = {}
    warnings: list[object] = []
    for split, part in given.items():
        assert isinstance(part, Iterable)
        read = given_questions(part, f"{where}, split {split}", file_format=file_format, answers=answers)
        questions += [
            question if question.split else msgspec.structs.replace(question, split=str(split))
            for question in read
        ]
        warnings += read.manifest.get("warnings", [])
        manifest = manifest or {**read.manifest, "file": where}
    return QuestionSet(questions, {**manifest, "warnings": warnings} if warnings else manifest)


def _is_listed(value: object) -> bool:
    """Whether a value may be the questions of a split; a list of strings, such as answers, may not."""
    if isinstance(value, list | tuple):
        return not any(isinstance(member, str) for member in value[:1])
    return isinstance(value, QuestionSet | Path) or _is_table(value)


def _is_table(value: object) -> bool:
    """Whether a value has columns, as tables of all libraries do."""
    return hasattr(value, "column_names") or hasattr(value, "columns")


def _rows(data: object) -> list[object] | None:
    """The rows of a table, or the members of any other collection."""
    for method in ("to_pylist", "to_dicts"):  # Arrow, polars
        listed = getattr(data, method, None)
        if callable(listed):
            return list(listed())
    if hasattr(data, "iterrows") and hasattr(data, "to_dict"):  # pandas, whose members are columns
        named = getattr(getattr(data, "index", None), "name", None)
        frame = data.reset_index() if named in ID_KEYS and hasattr(data, "reset_index") else data
        return list(frame.to_dict("records"))
    if not isinstance(data, Iterable) or isinstance(data, str | bytes | bytearray):
        return None
    return list(data)


def _of_id(identity: object, value: object, warnings: list[str]) -> Prediction:
    if not isinstance(identity, str | int) or isinstance(identity, bool):
        raise RollcallError(f"{PREDICTIONS}: an id is {kind(identity)}, not a string: {identity!r:.80}")
    return of_id(str(identity), _plain(value), PREDICTIONS, warnings)


def _prediction(number: int, row: object, warnings: list[str]) -> Prediction:
    if isinstance(row, Mapping):
        record = {str(key): _plain(value) for key, value in row.items()}
        row = from_record(record, PREDICTIONS, f"record {number}", warnings)
    if not isinstance(row, Prediction):
        raise RollcallError(f"{PREDICTIONS}: record {number} is {kind(row)}, not a prediction")
    if (fault := prediction_fault(row)) is not None:
        raise RollcallError(f"{PREDICTIONS}: record {number} {fault}")
    return row


def _plain(value: object) -> object:
    """A Python value in the form JSON would have; sets are sorted, for `@k`."""
    listed = getattr(value, "tolist", None)
    if callable(listed):  # an array, or a number of another library
        value = listed()
    if isinstance(value, float) and math.isnan(value):
        return None  # tables mark a missing value in this way
    if isinstance(value, Mapping):
        return KeyedPairs((str(key), _plain(member)) for key, member in value.items())
    if isinstance(value, EntityAnswer):
        return [value]
    if isinstance(value, set | frozenset):
        return sorted(
            value,
            key=lambda answer: (
                (answer.id, answer.label) if isinstance(answer, EntityAnswer) else (str(answer),)
            ),
        )
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | bytearray):
        return list(value)
    return value
