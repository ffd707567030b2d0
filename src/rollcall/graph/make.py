"""Makes a graph folder: from files, as `rollcall graph` does, or from Python values.

- `make_graph`: recognise the sources, read them into shards, settle ids, and finish the folder.
- `GraphIngestion`: reads all sources: blocks of lines, whole files, then the free-text cells.
- `write_graph`: a graph from Python values, through the same code.
- `write_ntriples`: a graph as N-Triples.
"""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from rollcall._core.checksums import sha256
from rollcall._core.errors import RollcallError, RollcallWarning
from rollcall._core.files import replacing
from rollcall._core.options import chosen_options, named_values
from rollcall.graph.graph import Graph
from rollcall.graph.index import FORMAT_VERSION, GRAPH_FOLDER, SHARD_FOLDERS
from rollcall.graph.ingest.cells import comma_relations, first_year, read_cell, unit_in_name
from rollcall.graph.ingest.identity import SettledIds, check_references, settle_ids
from rollcall.graph.options import GraphOptions
from rollcall.graph.rows import RANKS_PER_SOURCE, GraphShard, ValueRow, value_row
from rollcall.graph.source import GraphSource, GraphSourceContext, LineSource, ReadOptions, WholeFileSource
from rollcall.graph.sources import GRAPH_SOURCES
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
    piece_source,
    replacing_piece,
)
from rollcall.input_files.ingestion import (
    BLOCK_BYTES,
    FETCHED,
    PARTIAL,
    Done,
    Ending,
    Ingestion,
    Manifest,
    SourceReport,
    Work,
)
from rollcall.input_files.input_file import (
    BOM,
    InputFile,
    Intact,
    Tally,
    in_utf8,
    input_file,
    paths_of,
    without_mark,
)
from rollcall.query.rdf_terms import BASE, LABEL, SUBCLASS, TYPE, iri, literal_text
from rollcall.query.values import Text, Value, parse_value
from rollcall.tables.engine import Engine
from rollcall.tables.files import read, write_scratch
from rollcall.tables.graph import CellRows, Classes, Entities, Facts, Types, Values
from rollcall.tables.table import DeclaredTable, file_name
from rollcall.text.nouns import counted_kinds

if TYPE_CHECKING:
    from rollcall.graph.graph import EntityRecord


_RDF = ("ntriples", "nquads", "turtle", "trig")


def make_graph(
    sources: Sequence[Path | str],
    out: Path | str,
    files: GraphOptions | None = None,
    *,
    options: "ReadOptions | None" = None,
    **keywords: Any,
) -> Graph:
    """Read sources into a graph folder and open it; a repeated call resumes an interrupted one.

    A source is a path, or an address that fsspec reads, such as `s3://bucket/dump.json.bz2`. How files are
    read is given as the fields of `GraphOptions`: as keywords, as a record, or as both. `formats` is a name
    from `rollcall plugins`, `module:name` or a class, or one for each file; `source_options` maps the options
    that these sources declare to values. `jobs` is the number of processes that read; the output is the same
    for any number. With more than one, a script must make this call under `if __name__ == "__main__":`.
    """
    from rollcall.graph.assemble.finish import finish_graph
    from rollcall.graph.ingest.layouts import check_files

    out = Path(out)
    if not sources:
        raise RollcallError("no source given: name at least one file to read")
    files = chosen_options(GraphOptions, files, keywords, "make_graph")
    own, encoding, show_progress = named_values(files.source_options), files.encoding, files.show_progress
    inputs = [input_file(source) for source in sources]
    fetch = partial(InputFile.fetched, folder=out / PARTIAL / FETCHED, show=show_progress)
    options = options or ReadOptions()
    check_files(str(own.get("columns") or ""), [file.name for file in inputs])
    with ExitStack() as opening:
        opening.enter_context(GRAPH_FOLDER.writing(out, paths_of(inputs)))
        if encoding:
            inputs = [in_utf8(file, encoding, out / PARTIAL / FETCHED) for file in inputs]
        recognised = find_sources(inputs, fetch, files.formats, own, options)
        check_references(recognised)
        if not files.force:
            GRAPH_FOLDER.refuse_other(out, [source.name for source in recognised])
        running = opening.enter_context(files.opened())
        shards = out / PARTIAL / "shards"
        shards.mkdir(parents=True, exist_ok=True)
        ingestion = GraphIngestion(
            recognised,
            shards,
            options,
            max_bad=files.max_bad,
            block_bytes=files.block_bytes or BLOCK_BYTES,
            show_progress=show_progress,
        )
        reports = ingestion.run(running)
        if next(shards.glob(f"{SHARD_FOLDERS}/*.parquet"), None) is None:
            raise RollcallError(_nothing_read(reports))
        settled = ingestion.settle_ids(running, out / PARTIAL / "spill")
        manifest = _manifest(reports, recognised, options, settled)
        kinds = {source.kind for source in recognised}
        name_all = None if kinds == {"wikidata"} else not kinds.isdisjoint(_RDF)
        finish_graph(out, shards, running, manifest=manifest, name_all=name_all, show_progress=show_progress)
    for warning in settled.warnings:
        warnings.warn(warning, RollcallWarning, stacklevel=2)
    graph = Graph.open(out)
    named_by_ids = graph.manifest.get("named_by_ids")
    if named_by_ids and named_by_ids["counts"]:
        warnings.warn(
            _named_by_ids(named_by_ids["counts"], named_by_ids["example"]), RollcallWarning, stacklevel=2
        )
    return graph


