"""Makes a corpus folder from files: the function behind `rollcall corpus`."""

import hashlib
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rollcall._core.errors import RollcallError, RollcallWarning
from rollcall._core.files import remove
from rollcall._core.options import chosen_options, named_values
from rollcall.corpus.assemble import finish_corpus
from rollcall.corpus.corpus import CORPUS_FOLDER, Corpus, PageLink
from rollcall.corpus.options import CorpusOptions
from rollcall.corpus.shard import Chunking
from rollcall.input_files.ingestion import BLOCK_BYTES, FETCHED, PARTIAL, Manifest
from rollcall.tables import corpus as declared
from rollcall.tables.engine import opened
from rollcall.tables.files import SortedFile, write_scratch
from rollcall.tables.table import DeclaredTable, arrow, columns, file_name
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    from rollcall.corpus.source import SourceFindings
    from rollcall.input_files.file_source import SourceFile
    from rollcall.input_files.ingestion import SourceReport


KEPT_TEMPLATES = 50


def make_corpus(
    sources: Sequence[Path | str], out: Path | str, options: CorpusOptions | None = None, **keywords: Any
) -> Corpus:
    """Read sources of text into a corpus folder and open it; a repeated call resumes an interrupted one.

    A source is a path, a folder of documents, or an address that fsspec reads, such as
    `s3://bucket/pages.xml.bz2`. The options are those of `CorpusOptions`, given as keywords, as a record, or
    as both. `formats` is a name from `rollcall plugins`, `module:name` or a class, or one for each file;
    `source_options` maps the options that these sources declare to values. `jobs` is the number of processes
    that read; the output is the same for any number. With more than one, a script must make this call under
    `if __name__ == "__main__":`.
    """
    from rollcall.corpus.ingest import CorpusIngestion, find_sources, holds_pages, text_files
    from rollcall.graph import Graph
    from rollcall.input_files.input_file import InputFile, in_utf8, is_address

    options = chosen_options(CorpusOptions, options, keywords, "make_corpus")
    out, chunking = Path(out), options.chunking or Chunking()
    alias_share, encoding, show_progress = options.alias_share, options.encoding, options.show_progress
    chunking.check()
    if not sources:
        raise RollcallError("no source given: name at least one file to read")
    if not 0 <= alias_share <= 1:
        raise RollcallError(f"--alias-share {alias_share}: is a share, between 0 and 1")
    own = named_values(options.source_options)
    files = text_files(
        sources,
        recognise=options.formats in ("auto", ["auto"]),
        holds_pages=lambda file: bool(encoding) or holds_pages(file, own),
    )
    local_paths = [Path(source) for source in sources if not is_address(source)]
    fetch = partial(InputFile.fetched, folder=out / PARTIAL / FETCHED, show=show_progress)
    graph_folder = None if options.graph is None else Graph.open(options.graph).folder
    if encoding and any(file.members for file in files):
        own["encoding"] = encoding
    with ExitStack() as opening:
        opening.enter_context(
            CORPUS_FOLDER.writing(out, [*local_paths, *([graph_folder] if graph_folder else [])])
        )
        if encoding:
            files = [in_utf8(file, encoding, out / PARTIAL / FETCHED) for file in files]
        recognised = find_sources(files, fetch, options.formats, own)
        if not options.force:
            CORPUS_FOLDER.refuse_other(out, [source.name for source in recognised])
        running = opening.enter_context(options.opened())
        shards = out / PARTIAL / "shards"
        shards.mkdir(parents=True, exist_ok=True)
        ingestion = CorpusIngestion(
            recognised,
            shards,
            chunking,
            max_bad=options.max_bad,
            block_bytes=options.block_bytes or BLOCK_BYTES,
            show_progress=show_progress,
        )
        reports = ingestion.run(running)
        if next(shards.glob("*/*/*/pages.parquet"), None) is None:
            raise RollcallError(_nothing_read(reports))
        finish_corpus(
            out,
            shards,
            graph_folder,
            _manifest(reports, recognised, chunking, alias_share, graph_folder),
            running,
            alias_share=alias_share,
            show_progress=show_progress,
        )
    for report, source in zip(reports, recognised, strict=True):
        if report.found.unwrapped and source.kind != "documents":  # files of text usually have such lines
            warnings.warn(_unwrapped(report.name, report.found.unwrapped), RollcallWarning, stacklevel=2)
    return Corpus.open(out)


def _unwrapped(name: str, pages: int) -> str:
    return (
        f"{name}: the lines of {counted(pages, 'page')} are broken at a width and were joined to paragraphs; "
        "lists, tables, code and verse keep their lines; --option unwrap=no keeps all"
    )


def _nothing_read(reports: "list[SourceReport[SourceFindings]]") -> str:
    first = next((example for report in reports for example in report.found.tally.examples), None)
    names = ", ".join(report.name for report in reports)
    return f"{names}: no page was found" + (f"; the first problem: {first}" if first else "")


