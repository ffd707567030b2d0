"""Decompression as a stream that gives every byte before a break, and never ends quietly inside a member.

The libraries' own files lose what they had decompressed when they meet damage, or take a cut-off file for a
whole one; their decompressors, fed piece by piece, do neither. What a small file can make this process hold
is bounded: a window, the output of one step, and how many times its own size a file may become.
"""

import io
from collections.abc import Callable
from typing import IO, Any, cast

_CHUNK = 1 << 17
_BUFFER = 1 << 18
_WINDOW = 1 << 27
"""What `zstd --long` needs, and no more: a file may ask for any window, and that much memory is taken."""
_SMALL = 1 << 26
_MOST_TIMES = 500
"""Beyond a small size, no text becomes so many times larger; files made to fill a memory do."""


def wrap_decompression(stream: IO[bytes], suffix: str) -> IO[bytes]:
    """Decompress an open stream of bytes by its file's suffix; other suffixes pass through.

    Reading raises EOFError where a compressed stream is cut off, and OSError where it is damaged.
    """
    if suffix not in _DECOMPRESSORS:
        return stream
    return cast(IO[bytes], io.BufferedReader(_Decompressed(stream, _DECOMPRESSORS[suffix]), _BUFFER))


class _Decompressed(io.RawIOBase):
    """One compressed member after the other, as the plain bytes they hold."""

    def __init__(self, stream: IO[bytes], new: Callable[[], Any]) -> None:
        self._stream = stream
        self._new = new
        self._member: Any = None
        self._members = 0
        self._input = b""
        self._output = memoryview(b"")
        self._read = self._given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._output:
            if not self._decompress(len(buffer)):
                return 0
        count = min(len(buffer), len(self._output))
        buffer[:count] = self._output[:count]
        self._output = self._output[count:]
        return count

    def _decompress(self, size: int) -> bool:
        """Turn some input into output, perhaps none; false at the end of the last member."""
        starved = self._member is None or getattr(self._member, "needs_input", True)
        if starved and not self._input:
            self._input = self._stream.read(_CHUNK)
            self._read += len(self._input)
            if not self._input:
                if self._member is None:
                    return False
                raise EOFError("the compressed file is cut off: it ends inside a compressed stream")
        if self._member is None:
            if self._members:
                self._input = self._input.lstrip(b"\0")  # padding, as on tapes
                if not self._input:
                    return True
            self._member = self._new()
            self._members += 1
        given, self._input = self._input, b""
        try:
            self._output = memoryview(self._member.decompress(given, size))
        except _WindowError as error:
            raise OSError(str(error)) from None
        except Exception as error:  # each library has an exception of its own
            raise OSError(f"the compressed file is damaged: {error}") from None
        if self._member.eof:
            self._input, self._member = self._member.unused_data, None
        self._given += len(self._output)
        if self._given > max(_SMALL, _MOST_TIMES * self._read):
            self._output = memoryview(b"")
            raise OSError(
                f"the compressed file becomes more than {_MOST_TIMES} times larger, as no text does"
            )
        return True

    def close(self) -> None:
        self._stream.close()
        super().close()


class _WindowError(Exception):
    """The file is whole, and asks for more memory than it gets."""


def _gzip() -> Any:
    from isal import igzip_lib

    return igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP)


def _bzip2() -> Any:
    import bz2

    return bz2.BZ2Decompressor()


class _Zstd:
    """Zstandard's decompressor, which cannot be told how much to give; so it is fed little at a time.

    Four bytes can stand for a block of 128 KiB, so that what is fed at once becomes 32 MiB at most.
    """

    _FED = 1 << 10

    def __init__(self) -> None:
        import zstandard

        self._error = zstandard.ZstdError
        self._object = zstandard.ZstdDecompressor(max_window_size=_WINDOW).decompressobj()
        self._left = memoryview(b"")
        self.unused_data = b""
        self.eof = False

    @property
    def needs_input(self) -> bool:
        return not self._left

    def decompress(self, data: bytes, _size: int) -> bytes:
        given = self._left if self._left else memoryview(data)
        assert not (self._left and data)  # more is given only to one that needs input
        try:
            output = self._object.decompress(given[: self._FED])
        except self._error as error:
            if "too much memory" in str(error):
                raise _WindowError(
                    f"the compressed file asks for a window of more than {_WINDOW >> 20} MiB of memory; "
                    "compress it again with zstd --long=27 or less"
                ) from None
            raise
        self._left = given[self._FED :]
        if self._object.eof:
            self.eof = True
            self.unused_data = self._object.unused_data + bytes(self._left)
        return output


_DECOMPRESSORS: dict[str, Callable[[], Any]] = {".gz": _gzip, ".bz2": _bzip2, ".zst": _Zstd}
