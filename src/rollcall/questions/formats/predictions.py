"""Reads predictions in the forms that people use: a run, an object from ids to answers, lines, result files.

Whatever the key of the answers is, they become one list of strings or entities for each question. Values that
cannot be an answer (a null) are left out with a warning; nothing is guessed.
"""

import ast
import json
import math
import re
from pathlib import Path

import msgspec

from rollcall._core.errors import UNREADABLE, RollcallError, why
from rollcall.questions.formats.source import ANSWER_KEYS, ID_KEYS, Source, answers_of
from rollcall.questions.run import EntityAnswer, Passage, Prediction, Run
from rollcall.report.csv import text_of_cell

QUEST_KEYS = {"query", "docs"}
"""The keys of QUEST's files, in which the documents are the answers."""
TURNS = "model_outputs"
"""LOFT's key of what a model said, turn by turn."""

_GENERATED = {"fid_pred", "output", TURNS, "response", "llm_response"}
"""Keys of texts that a model wrote, which have rules of their own."""
_COLUMNS = {
    key.lower(): key
    for key in (*ID_KEYS, *ANSWER_KEYS, *Prediction.__struct_fields__, "trial_idx", "ctxs", "docs")
}
"""The names of columns as people write them, and the keys that they mean."""

CITATION = re.compile(r"\s?\[\d+\]?")


def read_mapping(source: Source) -> Run:
    """One object from ids to answers; a repeated id is kept, so that it can be reported."""
    warnings: list[str] = []
    where = source.where
    predictions = [of_id(identity, value, where, warnings) for identity, value in _pairs(source)]
    return _run(source, predictions, warnings)


def read_records(source: Source) -> Run:
    """Lines or an array of records, each with an id and its answers."""
    if source.of_cells:
        return _read_cells(source)
    if is_run(source):
        try:
            msgspec.json.Decoder(_OnlyKnownKeys).decode_lines(source.data)
            predictions = msgspec.json.Decoder(Prediction).decode_lines(source.data)
            if any(
                prediction.answers or prediction.retrieved or prediction.failure for prediction in predictions
            ):
                return _run(source, predictions, [])
        except UNREADABLE:
            pass  # numbers as ids, nulls among the answers: the slower way below says what is wrong
    warnings: list[str] = []
    predictions = [
        from_record(record, source.where, f"record {number}", warnings)
        for number, record in enumerate(source.records(dict[str, object]), 1)
    ]
    return _run(source, predictions, warnings)


def _read_cells(source: Source) -> Run:
    """The rows of a CSV file; the answers of a question are in one cell, or in several rows with its id."""
    warnings: list[str] = []
    predictions: list[Prediction] = []
    first: dict[tuple[str, int | None], Prediction] = {}
    for number, row in enumerate(source.records(dict[str, str]), 1):
        cells = {_COLUMNS.get(name.strip().lower(), name): text_of_cell(cell) for name, cell in row.items()}
        key = next((key for key in ANSWER_KEYS if key in cells), None)
        record: dict[str, object] = {name: cell for name, cell in cells.items() if cell or name == key}
        if not any(cells.values()):
            continue  # spreadsheets write rows without content
        listed = key is not None and key not in _GENERATED
        if key is not None and listed:
            record[key] = answers_of(cells[key])
        prediction = from_record(record, source.where, f"row {number}", warnings)
        known = first.setdefault((prediction.id, prediction.trial), prediction)
        if listed and known is not prediction:
            known.answers += prediction.answers
        else:
            predictions.append(prediction)
    return _run(source, predictions, warnings)


def as_answers(values: list[object] | None) -> list[str | EntityAnswer]:
    """A list of strings and entities from the values of a JSON list; nulls are left out."""
    return [_as_answer(item) for item in values or [] if item is not None]


_OnlyKnownKeys = msgspec.defstruct(
    "_OnlyKnownKeys",
    [(name, msgspec.Raw, msgspec.Raw()) for name in Prediction.__struct_fields__],
    forbid_unknown_fields=True,
)
"""The keys that a prediction may have in a run, with any values."""


