"""`rollcall world`, `graph` and `corpus`: what sets are made from, with a summary of what was read."""

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rollcall._core.console import Screen, is_quiet, remark, say_json, styled
from rollcall._core.errors import RollcallError
from rollcall._core.options import LARGEST_SEED, OnCommandLine
from rollcall.cli.options import AsJson, Only, with_options
from rollcall.cli.system_options import ingest_settings
from rollcall.corpus.options import CorpusOptions
from rollcall.graph.options import GraphOptions
from rollcall.tables.engine import WorkOptions
from rollcall.text.nouns import counted, counted_kinds

if TYPE_CHECKING:
    from rollcall.corpus.corpus import Corpus
    from rollcall.graph import Graph
    from rollcall.graph.ingest.layouts import UnknownColumnsError


@with_options
def world(
    folder: Annotated[
        Path | None, typer.Argument(metavar="OUT", help="The folder to write to.", show_default=False)
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="The same.", show_default=False)
    ] = None,
    entities: Annotated[int, typer.Option(help="How many entities the world has.")] = 3000,
    seed: Annotated[
        int, typer.Option(min=0, max=LARGEST_SEED, help="The same seed gives the same bytes.")
    ] = 1,
    untold: Annotated[float, typer.Option(help="The share of facts that no page states.")] = 0.15,
    decoys: Annotated[
        float,
        typer.Option(help="The share of facts with a sentence that names both entities and states nothing."),
    ] = 0.15,
    unknown: Annotated[float, typer.Option(help="The share of facts that the dump leaves out.")] = 0.0,
    unlisted: Annotated[float, typer.Option(help="The share of rows that list pages leave out.")] = 0.0,
    ages: Annotated[
        int,
        typer.Option(help="How many dumps of the world to write, each later than the one before.", max=8),
    ] = 1,
    *,
    work: Annotated[WorkOptions, Only("engine", "master", "jobs")],
    as_json: AsJson = False,
) -> None:
    """Write a fictional world as dump files.

    OUT receives `wikidata.json.gz` (Wikidata's JSON dump), `pages.xml.bz2` (a MediaWiki export) and
    `truth.parquet` (which sentence states which fact). With `--ages 2`, the same files of a later dump of the
    same world are in OUT/age-2, and `changes.parquet` has what changed from one age to the next.
    """
    from rollcall.world import write_world

    target = folder or out
    if target is None or (folder and out):
        raise RollcallError("name one folder to write the world to: rollcall world OUT")
    written = write_world(
        target,
        entities,
        seed,
        untold,
        decoys,
        work.jobs or None,
        unknown=unknown,
        unlisted=unlisted,
        ages=ages,
        engine=work.engine,
        master=work.master,
    )
    files = [path for age in (written, *written.later) for path in (age.wikidata, age.pages, age.truth)]
    files += [written.changes] if written.later else []
    if as_json:
        sizes = {str(path): path.stat().st_size for path in files}
        say_json({"out": str(target), "entities": written.entities, "seed": seed, "files": sizes})
        return
    for path in files:
        remark(f"{path}\t{path.stat().st_size:,} bytes")
    remark(f"{written.entities:,} entities, seed {seed}")


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
        print_graph_summary(written)


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

_FEW_TYPED = 10
_FEW_LISTS = 3
"""Fewer names with a comma, parts of which are names, too, may be names such as `Paris, Texas`."""
_MOST_LOOKED_AT = 200_000
_COUNTED = ("entities", "facts", "values", "relations", "classes", "types", "aliases")


def print_graph_summary(graph: "Graph") -> None:
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
    bad = _added(sources, "bad")
    table.add_row("bad entries", f"{bad.total():,}", style="yellow" if bad else None)
    console.print(table)
    _print_remarks(console, sources)
    if told := _without_classes(graph.manifest["counts"]):
        console.print(told, soft_wrap=True)
    if told := _several_in_a_cell(graph):
        console.print(told, soft_wrap=True)
    repeated = {kind: count for kind, count in graph.manifest.get("repeated", {}).items() if count}
    _print_counts(console, "given more than once, kept once", repeated)
    _print_counts(console, "left out", dict(sorted(_added(sources, "skipped").items())))
    _print_bad(console, sources, "graph.json")


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


class CorpusCommand(CorpusOptions, frozen=True, kw_only=True):
    """The options of the command."""

    columns: Annotated[str, OnCommandLine(metavar="OURS=THEIRS,…", after="graph")] = ""
    """Which columns or keys of tables and JSON hold what, such as text=body,title=head,id=no."""
    templates: Annotated[Path | None, OnCommandLine(metavar="FILE", after="source_options")] = None
    """TOML file with further rules for the text of wikitext templates."""
    passages: Annotated[str, OnCommandLine(panel="Passages", after="alias_share")] = "words"
    """How passages are cut: words (whole sentences up to --words) or qampari (as published, dropping what
    follows a very long sentence)."""
    words: Annotated[int, OnCommandLine(least=1, panel="Passages")] = 100
    """Most words of a passage; a longer sentence is its own passage."""


