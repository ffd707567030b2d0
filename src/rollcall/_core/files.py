"""Reading and writing files: compressed input is supported, and output files are never incomplete.

Every output is written to a temporary file in the same folder and then renamed, so that a killed process
leaves either the old file or the new one. Only one process at a time writes an output. For folders, see
`rollcall._core.folders`.
"""

import filecmp
import hashlib
import io
import math
import os
import re
import shutil
import struct
import sys
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Self, cast
from urllib.parse import urlsplit

from rollcall._core.errors import RollcallError
from rollcall._core.locks import sole_writer

if TYPE_CHECKING:
    from numpy.typing import NDArray


# File names from names in data: the result is never a path, and two names never share one file. A split,
# a kind or a title may have any name. A name that is a valid file name on every system is unchanged. In
# any other name, unsafe characters are replaced and a part of its hash is added, so every run gives the
# same.

_PLAIN = re.compile(r"\w(?:[\w .+-]*[\w+-])?")
_ODD = re.compile(r"[^\w+-]+")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
"""Names that Windows reserves for devices, with any suffix."""
_MOST_BYTES = 100
"""File systems allow 255; the difference leaves room for suffixes."""


def file_names(names: Iterable[str]) -> dict[str, str]:
    """A file name without suffix for each name; all differ, even on file systems that ignore case."""
    path_of: dict[str, str] = {}
    used_paths: set[str] = set()
    for name in sorted(set(names)):
        path = name if _is_plain(name) else _safe_name(name)
        if _folded(path) in used_paths:
            path = _safe_name(name)
        path_of[name] = path
        used_paths.add(_folded(path))
    return path_of


def _is_plain(name: str) -> bool:
    return (
        _PLAIN.fullmatch(name) is not None
        and len(name.encode("utf-8", "replace")) <= _MOST_BYTES
        and _RESERVED.fullmatch(name) is None
    )


