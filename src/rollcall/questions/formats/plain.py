"""Rollcall's own records, and questions in the simplest form: records with a text and a list of answers.

A string in the list is one answer, and a list in it has the names of one answer. So `["A", "B", "C"]` under
`answers` is a set of three. Three names of one answer are written as `[["A", "B", "C"]]`, or declared with an
option.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from rollcall._core.errors import RollcallError, wrong_value
from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.source import ID_KEYS, SAID_KEYS, Source, answers_of
from rollcall.questions.record import Answer, NeutralAnswer, Question
from rollcall.report.csv import text_of_cell

# Rollcall's own records: the questions of a set, as lines or as one array.

_ONLY_OURS = {"candidates", "characteristics", "provenance", "query"}


@FORMATS.register("rollcall")
class Rollcall(QuestionFormat):
    """The records of a question set of Rollcall, each answer with its label, id and aliases."""

    split_in_name = False

    @classmethod
    def recognises(cls, source: Source) -> bool:
        first = source.record
        if "id" not in first or "query_text" in first:  # the latter is the format with all columns
            return False
        if answers := first.get("answers"):
            return isinstance(answers, list) and all(
                isinstance(answer, dict) and "label" in answer for answer in answers
            )
        return bool(_ONLY_OURS & first.keys()) and first.keys() <= set(Question.__struct_fields__)

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        return source.records(Question)


# Sets with one answer in several spellings: Natural Questions, TriviaQA, SQuAD and sets of the same
# form. Their own keys say that strings are names of one answer: a list under `answer`, a value with
# aliases, SQuAD's `text` with its places, or a table of two columns. If a file gives no ids, the
# question's text is its id.

OPEN_DOMAIN = "open-domain"
Word = str | int | float | bool
Words = list[Word | None]


class SquadAnswer(msgspec.Struct):
    """SQuAD: an answer by its text, which also has a place in the paragraph."""

    text: Word | msgspec.UnsetType = msgspec.UNSET


class AnswerObject(msgspec.Struct):
    """Answers as one object: SQuAD in columns, or TriviaQA's value with its aliases."""

    text: Words | Word | msgspec.UnsetType | None = msgspec.UNSET
    value: Word | msgspec.UnsetType | None = msgspec.UNSET
    Value: Word | msgspec.UnsetType | None = msgspec.UNSET
    aliases: Words | None = None
    Aliases: Words | None = None


Answers = str | int | float | None | list[SquadAnswer | Words | Word | None] | AnswerObject


class PlainRecord(msgspec.Struct):
    """A question under any of the keys that these sets use."""

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
    qas: list[PlainRecord]


class Record(PlainRecord):
    """A question, or one of SQuAD's articles with all its questions."""

    paragraphs: list[Paragraph] | None = None


@FORMATS.register(OPEN_DOMAIN)
class OpenDomain(QuestionFormat):
    """Natural Questions, TriviaQA and SQuAD: one answer under all its names."""

    general = True

    @classmethod
    def recognises(cls, source: Source) -> bool:
        if source.shape == "table":
            return True
        first = source.record
        if "paragraphs" in first or "Answer" in first:
            return True
        if "question" not in first or not {"answer", "answers"} & first.keys():
            return False
        answers = first.get("answers")
        listed = answers if isinstance(answers, list) else [answers]
        return (
            "answers" not in first or "aliases" in first or any(isinstance(answer, dict) for answer in listed)
        )

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterator[Question]:
        if source.shape == "table":
            yield from _table(source, notes)
            return
        for record in source.records(Record):
            listed = record.paragraphs
            examples: Sequence[PlainRecord] = (
                [record] if listed is None else [example for part in listed for example in part.qas]
            )
            for example in examples:
                yield question_of(example, OPEN_DOMAIN, notes)


def question_of(example: PlainRecord, format_: str, notes: Notes) -> Question:
    """A question; its keys decide the meaning of a list of strings."""
    text, identity = _first(example.question, example.Question, ""), _identity(example)
    names = [names for names in _names(example, notes) if names]
    answers = [Answer(answer_names[0], aliases=answer_names[1:]) for answer_names in names]
    return Question(id=identity, question=text, answers=answers, provenance={"format": format_})


def _table(source: Source, notes: Notes) -> Iterator[Question]:
    """Two columns: the question, and its answers as a bracketed list of strings."""
    for number, line in enumerate(source.data.decode("utf-8", "replace").splitlines(), 1):
        question, _, cell = line.partition("\t")
        try:
            listed = ast.literal_eval(cell.strip().strip('"').replace('""', '"'))
            if not isinstance(listed, list | tuple):
                raise TypeError("one value alone")
            names: Answers = [str(name) for name in listed]
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
            raise RollcallError(
                f"{source.where}:{number}: the second column is not a list of answers: {cell[:60]!r}"
            ) from error
        yield question_of(PlainRecord(question=question, answer=names), OPEN_DOMAIN, notes)


def _identity(example: PlainRecord) -> str:
    text = _first(example.question, example.Question, "")
    return _first(example.id, example.qid, example.question_id, example.QuestionId, text)


