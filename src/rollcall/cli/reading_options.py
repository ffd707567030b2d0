"""Option types that the commands which read dumps share."""

from typing import Annotated

import typer

_LIMITS = "Limits"

Jobs = Annotated[
    int, typer.Option("--jobs", "-j", min=0, help="Processes that read; 0 is one for each core.")
]
MaxBad = Annotated[
    float,
    typer.Option(
        min=0, max=1, help="Stop when more than this share of entries is bad.", rich_help_panel=_LIMITS
    ),
]
Memory = Annotated[
    str, typer.Option(help="Memory for sorting and joining; more goes to disk.", rich_help_panel=_LIMITS)
]
BlockBytes = Annotated[int, typer.Option(hidden=True)]
