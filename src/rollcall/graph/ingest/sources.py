"""The kind of each file of a graph, with its options: given, or recognised by its suffix and beginning."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from rollcall.errors import RollcallError
from rollcall.graph.ingest.options import ReadOptions
from rollcall.graph.source import GraphSource, LineSource, SourceContext
from rollcall.graph.sources import GRAPH_SOURCES
from rollcall.input_files import file_source
from rollcall.input_files.file_source import HEAD_BYTES, Fetch, FileHead, Formats, Source
from rollcall.input_files.input_file import InputFile
from rollcall.input_files.intact import Intact, without_mark


def find_sources(
    files: Sequence[InputFile],
    fetch: Fetch,
    formats: Formats,
    given: Mapping[str, object],
    options: ReadOptions,
) -> list[Source]:
    """The files with their kinds and options; an error names a file that cannot be recognised."""
    return file_source.find_sources(
        files, fetch, formats, given, GRAPH_SOURCES, read_head, lambda source: _open(source, options)
    )


@lru_cache(maxsize=4)
def open_source(source: Source, options: ReadOptions) -> GraphSource:
    """The source object that reads a file; each process opens its own."""
    return _open(source, options)


def is_cut_by_lines(source: Source) -> bool:
    """Whether parts of a file can be read at the same time."""
    return issubclass(GRAPH_SOURCES.find(source.kind), LineSource)


def decimal_of(source: Source) -> str:
    """What the user says of the decimal sign in a file's numbers."""
    return str(msgspec.json.decode(source.options).get("decimal", "auto"))


def _open(source: Source, options: ReadOptions) -> GraphSource:
    kind = GRAPH_SOURCES.find(source.kind)
    own = msgspec.json.decode(source.options, type=kind.Options)
    opened: GraphSource = kind.open(own, SourceContext(FileHead(source.file, source.head), options))
    return opened


def read_head(file: InputFile) -> FileHead:
    """The beginning of a file; an empty file is refused."""
    with Intact(file.open_decompressed()) as stream:
        content = without_mark(stream).read(HEAD_BYTES)
    if not content and stream.damage:
        raise RollcallError(f"{file}: cannot be decompressed: {stream.damage}")
    if not content.strip():
        raise RollcallError(f"{file}: is empty")
    return FileHead(file, content)
