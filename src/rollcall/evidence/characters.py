"""Texts as arrays: what each character is, where words stand, and a hash of any piece of the text.

Names are sought in many pages at once, so that all of this is computed for whole texts. The hash is a
polynomial that wraps around at 64 bits; sums from the beginning give the hash of any piece by a subtraction.
"""

import unicodedata

import numpy as np

WORD, UPPER, DIGIT, COMBINING, _KNOWN = 1, 2, 4, 8, 128
BLANK = ord(" ")
_LAST = 0x110000
_BASE = 0x9E3779B97F4A7C15  # odd, and hence with an inverse
_MOST = 1 << 64


class Characters:
    """A text, the kinds of its characters, and where its words begin and end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
        self.kinds = _kinds(self.codes)
        inside = np.zeros(len(text) + 2, np.bool_)
        np.not_equal(self.kinds & WORD, 0, out=inside[1:-1])
        edges = np.flatnonzero(inside[1:] != inside[:-1])
        self.word_starts, self.word_ends = edges[::2], edges[1::2]
        self.blanks = np.flatnonzero(self.codes == BLANK)
        self._sums = np.zeros(len(text) + 1, np.uint64)
        np.cumsum(self.codes * _POWERS.up_to(len(text))[0][: len(text)], out=self._sums[1:])

    def hashes(self, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """The hashes of the pieces between these places."""
        hashes: np.ndarray = self._sums[ends] - self._sums[starts]
        hashes *= _POWERS.up_to(len(self.text))[1][starts]
        return hashes


class _Powers:
    """The powers of the hash's base and of its inverse, as many as the longest text so far asked for."""

    def __init__(self) -> None:
        self._powers = (np.ones(1, np.uint64), np.ones(1, np.uint64))

    def up_to(self, length: int) -> tuple[np.ndarray, np.ndarray]:
        if len(self._powers[0]) <= length:
            size = 1 << length.bit_length()
            self._powers = (_powers(_BASE, size), _powers(pow(_BASE, -1, _MOST), size))
        return self._powers


def _powers(base: int, size: int) -> np.ndarray:
    factors = np.full(size, base, np.uint64)
    factors[0] = 1
    return np.cumprod(factors)


_POWERS = _Powers()


def _kinds(codes: np.ndarray) -> np.ndarray:
    """What each character is; a character is asked for its properties when it is first met."""
    kinds: np.ndarray = _KINDS[codes]
    unknown = codes[kinds == 0]
    if len(unknown):
        for code in np.unique(unknown).tolist():
            _KINDS[code] = _kind(chr(code))
        kinds = _KINDS[codes]
    return kinds


def _kind(character: str) -> int:
    combining = character > "\u02ff" and unicodedata.combining(character)
    return (
        _KNOWN
        | (WORD if character.isalnum() or character == "_" else 0)
        | (UPPER if character.isupper() else 0)
        | (DIGIT if character.isdigit() else 0)
        | (COMBINING if combining else 0)
    )


_KINDS = np.zeros(_LAST, np.uint8)
_KINDS[:128] = [_kind(chr(code)) for code in range(128)]