@with_options
def corpus(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Files, folders of documents, or addresses to read; if pages have the same id, the first "
            "one is kept.",
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write the corpus to.")
    ],
    options: CorpusCommand,
    as_json: AsJson = False,
) -> None:
    """Read text into a folder of pages, sentences, passages, links, tables and mention statistics.

    Reads folders of documents (.txt, .md, .html; .docx and .pdf with the extra `documents`), MediaWiki's XML
    dump, Wikimedia Enterprise's HTML dump (also as .tar.gz), pages as lines of JSON (title, text; optionally
    id, entity, links, tables; also Pyserini's and BEIR's), as a JSON array, as CSV, or as a Hugging Face
    dataset (.parquet, .arrow), and tables as lines of JSON (page, section, header, rows); each also as .gz,
    .bz2 or .zst. The format of a file is recognised by its content. --format names one of these formats, or
    your own; `rollcall plugins` lists them with their options.

    A source may also be an address, such as s3://bucket/pages.xml.bz2 or https://host/pages.xml.bz2. It is
    read through fsspec: pip install 'rollcall-qa[remote]', and the package for its file system, such as s3fs.

    Running the same command again continues an interrupted run.
    """
    from rollcall.corpus.make import make_corpus
    from rollcall.corpus.shard import Chunking

    written = make_corpus(
        sources,
        out,
        options,
        chunking=Chunking(options.passages, options.words),
        source_options=ingest_settings(
            options.source_options,
            {"columns": options.columns, "templates": options.templates and str(options.templates)},
        ),
    )
    if as_json:
        say_json({"out": str(out), **written.manifest})
    elif not is_quiet():
        print_corpus_summary(written)


# The summary of `rollcall corpus`: how much was read, what was left out, and which entries were bad.

_SHOWN = 5


def print_corpus_summary(corpus: "Corpus") -> None:
    """Print the counts of a corpus, and the problems found while reading."""
    console = Screen()
    manifest = corpus.manifest
    from rich.table import Table

    table = Table(title=str(corpus.folder), title_justify="left", show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name, count in manifest["counts"].items():
        if name not in ("ties", "forms", "relations", "mentions"):
            table.add_row(name, f"{count:,}")
    table.add_row("entities mentioned", f"{manifest['counts']['mentions']:,}")
    for how, count in manifest["ties"].items():
        table.add_row(f"pages tied by {how}", f"{count:,}")
    if manifest.get("graph") != "":
        table.add_row("pages not tied", f"{sum(manifest['untied'].values()):,}")
    console.print(table)
    sources = manifest["sources"]
    _print_remarks(console, sources)
    if manifest.get("graph") == "":
        console.print(
            "made without a graph: for retrieval and imported questions; `rollcall build` needs --graph, and "
            "`rollcall extract` reads a graph out of the text",
            soft_wrap=True,
        )
    else:
        _print_counts(console, "not tied", manifest["untied"])
    skipped = _added(sources, "skipped")
    if manifest["duplicates"]:
        skipped["pages with the id of an earlier one"] = manifest["duplicates"]
    _print_counts(console, "left out", skipped)
    if manifest["dropped_sentences"]:
        console.print(
            f"in no passage: {counted(manifest['dropped_sentences'], 'sentence')} "
            "(--passages qampari drops them)"
        )
    unknown = dict(list(manifest["unknown_templates"].items())[:_SHOWN])
    _print_counts(console, "templates without a rule (see --templates)", unknown)
    _print_counts(console, "repaired markup, pages with", _added(sources, "mended"))
    _print_bad(console, sources, "corpus.json")


# What both summaries have.


def _print_remarks(console: Screen, sources: list[dict[str, Any]]) -> None:
    for source in sources:
        if source.get("remark"):
            console.print(f"{source['name']}: {source['remark']}", soft_wrap=True)


def _added(sources: list[dict[str, Any]], key: str) -> Counter[str]:
    total: Counter[str] = Counter()
    for source in sources:
        total.update(source[key])
    return total


def _print_counts(console: Screen, name: str, counts: dict[str, int]) -> None:
    if counts:
        listed = counted_kinds(counts)
        console.print(f"{name}: {listed}", soft_wrap=True)


def _print_bad(console: Screen, sources: list[dict[str, Any]], manifest: str) -> None:
    bad = _added(sources, "bad")
    if not bad:
        return
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(bad.items()))
    console.print(styled(("bad entries:", "yellow"), f" {kinds}"))
    examples = [example for source in sources for example in source["bad_examples"]]
    for example in examples[:_SHOWN]:
        name = example["source"] or sources[0]["name"]
        place = f"{name}:{example['line']}" if example["line"] else name
        console.print(f"  {place}: {example['kind']}: {example['reason']}", soft_wrap=True)
    if len(examples) > _SHOWN:
        console.print(f"  … (more in {manifest})")
