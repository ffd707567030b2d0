"""Rounded numbers as llama.cpp stores them: blocks of small whole numbers, with a scale for each block.

A value is the whole number times the scale, plus a least value in some formats. The operations and their
order are those of llama.cpp in float32, so that the results are the same.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Bytes: TypeAlias = npt.NDArray[np.uint8]
Floats: TypeAlias = npt.NDArray[np.float32]


class Format(NamedTuple):
    """How a block of numbers is stored."""

    numbers: int
    """In a block."""
    bytes: int
    """Of a block."""
    read: Callable[[Bytes], Floats]
    """From blocks as rows of bytes to rows of numbers."""


def numbers(kind: Format, content: Bytes) -> Floats:
    """All numbers of some blocks."""
    return kind.read(content.reshape(-1, kind.bytes)).reshape(-1)


def _half(blocks: Bytes, at: int) -> Floats:
    """A scale of each block, as a column."""
    return np.ascontiguousarray(blocks[:, at : at + 2]).view(np.float16).astype(np.float32)


def _single(blocks: Bytes) -> Floats:
    return np.ascontiguousarray(blocks).view(np.float32).copy()


def _bfloat16(blocks: Bytes) -> Floats:
    upper = np.ascontiguousarray(blocks).view(np.uint16).astype(np.uint32)
    return (upper << np.uint32(16)).view(np.float32)


def _halves(content: Bytes) -> npt.NDArray[np.uint8]:
    """The lower halves of all bytes, then the upper halves."""
    return np.concatenate([content & 0x0F, content >> 4], axis=1)


def _bits(blocks: Bytes, at: int) -> npt.NDArray[np.uint8]:
    """32 bits of each block, one in each column."""
    return np.unpackbits(np.ascontiguousarray(blocks[:, at : at + 4]), axis=1, bitorder="little")


def _q4_0(blocks: Bytes) -> Floats:
    return _half(blocks, 0) * (_halves(blocks[:, 2:]).astype(np.int8) - np.int8(8)).astype(np.float32)


def _q4_1(blocks: Bytes) -> Floats:
    return _half(blocks, 0) * _halves(blocks[:, 4:]).astype(np.float32) + _half(blocks, 2)


def _q5_0(blocks: Bytes) -> Floats:
    whole = _halves(blocks[:, 6:]) | (_bits(blocks, 2) << 4)
    return _half(blocks, 0) * (whole.astype(np.int8) - np.int8(16)).astype(np.float32)


def _q5_1(blocks: Bytes) -> Floats:
    whole = _halves(blocks[:, 8:]) | (_bits(blocks, 4) << 4)
    return _half(blocks, 0) * whole.astype(np.float32) + _half(blocks, 2)


def _q8_0(blocks: Bytes) -> Floats:
    return _half(blocks, 0) * np.ascontiguousarray(blocks[:, 2:]).view(np.int8).astype(np.float32)


def _q4_k(blocks: Bytes) -> Floats:
    """Eight groups of 32 numbers; their scales and least values have six bits each."""
    packed = blocks[:, 4:16].reshape(-1, 3, 4)
    first, second, rest = packed[:, 0], packed[:, 1], packed[:, 2]
    scales = np.concatenate([first & 0x3F, (rest & 0x0F) | ((first >> 2) & 0x30)], axis=1)
    least = np.concatenate([second & 0x3F, (rest >> 4) | ((second >> 2) & 0x30)], axis=1)
    groups = blocks[:, 16:].reshape(-1, 4, 1, 32) >> np.array([0, 4], dtype=np.uint8).reshape(1, 1, 2, 1)
    whole = (groups & 0x0F).reshape(-1, 8, 32).astype(np.float32)
    step = (_half(blocks, 0) * scales.astype(np.float32))[:, :, None]
    return (step * whole - (_half(blocks, 2) * least.astype(np.float32))[:, :, None]).reshape(-1, 256)


def _q6_k(blocks: Bytes) -> Floats:
    """Sixteen groups of 16 numbers, of four lower and two upper bits each."""
    shifts = np.array([0, 2, 4, 6], dtype=np.uint8)
    lower = blocks[:, :128].reshape(-1, 2, 1, 64) >> np.array([0, 4], dtype=np.uint8).reshape(1, 1, 2, 1)
    upper = blocks[:, 128:192].reshape(-1, 2, 1, 32) >> shifts.reshape(1, 1, 4, 1)
    whole = (lower & 0x0F).reshape(-1, 8, 32) | ((upper & 0x03).reshape(-1, 8, 32) << 4)
    scales = np.ascontiguousarray(blocks[:, 192:208]).view(np.int8).astype(np.float32)
    centred = (whole.astype(np.int8) - np.int8(32)).astype(np.float32).reshape(-1, 16, 16)
    return ((_half(blocks, 208) * scales)[:, :, None] * centred).reshape(-1, 256)


FORMATS: dict[int, Format] = {
    0: Format(1, 4, _single),
    1: Format(1, 2, lambda blocks: _half(blocks, 0)),
    2: Format(32, 18, _q4_0),
    3: Format(32, 20, _q4_1),
    6: Format(32, 22, _q5_0),
    7: Format(32, 24, _q5_1),
    8: Format(32, 34, _q8_0),
    12: Format(256, 144, _q4_k),
    14: Format(256, 210, _q6_k),
    30: Format(1, 2, _bfloat16),
}
"""By the number of the format in a file: F32, F16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q6_K, BF16."""
