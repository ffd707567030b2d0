"""`rollcall build`: makes a question set from a graph and a corpus with a recipe."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rollcall._core.console import Screen, is_quiet, remark, say, say_json
from rollcall._core.options import LARGEST_SEED
from rollcall.cli.options import AsJson, with_options
from rollcall.tables.engine import WorkOptions
from rollcall.text.nouns import counted, counted_kinds

if TYPE_CHECKING:
    from rollcall.build.runner import Finished, Step
    from rollcall.build.stage import Outcome


@with_options
def build(
    recipe: Annotated[
        str | None,
        typer.Argument(metavar="RECIPE", help="A recipe by name, or a .yaml file.", show_default=False),
    ] = None,
    graph: Annotated[
        Path | None, typer.Option("--graph", "-g", metavar="DIR", help="A folder made by `rollcall graph`.")
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option(
            "--corpus",
            "-c",
            metavar="DIR",
            help="A folder made by `rollcall corpus`; not needed with evidence.use=false.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="The folder to write the set to.")
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a key of the recipe: answers.least=3."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=LARGEST_SEED, help="The random seed.", show_default="the recipe's"),
    ] = None,
    update: Annotated[
        Path | None,
        typer.Option(
            metavar="SET",
            help="Carry an older set forward: its questions keep ids, splits and wordings where they stand.",
        ),
    ] = None,
    start: Annotated[
        str | None, typer.Option("--from", metavar="STAGE", help="Run this stage and all later ones again.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would run and why, and stop.")
    ] = False,
    list_: Annotated[
        bool, typer.Option("--list", help="List the recipes and the kinds of questions, and stop.")
    ] = False,
    show: Annotated[bool, typer.Option("--show", help="Print the recipe, and stop.")] = False,
    as_json: AsJson = False,
    *,
    work: WorkOptions,
) -> None:
    """Build a question set: mine queries, prove their answers with text, word, split and release them.

    To resume an interrupted build, run the same command again; stages that have not changed are not run
    again.
    """
    from rollcall._core.errors import RollcallError
    from rollcall.build.make import Build
    from rollcall.build.pipelines import PIPELINES
    from rollcall.build.recipe import describe, load, names
    from rollcall.build.suggestions import FEW
    from rollcall.mine.kinds import KINDS

    if list_:
        for name in names():
            say(f"{name}: {load(name).description}")
        say("kinds of questions, for the key `kinds`:")
        for entry in KINDS:
            say(f"  {entry.name}: {entry.summary}")
        return
    if recipe is None:
        raise RollcallError(f"name a recipe ({', '.join(names())}) or a .yaml file; --list tells more")
    if show:
        for line in describe(recipe):
            say(line)
        return
    wanted = [*(changes or ()), *([f"seed={seed}"] if seed is not None else [])]
    loaded = load(recipe, wanted)  # report a mistake in the recipe before one in the folders
    with_text = PIPELINES.find(loaded.pipeline).needs_corpus(loaded.parameters)
    needed = {"--graph": graph, **({"--corpus": corpus} if with_text else {}), "--out": out}
    missing = [name for name, given in needed.items() if given is None]
    if missing or graph is None or out is None:
        raise RollcallError(f"a build needs {' and '.join(missing)}; see rollcall build --help")
    job = Build(
        recipe,
        graph=graph,
        corpus=corpus,
        out=out,
        changes=wanted,
        update=update,
        options=work,
    )
    if dry_run:
        _print_plan(job.plan(start))
        return
    finished = job.run(start, _tell)
    if as_json:
        say_json({"out": str(out), **_record(finished, job.released)})
        return
    released = _released(finished, job.released)
    if is_quiet():
        say(_questions_made(released, out))
        return
    _print_summary(finished)
    console = Screen()
    console.print(_questions_made(released, out), soft_wrap=True)
    console.print(f"look at some: rollcall show {out}; its figures: rollcall stats {out}", soft_wrap=True)
    if released.rows < FEW and (advised := job.advice()):
        say(f"few questions: {advised}")


def _questions_made(released: "Outcome", out: Path) -> str:
    """How many questions were made, by kind."""
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in released.counts.items())
    return f"{out}: {counted(released.rows, 'question')} ({kinds})"


def _record(finished: "list[Finished]", released: str) -> dict[str, object]:
    told = _released(finished, released)
    stages = {
        stage.stage: {
            "rows": stage.outcome.rows,
            "removed": stage.outcome.removed,
            "done_now": stage.done_now,
        }
        for stage in finished
    }
    return {"questions": told.rows, "kinds": told.counts, "stages": stages}


def _released(finished: "list[Finished]", released: str) -> "Outcome":
    """The outcome of the stage that writes the set."""
    return next(stage.outcome for stage in finished if stage.stage == released)


def _tell(stage: str, finished: "Finished | None") -> None:
    """Print one line for each stage on standard error, so that a log shows the progress of a build."""
    if finished is None:
        remark(f"{stage} …", error=True, flush=True)
    elif finished.done_now:
        remark(
            f"{stage}: {counted(finished.outcome.rows, 'row')} in {finished.seconds:.1f} s",
            error=True,
            flush=True,
        )


def _print_plan(steps: "list[Step]") -> None:
    from rich.table import Table

    table = Table("stage", "", "why")
    for step in steps:
        table.add_row(step.stage, "runs" if step.runs else "kept", step.why)
    Screen().print(table)


def _print_summary(finished: "list[Finished]") -> None:
    from rich.table import Table

    console = Screen()
    table = Table("stage", "rows", "seconds", "removed")
    table.columns[1].justify = table.columns[2].justify = "right"
    for stage in finished:
        removed = counted_kinds(stage.outcome.removed, "; ")
        seconds = f"{stage.seconds:.1f}" if stage.done_now else "kept"
        table.add_row(stage.stage, f"{stage.outcome.rows:,}", seconds, removed)
    console.print(table)
    for stage in finished:
        for note in stage.outcome.notes:
            console.print(f"{stage.stage}: {note}", soft_wrap=True)
