"""`rollcall show`: prints what is in a folder that Rollcall made; the manifest says what kind of folder it
is.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from rollcall._core.errors import RollcallError
from rollcall.cli.options import AsJson, writing

QUESTIONS = "questions.jsonl"


@writing("picture", reads=["folder"])
def show(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", help="A folder made by `rollcall graph`, `corpus`, `build` or `import`."
        ),
    ],
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[WHAT]",
            help="Name or id of an entity, a relation or a class of a graph; title, id or entity of a page; "
            "id of a question, or words of it. Without it, an overview.",
        ),
    ] = None,
    number: Annotated[
        int | None,
        typer.Option(
            "--number",
            "-n",
            min=1,
            help="How many to show: questions of each kind or with the given words, or classes, relations "
            "and facts of a graph.",
            show_default="1, 5 with the given words, or 20 of a graph",
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also draw what is around the entity of a graph into an SVG file."),
    ] = None,
    rejected: Annotated[
        bool,
        typer.Option(
            "--rejected",
            help="Of a question set: the facts that no sentence states, each with the nearest sentence and "
            "its score.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Print what is in a folder: an overview, or one thing in it.

    Of a graph: its classes and relations with examples, or what it says of an entity, a relation or a class.
    Of a corpus: its counts, or a page with its sentences, links and tables. Of a question set: questions with
    their answers and evidence.
    """
    if picture is not None and not (folder / "graph.json").exists():
        raise RollcallError("--picture draws an entity of a graph; name the folder of a graph")
    if folder.is_file():
        raise RollcallError(f"{folder}: is a file; `rollcall show` shows folders that Rollcall made")
    if not folder.is_dir():
        raise RollcallError(f"{folder}: no such folder")
    if rejected and not (folder / QUESTIONS).exists():
        raise RollcallError("--rejected lists facts of a question set; name the folder of one")
    for manifest, show_folder in _SHOWN.items():
        if (folder / manifest).exists():
            show_folder(folder, what, as_json, number, _Shown(picture, rejected))
            return
    known = ", ".join(_SHOWN)
    raise RollcallError(f"{folder}: nothing to show here (none of {known} in it)")


class _Shown(NamedTuple):
    """The options that only one kind of folder has."""

    picture: Path | None
    rejected: bool


def _show_graph(folder: Path, name: str | None, as_json: bool, number: int | None, only: _Shown) -> None:
    from rollcall.cli.shown import show_graph

    show_graph(folder, name, as_json, number, only.picture)


def _show_corpus(folder: Path, page: str | None, as_json: bool, number: int | None, _: _Shown) -> None:
    from rollcall.cli.shown import show_corpus

    if number is not None:
        raise RollcallError("--number is for graphs and question sets, not for a corpus; leave it out")
    show_corpus(folder, page, as_json)


def _show_set(folder: Path, question: str | None, as_json: bool, number: int | None, only: _Shown) -> None:
    from rollcall.cli.shown import show_set

    show_set(folder, question, as_json, number, only.rejected)


_SHOWN: dict[str, Callable[[Path, str | None, bool, int | None, _Shown], None]] = {
    "graph.json": _show_graph,
    "corpus.json": _show_corpus,
    QUESTIONS: _show_set,
}
