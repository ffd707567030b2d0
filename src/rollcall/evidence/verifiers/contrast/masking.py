"""A sentence as the contrast verifier sees it: lower-case words, with the two ends and other names masked.

`X` replaces the subject and `Y` the object. So wordings are learned and not names, and the order of the two
shows the direction of the relation. Other names become `^` and numbers `0`.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from rollcall.evidence.candidate import CandidateSentence

SUBJECT, OBJECT, NAME, FIGURE = "X", "Y", "^", "0"
ENDS = frozenset((SUBJECT, OBJECT))
_TOKEN = re.compile(r"['’]s\b|\w+|[^\w\s]")
_QUIET = frozenset("\"'“”‘’`")


class Masked(NamedTuple):
    """The tokens of a sentence, and the positions of the two that stand for its ends."""

    tokens: list[str]
    subject: int
    object: int
    named: bool
    """Whether the sentence itself names both ends; the page's topic may be left out."""
    others: list[str]
    """The words of the other names, in lower case."""
    place: str
    """The end whose page has the sentence, and whether it is the first, second or a later one; empty if
    unknown.
    """


def masked(candidate: CandidateSentence) -> Masked:
    """Mask the two ends where they are closest to each other; an end without a place is put at the start."""
    subjects, objects = _apart(candidate.subject_places, candidate.object_places)
    spans = [(start, end, SUBJECT) for start, end in subjects]
    spans += [(start, end, OBJECT) for start, end in objects]
    spans.sort()
    text = candidate.text
    tokens: list[str] = []
    others: list[str] = []
    position = 0
    for start, end, end_token in spans:
        if start < position:
            continue
        _add(tokens, others, text[position:start], position == 0)
        tokens.append(end_token)
        position = end
    _add(tokens, others, text[position:], position == 0)
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
    """Places that both ends claim go to the end that has no other place."""
    shared = [
        place for place in subjects if any(place[0] < end and start < place[1] for start, end in objects)
    ]
    if not shared:
        return subjects, objects
    alone = tuple(place for place in subjects if place not in shared)
    return alone, objects


def _add(tokens: list[str], others: list[str], text: str, opens: bool) -> None:
    found = _TOKEN.findall(text)
    if opens and found and found[0][0].isupper() and text.startswith(found[0]):
        tokens.append(found.pop(0).lower())  # a capital that only opens the sentence
    for token in found:
        masked_token = _masked_token(token)
        if masked_token == NAME:
            if token != NAME:
                others.append(token.lower())
            if tokens and tokens[-1] == NAME:
                continue
        if masked_token:
            tokens.append(masked_token)


@lru_cache(maxsize=1 << 16)
def _masked_token(token: str) -> str:
    """A token as the verifier sees it; empty for quotation marks, which it does not see."""
    if token in _QUIET:
        return ""
    if token[0].isdigit():
        return FIGURE * min(len(token), 4)
    return NAME if token[0].isupper() else token.lower().replace("’", "'")


def _nearest(tokens: list[str]) -> tuple[int, int]:
    if tokens.count(SUBJECT) == tokens.count(OBJECT) == 1:
        return tokens.index(SUBJECT), tokens.index(OBJECT)
    subjects = [number for number, token in enumerate(tokens) if token == SUBJECT]
    objects = [number for number, token in enumerate(tokens) if token == OBJECT]
    _distance, subject, object_ = min((abs(s - o), s, o) for s in subjects for o in objects)
    return subject, object_


def words_of(text: str) -> list[str]:
    """A text cut into tokens in the same way as sentences."""
    return _TOKEN.findall(text)
