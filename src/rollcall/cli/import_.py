"""`rollcall import`: make a question set of published files."""

from pathlib import Path
from typing import Annotated

import typer

from rollcall.cli.outputs import writing
from rollcall.terminal import say


@writing("out", reads=["sources"])
def import_(
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Files of one set, for example its training and test files."),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write the set to.")],
    split: Annotated[
        str | None, typer.Option(help="The split of questions whose file does not say theirs.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a question set that is there.")] = False,
) -> None:
    """Read questions in any published format into a question set.

    Reads QAMPARI, RoMQA, GraphQuestions, NQ/TriviaQA/SQuAD, AmbigQA, ALCE and what `rollcall export` writes;
    which it is, the file itself tells.
    """
    from rollcall.questions.importing import import_set

    told = import_set(sources, out, split, force=force)
    say(f"{out}: {told.questions:,} questions from {told.format}")
    for warning in told.warnings:
        say(f"warning: {warning}", error=True)
