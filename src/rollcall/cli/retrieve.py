"""`rollcall retrieve`: the passages that a retriever finds for each question, as a run."""

from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import asdict

from rollcall._core.console import remark, say_json
from rollcall.cli import system_options as options
from rollcall.cli.options import AsJson, Only, with_options, writing
from rollcall.score.options import SplitOptions
from rollcall.systems.options import RunOptions
from rollcall.tables.engine import WorkOptions


@writing("out", reads=["corpus"], asks=["questions"])
@with_options
def retrieve(
    questions: options.Set,
    corpus: options.CorpusFolder,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The run to write, or to continue.")
    ],
    *,
    searching: Annotated[RunOptions, Only("retriever")],
    k: Annotated[int, typer.Option(min=1, help="Number of passages for each question.")] = 200,
    texts: Annotated[
        bool, typer.Option(help="Write titles and texts; ids alone are enough for ERecall.")
    ] = True,
    option: options.Option = None,
    chosen: SplitOptions,
    limit: options.Limit = None,
    retrieving: options.RetrieverOptions,
    index: options.Index = None,
    work: Annotated[WorkOptions, Only("engine", "master", "jobs")],
    as_json: AsJson = False,
) -> None:
    """Retrieve passages for every question; score with `--measures ARecall@200,ERecall@200`."""
    from rollcall.systems.verbs import retrieve as retrieve_passages

    assert searching.retriever is not None, "it has a default"
    run = retrieve_passages(
        questions,
        searching.retriever,
        corpus=corpus,
        out=out,
        split=chosen.split,
        limit=limit,
        k=k,
        texts=texts,
        index=index,
        options=options.given_options(option, asdict(retrieving)),
        engine=work.engine,
        master=work.master,
        jobs=work.jobs or None,
    )
    if as_json:
        say_json({"out": str(out), "questions": len(run), "settings": run.settings})
        return
    remark(f"{out}: {options.made_by(run)}, up to {k} passages each")
    command = options.scoring_command(questions, out, chosen.split, limit)
    remark(f"next: {command} --measures ARecall@{k},ERecall@{k}")
