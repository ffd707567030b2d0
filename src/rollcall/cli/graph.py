"""`rollcall graph`: read a knowledge graph from dumps and tables."""

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rollcall._core.console import Screen, is_quiet, say_json, styled
from rollcall._core.errors import RollcallError
from rollcall._core.options import OnCommandLine
from rollcall.cli.options import AsJson, with_options
from rollcall.cli.system_options import ingest_settings
from rollcall.graph.options import GraphOptions
from rollcall.text.nouns import counted_kinds

if TYPE_CHECKING:
    from rollcall.graph import Graph
    from rollcall.graph.ingest.layouts import UnknownColumnsError

_RDF = "RDF"
_WIKIDATA = "Wikidata"


class GraphCommand(GraphOptions, frozen=True, kw_only=True):
    """The options of the command: those of `make_graph`, languages, and shorthands for options of sources."""

    language: Annotated[str, OnCommandLine(after="")] = "en"
    """Language of labels, aliases, descriptions and texts, as a code."""
    fallback: str = "mul,en"
    """Languages to use if that one is missing, in order, separated by commas."""
    type_facts: bool = False
    """Keep 'instance of' and 'subclass of' also as relations, not only as types."""
    columns: Annotated[list[str] | None, OnCommandLine(metavar="[FILE:]OURS=THEIRS,…")] = None
    """Which columns of tables hold what, such as subject=head,relation=rel,object=tail; for tables without a
    header, the names of all columns in order. For a table with one thing a row: 'parts.csv:
    id=No,label=Name,types=Kind,object=Maker,value=Weight'; types="pump" if all its rows are pumps;
    object=company:Maker gives what a column names a class, object=Maker@makers.csv the file whose ids it
    holds. Once for all files, or once for each."""
    site: Annotated[str, OnCommandLine(panel=_WIKIDATA, after="source_options")] = ""
    """The site whose page title is kept [default: LANGUAGEwiki]."""
    include_ended: Annotated[bool, OnCommandLine(panel=_WIKIDATA)] = False
    """Keep statements that have an end time."""
    identifiers: Annotated[bool, OnCommandLine(panel=_WIKIDATA)] = False
    """Keep external ids, addresses and file names."""
    preset: Annotated[str, OnCommandLine(panel=_RDF)] = ""
    """Known vocabulary: plain, freebase, dbpedia, wikidata [default: plain]."""
    label: Annotated[list[str] | None, OnCommandLine(panel=_RDF)] = None
    """Predicate of labels; may be repeated."""
    alias: Annotated[list[str] | None, OnCommandLine(panel=_RDF)] = None
    """Predicate of aliases."""
    description: Annotated[list[str] | None, OnCommandLine(panel=_RDF)] = None
    """Predicate of descriptions."""
    type: Annotated[list[str] | None, OnCommandLine(panel=_RDF)] = None
    """Predicate of types."""
    subclass: Annotated[list[str] | None, OnCommandLine(panel=_RDF)] = None
    """Predicate of subclasses."""
    strip_prefix: Annotated[list[str] | None, OnCommandLine(panel=_RDF)] = None
    """Beginning of IRIs to remove from ids, or NAME=IRI to write it as NAME: instead."""

    def shorthands(self) -> dict[str, object]:
        """The options of sources that have an option of their own."""
        of_wikidata = ("site", "include_ended", "identifiers")
        of_rdf = ("preset", "label", "alias", "description", "type", "subclass", "strip_prefix")
        named = {name: getattr(self, name) for name in (*of_wikidata, *of_rdf)}
        return {"columns": "\n".join(self.columns or ()), **named}


@with_options
def graph(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Paths or addresses of files to read; several are merged, and the first label counts.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder for the graph.")],
    files: GraphCommand,
    as_json: AsJson = False,
) -> None:
    """Read a knowledge graph into a folder of tables with an index.

    Reads Wikidata's JSON dump, RDF (.nt .nq .ttl .trig), tables (.tsv .csv .parquet .jsonl .json) and what
    Neo4j exports, each also as .gz, .bz2 or .zst. The content of a table is recognised by its columns:
    subject, relation, object or value; id, label, aliases, types; entity, class; class, parent. Other usual
    names, such as head, rel, tail, and three columns without a header are guessed, and --columns names any
    others. --format names one of these formats, or your own; `rollcall plugins` lists them with their
    options.

    A source may also be an address, such as s3://bucket/dump.json.gz or https://host/dump.json.gz. It is read
    through fsspec: pip install 'rollcall-qa[remote]', and the package for its file system, such as s3fs.

    Running the same command again continues an interrupted run.
    """
    from rollcall.graph.ingest.layouts import UnknownColumnsError
    from rollcall.graph.make import make_graph
    from rollcall.graph.source import ReadOptions

    options = ReadOptions(
        language=files.language,
        fallback=tuple(code.strip() for code in files.fallback.split(",") if code.strip()),
        type_facts=files.type_facts,
    )
    settings = ingest_settings(files.source_options, files.shorthands())
    try:
        written = make_graph(sources, out, files, options=options, source_options=settings)
    except UnknownColumnsError as error:
        if not error.proposal:
            raise
        raise RollcallError(_with_command(error, sources, out, files.columns or ())) from error
    if as_json:
        say_json({"out": str(out), **written.manifest})
    elif not is_quiet():
        print_summary(written)


