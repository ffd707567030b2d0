"""Tables of strings that stay on disk: one sequence of UTF-8 bytes, and the offset of each string.

Opened with a memory map, a table of a hundred million ids uses no memory until it is read. If the strings are
sorted by their bytes, the number of a string is found by binary search.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, overload

import numpy as np
import numpy.typing as npt

from rollcall.graph.arrays import ArrayWriter, open_array

_FEW = 6
"""Fewer strings than this are read one by one, since the preparation for many would cost more."""

_STRIDE = 32
"""One in this many strings is kept in memory after the first search."""


class StringTable(Sequence[str]):
    """Strings by their number; `find` gives the number of a string when the table is sorted."""

    __slots__ = ("_blob", "_bytes", "_offsets", "_samples")

    def __init__(self, blob: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]):
        self._blob = blob
        self._bytes = memoryview(blob)  # type: ignore[arg-type]
        self._offsets = offsets
        self._samples: list[bytes] | None = None

    @classmethod
    def open(cls, folder: Path, name: str) -> Self:
        """Open the table with this name in an index folder."""
        return cls(open_array(folder / f"{name}.bytes.npy"), open_array(folder / f"{name}.offsets.npy"))

    @classmethod
    def of(cls, strings: Iterable[str]) -> Self:
        """A table in memory."""
        encoded = [string.encode() for string in strings]
        offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
        np.cumsum([len(string) for string in encoded], out=offsets[1:])
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), offsets)

    def __len__(self) -> int:
        return len(self._offsets) - 1

    @property
    def is_blank(self) -> bool:
        """Whether all strings are empty."""
        return not len(self._blob)

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> list[str]: ...
    def __getitem__(self, number: int | slice) -> str | list[str]:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        if number < 0:
            number += len(self)
        if not 0 <= number < len(self):
            raise IndexError(f"string {number} of {len(self)}")
        start, end = self._offsets[number : number + 2].tolist()
        return str(self._bytes[start:end], "utf-8")

    def take(self, numbers: npt.NDArray[Any]) -> list[str]:
        """The strings of many numbers at once."""
        offsets, texts = self._offsets, self._bytes
        if len(numbers) < _FEW:
            found = [offsets[number : number + 2].tolist() for number in numbers.tolist()]
            return [str(texts[start:end], "utf-8") for start, end in found]
        starts, ends = offsets[numbers].tolist(), offsets[numbers + 1].tolist()
        return [str(texts[start:end], "utf-8") for start, end in zip(starts, ends, strict=True)]

    def __iter__(self) -> Iterator[str]:
        return (self[number] for number in range(len(self)))

    def find(self, text: str) -> int | None:
        """The number of a string in a table sorted by bytes, or None."""
        wanted = text.encode("utf-8", "surrogatepass")  # a text that is not valid Unicode is in no table
        low = self._place(wanted)
        found = low < len(self) and self._bytes[self._offsets[low] : self._offsets[low + 1]] == wanted
        return low if found else None

    def has_beginning(self, text: str) -> bool:
        """Whether some string of a table sorted by bytes begins with this text."""
        wanted = text.encode("utf-8", "surrogatepass")  # a text that is not valid Unicode is in no table
        low = self._place(wanted)
        if low == len(self):
            return False
        start = int(self._offsets[low])
        end = min(start + len(wanted), int(self._offsets[low + 1]))
        return bytes(self._bytes[start:end]) == wanted

    def _place(self, wanted: bytes) -> int:
        """The number of the first string that is not less."""
        # Samples in memory narrow the search by binary search in C; only the last steps read the disk.
        block = bisect_right(self._sampled(), wanted) - 1
        low, high = max(block * _STRIDE, 0), min((block + 1) * _STRIDE, len(self))
        while low < high:
            middle = (low + high) // 2
            if bytes(self._bytes[self._offsets[middle] : self._offsets[middle + 1]]) < wanted:
                low = middle + 1
            else:
                high = middle
        return low

    def _sampled(self) -> list[bytes]:
        if self._samples is None:
            starts = self._offsets[:-1:_STRIDE].tolist()
            ends = self._offsets[1::_STRIDE].tolist()
            self._samples = [bytes(self._bytes[start:end]) for start, end in zip(starts, ends, strict=True)]
        return self._samples

    def arrow(self) -> Any:
        """The whole table as an Arrow array on the same bytes, without a copy."""
        import pyarrow as pa

        # numpy types the buffers as arrays of numbers, Arrow as plain bytes.
        offsets: Any = self._offsets
        blob: Any = self._blob
        return pa.LargeStringArray.from_buffers(len(self), pa.py_buffer(offsets), pa.py_buffer(blob))


class StringTableWriter:
    """Writes a string table piece by piece; only one piece is ever in memory."""

    def __init__(self, folder: Path, name: str):
        self._blob = ArrayWriter(folder / f"{name}.bytes.npy", np.uint8)
        self._offsets = ArrayWriter(folder / f"{name}.offsets.npy", np.int64)
        self._end = 0
        self._offsets.append(np.zeros(1, dtype=np.int64))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._blob.close()
        self._offsets.close()

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def append(self, strings: Any) -> None:
        """Add an Arrow array of strings; a null becomes the empty string."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if not len(strings):
            return
        if strings.null_count:
            strings = pc.fill_null(strings, "")
        large = strings.cast(pa.large_string())
        _, offsets_buffer, blob_buffer = large.buffers()
        offsets = np.frombuffer(offsets_buffer, dtype=np.int64)[large.offset : large.offset + len(large) + 1]
        start, end = int(offsets[0]), int(offsets[-1])
        if end > start:
            self._blob.append(np.frombuffer(blob_buffer, dtype=np.uint8)[start:end])
        self._offsets.append(offsets[1:] - start + self._end)
        self._end += end - start
