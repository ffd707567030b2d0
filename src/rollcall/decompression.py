"""Compressed files and archives: the one place that unpacks what a user or an earlier command has stored.

`wrap_decompression` gives every byte before damage, and never ends silently inside a member: the file objects
of the libraries lose decompressed data when they reach damage, or treat a truncated file as complete. Their
decompressors, fed piece by piece, do neither. `Archive` reads the members of a zip archive.

Whatever a library makes of a damaged file, it becomes a `DamagedFileError`. The memory that a small file can
use is limited: by the window, the output of one step, the size of one member, and the ratio of what is
unpacked to the size of the file.
"""

import io
import math
import os
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Self, cast

from rollcall.errors import RollcallError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CHUNK = 1 << 17
_BUFFER = 1 << 18
_WINDOW = 1 << 27
"""The window that `zstd --long` needs. A file may ask for any window, and that much memory is allocated."""
_WINDOW_TOO_LARGE = f"the compressed file asks for a window of more than {_WINDOW >> 20} MiB of memory"
_SMALLER_WINDOW = "compress it again with zstd --long=27 or less"
_SMALL = 1 << 26
_MOST_TIMES = 500
"""Above a small size, real text never expands by this factor; only files made to exhaust memory do."""
_MOST_TIMES_PACKED = 200
"""The same for archives and tables, which are often in memory as a whole."""
_LARGEST_MEMBER = 1 << 28
_MOST_MEMBERS = 200_000
_ENCRYPTED, _UTF_8 = 0x41, 0x800
"""Bits among the flags of a member."""
_LONGEST_END, _MANY = 1 << 17, 0xFFFF
"""Where the end of an archive is looked for, and the number of members in it if there are more than fit."""
_STORED, _DEFLATED, _BZIP2, _ZSTD = 0, 8, 12, 93


class DamagedFileError(RollcallError):
    """A file that cannot be unpacked: it is damaged, cut off, or made to exhaust memory."""

    def __init__(self, name: object, reason: str, remedy: str = "copy or download it again") -> None:
        super().__init__(str(name), reason, remedy)
        self.name, self.reason, self.remedy = str(name), reason, remedy

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}; {self.remedy}"


def wrap_decompression(stream: IO[bytes], suffix: str, name: object) -> IO[bytes]:
    """Decompress an open stream of bytes by its file's suffix; other suffixes pass through.

    Reading raises a DamagedFileError, with this name, where a compressed stream is cut off or damaged.
    """
    if suffix not in _DECOMPRESSORS:
        return stream
    return cast(IO[bytes], io.BufferedReader(_Decompressed(stream, _DECOMPRESSORS[suffix], name), _BUFFER))


def refuse_growth(name: object, unpacked: int, packed: int) -> None:
    """Refuse a packed file that says it becomes too large in memory."""
    if unpacked > max(_SMALL, _MOST_TIMES_PACKED * packed):
        reason = f"the file becomes more than {_MOST_TIMES_PACKED} times larger, as no text does"
        raise DamagedFileError(name, reason, "split it into smaller ones")


class _Decompressed(io.RawIOBase):
    """The decompressed bytes of all members, one after the other."""

    def __init__(self, stream: IO[bytes], new: Callable[[], Any], name: object) -> None:
        self._stream = stream
        self._new = new
        self._name = name
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
                reason = "the compressed file is cut off: it ends inside a compressed stream"
                raise DamagedFileError(self._name, reason)
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
        except MemoryError:
            raise
        except Exception as error:  # each library has its own exception
            if "too much memory" in str(error):
                raise DamagedFileError(self._name, _WINDOW_TOO_LARGE, _SMALLER_WINDOW) from None
            raise DamagedFileError(self._name, f"the compressed file is damaged: {error}") from None
        if self._member.eof:
            self._input, self._member = self._member.unused_data, None
        self._given += len(self._output)
        if self._given > max(_SMALL, _MOST_TIMES * self._read):
            self._output = memoryview(b"")
            reason = f"the compressed file becomes more than {_MOST_TIMES} times larger, as no text does"
            raise DamagedFileError(self._name, reason, "if you trust it, decompress it first")
        return True

    def close(self) -> None:
        self._stream.close()
        super().close()