def _named_by_ids(counts: Mapping[str, int], example: str) -> str:
    has = "has" if sum(counts.values()) == 1 else "have"
    return (
        f"{counted_kinds(counts)} {has} no label; they are called by the last part of the id ({example}); "
        "--label names the predicate of labels, or add a file with the columns id and label"
    )


def _nothing_read(reports: "list[SourceReport[Tally]]") -> str:
    first = next((example for report in reports for example in report.found.examples), None)
    names = ", ".join(report.name for report in reports)
    return f"{names}: nothing to keep was found" + (f"; the first problem: {first}" if first else "")


def _manifest(
    reports: "list[SourceReport[Tally]]",
    files: "list[SourceFile]",
    options: "ReadOptions",
    settled: "SettledIds",
) -> Manifest:

    from rollcall.graph.ingest.cells import comma_remark
    from rollcall.graph.ingest.records import nested_remark

    sources = []
    for number, (report, source) in enumerate(zip(reports, files, strict=True)):
        tally = report.found
        references = settled.remarks.get(number, [])
        guessed = str(msgspec.json.decode(source.settings).get("remark", ""))
        decimals = comma_remark(tally.decimal_marks, decimal_of(source))
        sources.append(
            {
                "name": report.name,
                "kind": report.kind,
                "options": msgspec.json.decode(source.options),
                "remark": "; ".join(
                    filter(None, (guessed, decimals, *references, nested_remark(tally.nested)))
                ),
                "size": report.size,
                "sha256": report.sha256,
                "entries": tally.entries,
                "bad": dict(sorted(tally.bad.items())),
                "skipped": dict(sorted(tally.skipped.items())),
                "bad_examples": [msgspec.to_builtins(example) for example in tally.examples],
            }
        )
    kept_apart = {"kept_apart": settled.warnings} if settled.warnings else {}
    return {"sources": sources, "options": msgspec.to_builtins(options), **kept_apart}


# Reads all sources of a graph into shards: blocks of lines, whole files, then the free-text cells.

# The kind of each file of a graph, with its options: given, or recognised by its suffix and beginning.


def find_sources(
    files: Sequence[InputFile],
    fetch: Fetch,
    formats: Formats,
    source_options: Mapping[str, object],
    options: ReadOptions,
) -> list[SourceFile]:
    """The files with their kinds and options; an error names a file that cannot be recognised."""
    return file_source.find_sources(
        files, fetch, formats, source_options, GRAPH_SOURCES, read_head, lambda source: _open(source, options)
    )


@lru_cache(maxsize=4)
def open_source(source: SourceFile, options: ReadOptions) -> GraphSource:
    """The source object that reads a file; each process opens its own."""
    return _open(source, options)


def is_cut_by_lines(source: SourceFile) -> bool:
    """Whether parts of a file can be read at the same time."""
    return issubclass(GRAPH_SOURCES.find(source.kind), LineSource)


def decimal_of(source: SourceFile) -> str:
    """What the user says of the decimal sign in a file's numbers."""
    return str(msgspec.json.decode(source.options).get("decimal", "auto"))


def _open(source: SourceFile, options: ReadOptions) -> GraphSource:
    kind = GRAPH_SOURCES.find(source.kind)
    source_options = msgspec.json.decode(source.options, type=kind.Options)
    opened: GraphSource = kind.open(
        source_options, GraphSourceContext(FileHead(source.file, source.head), options)
    )
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


# One piece of reading, done in a worker process: a block of lines, a whole file, or a block's cells. A
# piece writes its shard and its tally into its own folder, which is either complete or absent. A later
# run that finds the folder, with the source unchanged, skips the piece.


