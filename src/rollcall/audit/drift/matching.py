"""Which question of one set is which of the other: by id, then by canonical query, then by wording.

Two questions with one id but different queries are different questions: ids of some recipes are numbers that
count through a set. What several questions share (paraphrases have one query) matches in the order of the
sets, and only once.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from rollcall.audit.parts import query_of
from rollcall.english.folding import fold
from rollcall.questions.record import Question


class Matches(NamedTuple):
    """The questions of both sides, those of the new side, and those of the old side."""

    both: list[tuple[Question, Question]]
    added: list[Question]
    gone: list[Question]


def canonical_query(question: Question) -> str | None:
    """The canonical text of a question's query; None if it has none that can be read."""
    query = query_of(question)
    return None if query is None else query.text


def match(old: Sequence[Question], new: Sequence[Question]) -> Matches:
    """Match the questions of two sets."""
    queries = {id(one): canonical_query(one) for one in (*old, *new)}

    def text_of(question: Question) -> str | None:
        return queries[id(question)]

    def is_other(one: Question, two: Question) -> bool:
        first, second = text_of(one), text_of(two)
        return first is not None and second is not None and first != second

    found: dict[int, Question] = {}
    taken: set[int] = set()
    keys: list[Callable[[Question], Hashable | None]] = [
        lambda one: one.id,
        lambda one: (text_of(one), one.question) if text_of(one) else None,
        text_of,
        lambda one: fold(one.question) or None,
    ]
    for key in keys:
        waiting: dict[Hashable, list[Question]] = {}
        for question in new:
            value = key(question)
            if id(question) not in taken and value is not None:
                waiting.setdefault(value, []).append(question)
        for question in old:
            options = waiting.get(key(question), ()) if id(question) not in found else ()
            partner = next((one for one in options if not is_other(question, one)), None)
            if partner is not None and isinstance(options, list):
                found[id(question)] = partner
                taken.add(id(partner))
                options.remove(partner)
    return Matches(
        [(question, found[id(question)]) for question in old if id(question) in found],
        _without(new, taken),
        _without(old, set(found)),
    )


def _without(questions: Iterable[Question], taken: set[int]) -> list[Question]:
    return [question for question in questions if id(question) not in taken]