def _manifest(
    reports: "list[SourceReport[SourceFindings]]",
    files: "list[SourceFile]",
    chunking: Chunking,
    alias_share: float,
    graph: Path | None,
) -> Manifest:
    import msgspec

    sources = []
    unknown: dict[str, int] = {}
    for report, source in zip(reports, files, strict=True):
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
                "unwrapped": findings.unwrapped,
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


# Makes a corpus from another one: the same text, tied to the entities of another graph. A corpus that was
# made without a graph has no ties. Where a graph was read out of its text, what its pages are about and
# where they name whom is known; the copy has both, the latter as links. The corpus itself stays as it
# is.

_ROWS = 1 << 16


class NamedPlace(NamedTuple):
    """Where a page names an entity: in which sentence, and from where to where in the page's text."""

    sentence: int
    start: int
    end: int
    words: str
    entity: str


def relink_corpus(
    corpus: Corpus,
    graph: Path,
    out: Path,
    *,
    topics: Mapping[str, str],
    places: Mapping[str, Sequence[NamedPlace]],
    force: bool = False,
    show_progress: bool | None = None,
) -> Corpus:
    """Write a copy of a corpus that is tied to a graph, and open it.

    `topics` gives the entity that a page is about, `places` where a page names entities; both by the page's
    id. Places that overlap a link of the corpus are left to the link.
    """
    with CORPUS_FOLDER.writing(out, [corpus.folder, graph]):
        if not force:
            CORPUS_FOLDER.refuse_other(out, source_names(corpus))
        shards = out / PARTIAL / "shards"
        remove(shards)
        _write_shards(corpus, shards, topics, places)
        manifest = {
            **{
                name: corpus.manifest[name]
                for name in ("sources", "unknown_templates", "dropped_sentences", "options")
            },
            "graph": hashlib.sha256((graph / "graph.json").read_bytes()).hexdigest(),
        }
        with opened("duckdb", memory="300MB", jobs=1) as engine:
            finish_corpus(
                out,
                shards,
                graph,
                manifest,
                engine,
                alias_share=corpus.manifest["options"]["alias_share"],
                show_progress=show_progress,
            )
    return Corpus.open(out)


def source_names(corpus: Corpus) -> list[str]:
    """The names of the files that a corpus was made of."""
    return [str(source["name"]) for source in corpus.manifest.get("sources", [])]


def _write_shards(
    corpus: Corpus, shards: Path, topics: Mapping[str, str], places: Mapping[str, Sequence[NamedPlace]]
) -> None:
    """Write the tables of a corpus as the rows that they were made of."""
    order: dict[str, int] = {}

    def pages() -> Iterator[tuple[Any, ...]]:
        for number, page in enumerate(corpus.pages()):
            order[page.id] = number
            described = (page.disambiguation, page.characters, page.sentences)
            yield (number, page.id, page.title, topics.get(page.id), False, *described)

    def rows(table: type[DeclaredTable]) -> Iterator[tuple[Any, ...]]:
        stored_columns = columns(table)
        for row in SortedFile(table, corpus.folder / file_name(table)).every():
            yield order[row["page"]], *(row[name] for name in stored_columns)

    def links() -> Iterator[tuple[Any, ...]]:
        for page, number in order.items():
            for number_on_page, where in enumerate(_all_links(corpus.links(page), places.get(page, ()))):
                yield number, page, number_on_page, *where

    tables = (row[:1] + row[2:] for row in rows(declared.PageTables))
    cells = (row[:1] + row[2:-1] for row in rows(declared.Cells))
    redirects = (
        (number, row["title"], row["target"])
        for number, row in enumerate(
            SortedFile(declared.Redirects, corpus.folder / file_name(declared.Redirects)).every()
        )
    )
    parts: dict[str, Iterable[tuple[Any, ...]]] = {
        "pages": pages(),
        "sentences": rows(declared.Sentences),
        "passages": rows(declared.Passages),
        "links": links(),
        "tables": tables,
        "cells": cells,
        "redirects": redirects,
    }
    for name, table_rows in parts.items():
        _write(name, table_rows, shards)


Where = tuple[int | None, int | None, int | None, str | None, str]
"""A link's sentence, start and end, its words, and the title or id that it leads to."""


def _all_links(links: Sequence[PageLink], named_places: Sequence[NamedPlace]) -> Iterator[Where]:
    """The links of a page, and further ones for what it names outside them."""
    spans = [(link.start, link.end) for link in links if link.start is not None and link.end is not None]
    for link in links:
        yield link.sentence, link.start, link.end, link.anchor, link.target
    for place in named_places:
        if not any(start < place.end and place.start < end for start, end in spans):
            yield place.sentence, place.start, place.end, place.words, place.entity


def _write(name: str, rows: Iterable[tuple[Any, ...]], shards: Path) -> None:
    """Write rows in parts that fit into memory, where assembly looks for shards."""
    table, source, part = declared.SHARD_TABLES[name], iter(rows), 0
    while chunk := list(islice(source, _ROWS)):
        folder = shards / "0" / "0" / str(part)
        folder.mkdir(parents=True, exist_ok=True)
        values = dict(zip(columns(table), zip(*chunk, strict=True), strict=True))
        write_scratch(arrow(table, values), folder / f"{name}.parquet")
        part += 1