class GraphPiece(msgspec.Struct, frozen=True):
    """What to read and where its shard goes; `number` counts the blocks of a source from 0."""

    source: SourceFile
    options: ReadOptions
    place: int
    number: int
    folder: str
    is_block: bool
    """Whether it is a block of lines, or a whole file."""

    def finished(self, block: bytes) -> Tally | None:
        """The tally of this piece if an earlier run completed it from the same block."""
        folder = Path(self.folder)
        return finished_piece(folder, hash_of(block), Tally) if has_piece(folder) else None

    def finished_file(self) -> Tally | None:
        """The tally of this piece if an earlier run completed it from the same file."""
        folder = Path(self.folder)
        return finished_piece(folder, sha256(self.source.file.path), Tally) if has_piece(folder) else None

    @property
    def rank(self) -> int:
        return self.place * RANKS_PER_SOURCE


def read_block(piece: GraphPiece, block: bytes) -> Tally:
    """Read one block of lines into the piece's folder."""
    reader = open_source(piece.source, piece.options)
    assert isinstance(reader, LineSource)
    shard, tally = GraphShard(piece.rank), Tally()
    first = piece.number == 0
    with piece.source.failures(reader), replacing_piece(Path(piece.folder)) as folder:
        reader.read(block.removeprefix(BOM) if first else block, shard, tally, first)
        folder.mkdir()
        shard.write(folder)
        finish_piece(folder, hash_of(block), tally)
    return tally


def read_file(piece: GraphPiece) -> Tally:
    """Read a file that cannot be cut into the piece's folder, part by part."""
    reader = open_source(piece.source, piece.options)
    assert isinstance(reader, WholeFileSource)
    file, total = piece.source.file, Tally()
    content = sha256(file.path)
    with piece.source.failures(reader), replacing_piece(Path(piece.folder)) as folder:
        folder.mkdir()
        for part, (shard, tally) in enumerate(reader.read_file(file.path, piece.rank)):
            shard.write(folder, part)
            total.add(tally)
        if sha256(file.path) != content:
            raise RollcallError(f"{file}: was changed while it was read; run the same command again")
        finish_piece(folder, content, total)
    return total


def read_cells(first_years: dict[str, int], work: tuple[Path, frozenset[str]]) -> None:
    """Read the free texts of one shard as values, now that it is known which relations hold years.

    With the shard come those of its relations whose numbers have decimal commas.
    """
    cells, commas = work
    columns = read(CellRows, cells).to_pydict()
    shard = GraphShard()
    rows: dict[tuple[str, str], ValueRow] = {}
    units: dict[str, str | None] = {}
    for subject, relation, text in zip(columns["subject"], columns["relation"], columns["text"], strict=True):
        row = rows.get((relation, text))
        if row is None:
            if relation not in units:
                units[relation] = unit_in_name(relation)
            value = read_cell(
                text,
                first_year=first_years.get(relation),
                unit=units[relation],
                decimal_comma=relation in commas,
            )
            row = rows[relation, text] = value_row(value)
        shard.value(subject, relation, row)
    with replacing_piece(cells.with_name(cells.name.replace("cells", "values-cells", 1))) as path:
        write_scratch(shard.arrow("values"), path)


class GraphIngestion(Ingestion[Tally]):
    """Reads several sources into one folder of a graph's shards."""

    format_version = FORMAT_VERSION

    @staticmethod
    def read_piece(prepared: None, work: Work) -> tuple[int, Tally]:
        number, piece, block = work
        return number, read_block(piece, block) if piece.is_block else read_file(piece)

    def run(self, engine: Engine) -> list[SourceReport[Tally]]:
        reports = super().run(engine)
        self._read_cells(engine, [report.found for report in reports])
        return reports

    def settle_ids(self, engine: Engine, scratch: Path) -> SettledIds:
        """Decide which equal ids of different tables and columns mean one entity."""
        folders = [self._folder(number) for number in range(len(self._sources))]
        return settle_ids(self._sources, folders, self._shards, engine, scratch)

    def _nothing(self) -> Tally:
        return Tally()

    def _tally(self, findings: Tally) -> Tally:
        return findings

    def _pieces(self, source_number: int, done: Done[Tally], ending: Ending) -> Iterator[Work]:
        if is_cut_by_lines(self._sources[source_number]):
            return self._blocks(source_number, done, ending)
        return self._whole_file(source_number, done, ending)

    def _piece(self, source_number: int, number: int, is_block: bool) -> GraphPiece:
        folder = self._piece_folder(self._folder(source_number), number)
        return GraphPiece(
            self._sources[source_number], self._options, source_number, number, folder, is_block
        )

    def _blocks(self, source_number: int, done: Done[Tally], ending: Ending) -> Iterator[Work]:
        number, position, buffer = 0, 0, memoryview(bytearray(self._block_bytes))
        with LineBlocks(self._sources[source_number].file) as blocks:
            while length := blocks.fill(buffer):
                piece, block = self._piece(source_number, number, True), bytes(buffer[:length])
                finished = piece.finished(block)
                if finished is None:
                    yield number, piece, block
                else:
                    done(number, finished)
                self._progress.advance(blocks.position - position)
                position, number = blocks.position, number + 1
            blocks.report(ending.damage)
            for _ in range(blocks.overlong):
                ending.damage.add_bad(0, "overlong", f"a line of more than {self._block_bytes:,} bytes")
            ending.sha256 = partial(str, blocks.sha256())

    def _whole_file(self, source_number: int, done: Done[Tally], ending: Ending) -> Iterator[Work]:
        piece = self._piece(source_number, 0, False)
        finished = piece.finished_file()
        if finished is None:
            yield 0, piece, b""
        else:
            done(0, finished)
        self._progress.advance(self._sources[source_number].size)
        ending.sha256 = partial(piece_source, Path(piece.folder))

    def _read_cells(self, engine: Engine, tallies: list[Tally]) -> None:
        """Read all free texts as values; it is now known which relations have years or decimal commas."""
        total = Tally()
        for tally in tallies:
            total.add(tally)
        first_years = {
            relation: first
            for relation, (bare, years) in total.bare_integers.items()
            if (first := first_year(relation, bare, years)) is not None
        }
        commas = {
            self._folder(number): comma_relations(tally.decimal_marks, decimal_of(self._sources[number]))
            for number, tally in enumerate(tallies)
        }
        cells = [
            (path, commas[path.parents[2]])
            for path in sorted(self._shards.glob(f"{SHARD_FOLDERS}/cells-*.parquet"))
        ]
        for _ in engine.map_blocks(read_cells, cells, partial(dict, first_years)):
            pass


