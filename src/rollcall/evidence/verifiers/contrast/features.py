"""The features of the contrast verifier: n-grams between, before and after the two ends, and the cues.

Input: a masked sentence and the cues of its relation. Output: strings, which explanations show, and their
hashes, which the model uses.
"""

from array import array
from collections.abc import Iterable, Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from rollcall.evidence.verifiers.contrast.masking import Masked
from rollcall.evidence.verifiers.contrast.sparse import SparseRows, from_lists

BITS = 20
_MASK = (1 << BITS) - 1
_WINDOW = 4
_WHOLE = 8
_FAR = (1, 2, 3, 5, 8, 12, 20)


def features(mask: Masked, cues: Sequence[str] = ()) -> list[str]:
    """The features of a masked sentence, each once."""
    tokens, first, last = mask.tokens, *sorted((mask.subject, mask.object))
    order = "XY" if mask.subject < mask.object else "YX"
    between = tokens[first : last + 1]
    found = [f"order {order}", f"apart {_bucket(last - first)} {order}", f"named {mask.named}"]
    found += _ngrams("between", between, 3)
    if len(between) <= _WHOLE:
        found.append("whole " + " ".join(between))
    found += _ngrams("before", tokens[max(0, first - _WINDOW) : first + 1], 3)
    found += _ngrams("behind", tokens[last : last + 1 + _WINDOW], 3)
    found += _ngrams("in", tokens, 2)
    found += [f"name: {word}" for word in mask.others]
    if mask.place:
        found.append(f"page {mask.place}")
    said = f" {' '.join(tokens)} "
    inside = f" {' '.join(between)} "
    for cue in cues:
        if f" {cue} " in said:
            found += ["cue", "cue between"] if f" {cue} " in inside else ["cue"]
    return list(dict.fromkeys(found))


def _ngrams(where: str, tokens: list[str], longest: int) -> Iterable[str]:
    for length in range(1, longest + 1):
        for start in range(len(tokens) - length + 1):
            if length > 1 or tokens[start] not in ("X", "Y"):
                yield f"{where}: {' '.join(tokens[start : start + length])}"


def _bucket(distance: int) -> str:
    return next((f"<={limit}" for limit in _FAR if distance <= limit), "far")


def hashed(rows: Iterable[list[str]]) -> SparseRows:
    """The features of many sentences as a sparse matrix, one row for each sentence."""
    lengths, columns = [], array("i")
    for row in rows:
        lengths.append(len(row))
        columns.extend([crc32(feature.encode()) & _MASK for feature in row])
    return from_lists(lengths, np.array(columns, np.int32))


def cue_columns() -> NDArray[np.int32]:
    """The columns of the features that depend on the relation and not only on the sentence."""
    return hashed([["cue", "cue between"]]).columns


def without_cues(matrix: SparseRows) -> SparseRows:
    """The same sentences without the cues of any relation."""
    return matrix.without(cue_columns())
