"""Where a command's work runs: options that all commands share which compute on whole tables."""

from typing import Annotated

import typer

_PANEL = "Where the work runs"

EngineName = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="duckdb (this machine), spark (a cluster) or sail (Spark's dialect without Java); the output is "
        "the same. `rollcall plugins --kind engines` lists them.",
        rich_help_panel=_PANEL,
    ),
]
Master = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Where the cluster is: spark://HOST:PORT, sc://HOST:PORT for Spark Connect, or local[2]. All "
        "machines must see the same paths.",
        rich_help_panel=_PANEL,
        show_default=False,
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        "--jobs",
        "-j",
        min=0,
        help="Number of processes on this machine; 0 for one per core.",
        rich_help_panel=_PANEL,
    ),
]
Memory = Annotated[
    str,
    typer.Option(
        help="Memory on this machine for sorting and joining; the rest goes to disk.", rich_help_panel=_PANEL
    ),
]
