"""Option types shared by the commands that read files."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

_LIMITS = "Limits"

MaxBad = Annotated[
    float,
    typer.Option(
        min=0, max=1, help="Stop when more than this share of entries is bad.", rich_help_panel=_LIMITS
    ),
]
BlockBytes = Annotated[int, typer.Option(hidden=True)]
Format = Annotated[
    list[str] | None,
    typer.Option(
        "--format",
        "-f",
        metavar="NAME",
        help="The format of the files, if it should not be recognised: a source of `rollcall plugins`, or "
        "module:name. Given once for all files, or once for each.",
        show_default=False,
    ),
]
SourceOption = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="An option of the source.", show_default=False),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The encoding of the files, such as latin-1, cp1252 or utf-16.",
        show_default="UTF-8",
    ),
]
Force = Annotated[
    bool, typer.Option("--force", help="Replace what is in the output folder, even if it is of other files.")
]


def given_options(pairs: Sequence[str] | None, shorthands: Mapping[str, object]) -> dict[str, object]:
    """The options of sources: those with an option of their own in this command, if given, and all others."""
    from rollcall.configurable import written_options

    given = {name: value for name, value in shorthands.items() if value}
    return {**given, **written_options(pairs or ())}