def _with_command(
    error: "UnknownColumnsError", sources: Sequence[str], out: Path, columns: Iterable[str]
) -> str:
    """What is wrong with a table, and the whole command that may be right for it."""
    own = error.proposal
    if len(sources) > 1:
        own = f"{error.table}:{own}"
    given = [part for line in columns for part in ("--columns", line)]
    command = shlex.join(["rollcall", "graph", *sources, "--out", str(out), *given, "--columns", own])
    return (
        f"{error.problem}; {error.hint}; if each row is about one thing, try this, guessed from the first "
        f"rows: {command}"
    )


# The summary of `rollcall graph`: how much was read, what was left out, and which entries were bad.

_SHOWN_BAD = 5
_FEW_TYPED = 10
_FEW_LISTS = 3
"""Fewer names with a comma, parts of which are names, too, may be names such as `Paris, Texas`."""
_MOST_LOOKED_AT = 200_000
_COUNTED = ("entities", "facts", "values", "relations", "classes", "types", "aliases")


def print_summary(graph: "Graph") -> None:
    """Print the counts of a new graph, and the problems found while reading."""
    console = Screen()
    console.print(styled((str(graph.folder), "bold")), soft_wrap=True)
    from rich.table import Table

    table = Table(show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name in _COUNTED:
        table.add_row(name, f"{graph.manifest['counts'][name]:,}")
    sources = graph.manifest["sources"]
    bad: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    for source in sources:
        bad.update(source["bad"])
        skipped.update(source["skipped"])
    table.add_row("bad entries", f"{bad.total():,}", style="yellow" if bad else None)
    console.print(table)
    for source in sources:
        if source.get("remark"):
            console.print(f"{source['name']}: {source['remark']}", soft_wrap=True)
    if told := _without_classes(graph.manifest["counts"]):
        console.print(told, soft_wrap=True)
    if told := _several_in_a_cell(graph):
        console.print(told, soft_wrap=True)
    repeated = {kind: count for kind, count in graph.manifest.get("repeated", {}).items() if count}
    if repeated:
        again = counted_kinds(repeated)
        console.print(f"given more than once, kept once: {again}", soft_wrap=True)
    if skipped:
        left_out = counted_kinds(dict(sorted(skipped.items())))
        console.print(f"left out: {left_out}", soft_wrap=True)
    if bad:
        _print_bad(console, sources, bad)


def _without_classes(counts: Mapping[str, int]) -> str:
    """What follows and what to do if no entity, or hardly any, has a class; empty if enough have one."""
    if counts["types"] * _FEW_TYPED >= counts["entities"]:
        return ""
    which = f"fewer than one in {_FEW_TYPED} entities has" if counts["types"] else "no entity has"
    return (
        f"{which} a class, so questions say thing instead of a kind; for tables, --columns types=KIND names "
        'the column of kinds, types="artist" the kind of all rows; for RDF, --type names the predicate'
    )


def _several_in_a_cell(graph: "Graph") -> str:
    """A hint if entities look like several names with commas between them; empty for very large graphs."""
    if graph.manifest["counts"]["entities"] > _MOST_LOOKED_AT:
        return ""
    rows = graph.tables.entities.select("id", "label").to_pyarrow().to_pylist()
    known = {row["id"] for row in rows}
    unnamed = [row["id"] for row in rows if ", " in row["id"] and row["label"] in (None, row["id"])]
    lists = [name for name in unnamed if not known.isdisjoint(name.split(", "))]
    if len(lists) < _FEW_LISTS:
        return ""
    return (
        f"{len(lists):,} entities look like several with commas between them, such as {lists[0]!r:.80}; "
        "several names in a cell are written a|b or a;b, or a,b with --option commas=separate"
    )


def _print_bad(console: Screen, sources: list[dict[str, object]], bad: Counter[str]) -> None:
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(bad.items()))
    console.print(styled(("bad entries:", "yellow"), f" {kinds}"))
    examples = [example for source in sources for example in source["bad_examples"]]  # type: ignore[attr-defined]
    for example in examples[:_SHOWN_BAD]:
        place = f"{example['source']}:{example['line']}" if example["line"] else example["source"]
        console.print(f"  {place}: {example['reason']}", soft_wrap=True)
    if len(examples) > _SHOWN_BAD:
        console.print("  … (more in graph.json)")
