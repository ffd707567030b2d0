"""`rollcall export`: writes a question set in the formats that other tools read."""

from pathlib import Path
from typing import Annotated

import typer

from rollcall.cli.outputs import writing
from rollcall.terminal import say


@writing("out", asks=["source"])
def export(
    source: Annotated[
        Path, typer.Argument(metavar="SET", help="A question set's folder, or a published file.")
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            help="A folder (one file for each split), or a .jsonl, .json or .parquet file for all questions.",
        ),
    ],
    file_format: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            help="qampari, graphquestions, romqa: as that set is published; jsonl, parquet: all columns; "
            "or module:name.",
        ),
    ] = "jsonl",
    split: Annotated[str | None, typer.Option(help="Only the questions of this split.")] = None,
) -> None:
    """Write a question set as a published set's JSON, as JSON lines with all columns, or as Parquet."""
    from rollcall.errors import RollcallError
    from rollcall.questions import read_questions
    from rollcall.questions.card_head import is_own_card
    from rollcall.questions.exporting import export as write
    from rollcall.questions.question_set import CARD

    questions = list(read_questions(source).of_splits(split))
    if not questions:
        raise RollcallError(f"{source}: holds no question, so there is nothing to export")
    for path, count in write(questions, file_format, out):
        say(f"{path}: {count:,} questions")
    if out.is_dir() and not is_own_card(out / CARD):
        say(f"{out / CARD}: is a page of your own and was left alone; it does not map the splits", error=True)
