"""`rollcall retrieve` and `train`: what belongs to systems besides `run` itself."""

from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import asdict

from rollcall._core.console import remark, say_json
from rollcall.cli import system_options as options
from rollcall.cli.options import AsJson, Only, with_options, writing
from rollcall.score.options import SplitOptions
from rollcall.systems.options import RunOptions, TrainOptions
from rollcall.tables.engine import WorkOptions
from rollcall.text.nouns import counted


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


def _writes() -> bool:
    """Whether this process writes what several of them train."""
    from rollcall.systems.train.loop import is_first

    return is_first()


@writing("out", reads=["corpus", "graph", "others", "exercises"], asks=["questions"], by=_writes)
@with_options
def train(
    system: Annotated[
        str,
        typer.Argument(
            metavar="SYSTEM", help="A trainable system of `rollcall plugins`, such as pig or dpr."
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            help="The folder of the trained system; with --prepare, of the training examples.",
        ),
    ],
    questions: Annotated[
        Path | None,
        typer.Argument(
            metavar="[SET]", help="A question set's folder, or a published file.", show_default=False
        ),
    ] = None,
    *,
    settings: TrainOptions,
    index: options.Index = None,
    as_json: AsJson = False,
) -> None:
    """Train a system on a split of a set; an interrupted training is continued by the same command."""
    from rollcall.systems.train.verb import train as train_system

    folder = train_system(system, questions, settings, out=out, index=index)
    if settings.prepare:
        if as_json:
            say_json({"out": str(folder), "system": system, "prepared": True})
        else:
            learning = f"rollcall train {system} --exercises {folder}"
            remark(f"{folder}: training examples; learn from them with `{learning}`")
        return
    if not _writes():
        return
    from rollcall.systems.read import READERS
    from rollcall.systems.train.model_folder import read_about

    about = read_about(folder, system)
    learned = about.trained_on.questions
    if as_json:
        figures = {} if about.best is None else {about.measure: about.best}
        trained = {"questions": learned, "steps": about.steps, "unseen": figures}
        say_json({"out": str(folder), "system": system, "prepared": False, **trained})
        return
    steps = f", {counted(about.steps, 'step')}" if about.steps else ""
    unseen = f"{about.measure} of questions that it had not learned from"
    best = "" if about.best is None else f"; {unseen}: {about.best:.3f}"
    remark(f"{folder}: {system} trained on {counted(learned, 'question')}{steps}{best}")
    if any(entry.name == system for entry in READERS):
        remark(f"next: rollcall run SET --split test --reader {system} --option model={folder} …")
