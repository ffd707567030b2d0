"""Random numbers as a pure function: the same key and number always give the same draw, in any process.

No draw depends on an earlier one. Every choice hashes (seed, name of the choice, number of the entity), so
that any worker can make any block independently, one entity at a time or a whole numpy array at once.
"""

from functools import lru_cache
from hashlib import blake2b
from math import gcd

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB


@lru_cache(maxsize=4096)
def key(seed: int, name: str) -> int:
    """The 64-bit key of a named choice in the world of one seed."""
    return int.from_bytes(blake2b(f"{seed}/{name}".encode(), digest_size=8).digest(), "little")


def word(stream: int, number: int) -> int:
    """64 uniformly distributed bits for one number (splitmix64)."""
    bits = (stream + (number + 1) * _STEP) & _MASK
    bits = ((bits ^ (bits >> 30)) * _FIRST) & _MASK
    bits = ((bits ^ (bits >> 27)) * _SECOND) & _MASK
    return bits ^ (bits >> 31)


def words(stream: int, numbers: Numbers | Words) -> Words:
    """`word` for a whole array; each element has the same bits as with `word`."""
    bits = numbers.astype(np.uint64)
    bits += np.uint64(1)
    bits *= np.uint64(_STEP)
    bits += np.uint64(stream)
    bits ^= bits >> np.uint64(30)
    bits *= np.uint64(_FIRST)
    bits ^= bits >> np.uint64(27)
    bits *= np.uint64(_SECOND)
    bits ^= bits >> np.uint64(31)
    return bits


def share(stream: int, number: int) -> float:
    """A uniform draw in [0, 1) for one number."""
    return (word(stream, number) >> 11) / 9007199254740992.0


def shares(stream: int, numbers: Numbers | Words) -> NDArray[np.float64]:
    """`share` for a whole array."""
    return (words(stream, numbers) >> np.uint64(11)).astype(np.float64) / 9007199254740992.0


def skewed(draws: NDArray[np.float64], low: int | Numbers, high: int | Numbers) -> Numbers:
    """Numbers in [low, high), low ones more often: the probability of rank r is proportional to r^(-1/2)."""
    return low + (draws * draws * (high - low)).astype(np.int64)


class Shuffle:
    """A permutation of 0..size-1 that can be computed in both directions without a table."""

    def __init__(self, seed: int, name: str, size: int):
        self.size = size
        step = max(1, int(size * 0.6180339887)) + word(key(seed, name), 0) % 97
        while gcd(step, size) != 1:
            step += 1
        self.step = step % size if size > 1 else 1
        self.back = pow(self.step, -1, size) if size > 1 else 1
        self.offset = word(key(seed, name), 1) % size

    def forth(self, number: int) -> int:
        return (number * self.step + self.offset) % self.size

    def forth_all(self, numbers: Numbers) -> Numbers:
        return (numbers * self.step + self.offset) % self.size

    def home(self, rank: int) -> int:
        return (rank - self.offset) * self.back % self.size

    def home_all(self, ranks: Numbers) -> Numbers:
        return (ranks - self.offset) % self.size * self.back % self.size


class Dice:
    """A sequence of draws for one page or entity: a linear congruential generator, seeded with a hash."""

    __slots__ = ("_state",)

    def __init__(self, stream: int, number: int):
        self._state = word(stream, number)

    def copy(self) -> "Dice":
        """Dice that give the same draws from here on."""
        copied = Dice.__new__(Dice)
        copied._state = self._state
        return copied

    def below(self, limit: int) -> int:
        """A uniform draw in 0..limit-1."""
        self._state = state = (self._state * 6364136223846793005 + 1442695040888963407) & _MASK
        return (state >> 32) * limit >> 32

    def chance(self, probability: float) -> bool:
        return self.below(1 << 20) < probability * (1 << 20)