def _safe_name(name: str) -> str:
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    words = (
        _ODD.sub("_", name).strip("_").encode("utf-8", "ignore")[: _MOST_BYTES // 2].decode("utf-8", "ignore")
    )
    return f"{words}-{digest}" if words else digest


def _folded(name: str) -> str:
    """A name as a file system may compare it: with compatible characters and upper and lower case equal."""
    return unicodedata.normalize("NFKC", name).casefold()


# Server addresses. They are stored and shown, so they must never contain a password or a key. An address
# is written to settings, manifests, cards and messages, and users share all of these. A key comes from
# the environment instead, and is never written to any file.

_USER = re.compile(r"//[^/?#\s'\"]*@")
_QUERY = re.compile(r"(//[^?#\s'\"]*)[?#][^\s'\"]*")


def checked_address(url: str) -> str:
    """The address as given. One that may contain a secret is refused; the error does not repeat it."""
    shown = without_credentials(url)
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise RollcallError(f"{shown}: is not the address of a server ({error})") from None
    if parts.scheme not in ("http", "https") or not host:
        raise RollcallError(f"{shown}: is not the address of a server; write http://HOST:PORT/v1")
    if parts.username is not None or parts.query or parts.fragment or shown != url:
        raise RollcallError(
            f"{shown}: was given with a password or a key in it, which would be written down with it; "
            "leave it out and put the key into ROLLCALL_API_KEY"
        )
    return url


def without_credentials(text: str) -> str:
    """The text with user name, password and query removed from every address in it."""
    return _QUERY.sub(r"\1", _USER.sub("//", text))


# Compressed files and archives: the one place that unpacks what a user or an earlier command has stored.
# `wrap_decompression` gives every byte before damage, and never ends silently inside a member: the file
# objects of the libraries lose decompressed data when they reach damage, or treat a truncated file as
# complete. Their decompressors, fed piece by piece, do neither. `Archive` reads the members of a zip
# archive. Whatever a library makes of a damaged file, it becomes a `DamagedFileError`. The memory that a
# small file can use is limited: by the window, the output of one step, the size of one member, and the
# ratio of what is unpacked to the size of the file.

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


def most_unpacked(packed: int) -> int:
    """The bytes that a packed file of this size may become in memory."""
    return max(_SMALL, _MOST_TIMES_PACKED * packed)


def refuse_growth(name: object, unpacked: int, packed: int) -> None:
    """Refuse a packed file that says it becomes too large in memory."""
    if unpacked > most_unpacked(packed):
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
        content, self._input = self._input, b""
        try:
            self._output = memoryview(self._member.decompress(content, size))
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


PARTIAL = ".rollcall-partial"


def open_compressed(path: Path) -> IO[bytes]:
    """Open a file for reading bytes, decompressing `.gz`, `.bz2` and `.zst` (several members too).

    Reading it raises a DamagedFileError where it is damaged.
    """
    check_input(path)
    return wrap_decompression(path.open("rb"), path.suffix, path)


def check_input(path: Path) -> None:
    """Refuse to read what is missing or a folder."""
    if not path.exists():
        raise RollcallError(f"{path}: no such file")
    if path.is_dir():
        raise RollcallError(f"{path}: is a folder, not a file; name the files in it")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path for a file, which then replaces `path`; only one writer at a time is allowed.

    A symbolic link is followed: the file that it points to is replaced.
    """
    check_file(path)
    path = path.resolve()
    with sole_writer(path):
        for leftover in left_beside(path, PARTIAL):  # from a killed writer: no other writer is active now
            remove(leftover)
        with replacing_part(path) as partial:
            yield partial


@contextmanager
def replacing_part(path: Path) -> Iterator[Path]:
    """The same as `replacing`, for a file or folder inside unfinished work that already has one writer.

    The temporary name contains the process number: a worker that briefly survives its killed parent must not
    complete a file that the next run has started.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    for leftover in left_beside(path, PARTIAL):
        if abandoned(leftover):
            remove(leftover)
    partial = beside(path, PARTIAL)
    remove(partial)
    try:
        yield partial
        if partial.is_dir():
            remove(path)
        partial.replace(path)
    except BaseException:
        remove(partial)
        raise


def check_file(path: Path) -> None:
    """Refuse to write a file where something other than a file exists."""
    if path.is_dir():
        raise RollcallError(f"{path}: is a folder; name a file")
    if path.exists() and not path.is_file():
        raise RollcallError(f"{path}: is a device or a pipe, not a file that can be replaced; name a file")


def check_new(path: Path, force: bool) -> None:
    """Refuse to replace a file that exists, unless that is wanted; asked before work that takes long."""
    if path.is_file() and not force:
        raise RollcallError(f"{path}: exists; name another file, or replace it with --force")


def check_same(partial: Path, path: Path, force: bool) -> None:
    """Refuse to replace a file by one with other content, unless that is wanted."""
    if path.is_file() and not force and not filecmp.cmp(partial, path, shallow=False):
        raise RollcallError(
            f"{path}: exists with other content; name another place, or replace it with --force "
            "(force=True in Python)"
        )


def beside(path: Path, ending: str) -> Path:
    """A hidden path in the same folder as another, used by this process only."""
    return path.with_name(f".{path.name}.{os.getpid()}{ending}")


def left_beside(path: Path, ending: str) -> list[Path]:
    """The paths with names made by `beside`, of this process and of others, in the folder of a path."""
    folder = path.parent
    lefts = sorted(folder.iterdir()) if folder.is_dir() else []
    return [leftover for leftover in lefts if written_to(leftover, ending) == path]


def written_to(leftover: Path, ending: str) -> Path | None:
    """The path that a hidden path made by `beside` is for; None for any other path."""
    name, _, number = leftover.name.removesuffix(ending).rpartition(".")
    is_hidden = leftover.name.startswith(".") and leftover.name.endswith(ending) and number.isdecimal()
    return leftover.with_name(name[1:]) if is_hidden and len(name) > 1 else None


def abandoned(leftover: Path) -> bool:
    """Whether the process that a hidden path belongs to has ended."""
    number = leftover.name.rpartition(".")[0].rpartition(".")[2]
    if not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, OverflowError):
        return True
    except PermissionError:
        return False
    return False


def remove(path: Path) -> None:
    """Remove a file or a folder, if it exists."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
