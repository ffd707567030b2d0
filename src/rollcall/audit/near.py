"""Finds nearly equal questions at bounded cost: MinHash of words and pairs of words, then a comparison.

A pair counts if most words and pairs of words are the same, all names and numbers are, and the answers agree:
mostly if no word of content differs, nearly all otherwise. In long questions one other word, or another
order, may ask for something else, and then the answers tell.
Every bucket of the index gives each of its members a few others only, so the cost grows with the number of
questions and not with its square.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from rollcall.audit.words import IMPERATIVES, WORD, folded
from rollcall.english.base_form import base_form
from rollcall.english.function_words import COMMON
from rollcall.questions.record import Question

ALIKE = 0.7
"""The least Jaccard index of words and pairs of words."""
AGREEING, NEARLY_EQUAL = 0.5, 0.9
"""The least Jaccard index of the answers: where all words of content are the same, and where some differ."""
_BANDS, _ROWS = 16, 4
_COMPARED = 20
"""The most others of one bucket and group that a question is compared with."""
_PRIME = (1 << 31) - 1
_DO = frozenset(("how", "why", "many", "much", "all", "every", "each", *IMPERATIVES))


class Sketch(NamedTuple):
    """What is compared of a question."""

    shingles: frozenset[str]
    names: frozenset[str]
    content: frozenset[str]
    answers: frozenset[str]
    entities: frozenset[str]
    """What its query is about; empty if that is not known."""


def sketch(question: Question, answers: frozenset[str], entities: Iterable[str] = ()) -> Sketch:
    """The words of a question, its names and numbers, and its words of content without their endings."""
    text = question.question
    found = WORD.findall(text)
    small = [folded(word) for word in found]
    names = frozenset(
        low for place, (word, low) in enumerate(zip(found, small, strict=True)) if _is_name(word, low, place)
    )
    content = frozenset(_stem(word) for word in small if word not in COMMON and word not in _DO)
    pairs = (f"{one} {other}" for one, other in pairwise(small))
    return Sketch(frozenset((*small, *pairs)), names, content, answers, frozenset(entities))


def _is_name(word: str, low: str, place: int) -> bool:
    return any(sign.isdigit() for sign in word) or (place > 0 and word[0].isupper() and low not in COMMON)


def _stem(word: str) -> str:
    base = base_form(word)
    for ending in ("ing", "ed", "er"):
        if len(base) > len(ending) + 3 and base.endswith(ending):
            return base.removesuffix(ending)
    return base.removesuffix("e") if len(base) > 4 else base


def are_alike(one: Sketch, other: Sketch) -> bool:
    """Whether two questions are nearly the same."""
    if one.names != other.names or _jaccard(one.shingles, other.shingles) < ALIKE:
        return False
    if one.entities and other.entities and one.entities != other.entities:
        return False  # names in lower case: the flute, and the guitar
    agreement = _jaccard(one.answers, other.answers)
    return agreement >= (AGREEING if one.content == other.content else NEARLY_EQUAL)


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    union = len(one | other)
    return len(one & other) / union if union else 1.0


def near_pairs(sketches: Sequence[Sketch], groups: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Nearly equal questions of different groups, as places, the earlier first; each pair once."""
    buckets: dict[tuple[str, int, bytes], list[int]] = defaultdict(list)
    known = sorted(set(groups))
    for place, signature in enumerate(_signatures(sketches)):
        keys = [(band, signature[band * _ROWS : (band + 1) * _ROWS].tobytes()) for band in range(_BANDS)]
        others = {
            other
            for group in known
            for band, key in keys
            if group != groups[place] and (group, band, key) in buckets
            for other in buckets[group, band, key][-_COMPARED:]
        }
        for other in sorted(others):
            if are_alike(sketches[other], sketches[place]):
                yield other, place
        for band, key in keys:
            buckets[groups[place], band, key].append(place)


def _signatures(sketches: Sequence[Sketch]) -> Iterator[NDArray[np.uint32]]:
    """For each question, the least of so many hashes of its words and pairs."""
    random = np.random.default_rng(18)
    factors = random.integers(1, _PRIME, size=_BANDS * _ROWS, dtype=np.uint64)
    offsets = random.integers(0, _PRIME, size=_BANDS * _ROWS, dtype=np.uint64)
    for one in sketches:
        values = np.array([crc32(text.encode()) for text in one.shingles] or [0], dtype=np.uint64) % _PRIME
        hashed = (values[:, None] * factors[None, :] + offsets[None, :]) % _PRIME
        yield hashed.min(axis=0).astype(np.uint32)
