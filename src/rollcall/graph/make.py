"""Makes a graph folder from files: the function behind `rollcall graph`."""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollcall._core.errors import RollcallError, RollcallWarning
from rollcall._core.files import replacing
from rollcall._core.options import chosen_options, named_values
from rollcall.graph.graph import Graph
from rollcall.graph.index import GRAPH_FOLDER, SHARD_FOLDERS
from rollcall.graph.options import GraphOptions
from rollcall.input_files.ingestion import BLOCK_BYTES, FETCHED, PARTIAL, Manifest
from rollcall.query.rdf_terms import BASE, LABEL, SUBCLASS, TYPE, iri, literal_text
from rollcall.query.values import Text, Value, parse_value
from rollcall.tables.graph import Classes, Entities, Facts, Types, Values
from rollcall.tables.table import DeclaredTable, file_name
from rollcall.text.nouns import counted_kinds

if TYPE_CHECKING:
    from rollcall.graph.graph import EntityRecord
    from rollcall.graph.ingest.identity import SettledIds
    from rollcall.graph.source import ReadOptions
    from rollcall.input_files.file_source import SourceFile
    from rollcall.input_files.ingestion import SourceReport
    from rollcall.input_files.input_file import Tally


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
    from rollcall.graph.ingest.identity import check_references
    from rollcall.graph.ingest.ingestion import GraphIngestion, find_sources
    from rollcall.graph.ingest.layouts import check_files
    from rollcall.graph.source import ReadOptions
    from rollcall.input_files.input_file import InputFile, in_utf8, input_file, paths_of

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
    import msgspec

    from rollcall.graph.ingest.cells import comma_remark
    from rollcall.graph.ingest.ingestion import decimal_of
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
    from rollcall.graph.rows import GraphShard, value_row

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
