"""An input file, on this machine or at an address that fsspec reads.

All code that opens, names or measures a source goes through this value, so that no address becomes a path.
Its text is what messages and manifests show: without user name, password and query.
"""

import codecs
import hashlib
import io
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import IO, Any, Protocol, cast
from urllib.parse import unquote, urlsplit

import msgspec

from rollcall._core.console import Progress
from rollcall._core.errors import UNREADABLE, RollcallError, RollcallWarning, why
from rollcall._core.files import (
    DamagedFileError,
    check_input,
    open_compressed,
    without_credentials,
    wrap_decompression,
)

# Files at addresses such as `s3://bucket/dump.json.gz`, read through fsspec. Only the main process reads
# from an address: workers get blocks, or a copy in the folder of unfinished work. Every failure becomes
# one line that contains no password, and is never taken for the end of the file: what was read before it
# is kept, and the same command continues.

_CHUNK = 1 << 20
_NAMES = frozenset({"name", "url", "Key"})
"""What fsspec says of a file that is not about its content."""
_REFUSED, _MISSING = (401, 403), 404
_AGAIN = "run the same command again to continue"


class _FileSystem(Protocol):
    """What is used of a file system of fsspec."""

    def info(self, path: str) -> Mapping[str, object]: ...
    def open(self, path: str, mode: str) -> IO[bytes]: ...
    def invalidate_cache(self) -> None: ...


class Remote(msgspec.Struct, frozen=True):
    """What a server says of a file."""

    size: int | None
    """Its size in bytes; some servers do not say it."""
    version: str
    """A hash of everything else, such as its time and its ETag: another version has another hash."""


def locate(address: str) -> Remote:
    """Ask the server about a file; an address that cannot be read is refused."""
    with _in_one_line(address):
        system, path = _file_system(address)
        system.invalidate_cache()
        info = system.info(path)
    if info.get("type") == "directory":
        raise RollcallError(f"{without_credentials(address)}: is a folder, not a file")
    details = sorted((key, str(value)) for key, value in info.items() if key not in _NAMES)
    size = info.get("size")
    return Remote(size if isinstance(size, int) else None, hashlib.sha256(repr(details).encode()).hexdigest())


class RemoteStream(io.RawIOBase):
    """The bytes of a file at an address. It ends only where the file ends."""

    def __init__(self, address: str, remote: Remote) -> None:
        self._address, self._remote = address, remote
        self._position, self._is_whole = 0, False
        with _in_one_line(address):
            system, path = _file_system(address)
            self._stream = system.open(path, "rb")

    def readable(self) -> bool:
        return True

    def skip_to(self, position: int) -> int:
        """Go to a position if the server allows it; returns the position reached."""
        try:
            self._position = self._stream.seek(position)
        except (ValueError, OSError, NotImplementedError):
            self._position = self._stream.tell()
        return self._position

    def readinto(self, buffer: Any) -> int:
        with _in_one_line(self._address):
            chunk = self._stream.read(len(buffer))
        if not chunk and len(buffer):
            self._check_whole()
        buffer[: len(chunk)] = chunk
        self._position += len(chunk)
        return len(chunk)

    def _check_whole(self) -> None:
        if self._is_whole:
            return
        if locate(self._address) != self._remote:
            raise RollcallError(
                f"{without_credentials(self._address)}: was changed while it was read; {_AGAIN}"
            )
        if self._remote.size not in (None, self._position):
            raise RollcallError(
                f"{without_credentials(self._address)}: the connection ended after {self._position:,} of "
                f"{self._remote.size:,} bytes; {_AGAIN}"
            )
        self._is_whole = True

    def close(self) -> None:
        self._stream.close()
        super().close()


def fetch(address: str, remote: Remote, folder: Path, name: str, show: bool | None) -> Path:
    """The copy of a file in a folder; a copy that an interrupted run began is completed."""
    key = hashlib.sha256(f"{address}\n{remote.version}".encode()).hexdigest()[:16]
    fetched = folder / key / name
    if fetched.exists():
        return fetched
    part = fetched.with_name(f"{name}.part")
    part.parent.mkdir(parents=True, exist_ok=True)
    with RemoteStream(address, remote) as stream, Progress("fetching", remote.size, show=show) as progress:
        start = stream.skip_to(part.stat().st_size) if part.exists() else 0
        progress.advance(start, name)
        with part.open("ab" if start else "wb") as copy:
            while chunk := stream.read(_CHUNK):
                copy.write(chunk)
                progress.advance(len(chunk))
    part.rename(fetched)
    return fetched


