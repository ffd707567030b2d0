"""`rollcall import`: makes a question set from published files."""

from pathlib import Path
from typing import Annotated

import typer

from rollcall.cli import options
from rollcall.cli.outputs import writing
from rollcall.english.counting import counted
from rollcall.terminal import remark, say, say_json


@writing("out", reads=["sources"])
def import_(
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Files of one set, for example its training and test files."),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write the set to.")],
    split: Annotated[
        str | None, typer.Option(help="The split of questions whose file does not give one.")
    ] = None,
    answers: options.Answers = None,
    file_format: options.Format = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing question set.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Read questions in any published format into a question set.

    Reads QAMPARI, RoMQA, GraphQuestions, NQ/TriviaQA/SQuAD, AmbigQA, ALCE, plain records and the output of
    `rollcall export`; the file's own keys decide which format it is.
    """
    from rollcall.questions.importing import import_set

    made = import_set(sources, out, split, file_format=file_format, answers=answers, force=force)
    if as_json:
        say_json({"out": str(out), "questions": made.questions, "format": made.format, "read": made.read})
    else:
        for line in made.read:
            remark(line)
        remark(f"{out}: {counted(made.questions, 'question')} from {made.format}")
    for warning in made.warnings:
        say(f"warning: {warning}", error=True)
