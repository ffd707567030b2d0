"""The GGUF format: a header with metadata, a list of tensors, and their numbers.

The file is mapped into memory, and a tensor is read when it is asked for.
"""

import struct
from math import prod
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from rollcall.errors import RollcallError
from rollcall.systems.train.gguf.blocks import FORMATS, numbers

Value: TypeAlias = "str | int | float | bool | list[Value]"

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_ALIGNMENT = 32
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_TEXT, _LIST = 8, 9


class Tensor(NamedTuple):
    """Where a tensor is."""

    shape: tuple[int, ...]
    """As numpy has it: the rows first."""
    format: int
    offset: int
    """From the beginning of the file."""


class GgufFile:
    """An opened file."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise RollcallError(f"{path}: no such file")
        try:
            self._bytes = np.memmap(self.path, dtype=np.uint8, mode="r")
            self._place = 0
            self._read_header()
        except (struct.error, ValueError, UnicodeDecodeError) as error:
            raise self._damaged(str(error)) from None

    def tensor(self, name: str) -> npt.NDArray[np.float32]:
        """The numbers of a tensor."""
        one = self.tensors[name]
        known = FORMATS.get(one.format)
        if known is None:
            raise RollcallError(
                f"{self.path}: {name} has numbers of the kind {one.format}, which cannot be read; "
                "give the model as Q8_0 or F16"
            )
        size = prod(one.shape) // known.numbers * known.bytes
        content = self._bytes[one.offset : one.offset + size]
        if len(content) < size or prod(one.shape) % known.numbers:
            raise self._damaged(f"{name} is not whole")
        return numbers(known, content).reshape(one.shape)

    def _read_header(self) -> None:
        if self._take(4) != _MAGIC:
            raise RollcallError(f"{self.path}: is no GGUF file")
        version = self._number("I")
        if version not in _VERSIONS:
            raise RollcallError(f"{self.path}: has version {version} of GGUF; 2 and 3 can be read")
        tensors, entries = int(self._number("Q")), int(self._number("Q"))
        self.metadata: dict[str, Value] = {}
        for _ in range(entries):
            key = self._text()
            self.metadata[key] = self._value(int(self._number("I")))
        found: dict[str, Tensor] = {}
        for _ in range(tensors):
            name = self._text()
            shape = tuple(int(self._number("Q")) for _ in range(int(self._number("I"))))
            found[name] = Tensor(shape[::-1], int(self._number("I")), int(self._number("Q")))
        alignment = self.metadata.get("general.alignment", _ALIGNMENT)
        assert isinstance(alignment, int)
        begin = -(-self._place // alignment) * alignment
        self.tensors = {name: one._replace(offset=one.offset + begin) for name, one in found.items()}

    def _take(self, size: int) -> bytes:
        content = self._bytes[self._place : self._place + size].tobytes()
        if len(content) < size:
            raise ValueError("it ends too early")
        self._place += size
        return content

    def _number(self, kind: str) -> int | float | bool:
        (value,) = struct.unpack(f"<{kind}", self._take(struct.calcsize(f"<{kind}")))
        assert isinstance(value, int | float | bool)
        return value

    def _text(self) -> str:
        return self._take(int(self._number("Q"))).decode()

    def _value(self, kind: int) -> Value:
        if kind in _NUMBERS:
            return self._number(_NUMBERS[kind])
        if kind == _TEXT:
            return self._text()
        if kind != _LIST:
            raise ValueError(f"a value of the unknown kind {kind}")
        inner, count = int(self._number("I")), int(self._number("Q"))
        if inner in _NUMBERS:
            size = struct.calcsize(f"<{_NUMBERS[inner]}")
            return list(struct.unpack(f"<{count}{_NUMBERS[inner]}", self._take(count * size)))
        return [self._value(inner) for _ in range(count)]

    def _damaged(self, about: str) -> RollcallError:
        return RollcallError(f"{self.path}: is damaged or incomplete ({about})")
