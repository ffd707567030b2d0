"""A kind of input file: how a file of this kind is recognised, and which options it has.

Graph sources and text sources both build on `FileSource`, so that the same code recognises files of built-in
kinds and of users' own kinds. The file name or the first bytes decide. If two kinds match a file, it is an
error.
"""

import errno
import hashlib
import io
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import IO, Any, ClassVar, NamedTuple, Self, TypeAlias, TypeVar, cast

import msgspec

from rollcall._core import checksums
from rollcall._core.errors import RollcallError
from rollcall._core.files import PARTIAL, remove
from rollcall._core.registry import (
    Configurable,
    Registry,
    RegistryEntry,
    described,
    nearest,
    plugin_failures,
    read_options,
)
from rollcall.input_files.input_file import InputFile, Tally, intact, refuse_foreign

AUTOMATIC = "auto"
"""The format name that means: recognise the file."""
HEAD_BYTES = 1 << 16
_SHOWN = 60
_COMPRESSIONS = (".gz", ".bz2", ".zst")


class FileHead(NamedTuple):
    """The beginning of a file, from which its kind is recognised."""

    file: InputFile
    content: bytes
    """Its first bytes, decompressed, without a byte order mark."""

    @property
    def is_compressed(self) -> bool:
        return self.file.suffix in _COMPRESSIONS

    @property
    def suffix(self) -> str:
        """The suffix of its name in lower case, such as `.tsv`, without the suffix of a compression."""
        if self.file.members:
            return ""
        name = PurePosixPath(self.file.file_name)
        return (name.with_suffix("") if self.is_compressed else name).suffix.lower()

    @property
    def first_line(self) -> bytes:
        """Its first line, or the part of it that was read."""
        return self.content.lstrip().partition(b"\n")[0]


class FileSource(Configurable):
    """A kind of file; each instance reads one file, in one process."""

    suffixes: ClassVar[tuple[str, ...]] = ()
    """The suffixes of such files, such as `.tsv`. If only one kind has a suffix, the suffix decides."""
    expects: ClassVar[str] = ""
    """A short description of such a file, for the message when a file cannot be recognised."""
    needs_path: ClassVar[bool] = False
    """Whether such a file can be read only on this machine, so that one from an address is copied first."""

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        """Whether a file is of this kind, judged by its beginning; used if its suffix does not decide."""
        return False

    @classmethod
    def mistaken(cls, head: FileHead) -> str:
        """What a file is that no kind recognises, and what to do, in a few words; empty if unknown."""
        return ""


class SourceFile(msgspec.Struct, frozen=True):
    """A file to read and the name of its kind."""

    file: InputFile
    head: bytes
    """Its beginning; with it, a worker that gets a block needs no access to the file."""
    kind: str
    options: str = "{}"
    """The options of its kind, as JSON."""
    settings: str = "{}"
    """Everything that affects how an entry is read, as JSON; the source object supplies it."""

    @property
    def name(self) -> str:
        return self.file.name

    @property
    def size(self) -> int:
        return self.file.size

    def failures(self, reader: object) -> AbstractContextManager[None]:
        """Report what the code of a plug-in raises while it reads this file."""
        return _failures(self.file, self.kind, reader)


def _failures(file: InputFile, kind: str, reader: object) -> AbstractContextManager[None]:
    return plugin_failures(f"the source {kind}", reader, f"{file}: ")


K = TypeVar("K", bound=FileSource)
Formats: TypeAlias = str | type[FileSource] | Sequence[str]
"""A format is a name, `module:name` or a class: one for all files, or one for each."""
Fetch: TypeAlias = Callable[[InputFile], InputFile]
"""Gives a file from an address a copy on this machine."""


def find_sources(
    files: Sequence[InputFile],
    fetch: Fetch,
    formats: Formats,
    options: Mapping[str, object],
    kinds: "Registry[type[K]]",
    read_head: Callable[[InputFile], FileHead],
    open_source: Callable[[SourceFile], FileSource],
) -> list[SourceFile]:
    """The files with their kinds and options, each once; errors are reported before anything is read.

    `fetch` is called for files that cannot be read where they are.
    """
    format_of = dict(zip(files, _one_each(formats, len(files)), strict=True))
    heads = [read_head(file) for file in format_of]
    for head in heads:
        refuse_foreign(head.file, head.content)
    names = [
        recognise(head, kinds) if name == AUTOMATIC else name
        for head, name in zip(heads, format_of.values(), strict=True)
    ]
    options_of = _read_options(names, options, kinds)
    sources = []
    for head, name in zip(heads, names, strict=True):
        source = SourceFile(head.file, head.content, name, options_of[name])
        if head.file.remote and (kinds.find(name).needs_path or head.file.remote.size is None):
            source = msgspec.structs.replace(source, file=fetch(head.file))
        with source.failures(kinds.find(name)):
            sources.append(_with_settings(source, open_source(source)))
    return sources


