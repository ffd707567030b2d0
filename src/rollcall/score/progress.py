"""How far a list of answers got: where its last right answer is, and what is left unsaid.

An answer is right at its place if the list up to it finds more gold answers than the list before it, by the
profile's own matching; another name of an answer already found is not. Longer lists find no fewer answers, so
the place is found by halving.
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from rollcall.questions.record import Answer, Question
from rollcall.score.profile import Predicted, Profile


class Progress(NamedTuple):
    """The answers given to one question, and how many of them it took."""

    given: int
    """The number of answers given, with repeats."""
    last_right: int
    """The place of the last right one, from 1; 0 if none is right."""
    found: int
    gold: int


def progress(
    profile: Profile, question: Question, gold: Sequence[Answer], said: Sequence[Predicted]
) -> Progress:
    """Where the last right answer of a list is, under a profile."""
    whole = profile.match(question, gold, said)
    last = bisect_left(
        range(len(said)), whole.found, key=lambda length: profile.match(question, gold, said[:length]).found
    )
    return Progress(len(said), last if whole.found else 0, whole.found, whole.gold)
