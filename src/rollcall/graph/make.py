"""Makes a graph folder from files: the function behind `rollcall graph`."""

import warnings
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rollcall.english.counting import counted_kinds
from rollcall.errors import RollcallError, RollcallWarning
from rollcall.graph.graph import Graph
from rollcall.graph.layout import GRAPH_FOLDER, SHARD_FOLDERS
from rollcall.input_files.folder import FETCHED, PARTIAL, Manifest
from rollcall.tables.engine import Engine, opened

if TYPE_CHECKING:
    from rollcall.graph.ingest.options import ReadOptions
    from rollcall.input_files.file_source import Formats, Source
    from rollcall.input_files.ingestion import SourceReport
    from rollcall.input_files.tally import Tally

_RDF = ("ntriples", "nquads", "turtle", "trig")


def make_graph(
    sources: Sequence[Path | str],
    out: Path | str,
    *,
    formats: "Formats" = "auto",
    options: "ReadOptions | None" = None,
    source_options: Mapping[str, object] | None = None,
    encoding: str | None = None,
    force: bool = False,
    jobs: int | None = None,
    max_bad: float = 0.01,
    memory: str = "600MB",
    block_bytes: int | None = None,
    show_progress: bool | None = None,
    engine: Engine | str = "duckdb",
    master: str | None = None,
) -> Graph:
    """Read sources into a graph folder and open it; a repeated call resumes an interrupted one.

    A source is a path, or an address that fsspec reads, such as `s3://bucket/dump.json.bz2`.
    `formats` gives the graph source of all files, or of each: a name from `rollcall plugins`, `module:name`
    or a class; `auto` recognises the files. `source_options` are the options that these sources declare.
    `encoding` is the encoding of the files, if it is not UTF-8, such as `latin-1`.
    A graph of other files in `out` is replaced only with `force`.
    `jobs` is the number of processes that read (default: one for each core); the output is the same for any
    number. With more than one, a script must make this call under `if __name__ == "__main__":`. `engine` is
    where the work runs: an open engine, or the name of one, for which `master` says where its cluster is.
    """
    from rollcall.graph.assemble.finish import finish_graph
    from rollcall.graph.ingest.ingestion import GraphIngestion
    from rollcall.graph.ingest.options import ReadOptions
    from rollcall.graph.ingest.row_options import check_files
    from rollcall.graph.ingest.sources import find_sources
    from rollcall.input_files.ingestion import BLOCK_BYTES
    from rollcall.input_files.input_file import InputFile, input_file, paths_of
    from rollcall.input_files.text_encoding import in_utf8

    out = Path(out)
    if not sources:
        raise RollcallError("no source given: name at least one file to read")
    files = [input_file(source) for source in sources]
    fetch = partial(InputFile.fetched, folder=out / PARTIAL / FETCHED, show=show_progress)
    options = options or ReadOptions()
    check_files(str((source_options or {}).get("columns") or ""), [file.name for file in files])
    with ExitStack() as opening:
        opening.enter_context(GRAPH_FOLDER.writing(out, paths_of(files)))
        if encoding:
            files = [in_utf8(file, encoding, out / PARTIAL / FETCHED) for file in files]
        found = find_sources(files, fetch, formats, source_options or {}, options)
        if not force:
            GRAPH_FOLDER.refuse_other(out, [source.name for source in found])
        running = opening.enter_context(opened(engine, memory=memory, jobs=jobs, master=master))
        shards = out / PARTIAL / "shards"
        shards.mkdir(parents=True, exist_ok=True)
        ingestion = GraphIngestion(
            found,
            shards,
            options,
            max_bad=max_bad,
            block_bytes=block_bytes or BLOCK_BYTES,
            show_progress=show_progress,
        )
        reports = ingestion.run(running)
        if next(shards.glob(f"{SHARD_FOLDERS}/*.parquet"), None) is None:
            raise RollcallError(_nothing_read(reports))
        manifest = _manifest(reports, found, options)
        kinds = {source.kind for source in found}
        name_all = None if kinds == {"wikidata"} else not kinds.isdisjoint(_RDF)
        finish_graph(out, shards, running, manifest=manifest, name_all=name_all, show_progress=show_progress)
    made = Graph.open(out)
    named = made.manifest.get("named_by_ids")
    if named and named["counts"]:
        warnings.warn(_named_by_ids(named["counts"], named["example"]), RollcallWarning, stacklevel=2)
    return made


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
    reports: "list[SourceReport[Tally]]", found: "list[Source]", options: "ReadOptions"
) -> Manifest:
    import msgspec

    from rollcall.graph.ingest.decimal_commas import comma_remark
    from rollcall.graph.ingest.nested_objects import nested_remark
    from rollcall.graph.ingest.sources import decimal_of

    sources = []
    for report, source in zip(reports, found, strict=True):
        tally = report.found
        guessed = str(msgspec.json.decode(source.settings).get("remark", ""))
        decimals = comma_remark(tally.decimal_marks, decimal_of(source))
        sources.append(
            {
                "name": report.name,
                "kind": report.kind,
                "options": msgspec.json.decode(source.options),
                "remark": "; ".join(filter(None, (guessed, decimals, nested_remark(tally.nested)))),
                "size": report.size,
                "sha256": report.sha256,
                "entries": tally.entries,
                "bad": dict(sorted(tally.bad.items())),
                "skipped": dict(sorted(tally.skipped.items())),
                "bad_examples": [msgspec.to_builtins(example) for example in tally.examples],
            }
        )
    return {"sources": sources, "options": msgspec.to_builtins(options)}
