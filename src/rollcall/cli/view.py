"""`rollcall view`: looks at a question set, alone or as systems answered it, in a browser."""

from pathlib import Path
from typing import Annotated

import typer

from rollcall._core.console import remark, say, say_json
from rollcall.cli import options
from rollcall.cli.options import Only, check_report_file, with_options, write_report, writing
from rollcall.score.options import ScoringOptions


@writing("out", reads=["runs"], asks=["questions"])
@with_options
def view(
    questions: Annotated[
        Path, typer.Argument(metavar="SET", help="A question set's folder, or a published file.")
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
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for any that is free.")] = 0,
    browser: Annotated[
        bool,
        typer.Option(
            "--open/--no-open", "--browser/--no-browser", help="Whether to open the page in a browser."
        ),
    ] = True,
    as_json: options.AsJson = False,
) -> None:
    """Look at questions in a browser: answers, evidence, queries, and what each system made of them.

    With `--json`, the address is printed as soon as it can be opened.
    """
    from rollcall.score import viewing

    check_report_file(None if out is None else str(out), ".html")
    page = viewing.view(questions, runs or (), split=scoring.split, profile=scoring.profile)
    if out is not None:
        write_report(str(out), page.encode())
        if as_json:
            say_json({"out": str(out), "bytes": len(page.encode())})
        return
    with viewing.page_server(page, port) as server:
        address = f"http://{viewing.HOST}:{server.server_address[1]}/"
        if as_json:
            say_json({"address": address}, flush=True)
        else:
            say(f"{questions}: {address} (Ctrl-C ends it)", flush=True)
        if browser:
            import webbrowser

            webbrowser.open(address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            remark("ended", error=True)
