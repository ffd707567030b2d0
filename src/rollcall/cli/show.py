"""`rollcall show`: prints what is in a folder that Rollcall made; the manifest says what kind of folder it
is.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from rollcall.errors import RollcallError


def show(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="A folder made by `rollcall corpus`, `build` or `import`."),
    ],
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[WHAT]",
            help="Title, id or entity of a page; id of a question, or words of it. Without it, an overview.",
        ),
    ] = None,
    number: Annotated[
        int, typer.Option("--number", "-n", min=1, help="How many questions of each kind to show.")
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print what is in a folder: an overview, or one page, or one question with its answers and evidence."""
    if not folder.is_dir():
        raise RollcallError(f"{folder}: no such folder")
    for manifest, show_folder in _SHOWN.items():
        if (folder / manifest).exists():
            show_folder(folder, what, as_json, number)
            return
    known = ", ".join(_SHOWN)
    raise RollcallError(f"{folder}: nothing to show here (none of {known} in it)")


def _show_corpus(folder: Path, page: str | None, as_json: bool, number: int) -> None:
    from rollcall.cli.show_corpus import show_corpus

    show_corpus(folder, page, as_json)


def _show_set(folder: Path, question: str | None, as_json: bool, number: int) -> None:
    from rollcall.cli.show_set import show_set

    show_set(folder, question, as_json, number)


_SHOWN: dict[str, Callable[[Path, str | None, bool, int], None]] = {
    "corpus.json": _show_corpus,
    "questions.jsonl": _show_set,
}
