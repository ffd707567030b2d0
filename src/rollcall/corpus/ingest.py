"""From files to shards: the kind of each source, the blocks it is cut into, and the pages of each block."""

import hashlib
import io
import os
import tarfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import IO, NamedTuple, Self, cast

import msgspec

from rollcall._core.checksums import sha256
from rollcall._core.errors import RollcallError
from rollcall.corpus.corpus import FORMAT_VERSION
from rollcall.corpus.documents import FORMATS
from rollcall.corpus.shard import Chunking, CorpusShard, order_of
from rollcall.corpus.source import RowSource, SourceFindings, TextSource, TextSourceContext
from rollcall.corpus.sources import TEXT_SOURCES
from rollcall.input_files import file_source
from rollcall.input_files.file_source import (
    HEAD_BYTES,
    Fetch,
    FileHead,
    Formats,
    LineBlocks,
    SourceFile,
    finish_piece,
    finished_piece,
    has_piece,
    hash_of,
    replacing_piece,
)
from rollcall.input_files.ingestion import Done, Ending, Ingestion, Work
from rollcall.input_files.input_file import InputFile, Intact, Tally, input_file, size_of

# The kind of each text file, with its options: given, or recognised by its suffix and beginning.


def find_sources(
    files: Sequence[InputFile], fetch: Fetch, formats: Formats, source_options: Mapping[str, object]
) -> list[SourceFile]:
    """The files with their kinds and options; an error names a file that cannot be recognised."""
    return file_source.find_sources(files, fetch, formats, source_options, TEXT_SOURCES, read_head, _open)


def holds_pages(file: InputFile, source_options: Mapping[str, object]) -> bool:
    """Whether a file can be read as pages, judged by its beginning, with those of the options that it has."""
    try:
        kind = file_source.recognise(read_head(file), TEXT_SOURCES)
        fields = TEXT_SOURCES.find(kind).Options.__struct_fields__
        kind_options = {option: value for option, value in source_options.items() if option in fields}
        find_sources([file], lambda fetched: fetched, kind, kind_options)
    except RollcallError:
        return False
    return True


@lru_cache(maxsize=4)
def open_source(source: SourceFile) -> TextSource:
    """The source object that reads a file; each process opens its own."""
    return _open(source)


def _open(source: SourceFile) -> TextSource:
    kind = TEXT_SOURCES.find(source.kind)
    source_options = msgspec.json.decode(source.options, type=kind.Options)
    opened: TextSource = kind.open(source_options, TextSourceContext(FileHead(source.file, source.head)))
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


# Cuts sources into blocks of whole entries: lines, also inside archives, or other entries of a source.
# Both are made from blocks of whole lines, which stop at damage and hash the file. An entry may be
# longer than a block; an entry longer than any real page is skipped.

LONGEST_PAGE = 256 << 20
LONGEST_LINE = 4
"""In blocks: longer lines are skipped."""


class _Members(io.RawIOBase):
    """The files inside an archive as one stream."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._members: Iterator[IO[bytes]] | None = None
        self._stream = stream
        self._current: IO[bytes] | None = None

    def readable(self) -> bool:
        return True

    def read1(self, size: int = -1) -> bytes:
        if self._members is None:
            self._members = tar_lines(self._stream)
        try:
            while True:
                if self._current is None:
                    self._current = next(self._members, None)
                    if self._current is None:
                        return b""
                if chunk := self._current.read(size):
                    return chunk
                self._current = None
        except tarfile.TarError as error:
            raise EOFError(str(error)) from None


class _RowStream(io.RawIOBase):
    """Lines that are made one after the other, as one stream."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self._rest = b""

    def readable(self) -> bool:
        return True

    def read1(self, size: int = -1) -> bytes:
        line = self._rest or next(self._lines, b"")
        self._rest = line[size:] if size >= 0 else b""
        return line[:size] if size >= 0 else line


