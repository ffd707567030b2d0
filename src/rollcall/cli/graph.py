"""`rollcall graph`: read a knowledge graph from dumps and tables."""

from pathlib import Path
from typing import Annotated

import typer

from rollcall.cli import engine_options
from rollcall.cli import ingest_options as options
from rollcall.cli.ingest_options import given_options
from rollcall.cli.options import AsJson
from rollcall.terminal import is_quiet, say_json

_RDF = "RDF"
_WIKIDATA = "Wikidata"


def graph(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Paths or addresses of files to read; several are merged, and the first label counts.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder for the graph.")],
    language: Annotated[
        str, typer.Option(help="Language of labels, aliases, descriptions and texts, as a code.")
    ] = "en",
    fallback: Annotated[
        str, typer.Option(help="Languages to use if that one is missing, in order, separated by commas.")
    ] = "mul,en",
    type_facts: Annotated[
        bool,
        typer.Option(
            "--type-facts", help="Keep 'instance of' and 'subclass of' also as relations, not only as types."
        ),
    ] = False,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[FILE:]OURS=THEIRS,…",
            help="Which columns of tables hold what, such as subject=head,relation=rel,object=tail; for "
            "tables without a header, the names of all columns in order. For a table with one thing a row: "
            "'parts.csv: id=No,label=Name,types=Kind,object=Maker,value=Weight'; types=\"pump\" "
            "if all its rows are pumps. Once for all files, or once for each.",
            show_default=False,
        ),
    ] = None,
    encoding: options.Encoding = None,
    format_: options.Format = None,
    option: options.SourceOption = None,
    site: Annotated[
        str,
        typer.Option(
            help="The site whose page title is kept [default: LANGUAGEwiki].", rich_help_panel=_WIKIDATA
        ),
    ] = "",
    include_ended: Annotated[
        bool,
        typer.Option(
            "--include-ended", help="Keep statements that have an end time.", rich_help_panel=_WIKIDATA
        ),
    ] = False,
    identifiers: Annotated[
        bool,
        typer.Option(
            "--identifiers", help="Keep external ids, addresses and file names.", rich_help_panel=_WIKIDATA
        ),
    ] = False,
    preset: Annotated[
        str,
        typer.Option(
            help="Known vocabulary: plain, freebase, dbpedia, wikidata [default: plain].",
            rich_help_panel=_RDF,
            show_default=False,
        ),
    ] = "",
    label: Annotated[
        list[str] | None,
        typer.Option("--label", help="Predicate of labels; may be repeated.", rich_help_panel=_RDF),
    ] = None,
    alias: Annotated[
        list[str] | None, typer.Option("--alias", help="Predicate of aliases.", rich_help_panel=_RDF)
    ] = None,
    description: Annotated[
        list[str] | None,
        typer.Option("--description", help="Predicate of descriptions.", rich_help_panel=_RDF),
    ] = None,
    type_: Annotated[
        list[str] | None, typer.Option("--type", help="Predicate of types.", rich_help_panel=_RDF)
    ] = None,
    subclass: Annotated[
        list[str] | None, typer.Option("--subclass", help="Predicate of subclasses.", rich_help_panel=_RDF)
    ] = None,
    strip_prefix: Annotated[
        list[str] | None,
        typer.Option(
            help="Beginning of IRIs to remove from ids, or NAME=IRI to write it as NAME: instead.",
            rich_help_panel=_RDF,
        ),
    ] = None,
    force: options.Force = False,
    max_bad: options.MaxBad = 0.01,
    engine: engine_options.EngineName = "duckdb",
    master: engine_options.Master = None,
    jobs: engine_options.Jobs = 0,
    memory: engine_options.Memory = "600MB",
    as_json: AsJson = False,
    block_bytes: options.BlockBytes = 0,
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
    from rollcall.cli.graph_summary import print_summary
    from rollcall.graph.ingest.options import ReadOptions
    from rollcall.graph.make import make_graph

    shorthands = {
        "columns": "\n".join(columns or ()),
        "site": site,
        "include_ended": include_ended,
        "identifiers": identifiers,
        "preset": preset,
        "label": label,
        "alias": alias,
        "description": description,
        "type": type_,
        "subclass": subclass,
        "strip_prefix": strip_prefix,
    }
    read_options = ReadOptions(
        language=language,
        fallback=tuple(code.strip() for code in fallback.split(",") if code.strip()),
        type_facts=type_facts,
    )
    made = make_graph(
        sources,
        out,
        formats=format_ or "auto",
        options=read_options,
        source_options=given_options(option, shorthands),
        encoding=encoding,
        force=force,
        engine=engine,
        master=master,
        jobs=jobs or None,
        max_bad=max_bad,
        memory=memory,
        block_bytes=block_bytes or None,
    )
    if as_json:
        say_json({"out": str(out), **made.manifest})
    elif not is_quiet():
        print_summary(made)