def is_run(source: Source) -> bool:
    """Whether a file is a run as Rollcall writes it; the line of an empty answer has little but its id."""
    first = source.first
    if source.shape != "lines" or not isinstance(first, dict) or "id" not in first:
        return False
    answers = first.get("answers", [])
    plain = isinstance(answers, list) and all(
        isinstance(answer, str)
        or (isinstance(answer, dict) and answer.keys() <= {"id", "label"} and "id" in answer)
        for answer in answers
    )
    return plain and first.keys() <= set(Prediction.__struct_fields__)


class KeyedPairs(list[tuple[str, object]]):
    """An object as its pairs, so that repeated keys are not lost."""


def _pairs(source: Source) -> KeyedPairs:
    try:
        pairs = json.loads(source.data, object_pairs_hook=KeyedPairs)
    except (ValueError, RecursionError) as error:
        raise RollcallError(f"{source.where}: not JSON ({why(error)})") from error
    assert isinstance(pairs, KeyedPairs)
    return pairs


def of_id(identity: str, value: object, where: str, warnings: list[str]) -> Prediction:
    """The value of an id: answers, or a record with the answers under one of the known keys."""
    if isinstance(value, KeyedPairs):
        return from_record({"id": identity, **dict(value)}, where, identity, warnings)
    return Prediction(identity, _answers(value, "predictions", where, identity, warnings))


def from_record(record: dict[str, object], where: str, place: str, warnings: list[str]) -> Prediction:
    identity = next((record[key] for key in ID_KEYS if record.get(key) is not None), None)
    if identity is None:
        raise RollcallError(
            f"{where}: {place}: has no key for its question; expected one of {', '.join(ID_KEYS)}"
        )
    key = next((key for key in ANSWER_KEYS if key in record), None)
    if key is None and record.keys() >= QUEST_KEYS:
        record = {
            "answers": record["docs"],
            **{name: value for name, value in record.items() if name != "docs"},
        }
        key = "answers"
    failure = record.get("failure")
    if key is None and failure is None and "retrieved" not in record:
        raise RollcallError(f"{where}: {place}: has no answers (looked for {', '.join(ANSWER_KEYS)})")
    return Prediction(
        id=str(identity),
        answers=[] if key is None else _answers(record[key], key, where, place, warnings),
        retrieved=_passages(record, where, place),
        failure=None if failure is None else str(failure),
        seconds=_number(record, "seconds", where, place),
        tokens=_number(record, "tokens", where, place),
        money=_number(record, "money", where, place),
        steps=_whole(record, "steps", where, place),
        trial=_whole(record, "trial_idx" if "trial_idx" in record else "trial", where, place),
    )


def _number(record: dict[str, object], key: str, where: str, place: str) -> float | None:
    """A number under a key; of an object, such as tokens read and written, the sum."""
    amount = record.get(key)
    if amount is None:
        return None
    parts = [value for _, value in amount] if isinstance(amount, KeyedPairs) else None
    parts = list(amount.values()) if isinstance(amount, dict) else parts
    try:
        number = math.fsum(map(_finite, [amount] if parts is None else parts))
    except (ValueError, OverflowError):
        raise RollcallError(f"{where}: {place}: {key} is not a number: {amount!r:.80}") from None
    return number


def _finite(value: object) -> float:
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise ValueError("not a number")
    number = float(str(value))
    if not math.isfinite(number):
        raise ValueError("not a finite number")
    return number


def _whole(record: dict[str, object], key: str, where: str, place: str) -> int | None:
    number = _number(record, key, where, place)
    if number is not None and number != int(number):
        raise RollcallError(f"{where}: {place}: {key} is not a whole number: {record[key]!r:.80}")
    return None if number is None else int(number)