class SourceLines(LineBlocks):
    """Blocks of whole lines of a file, of the files inside an archive, or of the rows of a table."""

    def __init__(self, file: InputFile, rows: Callable[[Intact], Iterator[bytes]] | None = None) -> None:
        """`rows` turns the decompressed file into lines, if it has none of its own."""
        super().__init__(file)
        if rows is not None:
            self._stream = Intact(cast(IO[bytes], _RowStream(rows(self._stream))))
        elif is_tar(file):
            members = _Members(cast(IO[bytes], self._stream))
            self._stream = Intact(cast(IO[bytes], members))


class EntryBlock(NamedTuple):
    """Some whole entries, and the number of overlong pages skipped before them."""

    content: bytes
    overlong: int = 0


def blocks(lines: SourceLines, size: int, entry_end: bytes) -> Iterator[EntryBlock]:
    """Blocks of about this size, in order; the cuts depend only on the content."""
    return _line_blocks(lines, size) if entry_end == b"\n" else _entry_blocks(lines, size, entry_end)


def _line_blocks(lines: SourceLines, size: int) -> Iterator[EntryBlock]:
    """Blocks of whole lines. A large buffer is read and split, so that a line may be longer than a block."""
    buffer = memoryview(bytearray(size * LONGEST_LINE))
    while length := lines.fill(buffer):
        start = 0
        while start < length:
            content = bytes(buffer[start : min(start + size, length)])
            end = content.rfind(b"\n") + 1 if start + size < length else len(content)
            if not end:  # a line longer than a block: everything up to its end
                content = bytes(buffer[start:length])
                end = content.find(b"\n", size) + 1 or len(content)
            yield EntryBlock(content[:end])
            start += end


def _entry_blocks(lines: SourceLines, size: int, entry_end: bytes) -> Iterator[EntryBlock]:
    """Blocks of whole entries. For an entry longer than a block, blocks are joined until it ends."""
    buffer = memoryview(bytearray(size))
    rest: list[bytes] = []
    rest_size = overlong = 0
    while length := lines.fill(buffer):
        content = bytes(buffer[:length])
        end = content.rfind(entry_end) + len(entry_end) if entry_end in content else 0
        if end:
            yield EntryBlock(b"".join([*rest, content[:end]]), overlong)
            rest, rest_size, overlong = [content[end:]], length - end, 0
        elif rest_size + length > LONGEST_PAGE:
            rest, rest_size, overlong = [], 0, overlong + 1
        else:
            rest.append(content)
            rest_size += length
    if b"".join(rest).strip() or overlong:
        yield EntryBlock(b"".join(rest), overlong)


def line_of(content: bytes, position: int, cache: dict[str, int]) -> int:
    """The line number (from 1) of a position; positions must not decrease from call to call."""
    line = cache.get("line", 1) + content.count(b"\n", cache.get("position", 0), position)
    cache["line"], cache["position"] = line, position
    return line


# The files that a corpus is read from: those that are named, and what is in the folders that are named.
# Documents of one folder are one source, so that they are read in parallel; files of rows and dumps in a
# folder are sources of their own. A folder of BEIR is its corpus, and one of a Hugging Face dataset its
# tables.

_TABLES = (".parquet", ".arrow")
_OTHER_SOURCES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".xml", *_TABLES)
_COMPRESSIONS = (".gz", ".bz2", ".zst")
_DATASET_NOTES = frozenset(["dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json"])
_FILES_A_BLOCK, _BYTES_A_BLOCK = 100, 4 << 20


def text_files(
    sources: Sequence[Path | str],
    *,
    recognise: bool = True,
    holds_pages: Callable[[InputFile], bool] = lambda file: True,
) -> list[InputFile]:
    """The files of all sources; documents are grouped by folder unless their format is given.

    JSON files among documents are sources only if they hold pages, because settings are often JSON, too.
    """
    inputs: list[InputFile] = []
    for source in sources:
        folder = Path(source)
        if folder.is_dir():
            inputs += _of_folder(folder, recognise, holds_pages)
        elif recognise and folder.suffix.lower() in FORMATS and folder.is_file():
            inputs.append(InputFile(str(folder.parent), members=(folder.name,)))
        else:
            inputs.append(input_file(source, "file or folder"))
    return _grouped(inputs)


