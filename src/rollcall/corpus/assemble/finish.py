"""The last steps of making a corpus: resolve what concerns several pages, and write the sorted tables.

Everything is built under `OUT/.partial`. The finished corpus then replaces `OUT` in one step, so that a
folder with a manifest is a complete corpus and a killed build leaves the old one.
"""

from pathlib import Path

from rollcall.corpus.assemble import bodies, occurrences, statistics, ties
from rollcall.corpus.assemble.inputs import name_inputs
from rollcall.corpus.layout import CORPUS_FOLDER
from rollcall.files import remove
from rollcall.input_files.folder import PARTIAL, Manifest
from rollcall.progress import Progress
from rollcall.tables import corpus
from rollcall.tables.engine import Engine, Query, Workbench
from rollcall.tables.table import Table, arrow, declaration, file_name, unbound

KEPT: list[tuple[type[Table], Query]] = [
    (occurrences.NamedPages, occurrences.named_pages),
    (occurrences.Homes, occurrences.homes),
    (occurrences.Dropped, occurrences.dropped),
    (occurrences.NumberedTables, occurrences.numbered_tables),
    (ties.TiedPages, ties.tied_pages),
    (corpus.Redirects, ties.redirects),
    (ties.Meanings, ties.meanings),
    (corpus.Links, bodies.links),
    (bodies.CellLinks, bodies.cell_links),
    (statistics.MentionsOnPages, statistics.mentions_on_pages),
    (statistics.Votes, statistics.votes),
    (corpus.Forms, statistics.forms),
]
"""What is computed once and used by several tables, in this order."""
WRITTEN: dict[type[Table], Query] = {
    corpus.Pages: ties.pages,
    corpus.Sentences: bodies.sentences,
    corpus.Passages: bodies.passages,
    corpus.Links: lambda: unbound(corpus.Links),
    corpus.PageTables: bodies.page_tables,
    corpus.Cells: bodies.cells,
    corpus.Redirects: lambda: unbound(corpus.Redirects),
    corpus.Ties: ties.ties,
    corpus.Mentions: statistics.mentions,
    corpus.Forms: lambda: unbound(corpus.Forms),
    corpus.TextAliases: statistics.aliases,
    corpus.RelationMentions: statistics.relations,
}
"""The tables of the finished corpus."""


def finish_corpus(
    out: Path,
    shards: Path,
    graph: Path | None,
    manifest: Manifest,
    engine: Engine,
    *,
    alias_share: float,
    show_progress: bool | None = None,
) -> None:
    """Build all tables from shards and install them in `out`."""
    staging = out / PARTIAL / "corpus"
    remove(staging)
    staging.mkdir(parents=True)
    with (
        engine.workbench(out / PARTIAL / "spill") as bench,
        Progress("combining", len(KEPT) + len(WRITTEN), show=show_progress) as progress,
    ):
        name_inputs(bench, shards, graph)
        bench.give(statistics.AliasShare, arrow(statistics.AliasShare, {"least": [alias_share]}))
        for table, query in KEPT:
            bench.keep(table, query)
            progress.advance(1, declaration(table).name.replace("_", " "))
        counts = {}
        for table, query in WRITTEN.items():
            name = declaration(table).name
            counts[name] = bench.write(table, query, staging / file_name(table))
            progress.advance(1, name)
        described = {
            "counts": counts,
            "ties": _counts(bench, ties.tie_counts),
            "untied": _counts(bench, ties.untied_counts),
            **_counts(bench, occurrences.duplicate_count),
            **manifest,
        }
    CORPUS_FOLDER.install(staging, out, described)


def _counts(bench: Workbench, query: Query) -> dict[str, int]:
    """A result of two columns: what is counted, and how often."""
    return {str(name): int(count) for name, count in map(dict.values, bench.records(query))}
