"""A kind of input file: how a file of this kind is recognised, and which options it has.

Graph sources and text sources both build on `FileSource`, so that the same code recognises files of built-in
kinds and of users' own kinds. The file name or the first bytes decide. If two kinds match a file, it is an
error.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import PurePosixPath
from typing import ClassVar, NamedTuple, TypeAlias, TypeVar

import msgspec

from rollcall.configurable import Configurable, nearest, read_options
from rollcall.errors import RollcallError
from rollcall.input_files.input_file import InputFile
from rollcall.input_files.text_encoding import refuse_foreign
from rollcall.registry import Entry, Registry, plugin_failures
from rollcall.settings import described

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


class Source(msgspec.Struct, frozen=True):
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


def _failures(file: InputFile, kind: str, thing: object) -> AbstractContextManager[None]:
    return plugin_failures(f"the source {kind}", thing, f"{file}: ")


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
    open_source: Callable[[Source], FileSource],
) -> list[Source]:
    """The files with their kinds and options, each once; errors are reported before anything is read.

    `fetch` is called for files that cannot be read where they are.
    """
    given = dict(zip(files, _one_each(formats, len(files)), strict=True))
    heads = [read_head(file) for file in given]
    for head in heads:
        refuse_foreign(head.file, head.content)
    names = [
        recognise(head, kinds) if name == AUTOMATIC else name
        for head, name in zip(heads, given.values(), strict=True)
    ]
    options_of = _read_options(names, options, kinds)
    found = []
    for head, name in zip(heads, names, strict=True):
        source = Source(head.file, head.content, name, options_of[name])
        if head.file.remote and (kinds.find(name).needs_path or head.file.remote.size is None):
            source = msgspec.structs.replace(source, file=fetch(head.file))
        with source.failures(kinds.find(name)):
            found.append(_with_settings(source, open_source(source)))
    return found


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
    found = [entry.name for entry in named or entries if _recognises(entry, head)]
    told = next((told for entry in named or entries if (told := entry.thing.mistaken(head))), "")
    if not found and told:
        raise RollcallError(f"{head.file}: {told}; --format names another format")
    if not found and named:
        expected = " nor ".join(entry.thing.expects or entry.name for entry in named)
        raise RollcallError(f"{head.file}: neither {expected}; --format names another format")
    if not found:
        expected = ", ".join(entry.name for entry in entries)
        begins = head.first_line[:_SHOWN].decode("utf-8", "replace")
        raise RollcallError(
            f"{head.file}: cannot tell what this is; it begins with {begins!r}; known are "
            f"{expected}; --format names one of them, or another"
        )
    if len(found) > 1:
        raise RollcallError(f"{head.file}: may be {' or '.join(found)}; say which with --format")
    return found[0]


def _recognises(entry: Entry[type[K]], head: FileHead) -> bool:
    with _failures(head.file, entry.name, entry.thing):
        return entry.thing.recognises(head)


def _read_options(
    given_names: Sequence[str], given: Mapping[str, object], kinds: "Registry[type[K]]"
) -> dict[str, str]:
    """The options that apply to each kind, as JSON; every option must apply to some file."""
    names = list(dict.fromkeys(given_names))
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
    return encoded


def _with_settings(source: Source, opened: FileSource) -> Source:
    """A file with everything that affects how it is read, including the source's own code."""
    return msgspec.structs.replace(source, settings=msgspec.json.encode(described(opened)).decode())