def _of_folder(folder: Path, recognise: bool, holds_pages: Callable[[InputFile], bool]) -> list[InputFile]:
    files = sorted(_files_in(folder))
    if not files:
        raise RollcallError(f"{folder}: there is no file in this folder")
    if not recognise:
        return [input_file(folder / name) for name in files]
    corpora = [name for name in files if name in ("corpus.jsonl", "corpus.jsonl.gz")]
    if corpora and any(name.startswith("queries.jsonl") for name in files):
        return [input_file(folder / name) for name in corpora]
    if tables := [name for name in files if Path(name).suffix in _TABLES]:
        return [input_file(folder / name) for name in tables]
    sources = [name for name in files if _is_source(name)]
    if any(Path(name).suffix.lower() in FORMATS for name in files):
        sources = [
            name
            for name in sources
            if Path(name).suffix.lower() != ".json" or holds_pages(input_file(folder / name))
        ]
    documents = tuple(name for name in files if name not in sources and Path(name).name not in _DATASET_NOTES)
    if not sources and not any(Path(name).suffix.lower() in FORMATS for name in documents):
        kinds = ", ".join(sorted({Path(name).suffix or name for name in files})[:8])
        raise RollcallError(
            f"{folder}: there is nothing to read in this folder but {kinds}; documents are "
            f"{' '.join(FORMATS)}"
        )
    grouped = [InputFile(str(folder), members=documents)] if documents else []
    return [*grouped, *(input_file(folder / name) for name in sources)]


def _files_in(folder: Path) -> Iterator[str]:
    """The paths of all files in a folder but hidden ones, also of those that cannot be read."""

    def refuse(error: OSError) -> None:
        raise error

    for parent, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if not name.startswith("."):
                yield Path(parent, name).relative_to(folder).as_posix()


def _is_source(name: str) -> bool:
    path = Path(name)
    suffix = path.with_suffix("").suffix if path.suffix in _COMPRESSIONS else path.suffix
    return (suffix.lower() in _OTHER_SOURCES or suffix == ".tar") and path.name not in _DATASET_NOTES


def _grouped(files: list[InputFile]) -> list[InputFile]:
    """Single documents of one folder as one source, at the place of the first."""
    members: dict[str, list[str]] = {}
    for file in files:
        if file.members:
            members.setdefault(file.address, []).extend(file.members)
    grouped: dict[str, InputFile] = {}
    for file in files:
        if file.members:
            names = tuple(dict.fromkeys(members[file.address]))
            file = msgspec.structs.replace(file, members=names)
        grouped.setdefault(f"{file.address}\n{len(file.members)}", file)
    return list(grouped.values())


def document_blocks(file: InputFile) -> Iterator[tuple[EntryBlock, int]]:
    """The documents of a folder in blocks of some files, each file a line with its hash; and their size."""
    lines, size = list[bytes](), 0
    for name in file.members:
        path = Path(file.address) / name
        is_document = path.suffix.lower() in FORMATS
        document = {
            "name": name,
            "path": str(path.absolute()),
            "sha256": _digest(path) if is_document else "",
        }
        lines.append(msgspec.json.encode(document))
        size += size_of(path)
        if len(lines) >= _FILES_A_BLOCK or size >= _BYTES_A_BLOCK:
            yield EntryBlock(b"\n".join(lines) + b"\n"), size
            lines, size = [], 0
    if lines:
        yield EntryBlock(b"\n".join(lines) + b"\n"), size


def _digest(document: Path) -> str:
    """The hash of a document; empty for one that cannot be read, which is reported when it is read."""
    try:
        return sha256(document) if document.is_file() else ""
    except OSError:
        return ""


# One piece of reading, done in a worker process: a block of a source becomes a shard. A piece writes its
# shard and its findings into its own folder, which is either complete or absent. A later run that finds
# the folder, with the source unchanged, skips the piece.


