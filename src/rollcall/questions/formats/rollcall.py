"""Rollcall's own records: the questions of a set, as lines or as one array."""

from collections.abc import Iterable

from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.source import Source
from rollcall.questions.record import Question

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
