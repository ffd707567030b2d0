"""Removes duplicate questions: equal texts with equal answers are kept once, with different answers not at
all.

Two queries may have the same wording because names are ambiguous, or because relations are: what is `located
in A` is `in A`. If their answers are equal, one of them is
enough. If the answers differ, no reader could know which one is meant, and all of them are removed. Questions
with different texts and equal answers are kept, each with the keys of the others.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from rollcall.filter import Filter

_SAME = Filter("the same question and answers as another")
_AMBIGUOUS = Filter("the same question with other answers")
_LOCATED = re.compile(r"\b(?:located (?:on or )?|on or )(?=in\b)")
"""What may stand before `in` and changes nothing."""
_FIRST = {"test": 0, "dev": 1, "train": 2}


class Worded(NamedTuple):
    """A worded question, with the fields that the search for duplicates needs."""

    key: str
    text: str
    split: str
    answers: str
    """A hash of the answer set; see `answer_hash`."""


class Distinct(NamedTuple):
    """The kept keys in order, how many were removed and why, and for each key those with the same answers."""

    kept: list[str]
    removed: dict[Filter, int]
    same_answers: dict[str, list[str]]


def answer_hash(answers: Iterable[str]) -> str:
    """One string for a set of answers, independent of their order."""
    joined = "\x1f".join(sorted(set(answers)))
    return hashlib.md5(joined.encode(), usedforsecurity=False).hexdigest()


def distinct(questions: Iterable[Worded]) -> Distinct:
    """Find which questions to keep; of questions with equal texts, one of the test set is preferred."""
    by_text: dict[str, list[Worded]] = defaultdict(list)
    for question in questions:
        by_text[_LOCATED.sub("", " ".join(question.text.casefold().split()))].append(question)
    kept: list[Worded] = []
    removed = {_SAME: 0, _AMBIGUOUS: 0}
    for members in by_text.values():
        if len({member.answers for member in members}) > 1:
            removed[_AMBIGUOUS] += len(members)
            continue
        removed[_SAME] += len(members) - 1
        kept.append(min(members, key=lambda member: (_FIRST.get(member.split, 3), member.key)))
    by_answers: dict[str, list[str]] = defaultdict(list)
    for question in kept:
        by_answers[question.answers].append(question.key)
    same = {key: sorted({*keys} - {key}) for keys in by_answers.values() if len(keys) > 1 for key in keys}
    counts = {reason: count for reason, count in removed.items() if count}
    return Distinct(sorted(question.key for question in kept), counts, same)