class CorpusPiece(msgspec.Struct, frozen=True):
    """A block of a source, by its number, and the folder of its shard."""

    source: SourceFile
    chunking: Chunking
    place: int
    number: int
    folder: str

    def finished(self, block: bytes, overlong: int) -> SourceFindings | None:
        """The findings of this piece if an earlier run completed it from the same block."""
        folder = Path(self.folder)
        return finished_piece(folder, hash_of(block, overlong), SourceFindings) if has_piece(folder) else None


def read_piece(piece: CorpusPiece, block: bytes, overlong: int) -> SourceFindings:
    """Read one block into the piece's folder."""
    shard = CorpusShard(order_of(piece.place, piece.number, 0), piece.chunking)
    findings = SourceFindings()
    for _ in range(overlong):
        findings.tally.add_bad(0, "overlong page", "a page longer than any real one was passed over")
    reader = open_source(piece.source)
    with piece.source.failures(reader), replacing_piece(Path(piece.folder)) as folder:
        reader.read(block, shard, findings)
        findings.dropped_sentences = shard.dropped_sentences
        findings.keep_commonest()
        folder.mkdir()
        shard.write(folder)
        finish_piece(folder, hash_of(block, overlong), findings)
    return findings


# Reads all sources of a corpus into shards: blocks of whole pages or lines.


class CorpusIngestion(Ingestion[SourceFindings]):
    """Reads several sources into one folder of a corpus's shards."""

    format_version = FORMAT_VERSION
    entries = "pages"

    @staticmethod
    def read_piece(prepared: None, work: Work) -> tuple[int, SourceFindings]:
        number, (piece, overlong), content = work
        return number, read_piece(piece, content, overlong)

    def _nothing(self) -> SourceFindings:
        return SourceFindings()

    def _tally(self, findings: SourceFindings) -> Tally:
        return findings.tally

    def _pieces(self, source_number: int, done: Done[SourceFindings], ending: Ending) -> Iterator[Work]:
        source = self._sources[source_number]
        reader = open_source(source)
        if source.file.members:
            yield from self._documents(source_number, done, ending)
            return
        rows = None
        if isinstance(reader, RowSource):
            rows = partial(reader.lines, file=source.file, tally=ending.damage)
        with source.failures(reader), SourceLines(source.file, rows) as lines:
            position = 0
            for number, block in enumerate(blocks(lines, self._block_bytes, reader.entry_end)):
                yield from self._piece(source_number, number, block, done)
                self._progress.advance(lines.position - position)
                position = lines.position
            for _ in range(lines.overlong):
                most = LONGEST_LINE * self._block_bytes
                ending.damage.add_bad(0, "overlong", f"a line of more than {most:,} bytes")
            if lines.damage:
                ending.damage.add_bad(0, "damaged", f"{lines.damage}; what came before it was read")
            ending.sha256 = partial(str, lines.sha256())

    def _documents(self, source_number: int, done: Done[SourceFindings], ending: Ending) -> Iterator[Work]:
        digest = hashlib.sha256()
        for number, (block, size) in enumerate(document_blocks(self._sources[source_number].file)):
            yield from self._piece(source_number, number, block, done)
            self._progress.advance(size)
            for line in block.content.splitlines():
                document = msgspec.json.decode(line)
                digest.update(f"{document['name']} {document['sha256']}\n".encode())
        ending.sha256 = digest.hexdigest

    def _piece(
        self, source_number: int, number: int, block: EntryBlock, done: Done[SourceFindings]
    ) -> Iterator[Work]:
        """The work on a block, unless an earlier run did it."""
        folder = self._piece_folder(self._folder(source_number), number)
        piece = CorpusPiece(self._sources[source_number], self._options, source_number, number, folder)
        finished = piece.finished(block.content, block.overlong)
        if finished is None:
            yield number, (piece, block.overlong), block.content
        else:
            done(number, finished)
