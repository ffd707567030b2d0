"""`rollcall expand`: add names to gold answers from a graph."""

from pathlib import Path
from typing import Annotated

import typer

from rollcall.cli import options
from rollcall.cli.options import reporting, writing
from rollcall.report import Summary


@writing(
    "out",
    "positives",
    *options.REPORT_OPTIONS,
    reads=["graph", "passages"],
    asks=["gold"],
    when={"positives": "passages"},
)
@reporting
def expand(
    gold: options.Gold,
    graph: Annotated[Path, typer.Argument(metavar="GRAPH", help="A graph's folder.", show_default=False)],
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", metavar="DIR", help="The folder for the expanded question set.", show_default=False
        ),
    ],
    lookup: options.Lookup = "exact",
    homonyms: options.Homonyms = "all",
    sources: Annotated[
        str | None,
        typer.Option(help="Only names of these sources, with commas: label,alias,redirect,anchor."),
    ] = None,
    least: Annotated[
        int, typer.Option(min=0, help="Only names used at least this many times, if counted.")
    ] = 0,
    split: options.Split = None,
    answers: options.Answers = None,
    file_format: options.Format = None,
    passages: Annotated[
        Path | None, typer.Option(help="A run with passages; finds those that are positive for training.")
    ] = None,
    positives: Annotated[Path, typer.Option(help="The file for the positive passages of --passages.")] = Path(
        "positives.jsonl"
    ),
) -> tuple[Summary, list[str]]:
    """Add a graph's names to gold answers, and keep the source of each name."""
    from rollcall.score import verbs

    expanded = verbs.expand(
        gold,
        graph,
        out=out,
        lookup=lookup,
        homonyms=homonyms,
        sources=sources,
        least=least,
        split=split,
        passages=passages,
        positives=positives,
        answers=answers,
        file_format=file_format,
    )
    wrote = f"wrote {out}" + (f" and {positives}" if passages is not None else "")
    return Summary("Names added to the gold answers", expanded.rows(), out=out), [wrote]