def _one_each(requested: Formats, count: int) -> list[str]:
    """The format of each file: one for all files, or one for each."""
    if isinstance(requested, type):
        requested = f"{requested.__module__}:{requested.__qualname__}"
    formats = [requested] if isinstance(requested, str) else list(requested) or [AUTOMATIC]
    if len(formats) == 1:
        return formats * count
    if len(formats) != count:
        raise RollcallError(
            f"--format: {len(formats)} formats for {count} files; give one for all, or one for each file"
        )
    return formats


def recognise(head: FileHead, kinds: "Registry[type[K]]") -> str:
    """The name of a file's kind."""
    entries = list(kinds)
    by_suffix = [entry for entry in entries if head.suffix in entry.thing.suffixes]
    if len(by_suffix) == 1:
        return by_suffix[0].name
    matching = [entry.name for entry in by_suffix or entries if _recognises(entry, head)]
    advice = next((advice for entry in by_suffix or entries if (advice := entry.thing.mistaken(head))), "")
    if not matching and advice:
        raise RollcallError(f"{head.file}: {advice}; --format names another format")
    if not matching and by_suffix:
        expected = " nor ".join(entry.thing.expects or entry.name for entry in by_suffix)
        raise RollcallError(f"{head.file}: neither {expected}; --format names another format")
    if not matching:
        expected = ", ".join(entry.name for entry in entries)
        begins = head.first_line[:_SHOWN].decode("utf-8", "replace")
        raise RollcallError(
            f"{head.file}: cannot tell what this is; it begins with {begins!r}; choose one of "
            f"{expected} with --format"
        )
    if len(matching) > 1:
        raise RollcallError(f"{head.file}: may be {' or '.join(matching)}; say which with --format")
    return matching[0]


def _recognises(entry: RegistryEntry[type[K]], head: FileHead) -> bool:
    with _failures(head.file, entry.name, entry.thing):
        return entry.thing.recognises(head)


def _read_options(
    given_names: Sequence[str], given_options: Mapping[str, object], kinds: "Registry[type[K]]"
) -> dict[str, str]:
    """The options that apply to each kind, as JSON; every option must apply to some file."""
    names = list(dict.fromkeys(given_names))
    records = {name: kinds.find(name).Options for name in names}
    known_options = list(
        dict.fromkeys(field for record in records.values() for field in record.__struct_fields__)
    )
    for option in given_options:
        if option not in known_options:
            of = " or ".join(f"the {kinds.kind} {name}" for name in names)
            raise RollcallError(f"there is no option {option} of {of}{nearest(option, known_options)}")
    encoded = {}
    for name, record in records.items():
        kind_options = {
            option: value for option, value in given_options.items() if option in record.__struct_fields__
        }
        options = read_options(record, kind_options, f"the {kinds.kind} {name}")
        encoded[name] = msgspec.json.encode(options).decode()
    return encoded


def _with_settings(source: SourceFile, opened: FileSource) -> SourceFile:
    """A file with everything that affects how it is read, including the source's own code."""
    return msgspec.structs.replace(source, settings=msgspec.json.encode(described(opened)).decode())


# Cuts a compressed file into blocks of whole lines, and hashes it on the way. Reading stops at damage
# and keeps everything before it; a line longer than a block is skipped. The cuts depend only on the
# content and the block size, so that a later run finds the same blocks.

_CHUNK = 1 << 20


class _HashedFile(io.RawIOBase):
    """A file that hashes and counts the bytes read from it."""

    def __init__(self, file: InputFile) -> None:
        self._file = file.open()
        self.digest = hashlib.sha256()
        self.position = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._file.readinto(buffer) or 0
        self.digest.update(memoryview(buffer)[:count])
        self.position += count
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


