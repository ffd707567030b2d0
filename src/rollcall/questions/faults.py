"""Finds faults in records that were made by hand; their types are not checked when they are made.

A string in place of a list would be scored letter by letter. So every field that scoring uses is checked, and
a fault is described in one line.
"""

from collections.abc import Mapping, Sequence
from types import UnionType

from rollcall.questions.record import Answer, Candidate, Evidence, Question
from rollcall.questions.run import EntityAnswer, Passage, Prediction


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
    if not _are(question.extended, Answer):
        return f"({question.id!r:.80}) has extended answers that are no list of Answer"
    named = (
        *question.answers,
        *question.candidates,
        *question.extended,
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


def _are(given: object, kinds: type | UnionType) -> bool:
    """Whether a value is a list (or tuple) of values of these types."""
    return isinstance(given, list | tuple) and all(isinstance(one, kinds) for one in given)


def is_number(given: object) -> bool:
    """Whether a value is a finite number; true and false are not numbers."""
    return isinstance(given, int | float) and not isinstance(given, bool) and abs(given) < float("inf")


def is_listed(given: object) -> bool:
    """Whether a value is a sequence but not a string."""
    return isinstance(given, Sequence) and not isinstance(given, str | bytes | bytearray)


def kind(given: object) -> str:
    """The type of a value, for a message."""
    return "nothing (None)" if given is None else f"a value of type {type(given).__name__}"
