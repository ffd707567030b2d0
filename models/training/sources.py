"""Question sets that packaged models learn from or are tested on, as commands name them.

A source is SET GRAPH CORPUS SPLITS LIMIT: SPLITS are joined by commas, LIMIT is a number of questions, 0 for
all. Of a source about the same graph as a tested set, questions that have a relation or the words of a tested
one are left out.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from rollcall.corpus.lists import MEMBERSHIP
from rollcall.questions import Question, read_questions

Source = list[str]


def questions_of(source: Source) -> list[Question]:
    """The questions of a source that can be learned from."""
    name, _, _, splits, _ = source
    return [one for one in read_questions(Path(name)) if one.split in splits.split(",") and one.answers]


def learned_from(source: Source, tests: Sequence[Source]) -> list[Question]:
    """The questions of a source without what is tested, in an order that depends on their words alone."""
    left_out = _tested(source, tests)
    found = [
        one
        for one in questions_of(source)
        if one.question not in left_out and not _relations_of(one) & left_out
    ]
    return sorted(found, key=lambda one: hashlib.md5(one.question.encode()).hexdigest())


def _relations_of(question: Question) -> set[str]:
    """The relations that a question is about, but for being on a list, which all lists have in common."""
    return {*question.relations} - {MEMBERSHIP}


def _tested(source: Source, tests: Sequence[Source]) -> set[str]:
    """The words and the relations of questions that are tested with the graph of a source."""
    found: set[str] = set()
    for test in tests:
        if test[1] == source[1]:
            for one in questions_of(test):
                found |= {one.question, *_relations_of(one)}
    return found