# A graph from Python values, through the same code that builds one from dumps.


def write_graph(
    out: Path | str,
    *,
    facts: Iterable[tuple[str, str, str]] = (),
    values: Iterable[tuple[str, str, Value]] = (),
    types: Iterable[tuple[str, str]] = (),
    subclasses: Iterable[tuple[str, str]] = (),
    entities: "Iterable[EntityRecord]" = (),
    relations: Mapping[str, str] | None = None,
) -> Path:
    """Write a graph folder and return its path; an older graph there is replaced."""
    from rollcall.graph.assemble.finish import finish_in_memory

    shard = GraphShard()
    for fact in facts:
        shard.fact(*fact)
    for subject, relation, value in values:
        shard.value(subject, relation, value_row(value))
    for type_ in types:
        shard.type(*type_)
    for subclass in subclasses:
        shard.subclass(*subclass)
    for record in entities:
        shard.entity(record.id, record.label, record.description, record.title)
        for alias in record.aliases:
            shard.alias(record.id, alias, "written")
        for class_ in record.types:
            shard.type(record.id, class_)
    for id_, label in (relations or {}).items():
        shard.relation(id_, label)
    with GRAPH_FOLDER.writing(Path(out)):
        return finish_in_memory(Path(out), shard)


# A graph as N-Triples, so that the plain SPARQL rendering of a query can be run in any store. Types are
# written as in the graph, closed over the class hierarchy, together with the subclass edges: a query can
# follow the hierarchy or, faster, use `rdf:type` alone.


def write_ntriples(graph: Graph, path: Path, base: str = BASE) -> None:
    """Write facts, values, types, subclasses and labels, one triple per line."""
    with replacing(path) as partial, partial.open("w", encoding="utf-8") as file:
        file.writelines(ntriples(graph, base))


def ntriples(graph: Graph, base: str = BASE) -> Iterator[str]:
    """The lines of the graph, in the order of its tables."""

    def node(id_: str) -> str:
        return f"<{iri(id_, base)}>"

    for subject, relation, object_ in _rows(graph, Facts, "subject", "relation", "object"):
        yield f"{node(subject)} {node(relation)} {node(object_)} .\n"
    for subject, relation, value in _rows(graph, Values, "subject", "relation", "value"):
        yield f"{node(subject)} {node(relation)} {literal_text(parse_value(value), base)} .\n"
    for entity, class_id in _rows(graph, Types, "entity", "class"):
        yield f"{node(entity)} <{TYPE}> {node(class_id)} .\n"
    for class_id, parents in _rows(graph, Classes, "id", "parents"):
        for parent in parents or ():
            yield f"{node(class_id)} <{SUBCLASS}> {node(parent)} .\n"
    for entity, label in _rows(graph, Entities, "id", "label"):
        if label is not None:
            yield f"{node(entity)} <{LABEL}> {literal_text(Text(label), base)} .\n"


def _rows(graph: Graph, table: type[DeclaredTable], *columns: str) -> Iterator[tuple[Any, ...]]:
    """The rows of a table, batch by batch, so that memory does not grow with the graph."""
    from rollcall.tables.files import batches

    for batch in batches(table, graph.folder / file_name(table), columns):
        yield from zip(*(batch.column(name).to_pylist() for name in columns), strict=True)
