"""The features of the contrast verifier: n-grams between, before and after the two ends, and the cues.

Input: a masked sentence and the cues of its relation. Output: the columns that the model uses, which are
hashes of the features, or the features as strings, which explanations show. Both come from one function: a
hash of a feature grows word by word just as its text does, and never needs the text.
"""

from array import array
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from typing import TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from rollcall.evidence.verifiers.contrast.masking import ENDS, Masked
from rollcall.evidence.verifiers.contrast.sparse import SparseRows, from_lists

BITS = 20
_MASK = (1 << BITS) - 1
_WINDOW = 4
_WHOLE = 8
_FAR = (1, 2, 3, 5, 8, 12, 20)
_T = TypeVar("_T")
_Grow = Callable[[bytes, _T], _T]
"""Makes a longer feature from the bytes to append and the shorter one."""


def features(mask: Masked, cues: Sequence[str] = ()) -> list[str]:
    """The features of a masked sentence, each once."""
    return [found.decode() for found in _features(mask, cues, _longer_text, b"")]


def feature_columns(mask: Masked, cues: Sequence[str] = ()) -> Collection[int]:
    """The hashes of the features of a masked sentence, each once."""
    return _features(mask, cues, crc32, 0)


def _longer_text(more: bytes, text: bytes) -> bytes:
    return text + more


def _features(mask: Masked, cues: Sequence[str], grow: _Grow[_T], empty: _T) -> Collection[_T]:
    tokens, first, last = tuple(mask.tokens), mask.subject, mask.object
    if first > last:
        first, last = last, first
    behind = last + 1
    between = tokens[first:behind]
    found: list[_T] = [*_frame(mask.subject < mask.object, last - first, mask.named, grow, empty)]
    found += _ngrams("between", between, 3, grow, empty)
    if len(between) <= _WHOLE:
        found.append(grow(("whole " + " ".join(between)).encode(), empty))
    found += _ngrams("before", tokens[first - _WINDOW if first > _WINDOW else 0 : first + 1], 3, grow, empty)
    found += _ngrams("behind", tokens[last : behind + _WINDOW], 3, grow, empty)
    found += _ngrams("in", tokens, 2, grow, empty)
    found += [grow(f"name: {word}".encode(), empty) for word in mask.others]
    if mask.place:
        found.append(grow(f"page {mask.place}".encode(), empty))
    said = f" {' '.join(tokens)} "
    for cue in cues:
        if cue in said and f" {cue} " in said:
            found.append(grow(b"cue", empty))
            if f" {cue} " in f" {' '.join(between)} ":
                found.append(grow(b"cue between", empty))
    return dict.fromkeys(found)


@lru_cache(maxsize=1 << 10)
def _frame(in_order: bool, distance: int, named: bool, grow: _Grow[_T], empty: _T) -> Sequence[_T]:
    """The features of the two ends alone: their order, their distance, and whether both are named."""
    order = "XY" if in_order else "YX"
    said = (f"order {order}", f"apart {_bucket(distance)} {order}", f"named {named}")
    return [grow(text.encode(), empty) for text in said]


@lru_cache(maxsize=1 << 14)
def _ngrams(where: str, tokens: tuple[str, ...], longest: int, grow: _Grow[_T], empty: _T) -> Sequence[_T]:
    """The n-grams of a part of a sentence, without the ends alone; many sentences share such a part."""
    start = grow(f"{where}: ".encode(), empty)
    words = [token.encode() for token in tokens]
    grown = [grow(word, start) for word in words]
    found = [one for one, token in zip(grown, tokens, strict=True) if token not in ENDS]
    later = [b" " + word for word in words]
    for length in range(1, longest):
        grown = list(map(grow, later[length:], grown))
        found += grown
    return found


def _bucket(distance: int) -> str:
    return next((f"<={limit}" for limit in _FAR if distance <= limit), "far")


def hashed(rows: Iterable[Collection[int]]) -> SparseRows:
    """The hashed features of many sentences as a sparse matrix, one row for each sentence."""
    lengths, columns = [], array("I")
    for row in rows:
        lengths.append(len(row))
        columns.extend(row)
    numbers = (np.array(columns, np.uint32) & _MASK).astype(np.int32)
    return from_lists(lengths, numbers)


def of_names(names: Iterable[str]) -> list[int]:
    """The hashes of features that are given as strings."""
    return [crc32(name.encode()) for name in names]


def cue_columns() -> NDArray[np.int32]:
    """The columns of the features that depend on the relation and not only on the sentence."""
    return hashed([of_names(["cue", "cue between"])]).columns


def without_cues(matrix: SparseRows) -> SparseRows:
    """The same sentences without the cues of any relation."""
    return matrix.without(cue_columns())
