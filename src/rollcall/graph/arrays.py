"""Numpy arrays on disk: written piece by piece, opened with a memory map.

The length of an array need not be known before its last piece is written, so that sorted streams of any
length become index files with only one piece in memory at a time.
"""

from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt


def open_array(path: Path) -> npt.NDArray[Any]:
    """A memory-mapped view of an array file."""
    array = np.load(path, mmap_mode="r", allow_pickle=False)
    return np.asarray(array)  # a plain view of the map: slicing it is several times cheaper


class ArrayWriter:
    """Writes a one-dimensional `.npy` file by appending."""

    def __init__(self, path: Path, dtype: npt.DTypeLike):
        self._dtype = np.dtype(dtype)
        self._length = 0
        self._file = path.open("wb")
        self._write_header()

    def __len__(self) -> int:
        return self._length

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def append(self, values: npt.NDArray[Any]) -> None:
        self._file.write(np.ascontiguousarray(values, dtype=self._dtype).data)
        self._length += len(values)

    def close(self) -> None:
        self._file.seek(0)
        self._write_header()
        self._file.close()

    def _write_header(self) -> None:
        # numpy pads the header to fit a length of any number of digits, so it can be overwritten in place.
        description = np.lib.format.dtype_to_descr(self._dtype)
        np.lib.format.write_array_header_1_0(
            self._file, {"descr": description, "fortran_order": False, "shape": (self._length,)}
        )


class OffsetsWriter:
    """Writes where the rows of each key begin, for keys 0..count-1 that arrive in order."""

    def __init__(self, path: Path, count: int):
        self._array = ArrayWriter(path, np.int64)
        self._count = count
        self._rows = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._finish(self._count + 1)
        self._array.close()

    def append(self, keys: npt.NDArray[Any]) -> None:
        """Add one row for each key; keys never decrease, within a piece and from piece to piece."""
        if not len(keys):
            return
        wanted = np.arange(len(self._array), int(keys[-1]) + 1)
        self._array.append(np.searchsorted(keys, wanted, side="left") + self._rows)
        self._rows += len(keys)

    def _finish(self, length: int) -> None:
        missing = length - len(self._array)
        self._array.append(np.full(missing, self._rows, dtype=np.int64))
