"""`rollcall view`: looks at a question set, alone or as systems answered it, or tunes one, in a browser."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from rollcall._core.console import remark, say, say_json
from rollcall._core.errors import RollcallError
from rollcall.cli import options
from rollcall.cli.options import Only, check_report_file, with_options, write_report, writing
from rollcall.score.options import ScoringOptions
from rollcall.tables.engine import WorkOptions

_TUNING = "Tuning a set"


@writing("out", "cache", reads=["runs", "corpus"], asks=["folder"])
@with_options
def view(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="A question set's folder or a published file; with --recipe, a graph's folder.",
        ),
    ],
    runs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[RUN...]", help="Runs of systems on the set.", show_default=False),
    ] = None,
    *,
    scoring: Annotated[ScoringOptions, Only("split", "profile")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write the page to this file; start no server."),
    ] = None,
    recipe: Annotated[
        str | None,
        typer.Option(
            metavar="RECIPE",
            help="Tune this recipe on a graph: by name, or a .yaml file, which may be a new one.",
            rich_help_panel=_TUNING,
        ),
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", "-c", metavar="DIR", help="The graph's corpus.", rich_help_panel=_TUNING),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Keep here what is mined and proved; otherwise it is deleted at the end.",
            rich_help_panel=_TUNING,
        ),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for any that is free.")] = 0,
    browser: Annotated[
        bool,
        typer.Option(
            "--open/--no-open", "--browser/--no-browser", help="Whether to open the page in a browser."
        ),
    ] = True,
    work: Annotated[WorkOptions, Only("jobs", "memory")],
    as_json: options.AsJson = False,
) -> None:
    """Look at questions in a browser: answers, evidence, queries, and what each system made of them.

    `rollcall view GRAPH --corpus CORPUS --recipe FILE` tunes a set: it shows the questions that a recipe
    gives, which change at once with its limits and with the words of the relations, and saves both.

    With `--json`, the address is printed as soon as it can be opened.
    """
    from rollcall.score import viewing

    def ready(address: str) -> None:
        if as_json:
            say_json({"address": address}, flush=True)
        else:
            say(f"{folder}: {address} (Ctrl-C ends it)", flush=True)
        if browser:
            import webbrowser

            webbrowser.open(address)

    if recipe is not None:
        if runs or out is not None:
            raise RollcallError("--recipe tunes a set on a graph; leave out runs and --out")
        _tune(folder, corpus, recipe, cache, port, work, ready)
        return
    if corpus is not None or cache is not None:
        raise RollcallError("--corpus and --cache are for tuning a set; name its recipe with --recipe")
    check_report_file(None if out is None else str(out), ".html")
    page = viewing.view(folder, runs or (), split=scoring.split, profile=scoring.profile)
    if out is not None:
        write_report(str(out), page.encode())
        if as_json:
            say_json({"out": str(out), "bytes": len(page.encode())})
        return
    with viewing.page_server(page, port) as server:
        ready(f"http://{viewing.HOST}:{server.server_address[1]}/")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            remark("ended", error=True)


def _tune(
    graph: Path,
    corpus: Path | None,
    recipe: str,
    cache: Path | None,
    port: int,
    work: WorkOptions,
    ready: Callable[[str], None],
) -> None:
    """Serve the page on which a set is tuned, until interrupted."""
    from rollcall.studio.verbs import check_installed

    check_installed()
    from rollcall.tuning.session import TuningSession
    from rollcall.tuning.web import serve

    with TemporaryDirectory(prefix="rollcall-tuning-") as scratch:
        serve(TuningSession(graph, corpus, recipe, cache or Path(scratch), work), port, ready)
    remark("ended", error=True)
