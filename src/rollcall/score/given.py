"""Gold questions and predictions as Python hands them in: files, records or plain values, each checked.

A record made by hand is not checked by its type, and a string where a list belongs would be scored letter by
letter; so every part that scoring looks at is checked here, and what is wrong is told in one line.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rollcall.errors import RollcallError
from rollcall.questions import (
    Answer,
    Candidate,
    EntityAnswer,
    Evidence,
    Passage,
    Prediction,
    Question,
    QuestionSet,
    Run,
    read_questions,
    read_run,
)
from rollcall.questions.formats.predictions import Pairs, from_record, of_id

Gold = QuestionSet | Iterable[Question] | Path | str
Predictions = Run | Iterable[Prediction | Mapping[str, Any]] | Mapping[str, Any] | Path | str

GOLD = "the gold"
PREDICTIONS = "the predictions"


def given_questions(gold: Gold) -> QuestionSet:
    """The gold as a set of questions."""
    if isinstance(gold, str | Path):
        return read_questions(gold)
    if not isinstance(gold, Iterable) or isinstance(gold, Mapping | bytes | bytearray):
        raise RollcallError(f"{GOLD}: give a file, a question set or a list of questions, not {kind(gold)}")
    questions = gold if isinstance(gold, QuestionSet) else QuestionSet(gold)
    for number, question in enumerate(questions, 1):
        if (fault := question_fault(question)) is not None:
            raise RollcallError(f"{GOLD}: question {number} {fault}")
    return questions


def given_run(predictions: Predictions) -> Run:
    """Predictions as a run: a mapping from ids to answers or records, or a list of records."""
    if isinstance(predictions, str | Path):
        return read_run(predictions)
    if not isinstance(predictions, Iterable) or isinstance(predictions, bytes | bytearray):
        raise RollcallError(
            f"{PREDICTIONS}: give a file, a run, a list of predictions or a mapping from ids to answers, "
            f"not {kind(predictions)}"
        )
    warnings: list[str] = []
    if isinstance(predictions, Mapping):
        return Run([_of_id(key, value, warnings) for key, value in predictions.items()], warnings=warnings)
    made = [_record(number, one, warnings) for number, one in enumerate(predictions, 1)]
    if isinstance(predictions, Run):
        return Run(made, predictions.name, [*predictions.warnings, *warnings])
    return Run(made, warnings=warnings)


def _of_id(identity: object, given: object, warnings: list[str]) -> Prediction:
    if not isinstance(identity, str | int) or isinstance(identity, bool):
        raise RollcallError(f"{PREDICTIONS}: an id is {kind(identity)}, not a string: {identity!r:.80}")
    return of_id(str(identity), _plain(given), PREDICTIONS, warnings)


def _record(number: int, given: object, warnings: list[str]) -> Prediction:
    if isinstance(given, Mapping):
        record = {str(key): _plain(value) for key, value in given.items()}
        given = from_record(record, PREDICTIONS, f"record {number}", warnings)
    if not isinstance(given, Prediction):
        raise RollcallError(f"{PREDICTIONS}: record {number} is {kind(given)}, not a prediction")
    if (fault := prediction_fault(given)) is not None:
        raise RollcallError(f"{PREDICTIONS}: record {number} {fault}")
    return given


def _plain(given: object) -> object:
    """A value of Python in the form JSON would have it; what has no order is put in order, for `@k`."""
    if isinstance(given, Mapping):
        return Pairs((str(key), _plain(value)) for key, value in given.items())
    if isinstance(given, EntityAnswer):
        return [given]
    if isinstance(given, set | frozenset):
        return sorted(
            given, key=lambda one: (one.id, one.label) if isinstance(one, EntityAnswer) else (str(one),)
        )
    if isinstance(given, Iterable) and not isinstance(given, str | bytes | bytearray):
        return list(given)
    return given


def question_fault(question: object) -> str | None:
    """What is wrong with a question, of all that scoring looks at."""
    if not isinstance(question, Question):
        return f"is {kind(question)}, not a Question"
    for name in ("kind", "cluster", "split"):
        if not isinstance(value := getattr(question, name), str | None):
            return f"has a {name} that is {kind(value)}, not a string"
    if not isinstance(question.id, str) or not isinstance(question.question, str):
        return f"has an id or a text that is not a string: {question.id!r:.80}"
    if not isinstance(question.characteristics, Mapping) or not isinstance(question.provenance, Mapping):
        return f"({question.id!r:.80}) has characteristics or a provenance that are no mapping"
    for name, value in question.characteristics.items():
        plain = isinstance(value, str | int | float | None) or _are(value, str)
        if not isinstance(name, str) or not plain:
            return f"({question.id!r:.80}) has a characteristic {name!r:.80} that is {kind(value)}"
    if not _are(question.alternatives, list | tuple):
        return f"({question.id!r:.80}) has alternatives that are no list of lists of answers"
    for answers in (question.answers, *question.alternatives):
        if not _are(answers, Answer):
            return f"({question.id!r:.80}) has answers that are no list of Answer"
    if not _are(question.candidates, Candidate):
        return f"({question.id!r:.80}) has candidates that are no list of Candidate"
    named = (
        *question.answers,
        *question.candidates,
        *(one for other in question.alternatives for one in other),
    )
    fault = next(filter(None, map(_answer_fault, named)), None)
    return None if fault is None else f"({question.id!r:.80}) {fault}"


def _answer_fault(answer: Answer) -> str | None:
    if not isinstance(answer.label, str) or not isinstance(answer.id, str | None):
        return f"has an answer whose label or id is not a string: {answer.label!r:.80}"
    if not _are(answer.aliases, str):
        return f"has an answer whose aliases are no list of strings: {answer.label!r:.80}"
    if not _are(answer.evidence, Evidence) or not all(
        isinstance(piece.text, str) and isinstance(piece.passage, str | None) for piece in answer.evidence
    ):
        return f"has an answer whose evidence is no list of Evidence: {answer.label!r:.80}"
    return None


def prediction_fault(given: Prediction) -> str | None:
    """What is wrong with a prediction."""
    if not isinstance(given.id, str):
        return f"has an id that is {kind(given.id)}, not a string"
    if not _are(given.answers, str | EntityAnswer) or not all(
        isinstance(one, str) or (isinstance(one.id, str) and isinstance(one.label, str))
        for one in given.answers
    ):
        return f"({given.id!r:.80}) has answers that are no list of strings and entities"
    if not _are(given.retrieved, Passage) or not all(
        isinstance(text, str) for one in given.retrieved for text in (one.id, one.title, one.text)
    ):
        return f"({given.id!r:.80}) has retrieved passages that are no list of Passage"
    if not isinstance(given.failure, str | None):
        return f"({given.id!r:.80}) has a failure that is {kind(given.failure)}, not a string"
    if given.seconds is not None and not is_number(given.seconds):
        return f"({given.id!r:.80}) has seconds that are not a number: {given.seconds!r:.80}"
    return None


def _are(given: object, kinds: Any) -> bool:
    """Whether something is a list (or tuple) of these."""
    return isinstance(given, list | tuple) and all(isinstance(one, kinds) for one in given)


def is_number(given: object) -> bool:
    """Whether something is a finite number; true and false are none."""
    return isinstance(given, int | float) and not isinstance(given, bool) and abs(given) < float("inf")


def is_listed(given: object) -> bool:
    """Whether something is a sequence of things, which a string is not."""
    return isinstance(given, Sequence) and not isinstance(given, str | bytes | bytearray)


def kind(given: object) -> str:
    """What something is, for a message."""
    return "nothing (None)" if given is None else f"a value of type {type(given).__name__}"
