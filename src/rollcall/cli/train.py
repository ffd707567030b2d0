"""`rollcall train`: a system learns from a split of a question set."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from rollcall._core.console import remark, say_json
from rollcall.cli import system_options as options
from rollcall.cli.options import AsJson, writing
from rollcall.text.nouns import counted


def _writes() -> bool:
    """Whether this process writes what several of them train."""
    from rollcall.systems.train.loop import is_first

    return is_first()


@writing("out", reads=["corpus", "graph", "others", "exercises"], asks=["questions"], by=_writes)
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
    corpus: Annotated[
        Path | None,
        typer.Option(
            "--corpus", "-c", metavar="DIR", help="A folder made by `rollcall corpus`.", show_default=False
        ),
    ] = None,
    graph: options.GraphFolder = None,
    base: Annotated[
        str | None,
        typer.Option(help="The checkpoint to start from, by name or path.", show_default="the system's own"),
    ] = None,
    retriever: Annotated[str | None, typer.Option(help=options.RETRIEVER_HELP, show_default="bm25")] = None,
    k: Annotated[
        int | None, typer.Option(min=1, help="Number of passages for each question.", show_default="100")
    ] = None,
    split: Annotated[str | None, typer.Option(help="The split to learn from.", show_default="train")] = None,
    dev: Annotated[str, typer.Option(help="The split that decides which weights are best.")] = "dev",
    limit: Annotated[
        int | None, typer.Option(min=1, help="Learn from this number of questions.", show_default=False)
    ] = None,
    clusters: Annotated[
        Literal["few", "many"] | None,
        typer.Option(
            help="Take them from few clusters of related questions, or from many.", show_default=False
        ),
    ] = None,
    others: Annotated[
        Path | None,
        typer.Option(
            help="Another set to learn from, such as single-answer questions: its questions of --split, or "
            "all if it has no splits.",
            show_default=False,
        ),
    ] = None,
    share: Annotated[
        float | None,
        typer.Option(
            help="The share of the other set among all questions.", show_default="0.5, with --others"
        ),
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="The options of a publication, by name.", show_default=False)
    ] = None,
    option: options.Option = None,
    prepare: Annotated[
        bool,
        typer.Option(
            "--prepare",
            help="Only make the training examples: questions with retrieved and labelled passages.",
        ),
    ] = False,
    exercises: Annotated[
        list[Path] | None,
        typer.Option(
            help="Training examples made by --prepare, in place of a set and what they were made with; may "
            "be given several times.",
            show_default=False,
        ),
    ] = None,
    index: options.Index = None,
    as_json: AsJson = False,
) -> None:
    """Train a system on a split of a set; an interrupted training is continued by the same command."""
    from rollcall.systems.train.verb import train as train_system

    folder = train_system(
        system,
        questions,
        out=out,
        corpus=corpus,
        graph=graph,
        base=base,
        retriever=retriever,
        k=k,
        split=split,
        dev=dev,
        limit=limit,
        clusters=clusters,
        others=others,
        share=share,
        preset=preset,
        prepare=prepare,
        exercises=exercises,
        index=index,
        options=options.given_options(option),
    )
    if prepare:
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
