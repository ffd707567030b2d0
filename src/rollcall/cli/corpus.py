"""`rollcall corpus`: read text from dumps and files."""

from pathlib import Path
from typing import Annotated

import typer

from rollcall.cli import engine_options
from rollcall.cli import ingest_options as options
from rollcall.cli.ingest_options import given_options

_PASSAGES = "Passages"


def corpus(
    sources: Annotated[
        list[str],
        typer.Argument(
            help="Paths or addresses of files to read; if pages have the same id, the first one is kept."
        ),
    ],
    graph: Annotated[
        Path,
        typer.Option("--graph", "-g", metavar="DIR", help="The graph whose entities the pages are about."),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write the corpus to.")
    ],
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
    max_bad: options.MaxBad = 0.01,
    engine: engine_options.EngineName = "duckdb",
    master: engine_options.Master = None,
    jobs: engine_options.Jobs = 0,
    memory: engine_options.Memory = "300MB",
    block_bytes: options.BlockBytes = 0,
) -> None:
    """Read text into a folder of pages, sentences, passages, links, tables and mention statistics.

    Reads MediaWiki's XML dump, Wikimedia Enterprise's HTML dump (also as .tar.gz), pages as lines of JSON
    (title, text; optionally id, entity, links, tables) and tables as lines of JSON (page, section, header,
    rows); each also as .gz, .bz2 or .zst. The format of a file is recognised by its content. --format names
    one of these formats, or your own; `rollcall plugins` lists them with their options.

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
        source_options=given_options(option, {"templates": templates and str(templates)}),
        alias_share=alias_share,
        engine=engine,
        master=master,
        jobs=jobs or None,
        max_bad=max_bad,
        memory=memory,
        block_bytes=block_bytes or None,
    )
    print_summary(made)