def _file_system(address: str) -> tuple[_FileSystem, str]:
    """The file system of an address, and the path in it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise RollcallError(
            f"{without_credentials(address)}: reading from addresses needs the extra `remote`: "
            "pip install 'rollcall-qa[remote]'"
        ) from None
    file_system: tuple[_FileSystem, str] = url_to_fs(address)
    return file_system


@contextmanager
def _in_one_line(address: str) -> Iterator[None]:
    """Raise whatever a file system raises as an error of one line that says what to do."""
    shown, scheme = without_credentials(address), address.partition("://")[0]
    try:
        yield
    except RollcallError:
        raise
    except ImportError as error:
        raise RollcallError(
            f"{shown}: a package for {scheme}:// is not installed: {_safe(error, address)}"
        ) from None
    except Exception as raised:  # each file system has its own exceptions
        failure = _cause(raised)
        reason = _safe(failure, address)
        if isinstance(failure, FileNotFoundError):
            raise RollcallError(f"{shown}: no such file; check the address") from None
        if reason.startswith("Protocol not known"):
            raise RollcallError(f"{shown}: fsspec knows no addresses that begin with {scheme}://") from None
        if isinstance(failure, PermissionError) or getattr(failure, "status", None) in _REFUSED:
            raise RollcallError(f"{shown}: no permission to read it ({reason}); check your keys") from None
        raise RollcallError(
            f"{shown}: cannot be read ({reason}); check the connection and your keys, and {_AGAIN}"
        ) from None


def _cause(error: Exception) -> Exception:
    """What went wrong: over HTTP, every failure is called a missing file at first."""
    cause = error.__cause__
    if isinstance(error, FileNotFoundError) and isinstance(cause, Exception):
        status = getattr(cause, "status", _MISSING)
        if status != _MISSING or isinstance(cause, OSError):
            return cause
    return error


def _safe(error: Exception, address: str) -> str:
    """The message of an error in one line, without the secrets of the address."""
    text = str(error) or type(error).__name__
    parts = urlsplit(address)
    user = parts.netloc.rpartition("@")[0]
    for secret in (parts.query, user, user.partition(":")[2]):
        text = text.replace(secret, "…") if secret else text
    return " ".join(without_credentials(text).split())


_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_SHORTENED = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/[^/]")
_BUFFER = 1 << 20


class InputFile(msgspec.Struct, frozen=True):
    """A file to read."""

    address: str
    """Its path, or its address with everything that is needed to read it."""
    remote: Remote | None = None
    """What the server of an address says of it; None for a path."""
    copy: str = ""
    """The path of the copy on this machine, if there is one."""
    members: tuple[str, ...] = ()
    """If it stands for files of one folder, which is then its address: their paths in it."""

    def __str__(self) -> str:
        return without_credentials(self.address) if self.remote else self.address

    def __repr__(self) -> str:
        return f"InputFile({str(self)!r})"

    def __reduce__(self) -> tuple[type["InputFile"], tuple[str, Remote | None, str]]:
        """Other processes, perhaps on other machines, get no secrets: they never read from an address.

        They get what they read of several files file by file.
        """
        return InputFile, (str(self), self.remote, self.copy)

    @property
    def name(self) -> str:
        """How manifests name it: by the name of the file, or by the whole address."""
        return str(self) if self.remote else Path(self.address).absolute().name

    @property
    def file_name(self) -> str:
        """The last part of its path or address, or the name of its copy, by which it is recognised."""
        return PurePosixPath(str(self)).name if self.remote and not self.copy else self._path.name

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.file_name).suffix

    @property
    def size(self) -> int:
        """In bytes; 0 while it is not known."""
        if self.members:
            return sum(size_of(self._path / name) for name in self.members)
        return (self.remote.size or 0) if self.remote and not self.copy else self._path.stat().st_size

    @property
    def path(self) -> Path:
        """Its path on this machine."""
        if self.remote and not self.copy:
            raise RollcallError(f"{self}: is not on this machine")
        return self._path

    @property
    def _path(self) -> Path:
        return Path(self.copy or self.address)

    def open(self) -> io.RawIOBase:
        """Its bytes as they are."""
        if self.remote and not self.copy:
            return RemoteStream(self.address, self.remote)
        return self._path.open("rb", buffering=0)

    def open_decompressed(self) -> IO[bytes]:
        """Its bytes, decompressed by its suffix."""
        if not self.remote or self.copy:
            return open_compressed(self._path)
        stream = cast(IO[bytes], io.BufferedReader(self.open(), _BUFFER))
        return wrap_decompression(stream, self.suffix, self)

    def fetched(self, folder: Path, show: bool | None = None) -> "InputFile":
        """The same file with a copy in a folder; a file of this machine needs none."""
        if self.remote is None or self.copy:
            return self
        copy = fetch(self.address, self.remote, folder, self.file_name, show)
        return msgspec.structs.replace(self, copy=str(copy))


def size_of(document: Path) -> int:
    """The size of a document in bytes; 0 for one that cannot be read, which is reported when it is read."""
    try:
        return document.stat().st_size
    except OSError:
        return 0


def is_address(source: Path | str) -> bool:
    """Whether a source is given by an address of another machine, and not by a path."""
    text = str(source)
    return bool(_ADDRESS.match(text)) and not text.lower().startswith("file:///")


def input_file(source: Path | str, expected: str = "file") -> InputFile:
    """The file that a path or an address names; one that cannot be read is refused.

    `expected` is what else the caller would have read, for the message if nothing is there.
    """
    text = str(source)
    if text.lower().startswith("file:///"):
        text = unquote(urlsplit(text).path)
    elif is_address(text):
        return InputFile(text, locate(text))
    if _SHORTENED.match(text) and not Path(text).exists():
        raise RollcallError(f"{text}: no such file; give an address as text: a Path removes a slash from it")
    if not Path(text).exists():
        raise RollcallError(f"{text}: no such {expected}")
    check_input(Path(text))
    if not Path(text).is_file():
        raise RollcallError(
            f"{text}: is a pipe or a device, and sources are read more than once; write its content to a file"
        )
    return InputFile(text)


def paths_of(files: Iterable[InputFile]) -> list[Path]:
    """The paths of the files that are on this machine."""
    return [file.path for file in files if file.remote is None]


# The encoding of a text file: all is read as UTF-8, and what is not is named, with the way to read it. A
# file of another encoding is not guessed at: its beginning is recognised, and the error names the option
# that reads it. With the option, a copy in UTF-8 is made in the folder of unfinished work, and sources
# read that. Files of several encodings may be given together: one that is UTF-8 all through, with
# letters that only then make sense, stays as it is.

_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_IN_A_WORD = re.compile(rb"[A-Za-z][\x80-\xfd]|[\x80-\xfd][A-Za-z]")
_WINDOWS = re.compile(rb"[\x80-\x9f]")
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_TEXT_ENCODING_NAMES = {"utf-16": "UTF-16", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "utf-32": "UTF-32",
          "latin-1": "Latin-1", "cp1252": "Windows-1252, Microsoft's Latin-1"}  # fmt: skip
_FEW_LINES = 3
"""Fewer lines with letters of another encoding may be damage, and are bad entries."""
_PAIRS = 40
"""So many characters of ASCII in UTF-16 are enough to recognise it without a byte order mark."""


def foreign_encoding(content: bytes, lines: int = 1) -> str | None:
    """The encoding of a text, by its beginning, if at least so many lines show that it is not UTF-8."""
    for mark, encoding in _MARKS.items():
        if content.startswith(mark):
            return encoding
    sample = content[: 2 * _PAIRS]
    if len(sample) > 3 and b"\0" in sample:
        for zeros, letters, encoding in (
            (sample[1::2], sample[::2], "utf-16-le"),
            (sample[::2], sample[1::2], "utf-16-be"),
        ):
            if not zeros.strip(b"\0") and b"\0" not in letters:
                return encoding
    if _BINARY.search(content):
        return None
    text = content.decode("utf-8", "surrogateescape")
    if any("\x7f" < sign < "\udc80" or sign > "\udcff" for sign in text):
        return None  # some of it is UTF-8; what is not is counted as bad entries
    if sum(_IN_A_WORD.search(line) is not None for line in content.split(b"\n")) < lines:
        return None
    return "cp1252" if _WINDOWS.search(content) else "latin-1"


def refuse_foreign(file: InputFile, content: bytes) -> None:
    """Refuse a file that is not UTF-8, with the option that reads it."""
    encoding = foreign_encoding(content, _FEW_LINES)
    if encoding is not None:
        raise RollcallError(
            f"{file}: is text in {_TEXT_ENCODING_NAMES[encoding]}, not in UTF-8; "
            f"read it with --encoding {encoding} (encoding={encoding!r} in Python)"
        )


def in_utf8(file: InputFile, encoding: str, folder: Path) -> InputFile:
    """The same file with a copy in UTF-8, decompressed; a file that is not text needs none."""
    if file.members:
        return file
    with file.open_decompressed() as stream:
        beginning = stream.read(1 << 12)
    codec_name = _codec(encoding).name
    if _BINARY.search(beginning) and not codec_name.startswith(("utf-16", "utf-32")):
        return file
    if codec_name != "utf-8" and _is_utf8_beyond_ascii(file):
        message = f"{file}: is text in UTF-8, and is read as such, not as {encoding}"
        warnings.warn(message, RollcallWarning, stacklevel=3)
        return file
    name = PurePosixPath(file.file_name)
    if name.suffix in (".gz", ".bz2", ".zst"):
        name = name.with_suffix("")
    copy_path = folder / sha256(f"{file}\n{encoding}".encode()).hexdigest()[:16] / name.name
    copy_path.parent.mkdir(parents=True, exist_ok=True)
    with file.open_decompressed() as stream, copy_path.open("wb") as copy:
        _copy(file, stream, copy, encoding)
    return msgspec.structs.replace(file, copy=str(copy_path))


def _codec(encoding: str) -> codecs.CodecInfo:
    try:
        return codecs.lookup(encoding)
    except LookupError:
        raise RollcallError(
            f"--encoding {encoding}: is not an encoding that Python knows, such as latin-1, cp1252 or utf-16"
        ) from None


def _is_utf8_beyond_ascii(file: InputFile) -> bool:
    """Whether a file has letters beyond ASCII, all of them in UTF-8; text in Latin-1 hardly ever looks so."""
    decoder, ascii_alone = codecs.getincrementaldecoder("utf-8")(), True
    with file.open_decompressed() as stream:
        try:
            while chunk := stream.read(_CHUNK):
                decoder.decode(chunk)
                ascii_alone = ascii_alone and chunk.isascii()
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return not ascii_alone


def _copy(file: InputFile, stream: IO[bytes], copy: IO[bytes], encoding: str) -> None:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        while chunk := stream.read(_CHUNK):
            copy.write(decoder.decode(chunk).encode())
        copy.write(decoder.decode(b"", final=True).encode())
    except UnicodeError as error:
        raise RollcallError(f"{file}: is not text in {encoding}: {error}") from None


# What reading found: entries, things left out on purpose, and bad entries with their place. One bad
# entry never stops a run. A share of bad entries above the limit does, because the source is then most
# likely not of the assumed format.

KEPT_EXAMPLES = 20
FEWEST_BAD = 10
"""This many bad entries are always accepted, whatever their share, since small files may have a few."""


NOT_UTF8 = "not UTF-8; if the whole file is in another encoding, --encoding latin-1 (or cp1252, …) reads it"


def explain(error: Exception) -> str:
    """Why an entry is bad: an expected error by its message, any other by its type and message.

    A lack of memory is not a mistake of the entry, and is raised again.
    """
    if isinstance(error, MemoryError):
        raise error
    if isinstance(error, UnicodeDecodeError):
        return NOT_UTF8
    if isinstance(error, (RollcallError, *UNREADABLE)):
        return why(error)
    return f"{type(error).__name__}: {error}"


class BadEntry(msgspec.Struct, frozen=True):
    """Where a bad entry is (its line in the decompressed file, from 1) and what is wrong with it."""

    line: int
    kind: str
    reason: str
    source: str = ""

    def __str__(self) -> str:
        location = f"{self.source}:{self.line}" if self.line else self.source
        return f"{location}: {self.kind}: {self.reason}"


class Tally(msgspec.Struct):
    """Counts of one block, or of all blocks of a source added up."""

    lines: int = 0
    entries: int = 0
    bad: dict[str, int] = {}
    skipped: dict[str, int] = {}
    examples: list[BadEntry] = []
    bare_integers: dict[str, list[int]] = {}
    """For each relation of free-text cells: how many are bare integers, and how many look like years."""
    decimal_marks: dict[str, list[int]] = {}
    """For each relation of free-text cells that may have decimal commas: how many cells show what."""

    nested: dict[str, list[int]] = {}
    """For each key of rows: how many objects under it could not be read, and the line of the first."""

    def add_bad(self, line: int, kind: str, reason: str) -> None:
        self.bad[kind] = self.bad.get(kind, 0) + 1
        if len(self.examples) < KEPT_EXAMPLES:
            self.examples.append(BadEntry(line, kind, " ".join(reason.split())[:200]))

    def skip(self, kind: str, amount: int = 1) -> None:
        self.skipped[kind] = self.skipped.get(kind, 0) + amount

    def add_nested(self, line: int, key: str) -> None:
        self.nested.setdefault(key, [0, line])[0] += 1

    @property
    def bad_total(self) -> int:
        return sum(self.bad.values())

    def add(self, block: "Tally", source: str = "") -> None:
        """Add the tally of the next block of a source; its line numbers continue those already counted."""
        for example in block.examples[: KEPT_EXAMPLES - len(self.examples)]:
            line = example.line + self.lines if example.line else 0
            self.examples.append(msgspec.structs.replace(example, line=line, source=example.source or source))
        for key, (count, line) in block.nested.items():
            before, first = self.nested.get(key, (0, line + self.lines))
            self.nested[key] = [before + count, first]
        self.lines += block.lines
        self.entries += block.entries
        self.bad = dict(Counter(self.bad) + Counter(block.bad))
        self.skipped = dict(Counter(self.skipped) + Counter(block.skipped))
        for relation, (bare, years) in block.bare_integers.items():
            sums = self.bare_integers.get(relation, [0, 0])
            self.bare_integers[relation] = [sums[0] + bare, sums[1] + years]
        for relation, counts in block.decimal_marks.items():
            sums = self.decimal_marks.get(relation, [0] * len(counts))
            self.decimal_marks[relation] = [sum(both) for both in zip(sums, counts, strict=True)]

    def check(self, source: str, max_bad: float) -> None:
        """Stop the run if too large a share of the entries is bad."""
        bad = self.bad_total
        accepted = FEWEST_BAD if max_bad else 0
        if bad <= accepted or bad <= max_bad * self.entries:
            return
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(self.bad.items()))
        first = f"; the first: {self.examples[0]}" if self.examples else ""
        raise RollcallError(
            f"{source}: {bad:,} of {self.entries:,} entries are bad ({kinds}), more than --max-bad "
            f"{max_bad:g} allows{first}; check the file, or raise --max-bad"
        )


# The intact part of a file: its decompressed bytes up to the point where it is truncated or damaged.
# Damage in a source is reported with the other bad entries, and everything before it is kept. To a
# reader, the file ends there.

BOM = b"\xef\xbb\xbf"
_INTACT_BUFFER = 1 << 16


class Intact(io.RawIOBase):
    """Reads a compressed stream to its end or to its first damage, which `damage` then describes."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = cast(io.BufferedReader, stream)
        self.damage: str | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        chunk = self.read1(len(buffer))
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def read1(self, size: int) -> bytes:
        if self.damage is not None:
            return b""
        try:
            return self._stream.read1(size)
        except DamagedFileError as error:
            self.damage = error.reason
        except (EOFError, OSError) as error:
            self.damage = str(error)
        return b""

    def close(self) -> None:
        self._stream.close()
        super().close()

    def report(self, tally: Tally, where: str = "") -> None:
        """Add the damage, if there was any, to the bad entries."""
        if self.damage:
            tally.add_bad(0, "damaged", f"{self.damage}{where}; what came before it was read")


def open_intact(path: Path) -> Intact:
    return Intact(open_compressed(path))


def intact(stream: IO[bytes], suffix: str, name: object) -> Intact:
    return Intact(wrap_decompression(stream, suffix, name))


def without_mark(stream: Intact) -> IO[bytes]:
    """The stream buffered, from after the byte order mark if it begins with one."""
    buffered = io.BufferedReader(stream, _INTACT_BUFFER)
    if buffered.peek(len(BOM)).startswith(BOM):
        buffered.read(len(BOM))
    return cast(IO[bytes], buffered)