class Archive:
    """A zip archive. Members are unpacked into memory, so sizes are checked, as declared and as found."""

    def __init__(self, stream: IO[bytes], name: object) -> None:
        self._stream = stream
        self._name = name
        size = stream.seek(0, os.SEEK_END)
        with self.reading():
            self._zip = zipfile.ZipFile(stream)
            members = self._zip.infolist()
            self._check_directory(members, size)
        if len(members) > _MOST_MEMBERS:
            raise self._refused(f"the archive has more than {_MOST_MEMBERS:,} members")
        refuse_growth(name, sum(member.file_size for member in members), size)

    @classmethod
    def open(cls, path: Path) -> Self:
        """The archive in a file; it is closed with the archive."""
        stream = path.open("rb")
        try:
            return cls(stream, path)
        except BaseException:
            stream.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()

    @property
    def names(self) -> list[str]:
        """The names of the members, each once."""
        return list(self._zip.NameToInfo)

    def read(self, name: str) -> bytes:
        """The content of a member."""
        member = self._zip.NameToInfo.get(name)
        if member is None:
            raise self._damaged(f"the archive has no {name!r:.80}")
        if member.compress_type != _STORED and member.file_size > _LARGEST_MEMBER:
            raise self._refused(f"its member {name!r:.80} is larger than {_LARGEST_MEMBER >> 20} MiB")
        with self.reading(name):
            packed = self._packed(member)
            if member.compress_type == _STORED:
                content = packed
            else:
                new = _OF_ZIP[member.compress_type]
                with io.BufferedReader(_Decompressed(io.BytesIO(packed), new, self._name)) as stream:
                    content = stream.read(member.file_size)
            if len(content) != member.file_size or zlib.crc32(content) != member.CRC:
                raise self._damaged(f"its member {name!r:.80} is damaged: the checksum differs")
        return content

    def _packed(self, member: zipfile.ZipInfo) -> bytes:
        """The bytes of a member as they are stored."""
        if member.flag_bits & _ENCRYPTED:
            raise DamagedFileError(self._name, "the archive is encrypted", "give one without a password")
        if member.compress_type != _STORED and member.compress_type not in _OF_ZIP:
            reason = f"the archive is packed by method {member.compress_type}"
            raise DamagedFileError(self._name, reason, "pack it again by deflate or zstd")
        self._go_to(member)
        return self._stream.read(member.compress_size)

    def _go_to(self, member: zipfile.ZipInfo) -> None:
        """Go to the stored bytes of a member."""
        self._stream.seek(member.header_offset)
        header = self._stream.read(_LOCAL_HEADER.size).ljust(_LOCAL_HEADER.size, b"\0")
        magic, name_length, extra_length = _LOCAL_HEADER.unpack(header)
        name = self._stream.read(name_length).decode("utf-8" if member.flag_bits & _UTF_8 else "cp437")
        if magic != b"PK\x03\x04" or name != member.orig_filename:
            raise self._damaged(f"its member {member.filename!r:.80} is not where the directory says")
        self._stream.seek(extra_length, os.SEEK_CUR)

    def _check_directory(self, members: list[zipfile.ZipInfo], size: int) -> None:
        """Check the list of the members, which has no checksum: a wrong name would hide one."""
        self._stream.seek(max(0, size - _LONGEST_END))
        end = self._stream.read()
        at = end.rfind(b"PK\x05\x06")
        count = int.from_bytes(end[at + 10 : at + 12], "little")
        if count not in (len(members), _MANY):
            raise self._damaged(f"the archive has {len(members):,} members, and its directory says {count:,}")
        for member in members:
            self._go_to(member)

    @contextmanager
    def reading(self, name: str = "") -> Iterator[None]:
        """Turn what a library raises about the archive or a member into one error; they have no base."""
        try:
            yield
        except (RollcallError, MemoryError):
            raise
        except Exception as error:
            part = f"its member {name!r:.80}" if name else "the archive"
            reason = " ".join(str(error).split()) or type(error).__name__
            raise self._damaged(f"{part} is damaged: {reason}") from None

    def _damaged(self, reason: str) -> DamagedFileError:
        return DamagedFileError(self._name, reason)

    def _refused(self, reason: str) -> DamagedFileError:
        """An archive that would need too much memory."""
        return DamagedFileError(self._name, reason, "split it into smaller ones")


def read_arrays(source: Path | IO[bytes]) -> "dict[str, NDArray[Any]]":
    """The arrays of a file that numpy's `savez` wrote, by name. It cannot hold objects of Python."""
    import numpy as np
    from numpy.lib import format as numpy_format

    def read(content: bytes) -> "NDArray[Any]":
        stream = io.BytesIO(content)
        version = numpy_format.read_magic(stream)
        if version != (1, 0):
            raise ValueError(f"an array of the version {version}")
        shape, _, kind = numpy_format.read_array_header_1_0(stream)
        if min(shape, default=0) < 0 or math.prod(shape) * kind.itemsize != len(content) - stream.tell():
            raise ValueError("an array of another size than it says")
        stream.seek(0)
        array: NDArray[Any] = np.load(stream, allow_pickle=False)
        return array

    with Archive.open(source) if isinstance(source, Path) else Archive(source, "a file in memory") as archive:
        arrays = {}
        for name in archive.names:
            content = archive.read(name)
            with archive.reading(name):
                arrays[name.removesuffix(".npy")] = read(content)
        return arrays


_LOCAL_HEADER = struct.Struct("<4s22xHH")


def _deflate() -> Any:
    from isal import igzip_lib

    return igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_DEFLATE)


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
_OF_ZIP: dict[int, Callable[[], Any]] = {_DEFLATED: _deflate, _BZIP2: _bzip2, _ZSTD: _zstd}
