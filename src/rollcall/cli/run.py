"""`rollcall run`: a system answers a question set and writes a run."""

from pathlib import Path
from typing import Annotated, Literal

import typer
from msgspec.structs import asdict

from rollcall._core.console import remark, say, say_json
from rollcall._core.options import LARGEST_SEED
from rollcall.cli import system_options as options
from rollcall.cli.options import AsJson, Only, with_options, writing
from rollcall.score.options import GoldOptions


@writing("out", reads=["corpus", "graph"], asks=["questions"])
@with_options
def run(
    questions: options.Set,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The run to write, or to continue.")
    ],
    corpus: Annotated[
        Path | None,
        typer.Option(
            "--corpus",
            "-c",
            metavar="DIR",
            help="A folder made by `rollcall corpus`; closed-book needs none.",
        ),
    ] = None,
    graph: options.GraphFolder = None,
    retriever: options.Retriever = "bm25",
    reader: Annotated[
        str,
        typer.Option(
            help="A reader of `rollcall plugins`, or module:name; a trained one with --option model=DIR."
        ),
    ] = "mentions",
    k: Annotated[int, typer.Option(min=1, help="Number of passages retrieved for each question.")] = 100,
    verify: Annotated[
        str,
        typer.Option(help="Drop answers that further passages do not support: no, words, reader, or model."),
    ] = "no",
    option: options.Option = None,
    mode: Annotated[
        Literal["passages", "each", "closed-book", "closed"] | None,
        typer.Option(
            "--mode",
            "--way",
            help="llm: all passages in one prompt, each in its own, none, or yes/no to each candidate.",
            show_default="passages",
        ),
    ] = None,
    passages: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="llm: number of passages shown; 0 for as many as fit, or none in closed.",
            show_default="15; closed: 3",
        ),
    ] = None,
    context: Annotated[
        int | None, typer.Option(min=256, help="llm: tokens that fit into a prompt.", show_default="8192")
    ] = None,
    shots: Annotated[
        int | None,
        typer.Option(
            min=0, help="llm: examples from the training split; closed: half of them right.", show_default="0"
        ),
    ] = None,
    calibrate: Annotated[
        bool | None,
        typer.Option(
            "--calibrate/--no-calibrate",
            help="llm, closed: score candidates relative to one another.",
            show_default="calibrate",
        ),
    ] = None,
    tune: Annotated[
        bool | None,
        typer.Option(
            "--tune/--no-tune",
            help="mentions: fit it to the training split, if there is one.",
            show_default="tune",
        ),
    ] = None,
    keep_passages: Annotated[bool, typer.Option("--keep-passages", help="Write the passages too.")] = False,
    time: Annotated[bool, typer.Option("--time", help="Write how long each question took.")] = False,
    *,
    chosen: Annotated[GoldOptions, Only("split")],
    limit: options.Limit = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=LARGEST_SEED, help="llm: the seed for drawing examples.", show_default="0"),
    ] = None,
    asking: options.ModelOptions,
    retrieving: options.RetrieverOptions,
    index: options.Index = None,
    as_json: AsJson = False,
) -> None:
    """Answer every question; an interrupted run is resumed by the same command."""
    from rollcall.llm.opening import opened_client
    from rollcall.systems.verbs import run as run_system

    given = options.given_options(
        option,
        {"mode": mode, "passages": passages, "context": context, "shots": shots, "seed": seed},
        {"calibrate": calibrate, "tune": tune, "max_tokens": asking.max_tokens},
        asdict(retrieving),
    )
    with opened_client(asking, cache=asking.cache or out.with_name(f"{out.name}.cache")) as client:
        try:
            done = run_system(
                questions,
                reader,
                retriever=retriever,
                corpus=corpus,
                graph=graph,
                out=out,
                split=chosen.split,
                limit=limit,
                k=k,
                check=None if verify == "no" else verify,
                client=client,
                model=asking.model,
                index=index,
                keep_passages=keep_passages,
                timed=time,
                options=given,
            )
        finally:
            if client is not None:
                remark(f"language model: {client.spending}", error=as_json)
    failed = [one for one in done if one.failure is not None]
    if as_json:
        say_json({"out": str(out), "questions": len(done), "failed": len(failed), "settings": done.settings})
        return
    remark(f"{out}: {options.made_by(done)}")
    if failed:
        say(f"{len(failed)} failed, the first because {failed[0].failure}; the same command tries them again")
    remark(f"next: {options.scoring_command(questions, out, chosen.split, limit)}")
