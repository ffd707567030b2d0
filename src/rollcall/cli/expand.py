"""`rollcall expand`: add names to gold answers from a graph."""

from pathlib import Path
from typing import Annotated

import typer

from rollcall.cli.options import REPORT_OPTIONS, Gold, reporting, with_options, writing
from rollcall.report import Summary
from rollcall.score.options import ExpandOptions


@writing(
    "out",
    "positives",
    *REPORT_OPTIONS,
    reads=["graph", "passages"],
    asks=["gold"],
    when={"positives": "passages"},
)
@reporting
@with_options
def expand(
    gold: Gold,
    graph: Annotated[Path, typer.Argument(metavar="GRAPH", help="A graph's folder.", show_default=False)],
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", metavar="DIR", help="The folder for the expanded question set.", show_default=False
        ),
    ],
    options: ExpandOptions,
) -> tuple[Summary, list[str]]:
    """Add a graph's names to gold answers, and keep the source of each name."""
    from rollcall.score import verbs

    expanded = verbs.expand(gold, graph, options, out=out)
    wrote = f"wrote {out}" + (f" and {options.positives}" if options.passages is not None else "")
    return Summary("Names added to the gold answers", expanded.rows(), out=out), [wrote]
