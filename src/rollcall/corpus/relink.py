"""Makes a corpus of another one: the same text, tied to the entities of another graph.

A corpus that was made without a graph has no ties. Where a graph was read out of its text, what its pages are
about and where they name whom is known; the copy has both, the latter as links. The corpus itself stays as it
is.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from rollcall.corpus.assemble.finish import finish_corpus
from rollcall.corpus.corpus import Corpus, PageLink
from rollcall.corpus.layout import CORPUS_FOLDER
from rollcall.files import remove
from rollcall.input_files.folder import PARTIAL
from rollcall.tables import corpus as declared
from rollcall.tables.engine import opened
from rollcall.tables.lookup import SortedFile
from rollcall.tables.table import Table, arrow, columns, file_name
from rollcall.tables.writer import write_scratch

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
    memory: str = "300MB",
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
        with opened("duckdb", memory=memory, jobs=1) as engine:
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

    def rows(table: type[Table]) -> Iterator[tuple[Any, ...]]:
        kept = columns(table)
        for row in SortedFile(table, corpus.folder / file_name(table)).every():
            yield order[row["page"]], *(row[name] for name in kept)

    def links() -> Iterator[tuple[Any, ...]]:
        for page, number in order.items():
            for place, where in enumerate(_all_links(corpus.links(page), places.get(page, ()))):
                yield number, page, place, *where

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
    for name, made in parts.items():
        _write(name, made, shards)


Where = tuple[int | None, int | None, int | None, str | None, str]
"""A link's sentence, start and end, its words, and the title or id that it leads to."""


def _all_links(own: Sequence[PageLink], named: Sequence[NamedPlace]) -> Iterator[Where]:
    """The links of a page, and further ones for what it names outside them."""
    taken = [(link.start, link.end) for link in own if link.start is not None and link.end is not None]
    for link in own:
        yield link.sentence, link.start, link.end, link.anchor, link.target
    for one in named:
        if not any(start < one.end and one.start < end for start, end in taken):
            yield one.sentence, one.start, one.end, one.words, one.entity


def _write(name: str, rows: Iterable[tuple[Any, ...]], shards: Path) -> None:
    """Write rows in parts that fit into memory, where assembly looks for shards."""
    table, source, part = declared.SHARD_TABLES[name], iter(rows), 0
    while some := list(islice(source, _ROWS)):
        folder = shards / "0" / "0" / str(part)
        folder.mkdir(parents=True, exist_ok=True)
        values = dict(zip(columns(table), zip(*some, strict=True), strict=True))
        write_scratch(arrow(table, values), folder / f"{name}.parquet")
        part += 1
