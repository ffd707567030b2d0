"""`rollcall lexicon`: write the words of a graph's relations to a file, for a person to correct."""

from pathlib import Path
from typing import Annotated

import typer

from rollcall._core.console import remark, say, say_json
from rollcall._core.errors import RollcallError
from rollcall.cli.options import AsJson, with_options, writing
from rollcall.llm.opening import ServerOptions
from rollcall.text.nouns import counted


@writing("out", reads=["graph"])
@with_options
def lexicon(
    graph: Annotated[Path, typer.Argument(metavar="GRAPH", help="A graph's folder.", show_default=False)],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The lexicon file.", show_default=False)
    ],
    every: Annotated[
        bool, typer.Option("--all", help="Also relations that the packaged lexicon knows.")
    ] = False,
    least: Annotated[int, typer.Option(min=1, help="Only relations with at least this many facts.")] = 1,
    replace: Annotated[
        bool, typer.Option("--replace", help="Write all entries again, also those that were corrected.")
    ] = False,
    *,
    server: ServerOptions,
    model: Annotated[str | None, typer.Option(help="The model that fills in the entries.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write an entry for each relation of a graph, with examples and the questions it gives now.

    Correct what reads badly, and build with `--set wording.lexicon=FILE`. Entries that were changed are never
    overwritten; run the command again to add relations that are new. With `--base-url` and `--model`, a
    language model writes the entries that were not changed by hand.
    """
    from rollcall.build.lexicon import ModelEntries, write_lexicon
    from rollcall.graph import Graph
    from rollcall.llm.opening import opened_client

    if (server.base_url is None) != (model is None):
        raise RollcallError("--base-url and --model belong together: the server, and the name of its model")
    with Graph.open(graph) as opened, opened_client(server) as client:
        fill = ModelEntries(client, model) if client is not None and model is not None else None
        stubs = write_lexicon(opened, out, every=every, least=least, replace=replace, fill=fill)
    for problem in stubs.unusable:
        say(f"not filled in: {problem}", error=True)
    if as_json:
        told = {"relations": stubs.written, "kept": stubs.kept, "filled": stubs.filled}
        say_json({"out": str(out), **told, "unusable": list(stubs.unusable)})
        return
    filled = f", {stubs.filled:,} filled in by {model}" if fill is not None else ""
    kept = counted(stubs.kept, "corrected entry", "corrected entries")
    remark(f"{out}: {counted(stubs.written, 'relation')}{filled}; {kept} kept")
    remark(f"correct it, then: rollcall build RECIPE --graph {graph} … --set wording.lexicon={out}")
