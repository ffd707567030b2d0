"""Questions in the simplest form: records with a text and a list of answers.

A string in the list is one answer, and a list in it has the names of one answer. So `["A", "B", "C"]` under
`answers` is a set of three. Three names of one answer are written as `[["A", "B", "C"]]`, or declared with an
option.
"""

from collections.abc import Iterable

import msgspec

from rollcall.errors import RollcallError
from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.cells import answers_of, cell_text
from rollcall.questions.formats.keys import ID_KEYS, SAID_KEYS
from rollcall.questions.formats.open_domain import Answers, Example, question_of
from rollcall.questions.formats.source import Source
from rollcall.questions.record import Question
from rollcall.wrong_values import wrong_value

NAME = "plain"
_OF_RUNS = SAID_KEYS | {"retrieved", "failure", "seconds", "tokens", "money", "steps", "trial"}
_OF_QUESTIONS = {*ID_KEYS, *Question.__struct_fields__}
_OF_OTHERS = {"aliases", "paragraphs", "Answer"}


@FORMATS.register(NAME)
class Plain(QuestionFormat):
    """Records with a question and its answers, each a string or a list of names."""

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
        return not any(isinstance(one, dict) for one in listed)

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        for record in source.records(_Record):
            if source.of_cells and isinstance(record.answers, str):
                record.answers = _of_cell(record.answers, source.where)
            yield _question(record, notes)


class _Record(Example):
    """A question with the fields that people add to say to which part of a set it belongs."""

    kind: object = None
    split: object = None
    cluster: object = None


def _of_cell(cell: str, where: str) -> Answers:
    try:
        made: Answers = msgspec.convert(answers_of(cell_text(cell)), type=Answers)
    except msgspec.ValidationError as error:
        raise RollcallError(f"{where}: answers {cell!r:.80}: {wrong_value(error)}") from None
    return made


def _question(record: _Record, notes: Notes) -> Question:
    question = question_of(record, NAME, notes)
    question.kind, question.split, question.cluster = map(_word, (record.kind, record.split, record.cluster))
    return question


def _word(given: object) -> str | None:
    return str(given) if isinstance(given, str | int) and given != "" else None
