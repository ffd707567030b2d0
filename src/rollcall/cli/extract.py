"""`rollcall extract`: read a graph out of a corpus, by a language model or without one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from rollcall._core.console import remark, say, say_json
from rollcall._core.errors import RollcallError
from rollcall._core.options import OnCommandLine
from rollcall.cli import system_options as options
from rollcall.cli.options import AsJson, Only, with_options, writing
from rollcall.input_files.options import FilesOptions
from rollcall.text.nouns import counted, counted_kinds

if TYPE_CHECKING:
    from rollcall.extract import Extraction, Schema
    from rollcall.llm import Client

_SHOWN = 3


class ReadingModel(options.ModelOptions, frozen=True, kw_only=True):
    """Which language model reads."""

    max_tokens: Annotated[int, OnCommandLine(least=16, after="timeout")] = 2048


@writing("out", "propose", "linked", reads=["corpus", "schema"])
@with_options
def extract(
    corpus: Annotated[
        Path,
        typer.Argument(metavar="CORPUS", help="A folder made by `rollcall corpus`.", show_default=False),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", help="The folder for the graph.", show_default=False),
    ] = None,
    schema: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="What to read: classes and relations, as YAML. Without it, a model proposes one first, in "
            "OUT.schema.yaml.",
            show_default=False,
        ),
    ] = None,
    propose: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Only let the model propose a schema, for you to correct.",
            show_default=False,
        ),
    ] = None,
    sample: Annotated[int, typer.Option(min=1, help="Pages from which a schema is proposed.")] = 20,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Only this number of first pages.", show_default=False)
    ] = None,
    words: Annotated[int, typer.Option(min=10, help="Words of text in one request.")] = 250,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what it would cost, and stop before the text is read.")
    ] = False,
    verifier: Annotated[
        str | None,
        typer.Option(
            help="What checks each fact against its sentence: learned, contrast, nli, llm, none, or one of "
            "your own as module:name.",
            show_default="learned if its model is installed, else contrast",
        ),
    ] = None,
    option: options.Option = None,
    lose: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=0.99,
            help="The share of stated facts that the verifier may be expected to drop.",
            show_default="the verifier's own threshold",
        ),
    ] = None,
    unstated: Annotated[
        Literal["drop", "mark"] | None,
        typer.Option(
            help="What is done with facts that the verifier does not accept: they are left out of the graph, "
            "or only marked in OUT.statements.jsonl.",
            show_default="drop; contrast marks, unless --lose is given",
        ),
    ] = None,
    linked: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="The copy of the corpus that is tied to the graph.", show_default="OUT.corpus"
        ),
    ] = None,
    max_bad: Annotated[
        float, typer.Option(min=0, max=1, help="Stop if more than this share of replies is of no use.")
    ] = 0.2,
    *,
    files: Annotated[FilesOptions, Only("force")],
    asking: ReadingModel,
    as_json: AsJson = False,
) -> None:
    """Read things, their names and classes, and facts out of text; write a graph, and a corpus tied to it.

    With --base-url and --model a language model reads every page, by a schema: yours (--schema), or one that
    it proposes from a sample (--propose FILE writes it and stops, so that you can correct it). What it will
    cost is printed first. Each fact keeps its sentence, in OUT.statements.jsonl, and a verifier checks
    whether the sentence states it. Replies are kept in OUT.cache: the same command goes on after a stop, and
    pays for nothing twice.

    Without a model, links, tables and the lexicon's phrases give a thin graph; with --schema, the names of
    its relations are the phrases.

    Then: rollcall build RECIPE --graph OUT --corpus OUT.corpus --out SET
    """
    from rollcall._core.files import check_new
    from rollcall.extract.verb import beside_graph, expected_cost
    from rollcall.extract.verb import extract as extract_graph
    from rollcall.extract.verb import propose as propose_schema
    from rollcall.llm.opening import opened_client

    model = asking.model
    if (asking.base_url is None) != (model is None):
        raise RollcallError("--base-url and --model belong together: the server, and the name of its model")
    if asking.base_url is None and (propose or dry_run):
        raise RollcallError("--propose and --dry-run are for a language model: give --base-url and --model")
    if propose is not None:
        check_new(propose, files.force)
    target = propose if out is None else out
    if target is None:
        raise RollcallError("--out GRAPH says where the graph goes (or --propose FILE, for a schema alone)")
    with opened_client(asking, cache=asking.cache or beside_graph(target, "cache")) as client:
        try:
            chosen: Schema | Path | None = schema
            if client is not None and model is not None and (propose or schema is None):
                schema_file = propose or beside_graph(target, "schema.yaml")
                if propose is None and schema_file.exists():
                    chosen = schema_file
                    remark(
                        f"{schema_file}: read by this schema, which is there; remove it for a new one",
                        error=as_json,
                    )
                else:
                    proposed = propose_schema(
                        corpus, schema_file, client, model, sample=sample, max_tokens=asking.max_tokens
                    )
                    _show_schema(proposed, schema_file, as_json)
                    chosen = proposed
                if propose:
                    again = f"--out {out}" if out else "--out GRAPH"
                    remark(
                        f"correct it, then: rollcall extract {corpus} --schema {schema_file} … {again}",
                        error=as_json,
                    )
                    return
            if client is not None and model is not None and dry_run:
                assert chosen is not None
                cost = expected_cost(
                    corpus, client, model, chosen, limit=limit, words=words, max_tokens=asking.max_tokens
                )
                say_json(cost._asdict()) if as_json else say(str(cost))
                return
            assert out is not None
            extraction = extract_graph(
                corpus,
                out,
                client=client,
                model=model,
                schema=chosen,
                limit=limit,
                words=words,
                max_tokens=asking.max_tokens,
                max_bad=max_bad,
                verifier=verifier,
                verifier_options=options.given_options(
                    option, _of_verifier(verifier, asking.base_url, model)
                ),
                lose=lose,
                drop=None if unstated is None else unstated == "drop",
                linked=linked,
                force=files.force,
                announce=lambda cost: remark(str(cost), error=as_json, flush=True),
            )
        finally:
            if client is not None and client.spending.asked + client.spending.cached:
                remark(f"language model: {client.spending}", error=as_json)
    _report(extraction, client, out, as_json)


def _of_verifier(verifier: str | None, base_url: str | None, model: str | None) -> dict[str, object]:
    """A language model that verifies is the one that reads, unless --option names another."""
    return {"base_url": base_url, "model": model} if verifier == "llm" else {}


def _show_schema(schema: "Schema", path: Path, as_json: bool) -> None:
    from rollcall.extract.records import schema_text

    for line in schema_text(schema).splitlines():
        remark(line, error=as_json)
    classes, relations = (
        counted(len(schema.classes), "class", "classes"),
        counted(len(schema.relations), "relation"),
    )
    remark(f"{path}: {classes} and {relations}, proposed by the model", error=as_json)


def _report(extraction: "Extraction", client: "Client | None", out: Path, as_json: bool) -> None:
    counts = extraction.graph.manifest["counts"]
    if as_json:
        say_json(
            {
                "out": str(out),
                "corpus": str(extraction.corpus.folder),
                "statements": str(extraction.statements),
                "pages": extraction.pages,
                "entities": counts["entities"],
                "found": extraction.found,
                "kept": extraction.kept,
                "unstated": extraction.unstated,
                "verifier": extraction.verifier,
                "unusable": extraction.unusable,
                "asked_again": extraction.asked_again,
                "left_out": dict(extraction.left_out),
            }
        )
        return
    unstated = (
        f"; {extraction.verifier} found {extraction.unstated:,} not stated by their sentence"
        if extraction.unstated
        else ""
    )
    unstated += (
        ", which are marked and kept" if extraction.unstated and extraction.kept == extraction.found else ""
    )
    read = (
        counted(counts["entities"], "entity", "entities"),
        f"{counted(extraction.kept, 'fact')} of {counted(extraction.pages, 'page')}",
    )
    remark(f"{out}: {', '.join(read)}{unstated}")
    for why, count in sorted(extraction.left_out.items(), key=lambda item: (-item[1], item[0])):
        remark(f"  left out: {counted_kinds({why: count})}")
    for lost in extraction.unusable[:_SHOWN]:
        say(f"  not read: {lost}", error=True)
    if len(extraction.unusable) > _SHOWN:
        say(
            f"  not read: {len(extraction.unusable) - _SHOWN:,} more; the same command asks for them again",
            error=True,
        )
    remark(f"{extraction.statements}: every fact with its sentence")
    if client is None:
        phrases = "the names of the schema's relations" if extraction.schema else "the lexicon's phrases"
        remark(f"read without a language model, so it is thin: links, tables, and what {phrases} find")
    remark(f"next: rollcall show {out}")
    remark(f"next: rollcall build qampari --graph {out} --corpus {extraction.corpus.folder} --out QUESTIONS")