def _first(*values: Word | None) -> str:
    """The first value that is given."""
    return str(next(value for value in values if value is not None))


def _names(example: PlainRecord, notes: Notes) -> list[list[str]]:
    """The answers as lists of names."""
    held = (example.answers, example.answer, example.Answer)
    answers = next((answers for answers in held if answers is not msgspec.UNSET), None)
    only_names = example.answers is msgspec.UNSET or example.aliases is not None
    if isinstance(answers, AnswerObject):
        only_names = True
        answers = _names_in(answers, example, notes)
    if isinstance(answers, str) and answers.startswith("[") and answers.endswith("]"):
        raise RollcallError(
            f"{notes.where}: question {_identity(example)!r:.80}: its answers are one text that looks like a "
            f"list ({answers!r:.40}); make it a list first"
        )
    if not isinstance(answers, list):
        answers = [answers]
    if any(isinstance(answer, SquadAnswer) for answer in answers):
        only_names = True
    listed: list[Words | Word | None] = []
    for answer in answers:
        text = answer.text if isinstance(answer, SquadAnswer) else answer
        if text is msgspec.UNSET:
            raise _object_of_others(example, notes)
        listed.append(text)
    if any(isinstance(answer, list) for answer in listed):
        return [_distinct(names if isinstance(names, list) else [names]) for names in listed]
    words = _distinct(
        [*(answer for answer in listed if not isinstance(answer, list)), *(example.aliases or [])]
    )
    if not words:
        return []
    chosen = notes.lists_as("names" if only_names else "set")
    return [words] if chosen == "names" else [[word] for word in words]


def _names_in(
    answer: AnswerObject, example: PlainRecord, notes: Notes
) -> list[SquadAnswer | Words | Word | None]:
    """The names of the one answer that an object gives; an object of anything else is refused."""
    if answer.text is not msgspec.UNSET and answer.text is not None:
        return [*answer.text] if isinstance(answer.text, list) else [answer.text]
    values = [value for value in (answer.value, answer.Value) if value is not msgspec.UNSET]
    if not values and answer.text is msgspec.UNSET:
        raise _object_of_others(example, notes)
    value = next((value for value in values if value is not None), None)
    return [value, *(answer.aliases or answer.Aliases or [])]


def _object_of_others(example: PlainRecord, notes: Notes) -> RollcallError:
    return RollcallError(
        f"{notes.where}: question {_identity(example)!r:.80}: an answer is an object without `text` or "
        "`value`; --format fanoutqa takes keys and values of objects for answers, and lists for sets of them"
    )


def _distinct(names: Words) -> list[str]:
    return list(dict.fromkeys(str(name) for name in names if name is not None))


NAME = "plain"
_OF_RUNS = SAID_KEYS | {"retrieved", "failure", "seconds", "tokens", "money", "steps", "trial"}
_OF_QUESTIONS = {*ID_KEYS, *Question.__struct_fields__}
_OF_OTHERS = {"aliases", "paragraphs", "Answer"}


@FORMATS.register(NAME)
class Plain(QuestionFormat):
    """Records with a question and its answers, each a string or a list of names.

    Answers under `neutral` are neither required nor wrong.
    """

    general = True

    @classmethod
    def recognises(cls, source: Source) -> bool:
        first = source.record
        if "answers" not in first:  # a question without gold answers
            return "question" in first and first.keys() <= _OF_QUESTIONS
        if _OF_OTHERS & first.keys():
            return False
        if "question" not in first and (_OF_RUNS & first.keys() or not set(ID_KEYS) & first.keys()):
            return False
        answers = first["answers"]
        listed = answers if isinstance(answers, list) else [answers]
        return not any(isinstance(answer, dict) for answer in listed)

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        for record in source.records(_Record):
            if source.of_cells and isinstance(record.answers, str):
                record.answers = _of_cell(record.answers, source.where)
            yield _question(record, notes)


class _Record(PlainRecord):
    """A question with the fields that people add to say to which part of a set it belongs."""

    kind: object = None
    split: object = None
    cluster: object = None
    neutral: list[Word | Words] = []
    """Answers that are neither required nor wrong, each a name or a list of names."""


def _of_cell(cell: str, where: str) -> Answers:
    try:
        answers: Answers = msgspec.convert(answers_of(text_of_cell(cell)), type=Answers)
    except msgspec.ValidationError as error:
        raise RollcallError(f"{where}: answers {cell!r:.80}: {wrong_value(error)}") from None
    return answers


def _question(record: _Record, notes: Notes) -> Question:
    question = question_of(record, NAME, notes)
    question.kind, question.split, question.cluster = map(_word, (record.kind, record.split, record.cluster))
    named = [_distinct(names if isinstance(names, list) else [names]) for names in record.neutral]
    question.neutral = [NeutralAnswer(names[0], aliases=names[1:]) for names in named if names]
    return question


def _word(value: object) -> str | None:
    return str(value) if isinstance(value, str | int) and value != "" else None
