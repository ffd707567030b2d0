"""Makes a corpus folder from files: the function behind `rollcall corpus`."""

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rollcall.corpus.corpus import Corpus
from rollcall.corpus.layout import CORPUS_FOLDER
from rollcall.corpus.passages import Chunking
from rollcall.errors import RollcallError
from rollcall.input_files.folder import FETCHED, PARTIAL, Manifest
from rollcall.tables.engine import Engine, opened

if TYPE_CHECKING:
    from rollcall.corpus.ingest.findings import Findings
    from rollcall.input_files.file_source import Formats, Source
    from rollcall.input_files.ingestion import SourceReport

KEPT_TEMPLATES = 50


def make_corpus(
    sources: Sequence[Path | str],
    out: Path | str,
    *,
    graph: Path | str | None = None,
    chunking: Chunking | None = None,
    formats: "Formats" = "auto",
    source_options: Mapping[str, object] | None = None,
    encoding: str | None = None,
    alias_share: float = 0.5,
    force: bool = False,
    jobs: int | None = None,
    max_bad: float = 0.01,
    memory: str = "300MB",
    block_bytes: int | None = None,
    show_progress: bool | None = None,
    engine: Engine | str = "duckdb",
    master: str | None = None,
) -> Corpus:
    """Read sources of text into a corpus folder and open it; a repeated call resumes an interrupted one.

    A source is a path, a folder of documents, or an address that fsspec reads, such as
    `s3://bucket/pages.xml.bz2`. `graph` is the folder of the graph whose entities the pages are about;
    without it, the corpus serves retrieval and imported questions. `encoding` is the encoding of the files,
    if it is not UTF-8. `formats` gives the text source of
    all files, or of each: a name from `rollcall plugins`, `module:name` or a class; `auto` recognises the
    files. `source_options` are the options that these sources declare, such as `templates`. A corpus of other
    files in `out` is replaced only with `force`. `jobs` is the
    number of processes that read (default: one for each core); the output is the same for any number. With
    more than one, a script must make this call under `if __name__ == "__main__":`. `engine`
    does the work, and the output is the same for each: an open one, or a name from `rollcall plugins`, with
    `master` as the address of its cluster.
    """
    from rollcall.corpus.assemble.finish import finish_corpus
    from rollcall.corpus.ingest.folders import text_files
    from rollcall.corpus.ingest.ingestion import CorpusIngestion
    from rollcall.corpus.ingest.sources import find_sources, holds_pages
    from rollcall.graph import Graph
    from rollcall.input_files.ingestion import BLOCK_BYTES
    from rollcall.input_files.input_file import InputFile, is_address
    from rollcall.input_files.text_encoding import in_utf8

    out, chunking = Path(out), chunking or Chunking()
    chunking.check()
    if not sources:
        raise RollcallError("no source given: name at least one file to read")
    if not 0 <= alias_share <= 1:
        raise RollcallError(f"--alias-share {alias_share}: is a share, between 0 and 1")
    own = dict(source_options or {})
    files = text_files(
        sources,
        recognise=formats in ("auto", ["auto"]),
        holds_pages=lambda file: bool(encoding) or holds_pages(file, own),
    )
    given = [Path(source) for source in sources if not is_address(source)]
    fetch = partial(InputFile.fetched, folder=out / PARTIAL / FETCHED, show=show_progress)
    known = None if graph is None else Graph.open(graph).folder
    if encoding and any(file.members for file in files):
        own["encoding"] = encoding
    with ExitStack() as opening:
        opening.enter_context(CORPUS_FOLDER.writing(out, [*given, *([known] if known else [])]))
        if encoding:
            files = [in_utf8(file, encoding, out / PARTIAL / FETCHED) for file in files]
        found = find_sources(files, fetch, formats, own)
        if not force:
            CORPUS_FOLDER.refuse_other(out, [source.name for source in found])
        running = opening.enter_context(opened(engine, memory=memory, jobs=jobs, master=master))
        shards = out / PARTIAL / "shards"
        shards.mkdir(parents=True, exist_ok=True)
        ingestion = CorpusIngestion(
            found,
            shards,
            chunking,
            max_bad=max_bad,
            block_bytes=block_bytes or BLOCK_BYTES,
            show_progress=show_progress,
        )
        reports = ingestion.run(running)
        if next(shards.glob("*/*/*/pages.parquet"), None) is None:
            raise RollcallError(_nothing_read(reports))
        finish_corpus(
            out,
            shards,
            known,
            _manifest(reports, found, chunking, alias_share, known),
            running,
            alias_share=alias_share,
            show_progress=show_progress,
        )
    return Corpus.open(out)


def _nothing_read(reports: "list[SourceReport[Findings]]") -> str:
    first = next((example for report in reports for example in report.found.tally.examples), None)
    names = ", ".join(report.name for report in reports)
    return f"{names}: no page was found" + (f"; the first problem: {first}" if first else "")


def _manifest(
    reports: "list[SourceReport[Findings]]",
    found: "list[Source]",
    chunking: Chunking,
    alias_share: float,
    graph: Path | None,
) -> Manifest:
    import msgspec

    sources = []
    unknown: dict[str, int] = {}
    for report, source in zip(reports, found, strict=True):
        findings = report.found
        for name, count in findings.unknown_templates.items():
            unknown[name] = unknown.get(name, 0) + count
        sources.append(
            {
                "name": report.name,
                "kind": report.kind,
                "remark": msgspec.json.decode(source.settings).get("remark", ""),
                "size": report.size,
                "sha256": report.sha256,
                "entries": findings.tally.entries,
                "bad": dict(sorted(findings.tally.bad.items())),
                "bad_examples": [msgspec.to_builtins(example) for example in findings.tally.examples],
                "skipped": dict(sorted(findings.tally.skipped.items())),
                "mended": dict(sorted(findings.mended.bad.items())),
                "mended_examples": [msgspec.to_builtins(example) for example in findings.mended.examples],
            }
        )
    commonest = sorted(unknown.items(), key=lambda item: (-item[1], item[0]))[:KEPT_TEMPLATES]
    return {
        "sources": sources,
        "unknown_templates": dict(commonest),
        "dropped_sentences": sum(report.found.dropped_sentences for report in reports),
        "graph": hashlib.sha256((graph / "graph.json").read_bytes()).hexdigest() if graph else "",
        "options": {"chunking": msgspec.to_builtins(chunking), "alias_share": alias_share},
    }
