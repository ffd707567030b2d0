"""The features of the contrast verifier: n-grams between, before and after the two ends, and the cues.

Input: a masked sentence and the cues of its relation. Output: the columns that the model uses, which are
hashes of the features, or the features as strings, which explanations show. Both come from one function: a
hash of a feature grows word by word just as its text does, and never needs the text.
"""

import re
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias, TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from rollcall.evidence.candidate import CandidateSentence
from rollcall.text.words import ARTICLES, CONJUNCTIONS, FINITE_BE, PREPOSITIONS, RELATIVES
from rollcall.wording import Lexicon

# A sentence as the contrast verifier sees it: lower-case words, with the two ends and other names
# masked. `X` replaces the subject and `Y` the object. So wordings are learned and not names, and the
# order of the two shows the direction of the relation. Other names become `^` and numbers `0`.

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
    other_names: list[str] = []
    position = 0
    for start, end, end_token in spans:
        if start < position:
            continue
        _add(tokens, other_names, text[position:start], position == 0)
        tokens.append(end_token)
        position = end
    _add(tokens, other_names, text[position:], position == 0)
    names_both = SUBJECT in tokens and OBJECT in tokens
    for missing in (SUBJECT, OBJECT):
        if missing not in tokens:
            tokens.insert(0, missing)
    return Masked(tokens, *_nearest(tokens), names_both, other_names, _place(candidate))


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


def _add(tokens: list[str], other_names: list[str], text: str, opens: bool) -> None:
    new_tokens = _TOKEN.findall(text)
    if opens and new_tokens and new_tokens[0][0].isupper() and text.startswith(new_tokens[0]):
        tokens.append(new_tokens.pop(0).lower())  # a capital that only opens the sentence
    for token in new_tokens:
        masked_token = _masked_token(token)
        if masked_token == NAME:
            if token != NAME:
                other_names.append(token.lower())
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


# Words that hint at a relation (cues): from the lexicon, and from the relation's own label.

_EMPTY = ARTICLES | PREPOSITIONS | CONJUNCTIONS | FINITE_BE | RELATIVES | {"has", "its", "be", "that"}


def relation_cues(labels: Mapping[str, str], lexicon: Lexicon | None = None) -> dict[str, tuple[str, ...]]:
    """The cues of relations by id, each as lower-case words like those of a masked sentence."""
    lexicon = lexicon or Lexicon.load()
    return {
        relation: _cleaned([*lexicon.entry(relation, label).cues, label, *label.split()])
        for relation, label in labels.items()
    }


def _cleaned(cues: Iterable[str]) -> tuple[str, ...]:
    texts = (" ".join(words_of(cue.lower())) for cue in cues)
    return tuple(dict.fromkeys(cue for cue in texts if len(cue) > 2 and cue not in _EMPTY))


# A matrix of ones and zeros that stores only the ones: the columns of each row. Sentences are rows and
# features are columns. Learning and scoring need few operations on such a matrix, and NumPy is enough
# for them, so no library for sparse matrices is required.

Numbers: TypeAlias = NDArray[np.float64]
Rows: TypeAlias = NDArray[np.int64]


class SparseRows(NamedTuple):
    """The columns of row `i` are `columns[starts[i]:starts[i + 1]]`."""

    starts: Rows
    columns: NDArray[np.int32]

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.starts) - 1

    def take(self, rows: Rows | NDArray[np.bool_] | Sequence[int]) -> "SparseRows":
        """Some rows, given by number or by a Boolean mask."""
        lengths = np.diff(self.starts)[rows]
        starts = _starts(lengths)
        shifts = np.repeat(self.starts[:-1][rows] - starts[:-1], lengths)
        return SparseRows(starts, self.columns[np.arange(starts[-1]) + shifts])

    def without(self, columns: NDArray[np.int32]) -> "SparseRows":
        """All rows, without these columns."""
        is_kept = np.ones(len(self.columns), bool)
        for column in columns:  # they are few
            is_kept &= self.columns != column
        kept_before = np.concatenate([[0], np.cumsum(is_kept)])
        return SparseRows(kept_before[self.starts], self.columns[is_kept])

    def dot(self, weights: Numbers) -> Numbers:
        """For each row, the sum of the weights of its columns."""
        gathered = np.empty(len(self.columns) + 1)
        gathered[-1] = 0.0  # where rows without columns at the end begin
        np.take(weights, self.columns, out=gathered[:-1], mode="clip")
        sums: Numbers = np.add.reduceat(gathered, self.starts[:-1])
        sums[self.starts[:-1] == self.starts[1:]] = 0.0
        return sums


def from_lists(lengths: Sequence[int], columns: NDArray[np.int32]) -> SparseRows:
    """A matrix from the number of columns of each row, and the columns of all rows one after the other."""
    return SparseRows(_starts(np.array(lengths, np.int64)), columns)


def stacked(matrices: Sequence[SparseRows]) -> SparseRows:
    """Matrices joined vertically."""
    lengths = np.concatenate([np.diff(matrix.starts) for matrix in matrices])
    return SparseRows(_starts(lengths), np.concatenate([matrix.columns for matrix in matrices]))


def _starts(lengths: Rows) -> Rows:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])


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
    return [feature.decode() for feature in _features(mask, cues, _longer_text, b"")]


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
    collected: list[_T] = [*_frame(mask.subject < mask.object, last - first, mask.named, grow, empty)]
    collected += _ngrams("between", between, 3, grow, empty)
    if len(between) <= _WHOLE:
        collected.append(grow(("whole " + " ".join(between)).encode(), empty))
    collected += _ngrams(
        "before", tokens[first - _WINDOW if first > _WINDOW else 0 : first + 1], 3, grow, empty
    )
    collected += _ngrams("behind", tokens[last : behind + _WINDOW], 3, grow, empty)
    collected += _ngrams("in", tokens, 2, grow, empty)
    collected += [grow(f"name: {word}".encode(), empty) for word in mask.others]
    if mask.place:
        collected.append(grow(f"page {mask.place}".encode(), empty))
    sentence = f" {' '.join(tokens)} "
    for cue in cues:
        if cue in sentence and f" {cue} " in sentence:
            collected.append(grow(b"cue", empty))
            if f" {cue} " in f" {' '.join(between)} ":
                collected.append(grow(b"cue between", empty))
    return dict.fromkeys(collected)


@lru_cache(maxsize=1 << 10)
def _frame(in_order: bool, distance: int, named: bool, grow: _Grow[_T], empty: _T) -> Sequence[_T]:
    """The features of the two ends alone: their order, their distance, and whether both are named."""
    order = "XY" if in_order else "YX"
    texts = (f"order {order}", f"apart {_bucket(distance)} {order}", f"named {named}")
    return [grow(text.encode(), empty) for text in texts]


@lru_cache(maxsize=1 << 14)
def _ngrams(where: str, tokens: tuple[str, ...], longest: int, grow: _Grow[_T], empty: _T) -> Sequence[_T]:
    """The n-grams of a part of a sentence, without the ends alone; many sentences share such a part."""
    start = grow(f"{where}: ".encode(), empty)
    words = [token.encode() for token in tokens]
    grown = [grow(word, start) for word in words]
    ngrams = [feature for feature, token in zip(grown, tokens, strict=True) if token not in ENDS]
    later = [b" " + word for word in words]
    for length in range(1, longest):
        grown = list(map(grow, later[length:], grown))
        ngrams += grown
    return ngrams


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
