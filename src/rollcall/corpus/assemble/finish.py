"""The last steps of making a corpus: resolve what concerns several pages, and write the sorted tables.

Everything is built under `OUT/.partial`. The finished corpus then replaces `OUT` in one step, so that a
folder with a manifest is a complete corpus and a killed build leaves the old one.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa

from rollcall.corpus.assemble import bodies, occurrences, statistics, ties
from rollcall.corpus.assemble.inputs import name_inputs
from rollcall.corpus.assemble.table_file import ROWS_PER_GROUP, TableFile
from rollcall.corpus.layout import CORPUS_FOLDER, TABLES
from rollcall.engine import Workbench
from rollcall.files import remove
from rollcall.input_files.folder import PARTIAL
from rollcall.progress import Progress

_KEPT: list[tuple[str, Callable[[], Any]]] = [
    ("named_pages", occurrences.named_pages),
    ("homes", occurrences.homes),
    ("dropped", occurrences.dropped),
    ("numbered_tables", occurrences.numbered_tables),
    ("tied_pages", ties.tied_pages),
    ("redirects", ties.redirects),
    ("meanings", ties.meanings),
    ("links", bodies.links),
    ("cell_links", bodies.cell_links),
    ("mentions", statistics.mentions),
    ("votes", statistics.votes),
    ("forms", statistics.forms),
]
_WRITTEN: dict[str, Callable[[], Any]] = {
    "pages": ties.pages_in_order,
    "sentences": bodies.sentences_in_order,
    "passages": bodies.passages_in_order,
    "links": bodies.links_in_order,
    "tables": bodies.tables_in_order,
    "cells": bodies.cells_in_order,
    "redirects": ties.redirects_in_order,
    "ties": ties.ties_in_order,
    "mentions": statistics.mentions_in_order,
    "forms": statistics.forms_in_order,
    "aliases": statistics.aliases_in_order,
    "relations": statistics.relations_in_order,
}


def finish_corpus(
    out: Path,
    shards: Path,
    graph: Path,
    manifest: dict[str, Any],
    *,
    alias_share: float,
    memory_limit: str,
    threads: int | None,
    show_progress: bool | None = None,
) -> None:
    """Build all tables from shards and install them in `out`."""
    staging = out / PARTIAL / "corpus"
    remove(staging)
    staging.mkdir(parents=True)
    with (
        Workbench(memory_limit, threads, out / PARTIAL / "spill") as bench,
        Progress("combining", len(_KEPT) + len(_WRITTEN), show=show_progress) as progress,
    ):
        name_inputs(bench, shards, graph)
        bench.give("alias_share", pa.table({"least": [alias_share]}))
        for name, query in _KEPT:
            bench.keep(name, query)
            progress.advance(1, name.replace("_", " "))
        counts = {}
        for table in TABLES:
            counts[table] = _write(bench, staging, table)
            progress.advance(1, table)
        described = {
            "counts": counts,
            "ties": _counts(bench, ties.tie_counts),
            "untied": {why: count for why, count in _counts(bench, ties.untied_counts).items() if why},
            **_counts(bench, occurrences.duplicate_count),
            **manifest,
        }
    CORPUS_FOLDER.install(staging, out, described)


def _write(bench: Workbench, folder: Path, table: str) -> int:
    with TableFile(folder, table) as file:
        for batch in bench.stream(_WRITTEN[table], rows=ROWS_PER_GROUP):
            file.append(*batch.columns)
    return file.rows


def _counts(bench: Workbench, query: Callable[[], Any]) -> dict[str, int]:
    found: dict[str, int] = {}
    for batch in bench.stream(query):
        keys, counts = batch.columns
        found.update(zip(keys.to_pylist(), counts.to_pylist(), strict=True))
    return found
