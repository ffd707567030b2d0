"""A sentence as the contrast verifier sees it: small words, with the fact's two ends and other names
masked.

`X` stands for the subject and `Y` for the object, so that wordings are learned and not who is named, and so
that the direction of a relation shows in the order of the two. Other names become `^` and figures `0`.
"""

import re
from typing import NamedTuple

from rollcall.evidence.candidate import CandidateSentence

SUBJECT, OBJECT, NAME, FIGURE = "X", "Y", "^", "0"
_TOKEN = re.compile(r"['’]s\b|\w+|[^\w\s]")
_QUIET = frozenset("\"'“”‘’`")


class Masked(NamedTuple):
    """The tokens of a sentence and the numbers of the two that stand for its ends."""

    tokens: list[str]
    subject: int
    object: int
    named: bool
    """Whether the sentence itself names both ends; the page's topic may be understood."""
    others: list[str]
    """The words of the other names, small."""
    place: str
    """Whose page it stands on, and whether it opens it; empty where that is not known."""


def masked(candidate: CandidateSentence) -> Masked:
    """Mask the two ends at the places nearest to one another; an end without a place opens the sentence."""
    subjects, objects = _apart(candidate.subject_places, candidate.object_places)
    spans = sorted(
        [(start, end, SUBJECT) for start, end in subjects] + [(start, end, OBJECT) for start, end in objects]
    )
    tokens: list[str] = []
    others: list[str] = []
    position = 0
    for start, end, end_token in spans:
        if start < position:
            continue
        _add(tokens, others, candidate.text[position:start], position == 0)
        tokens.append(end_token)
        position = end
    _add(tokens, others, candidate.text[position:], position == 0)
    named = SUBJECT in tokens and OBJECT in tokens
    for missing in (SUBJECT, OBJECT):
        if missing not in tokens:
            tokens.insert(0, missing)
    return Masked(tokens, *_nearest(tokens), named, others, _place(candidate))


def _place(candidate: CandidateSentence) -> str:
    if not candidate.page:
        return ""
    return (
        f"{candidate.side} {('first', 'second')[candidate.sentence] if candidate.sentence < 2 else 'later'}"
    )


def _apart(
    subjects: tuple[tuple[int, int], ...], objects: tuple[tuple[int, int], ...]
) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Places that are claimed for both ends go to the one that has no other."""
    shared = [
        place for place in subjects if any(place[0] < end and start < place[1] for start, end in objects)
    ]
    if not shared:
        return subjects, objects
    alone = tuple(place for place in subjects if place not in shared)
    return alone, objects


def _add(tokens: list[str], others: list[str], text: str, opens: bool) -> None:
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in _QUIET:
            continue
        if token[0].isdigit():
            token = FIGURE * min(len(token), 4)
        elif token[0].isupper() and not (opens and match.start() == 0):
            others.append(token.lower())
            token = NAME
        else:
            token = token.lower()
        if token == NAME and tokens and tokens[-1] == NAME:
            continue
        tokens.append(token.replace("’", "'"))


def _nearest(tokens: list[str]) -> tuple[int, int]:
    subjects = [number for number, token in enumerate(tokens) if token == SUBJECT]
    objects = [number for number, token in enumerate(tokens) if token == OBJECT]
    _distance, subject, object_ = min((abs(s - o), s, o) for s in subjects for o in objects)
    return subject, object_


def words_of(text: str) -> list[str]:
    """A text cut into tokens as sentences are."""
    return _TOKEN.findall(text)
