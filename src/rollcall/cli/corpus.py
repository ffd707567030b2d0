"""`rollcall corpus`: read text from dumps and files."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rollcall._core.console import Screen, is_quiet, say_json, styled
from rollcall._core.options import OnCommandLine
from rollcall.cli.options import AsJson, with_options
from rollcall.cli.system_options import ingest_settings
from rollcall.corpus.options import CorpusOptions
from rollcall.text.nouns import counted, counted_kinds

if TYPE_CHECKING:
    from rollcall.corpus.corpus import Corpus


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
    from rollcall.corpus.passages import Chunking

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
        print_summary(written)


# The summary of `rollcall corpus`: how much was read, what was left out, and which entries were bad.

_SHOWN = 5


def print_summary(corpus: "Corpus") -> None:
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
    for source in sources:
        if source.get("remark"):
            console.print(f"{source['name']}: {source['remark']}", soft_wrap=True)
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
    _print_bad(console, sources)


def _added(sources: list[dict[str, Any]], key: str) -> Counter[str]:
    total: Counter[str] = Counter()
    for source in sources:
        total.update(source[key])
    return total


def _print_counts(console: Screen, name: str, counts: dict[str, int]) -> None:
    if counts:
        listed = counted_kinds(counts)
        console.print(f"{name}: {listed}", soft_wrap=True)


def _print_bad(console: Screen, sources: list[dict[str, Any]]) -> None:
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
        console.print("  … (more in corpus.json)")
