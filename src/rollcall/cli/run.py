"""`rollcall run`: a system answers a question set and writes a run."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from rollcall._core.console import remark, say, say_json
from rollcall.cli import system_options as options
from rollcall.cli.options import LARGEST_SEED, AsJson, writing


@writing("out", reads=["corpus", "graph"], asks=["questions"])
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
    split: options.Split = None,
    limit: options.Limit = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=LARGEST_SEED, help="llm: the seed for drawing examples.", show_default="0"),
    ] = None,
    base_url: options.BaseUrl = None,
    model: options.Model = None,
    concurrency: options.Concurrency = 8,
    per_minute: options.PerMinute = None,
    timeout: options.Timeout = 120.0,
    max_tokens: options.MaxTokens = None,
    budget_tokens: options.BudgetTokens = None,
    budget_money: options.BudgetMoney = None,
    price: options.Price = None,
    cache: options.Cache = None,
    k1: options.K1 = None,
    b: options.B = None,
    encoder: options.Encoder = None,
    passage_encoder: options.PassageEncoder = None,
    pooling: options.Pooling = None,
    faiss: options.FaissIndex = None,
    sample: options.Sample = None,
    index: options.Index = None,
    as_json: AsJson = False,
) -> None:
    """Answer every question; an interrupted run is resumed by the same command."""
    from rollcall.llm.opening import AskingLimits, opened_client
    from rollcall.systems.verbs import run as run_system

    given = options.given_options(
        option,
        {"mode": mode, "passages": passages, "context": context, "shots": shots, "seed": seed},
        {"calibrate": calibrate, "tune": tune, "max_tokens": max_tokens},
        options.retrieving(k1, b, encoder, passage_encoder, pooling, faiss, sample),
    )
    limits = AskingLimits(concurrency, per_minute, timeout, budget_tokens, budget_money, price)
    with opened_client(base_url, limits, cache=cache or out.with_name(f"{out.name}.cache")) as client:
        try:
            done = run_system(
                questions,
                reader,
                retriever=retriever,
                corpus=corpus,
                graph=graph,
                out=out,
                split=split,
                limit=limit,
                k=k,
                check=None if verify == "no" else verify,
                client=client,
                model=model,
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
    remark(f"next: {options.scoring_command(questions, out, split, limit)}")
