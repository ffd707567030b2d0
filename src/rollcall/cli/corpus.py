"""`rollcall corpus`: read text from dumps and files."""

from pathlib import Path
from typing import Annotated

import typer

from rollcall.cli import engine_options
from rollcall.cli import ingest_options as options
from rollcall.cli.ingest_options import given_options
from rollcall.cli.options import AsJson
from rollcall.terminal import is_quiet, say_json

_PASSAGES = "Passages"


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
    graph: Annotated[
        Path | None,
        typer.Option(
            "--graph",
            "-g",
            metavar="DIR",
            help="The graph whose entities the pages are about. Without it, the corpus serves retrieval and "
            "imported questions.",
            show_default=False,
        ),
    ] = None,
    columns: Annotated[
        str,
        typer.Option(
            metavar="OURS=THEIRS,…",
            help="Which columns or keys of tables and JSON hold what, such as text=body,title=head,id=no.",
            show_default=False,
        ),
    ] = "",
    encoding: options.Encoding = None,
    format_: options.Format = None,
    option: options.SourceOption = None,
    templates: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="TOML file with further rules for the text of wikitext templates."),
    ] = None,
    alias_share: Annotated[
        float,
        typer.Option(
            min=0, max=1, help="A name is an alias if at least this share of its uses means the entity."
        ),
    ] = 0.5,
    passages: Annotated[
        str,
        typer.Option(
            help="How passages are cut: words (whole sentences up to --words) or qampari (as published, "
            "dropping what follows a very long sentence).",
            rich_help_panel=_PASSAGES,
        ),
    ] = "words",
    words: Annotated[
        int,
        typer.Option(
            min=1,
            help="Most words of a passage; a longer sentence is its own passage.",
            rich_help_panel=_PASSAGES,
        ),
    ] = 100,
    force: options.Force = False,
    max_bad: options.MaxBad = 0.01,
    engine: engine_options.EngineName = "duckdb",
    master: engine_options.Master = None,
    jobs: engine_options.Jobs = 0,
    memory: engine_options.Memory = "300MB",
    as_json: AsJson = False,
    block_bytes: options.BlockBytes = 0,
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
    from rollcall.cli.corpus_summary import print_summary
    from rollcall.corpus.make import make_corpus
    from rollcall.corpus.passages import Chunking

    made = make_corpus(
        sources,
        out,
        graph=graph,
        chunking=Chunking(passages, words),
        formats=format_ or "auto",
        source_options=given_options(option, {"columns": columns, "templates": templates and str(templates)}),
        encoding=encoding,
        force=force,
        alias_share=alias_share,
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
