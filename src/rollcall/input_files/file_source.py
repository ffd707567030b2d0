"""A kind of input file: how a file of this kind is recognised, and which options it has.

Graph sources and text sources both build on `FileSource`, so that the same code recognises files of built-in
kinds and of users' own kinds. The file name or the first bytes decide. If two kinds match a file, it is an
error.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, NamedTuple, TypeAlias, TypeVar

import msgspec

from rollcall.configurable import Configurable, nearest, read_options
from rollcall.errors import RollcallError
from rollcall.registry import Registry
from rollcall.settings import described

AUTOMATIC = "auto"
"""The format name that means: recognise the file."""
HEAD_BYTES = 1 << 16
_SHOWN = 60
_COMPRESSIONS = (".gz", ".bz2", ".zst")


class FileHead(NamedTuple):
    """The beginning of a file, from which its kind is recognised."""

    path: Path
    content: bytes
    """Its first bytes, decompressed, without a byte order mark."""

    @property
    def is_compressed(self) -> bool:
        return self.path.suffix in _COMPRESSIONS

    @property
    def suffix(self) -> str:
        """The suffix of its name in lower case, such as `.tsv`, without the suffix of a compression."""
        path = self.path.with_suffix("") if self.is_compressed else self.path
        return path.suffix.lower()

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

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        """Whether a file is of this kind, judged by its beginning; used if its suffix does not decide."""
        return False


class Source(msgspec.Struct, frozen=True):
    """A file to read and the name of its kind."""

    path: str
    kind: str
    options: str = "{}"
    """The options of its kind, as JSON."""
    settings: str = "{}"
    """Everything that affects how an entry is read, as JSON; the source object supplies it."""

    @property
    def name(self) -> str:
        return Path(self.path).name

    @property
    def size(self) -> int:
        return Path(self.path).stat().st_size


K = TypeVar("K", bound=FileSource)
Formats: TypeAlias = str | type[FileSource] | Sequence[str]
"""A format is a name, `module:name` or a class: one for all files, or one for each."""


def find_sources(
    files: Sequence[Path],
    formats: Formats,
    options: Mapping[str, object],
    kinds: "Registry[type[K]]",
    read_head: Callable[[Path], FileHead],
    open_source: Callable[[Source], FileSource],
) -> list[Source]:
    """The files with their kinds and options, each once; errors are reported before anything is read."""
    given = dict(zip(files, _one_each(formats, len(files)), strict=True))
    named = [
        (path, recognise(read_head(path), kinds) if name == AUTOMATIC else name)
        for path, name in given.items()
    ]
    sources = _with_options(named, options, kinds)
    return [_with_settings(source, open_source(source)) for source in sources]


def _one_each(given: Formats, count: int) -> list[str]:
    """The format of each file: one for all files, or one for each."""
    if isinstance(given, type):
        given = f"{given.__module__}:{given.__qualname__}"
    formats = [given] if isinstance(given, str) else list(given) or [AUTOMATIC]
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
    named = [entry for entry in entries if head.suffix in entry.thing.suffixes]
    if len(named) == 1:
        return named[0].name
    found = [entry.name for entry in named or entries if entry.thing.recognises(head)]
    if not found and named:
        expected = " nor ".join(entry.thing.expects or entry.name for entry in named)
        raise RollcallError(f"{head.path}: neither {expected}; --format names another format")
    if not found:
        expected = "; ".join(entry.thing.expects or entry.name for entry in entries)
        begins = head.first_line[:_SHOWN].decode("utf-8", "replace")
        raise RollcallError(
            f"{head.path}: cannot tell what this is; it begins with {begins!r}; known are: {expected}; "
            "--format names another format"
        )
    if len(found) > 1:
        raise RollcallError(f"{head.path}: may be {' or '.join(found)}; say which with --format")
    return found[0]


def _with_options(
    files: Sequence[tuple[Path, str]], given: Mapping[str, object], kinds: "Registry[type[K]]"
) -> list[Source]:
    """Files with their kinds and the options that apply to each; every option must apply to some file."""
    names = list(dict.fromkeys(name for _, name in files))
    records = {name: kinds.find(name).Options for name in names}
    known = list(dict.fromkeys(field for record in records.values() for field in record.__struct_fields__))
    for option in given:
        if option not in known:
            of = " or ".join(f"the {kinds.kind} {name}" for name in names)
            raise RollcallError(f"there is no option {option} of {of}{nearest(option, known)}")
    encoded = {}
    for name, record in records.items():
        own = {option: value for option, value in given.items() if option in record.__struct_fields__}
        options = read_options(record, own, f"the {kinds.kind} {name}")
        encoded[name] = msgspec.json.encode(options).decode()
    return [Source(str(path), name, encoded[name]) for path, name in files]


def _with_settings(source: Source, opened: FileSource) -> Source:
    """A file with everything that affects how it is read, including the source's own code."""
    return msgspec.structs.replace(source, settings=msgspec.json.encode(described(opened)).decode())