class LineBlocks:
    """Fills buffers with whole lines of one file, in order."""

    def __init__(self, file: InputFile) -> None:
        self._raw = _HashedFile(file)
        self._buffered = io.BufferedReader(self._raw, _CHUNK)
        self._stream = intact(cast(IO[bytes], self._buffered), file.suffix, file)
        self._rest = b""
        self.overlong = 0
        """How many lines were too long for a buffer and were skipped."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()
        self._buffered.close()

    @property
    def position(self) -> int:
        """How many bytes of the compressed file have been read so far."""
        return self._raw.position

    def sha256(self) -> str:
        """The hash of the whole compressed file; reads the rest of the file first."""
        while not self._raw.closed and self._raw.read(_CHUNK):
            pass
        return self._raw.digest.hexdigest()

    def fill(self, buffer: memoryview) -> int:
        """Put as many whole lines as fit into the buffer; returns their length, 0 at the end."""
        filled = len(self._rest)
        buffer[:filled] = self._rest
        self._rest = b""
        while True:
            while filled < len(buffer) and (chunk := self._read(min(_CHUNK, len(buffer) - filled))):
                buffer[filled : filled + len(chunk)] = chunk
                filled += len(chunk)
            if filled < len(buffer):
                return filled  # the last line may lack its line break
            end = _last_line_end(buffer)
            if end:
                self._rest = bytes(buffer[end:])
                return end
            filled = self._pass_over_line(buffer)

    def _pass_over_line(self, buffer: memoryview) -> int:
        """Skip the rest of a line that fills the buffer; returns how many bytes after it the buffer has."""
        self.overlong += 1
        while chunk := self._read(min(_CHUNK, len(buffer))):
            _, line_break, after = chunk.partition(b"\n")
            if line_break:
                buffer[: len(after)] = after
                return len(after)
        return 0

    def _read(self, size: int) -> bytes:
        return self._stream.read1(size)

    @property
    def damage(self) -> str | None:
        """Where and how the file is damaged, as far as it was read; None if no damage was found."""
        return self._stream.damage and f"{self._stream.damage} (at byte {self.position:,} of the file)"

    def report(self, tally: Tally) -> None:
        """Add the damage of the file, if there is any, to the bad entries."""
        self._stream.report(tally, f" (at byte {self.position:,} of the file)")


def _last_line_end(buffer: memoryview) -> int:
    """Where the last whole line in a full buffer ends; 0 if there is none."""
    end = len(buffer)
    while end:
        start = max(0, end - _CHUNK)
        position = bytes(buffer[start:end]).rfind(b"\n")
        if position >= 0:
            return start + position + 1
        end = start
    return 0


# Pieces of sources: the folder of a piece is complete or absent, and its record says what it is made of.
# The record says what was read, what was written, and what was found. A later run reuses the piece only
# if the bytes of the source are the same and the written files are undamaged. Size and modification time
# would not show this. Two processes may write the same piece at once, as a cluster may start a task a
# second time.

_RECORD = "piece.json"

Found = TypeVar("Found")


def hash_of(content: bytes | memoryview, *more: int) -> str:
    """The hash that identifies a block of a source, together with numbers that also affect what is read."""
    digest = hashlib.sha256(content)
    digest.update(repr(more).encode())
    return digest.hexdigest()


@contextmanager
def replacing_piece(path: Path) -> Iterator[Path]:
    """Give a temporary path for a file, or for the folder of a piece, which then takes its place."""
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex}{PARTIAL}")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        yield partial
        if partial.is_dir():
            _install(partial, path)
        else:
            partial.replace(path)
    finally:
        remove(partial)


def _install(partial: Path, folder: Path) -> None:
    """Put a finished folder in its place, unless the same piece is there already and may be in use."""
    while True:
        try:
            partial.rename(folder)
            return
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
        if _is_same(partial, folder):
            return
        aside = partial.with_name(f"{partial.name}-replaced")
        with suppress(FileNotFoundError):
            folder.rename(aside)
        remove(aside)


def _is_same(new: Path, old: Path) -> bool:
    """Whether two folders hold the same finished piece, undamaged."""
    try:
        record = (new / _RECORD).read_bytes()
        if (old / _RECORD).read_bytes() != record:
            return False
    except FileNotFoundError:
        return False
    return not checksums.damaged(old, checksums.files_of(msgspec.json.decode(record)))


def finish_piece(folder: Path, source: str, findings: Any) -> None:
    """Record that everything in a folder was read from content with this hash."""
    record = {
        "source": source,
        "found": msgspec.to_builtins(findings),
        checksums.FILES: checksums.record(folder),
    }
    (folder / _RECORD).write_bytes(msgspec.json.encode(checksums.sealed(record)))


def has_piece(folder: Path) -> bool:
    """Whether an earlier run completed a piece here."""
    return (folder / _RECORD).is_file()


def piece_source(folder: Path) -> str:
    """The hash of the content that a piece was read from, according to its record."""
    return str(msgspec.json.decode((folder / _RECORD).read_bytes())["source"])


def finished_piece(folder: Path, source: str, kind: type[Found]) -> Found | None:
    """What an earlier run found in content with this hash, if all its written files are undamaged."""
    try:
        record = msgspec.json.decode((folder / _RECORD).read_bytes())
        if not checksums.is_sealed(record) or record["source"] != source:
            return None
        findings = msgspec.convert(record["found"], kind)
    except (OSError, UnicodeDecodeError, msgspec.MsgspecError):
        return None
    return None if checksums.damaged(folder, checksums.files_of(record)) else findings
