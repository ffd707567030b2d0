"""`rollcall show`: look into a folder that Rollcall made; what it is, its manifest tells."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from rollcall.errors import RollcallError


def show(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder made by `rollcall corpus`.")],
    what: Annotated[
        str | None,
        typer.Argument(metavar="[PAGE]", help="Title, id or entity of a page; without it, an overview."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print what is in a folder: an overview, or one page with its sentences, links and tables."""
    if not folder.is_dir():
        raise RollcallError(f"{folder}: no such folder")
    for manifest, show_folder in _SHOWN.items():
        if (folder / manifest).exists():
            show_folder(folder, what, as_json)
            return
    known = ", ".join(_SHOWN)
    raise RollcallError(f"{folder}: nothing to show here (none of {known} in it)")


def _show_corpus(folder: Path, page: str | None, as_json: bool) -> None:
    from rollcall.cli.show_corpus import show_corpus

    show_corpus(folder, page, as_json)


_SHOWN: dict[str, Callable[[Path, str | None, bool], None]] = {"corpus.json": _show_corpus}
"""What shows a folder, by the name of its manifest."""
