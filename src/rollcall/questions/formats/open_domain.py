"""Sets with one answer in several spellings: Natural Questions, TriviaQA, SQuAD and what follows them.

The listed strings are names of the same answer, so a question gets one answer whose aliases are the
other strings. Where a file gives no ids, the question's text is its id.
"""

import ast
from collections.abc import Sequence

import msgspec

from rollcall.errors import RollcallError
from rollcall.questions.formats.source import Source
from rollcall.questions.record import Answer, Question

NAME = "open-domain"
Word = str | int | float | bool
Words = list[Word | None]


class Named(msgspec.Struct):
    """SQuAD: an answer by its text, which also has a place in the paragraph."""

    text: Word


class Given(msgspec.Struct):
    """Answers as one object: SQuAD in columns, or TriviaQA's value with its aliases."""

    text: Words | Word | None = None
    value: Word | None = None
    Value: Word | None = None
    aliases: Words | None = None
    Aliases: Words | None = None


Answers = str | None | list[Named | Words | Word | None] | Given


class Example(msgspec.Struct):
    """A question under whichever keys these sets use."""

    question: Word | None = None
    Question: Word | None = None
    id: Word | None = None
    qid: Word | None = None
    question_id: Word | None = None
    QuestionId: Word | None = None
    answers: Answers | msgspec.UnsetType = msgspec.UNSET
    answer: Answers | msgspec.UnsetType = msgspec.UNSET
    Answer: Answers | msgspec.UnsetType = msgspec.UNSET
    aliases: Words | None = None


class Paragraph(msgspec.Struct):
    qas: list[Example]


class Record(Example):
    """A question, or one of SQuAD's articles with all of its own."""

    paragraphs: list[Paragraph] | None = None


def recognises(source: Source) -> bool:
    first = source.first
    if source.shape == "table":
        return True
    if not isinstance(first, dict):
        return False
    return (
        "paragraphs" in first
        or "Answer" in first
        or ("question" in first and bool({"answer", "answers"} & first.keys()))
    )


def read(source: Source) -> list[Question]:
    if source.shape == "table":
        return _table(source)
    questions: list[Question] = []
    for record in source.records(Record):
        listed = record.paragraphs
        examples: Sequence[Example] = (
            [record] if listed is None else [one for part in listed for one in part.qas]
        )
        questions += map(_question, examples)
    return questions


def _table(source: Source) -> list[Question]:
    """Two columns: the question, and its answers as a bracketed list of strings."""
    questions = []
    for number, line in enumerate(source.data.decode("utf-8", "replace").splitlines(), 1):
        question, _, cell = line.partition("\t")
        try:
            listed = ast.literal_eval(cell.strip().strip('"').replace('""', '"'))
            if not isinstance(listed, list | tuple):
                raise TypeError("one value alone")
            names = [str(name) for name in listed]
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
            raise RollcallError(
                f"{source.path}:{number}: the second column is not a list of answers: {cell[:60]!r}"
            ) from error
        questions.append(_with_names(question, question, names))
    return questions


def _question(example: Example) -> Question:
    text = _first(example.question, example.Question, "")
    identity = _first(example.id, example.qid, example.question_id, example.QuestionId, text)
    question = _with_names(identity, text, [])
    question.answers = [Answer(names[0], aliases=names[1:]) for names in _names(example) if names]
    return question


def _first(*given: Word | None) -> str:
    """The first that is given."""
    return str(next(one for one in given if one is not None))


def _with_names(identity: str, text: str, names: list[str]) -> Question:
    answers = [Answer(names[0], aliases=names[1:])] if names else []
    return Question(id=identity, question=text, answers=answers, provenance={"format": NAME})


def _names(example: Example) -> list[list[str]]:
    """The answers as lists of names: one list for alternatives, several where lists are nested."""
    held = (example.answers, example.answer, example.Answer)
    given = next((answers for answers in held if answers is not msgspec.UNSET), None)
    if isinstance(given, Given):
        if given.text is None:
            value = given.value if given.value is not None else given.Value
            given = [value, *(given.aliases or given.Aliases or [])]
        else:
            given = [*given.text] if isinstance(given.text, list) else [given.text]
    if not isinstance(given, list):
        given = [given]
    listed = [one.text if isinstance(one, Named) else one for one in given]
    if listed and isinstance(listed[0], list):
        return [_distinct(names if isinstance(names, list) else [names]) for names in listed]
    words = [part for one in listed for part in (one if isinstance(one, list) else [one])]
    return [_distinct([*words, *(example.aliases or [])])]


def _distinct(names: Words) -> list[str]:
    kept = dict.fromkeys(str(name) for name in names if name is not None)
    return list(kept)
