"""Decompression as a stream: it gives every byte before damage, and never ends silently inside a member.

The file objects of the libraries lose decompressed data when they reach damage, or treat a truncated file as
complete. Their decompressors, fed piece by piece, do neither. The memory that a small file can use is
limited: by the window, the output of one step, and the ratio of output size to file size.
"""

import io
import sys
from collections.abc import Callable
from typing import IO, Any, cast

_CHUNK = 1 << 17
_BUFFER = 1 << 18
_WINDOW = 1 << 27
"""The window that `zstd --long` needs. A file may ask for any window, and that much memory is allocated."""
_WINDOW_TOO_LARGE = (
    f"the compressed file asks for a window of more than {_WINDOW >> 20} MiB of memory; "
    "compress it again with zstd --long=27 or less"
)
_SMALL = 1 << 26
_MOST_TIMES = 500
"""Above a small size, real text never expands by this factor; only files made to exhaust memory do."""


def wrap_decompression(stream: IO[bytes], suffix: str) -> IO[bytes]:
    """Decompress an open stream of bytes by its file's suffix; other suffixes pass through.

    Reading raises EOFError where a compressed stream is cut off, and OSError where it is damaged.
    """
    if suffix not in _DECOMPRESSORS:
        return stream
    return cast(IO[bytes], io.BufferedReader(_Decompressed(stream, _DECOMPRESSORS[suffix]), _BUFFER))


class _Decompressed(io.RawIOBase):
    """The decompressed bytes of all members, one after the other."""

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
        """Turn some input into output, possibly empty; returns False at the end of the last member."""
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
        except Exception as error:  # each library has its own exception
            if "too much memory" in str(error):
                raise OSError(_WINDOW_TOO_LARGE) from None
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


def _gzip() -> Any:
    from isal import igzip_lib

    return igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP)


def _bzip2() -> Any:
    import bz2

    return bz2.BZ2Decompressor()


def _zstd() -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd

    options: dict[int, int] = {zstd.DecompressionParameter.window_log_max: _WINDOW.bit_length() - 1}
    return zstd.ZstdDecompressor(options=options)


_DECOMPRESSORS: dict[str, Callable[[], Any]] = {".gz": _gzip, ".bz2": _bzip2, ".zst": _zstd}