def _answers(
    value: object, key: str, where: str, place: str, warnings: list[str]
) -> list[str | EntityAnswer]:
    if value is None:
        warnings.append(f"{where}: {place}: its answers are null; counted as no answer")
        return []
    if key == TURNS:
        value = _only_turn(value, where, place)
    if isinstance(value, str):
        return list(_split(value, key))
    if isinstance(value, int | float):
        return [str(value)]
    if not isinstance(value, list) or isinstance(value, KeyedPairs):
        raise RollcallError(
            f"{where}: {place}: answers are an object, not a string or a list; give its keys and values "
            "as one list if they are answers"
        )
    if any(item is None for item in value):
        warnings.append(f"{where}: {place}: a null among the answers was left out")
    try:
        return as_answers(value)
    except TypeError as error:
        raise RollcallError(f"{where}: {place}: {error}") from error


def _only_turn(value: object, where: str, place: str) -> object:
    """What a model said in the only turn of a question of LOFT."""
    if not isinstance(value, list) or len(value) != 1:
        turns = f"{len(value)} turns" if isinstance(value, list) else "no list of turns"
        raise RollcallError(f"{where}: {place}: {TURNS} holds {turns}; only single questions can be scored")
    return value[0]


def _final_list(text: str) -> list[str]:
    """The list in the line "Final Answer: […]" of a generated text; without one there is no answer."""
    for line in text.replace("*", "").replace("`", "").strip().split("\n"):
        if "final answer" not in line.lower() or "[" not in line or "]" not in line:
            continue
        listed = line[line.find("[") : line.rfind("]") + 1]
        try:
            parsed = ast.literal_eval(re.sub(r"([a-zA-Z0-9])'([a-zA-Z0-9])", r"\1\\'\2", listed))
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return []
        return [str(answer) for answer in parsed] if isinstance(parsed, list | tuple) else []
    return []


def _split(text: str, key: str) -> list[str]:
    """One string as answers: generated `output` is split at commas, FiD's at `#`; others are one answer."""
    if key == TURNS:
        return _final_list(text)
    if key == "output":
        line = CITATION.sub("", text.strip().split("\n", 1)[0])
        return [part.strip() for part in line.rstrip().rstrip(".").rstrip(",").split(",")]
    if key == "fid_pred":
        return [part.strip() for part in text.split("#")]
    return [text]


def _as_answer(item: object) -> str | EntityAnswer:
    if isinstance(item, KeyedPairs):
        item = dict(item)
    if isinstance(item, dict):
        for key in ("id", "uri"):
            if item.get(key) is not None:
                return EntityAnswer(str(item[key]), str(item.get("label") or item.get("text") or ""))
        for key in ("label", "answer", "text", "answer_text"):
            if item.get(key) is not None:
                return str(item[key])
        raise TypeError(f"an answer has neither an id nor a label: {json.dumps(item)[:80]}")
    if isinstance(item, EntityAnswer):
        return item
    if isinstance(item, str | int | float):
        return str(item)
    raise TypeError(f"an answer is neither a string nor an entity: {item!r:.80}")


def _passages(record: dict[str, object], where: str, place: str) -> list[Passage]:
    passages = record.get("retrieved", record.get("ctxs", record.get("docs"))) or []
    if not isinstance(passages, list):
        raise RollcallError(f"{where}: {place}: the retrieved passages are not a list: {passages!r:.80}")
    try:
        return [
            Passage(str(item))
            if not isinstance(item, dict)
            else msgspec.convert(
                {key: value for key, value in item.items() if value is not None}
                | {"id": str(item.get("id", ""))},
                Passage,
                strict=False,
            )
            for item in (
                dict(passage) if isinstance(passage, KeyedPairs) else passage for passage in passages
            )
        ]
    except (msgspec.ValidationError, TypeError) as error:
        raise RollcallError(
            f"{where}: {place}: a retrieved passage is not as expected ({why(error)})"
        ) from error


def _run(source: Source, predictions: list[Prediction], warnings: list[str]) -> Run:
    return Run(predictions, Path(source.where).name, warnings)
