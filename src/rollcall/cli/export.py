"""`rollcall export`: writes a question set in the formats that other tools read."""

from pathlib import Path
from typing import Annotated

import typer

from rollcall._core.console import remark, say, say_json
from rollcall.cli import options
from rollcall.cli.options import AsJson, Force, Only, with_options, writing
from rollcall.score.options import GoldOptions, SplitOptions
from rollcall.text.nouns import counted, counted_kinds


@writing("out", reads=["run", "corpus"], asks=["source"])
@with_options
def export(
    source: Annotated[
        Path, typer.Argument(metavar="SET", help="A question set's folder, or a published file.")
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR|FILE",
            help="A folder (one file for each split, or what the tool wants), or a .jsonl, .json, .parquet, "
            ".csv, .md or .qrels file for all questions.",
        ),
    ],
    file_format: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="NAME",
            help="jsonl, parquet: all columns; csv, markdown: tables; inspect, lm-eval, promptfoo, ragas: "
            "for these harnesses; huggingface, croissant: datasets; beir, trec: retrieval; qampari, "
            "graphquestions, romqa, …: as that set is published; or module:name.",
        ),
    ] = "jsonl",
    *,
    chosen: SplitOptions,
    run: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN",
            help="A run to export with the questions: its passages for prompts and rankings, its answers for "
            "ragas.",
            show_default=False,
        ),
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option(
            "--corpus",
            "-c",
            metavar="DIR",
            help="beir: the corpus whose passages are written.",
            show_default=False,
        ),
    ] = None,
    push: Annotated[
        str | None,
        typer.Option(
            metavar="OWNER/NAME",
            help="huggingface, croissant, beir: also upload the folder to this dataset of the Hugging Face "
            "hub; needs a token (HF_TOKEN or `hf auth login`).",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a question set for another tool: a harness, a dataset library, a retrieval toolkit, a table.

    A file that is there with other content is replaced only with --force.
    """
    from rollcall._core.errors import RollcallError
    from rollcall.questions import read_questions
    from rollcall.questions.exporting import check_push, export_files, push_folder

    if push is not None:
        check_push(push, file_format)
    questions = list(read_questions(source).of_splits(chosen.split))
    if not questions:
        raise RollcallError(f"{source}: holds no question, so there is nothing to export")
    exported = export_files(questions, file_format, out, run, corpus, force)
    if as_json:
        files = {str(path): file.number for path, file in exported.files}
        say_json({"out": str(out), "format": file_format, "files": files})
    for path, file in [] if as_json else exported.files:
        held = "" if file.number is None else f": {counted_kinds({file.holds: file.number})}"
        remark(f"{path}{held}")
    if exported.neutral_left_out:
        say(
            f"left out: {counted(exported.neutral_left_out, 'neutral answer')}; --format {file_format} has "
            "no place for them, and jsonl, parquet and csv have one",
            error=True,
        )
    if exported.own_page is not None:
        say(
            f"{exported.own_page}: is a page of your own and was left alone; it does not map the splits",
            error=True,
        )
    if push is not None:
        remark(f"uploaded to {push_folder(out, push, [path for path, _ in exported.files])}")


# `rollcall import`: makes a question set from published files.


@writing("out", reads=["sources"])
@with_options
def import_(
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Files of one set, for example its training and test files."),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write the set to.")],
    split: Annotated[
        str | None, typer.Option(help="The split of questions whose file does not give one.")
    ] = None,
    *,
    reading: Annotated[GoldOptions, Only("answers", "file_format")],
    force: Annotated[bool, typer.Option("--force", help="Replace an existing question set.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Read questions in any published format into a question set.

    Reads QAMPARI, RoMQA, GraphQuestions, NQ/TriviaQA/SQuAD, AmbigQA, ALCE, plain records and the output of
    `rollcall export`; the file's own keys decide which format it is.
    """
    from rollcall.questions.opening import import_set

    imported = import_set(
        sources, out, split, file_format=reading.file_format, answers=reading.answers, force=force
    )
    if as_json:
        say_json(
            {
                "out": str(out),
                "questions": imported.questions,
                "format": imported.format,
                "read": imported.read,
            }
        )
    else:
        for line in imported.read:
            remark(line)
        remark(f"{out}: {counted(imported.questions, 'question')} from {imported.format}")
    for warning in imported.warnings:
        say(f"warning: {warning}", error=True)
