"""The kind of each text file, with its options: given, or recognised by its suffix and beginning."""

import tarfile
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import IO, Self, cast

import msgspec

from rollcall.corpus.source import SourceContext, TextSource
from rollcall.corpus.sources import TEXT_SOURCES
from rollcall.errors import RollcallError
from rollcall.input_files import file_source
from rollcall.input_files.file_source import HEAD_BYTES, Fetch, FileHead, Formats, Source
from rollcall.input_files.input_file import InputFile


def find_sources(
    files: Sequence[InputFile], fetch: Fetch, formats: Formats, given: Mapping[str, object]
) -> list[Source]:
    """The files with their kinds and options; an error names a file that cannot be recognised."""
    return file_source.find_sources(files, fetch, formats, given, TEXT_SOURCES, read_head, _open)


def holds_pages(file: InputFile, given: Mapping[str, object]) -> bool:
    """Whether a file can be read as pages, judged by its beginning, with those of the options that it has."""
    try:
        kind = file_source.recognise(read_head(file), TEXT_SOURCES)
        fields = TEXT_SOURCES.find(kind).Options.__struct_fields__
        own = {option: value for option, value in given.items() if option in fields}
        find_sources([file], lambda one: one, kind, own)
    except RollcallError:
        return False
    return True


@lru_cache(maxsize=4)
def open_source(source: Source) -> TextSource:
    """The source object that reads a file; each process opens its own."""
    return _open(source)


def _open(source: Source) -> TextSource:
    kind = TEXT_SOURCES.find(source.kind)
    own = msgspec.json.decode(source.options, type=kind.Options)
    opened: TextSource = kind.open(own, SourceContext(FileHead(source.file, source.head)))
    return opened


def is_tar(file: InputFile) -> bool:
    """Whether the file is a tar archive."""
    return any(file.file_name.endswith(end) for end in (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.zst"))


class _Member(tarfile.TarInfo):
    """A member whose damaged header is an error: the library takes it for the end of the archive."""

    @classmethod
    def fromtarfile(cls, tarfile_: tarfile.TarFile) -> Self:
        try:
            return super().fromtarfile(tarfile_)
        except (tarfile.EOFHeaderError, tarfile.EmptyHeaderError):  # type: ignore[attr-defined]
            raise
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(f"the archive is damaged: {error}") from None


def tar_lines(stream: IO[bytes]) -> Iterator[IO[bytes]]:
    """The JSON lines files inside a tar archive, one after the other."""
    with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Member) as archive:
        for member in archive:
            if member.isfile() and member.name.endswith((".ndjson", ".jsonl", ".json")):
                yield cast(IO[bytes], archive.extractfile(member))


def read_head(file: InputFile) -> FileHead:
    """The beginning of a file, or of the first file in an archive; an empty file is refused."""
    if file.members:
        return FileHead(file, b"")
    content = _beginning(file)
    if not content.strip():
        raise RollcallError(f"{file}: is empty")
    return FileHead(file, content.lstrip(b"\xef\xbb\xbf \t\r\n"))


def _beginning(file: InputFile) -> bytes:
    try:
        with file.open_decompressed() as stream:
            if not is_tar(file):
                return stream.read(HEAD_BYTES)
            for member in tar_lines(stream):
                return member.read(HEAD_BYTES)
    except (EOFError, OSError, tarfile.TarError) as error:
        raise RollcallError(f"{file}: cannot be opened: {error}") from None
    raise RollcallError(f"{file}: the archive has no .ndjson or .jsonl file in it")
