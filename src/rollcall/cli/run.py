"""`rollcall run`: a system answers a question set and writes a run."""

from pathlib import Path
from typing import Annotated, Literal

import typer
from msgspec.structs import asdict

from rollcall._core.console import remark, say, say_json
from rollcall._core.options import LARGEST_SEED, OnCommandLine
from rollcall.cli import system_options as options
from rollcall.cli.options import AsJson, with_options, writing
from rollcall.systems.options import RunOptions


class RunCommand(RunOptions, frozen=True, kw_only=True):
    """The options of the command: those of `run`, and shorthands for options of readers."""

    reader: Annotated[str, OnCommandLine(after="retriever")] = "mentions"
    """A reader of `rollcall plugins`, or module:name; a trained one with --option model=DIR."""
    mode: Annotated[
        Literal["passages", "each", "closed-book", "closed"] | None,
        OnCommandLine(names=("--mode", "--way"), shown="passages", after="options"),
    ] = None
    """llm: all passages in one prompt, each in its own, none, or yes/no to each candidate."""
    passages: Annotated[int | None, OnCommandLine(least=0, shown="15; closed: 3")] = None
    """llm: number of passages shown; 0 for as many as fit, or none in closed."""
    context: Annotated[int | None, OnCommandLine(least=256, shown="8192")] = None
    """llm: tokens that fit into a prompt."""
    shots: Annotated[int | None, OnCommandLine(least=0, shown="0")] = None
    """llm: examples from the training split; closed: half of them right."""
    calibrate: Annotated[
        bool | None, OnCommandLine(names=("--calibrate/--no-calibrate",), shown="calibrate")
    ] = None
    """llm, closed: score candidates relative to one another."""
    tune: Annotated[bool | None, OnCommandLine(names=("--tune/--no-tune",), shown="tune")] = None
    """mentions: fit it to the training split, if there is one."""
    seed: Annotated[int | None, OnCommandLine(least=0, most=LARGEST_SEED, shown="0", after="limit")] = None
    """llm: the seed for drawing examples."""

    def shorthands(self) -> dict[str, object]:
        """The options of readers that were given."""
        names = ("mode", "passages", "context", "shots", "seed", "calibrate", "tune")
        return {name: getattr(self, name) for name in names}


@writing("out", reads=["corpus", "graph"], asks=["questions"])
@with_options
def run(
    questions: options.Set,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The run to write, or to continue.")
    ],
    settings: RunCommand,
    asking: options.ModelOptions,
    retrieving: options.RetrieverOptions,
    index: options.Index = None,
    as_json: AsJson = False,
) -> None:
    """Answer every question; an interrupted run is resumed by the same command."""
    from rollcall.llm.opening import opened_client
    from rollcall.systems.verbs import run as run_system

    given = options.given_options(
        settings.options, settings.shorthands(), {"max_tokens": asking.max_tokens}, asdict(retrieving)
    )
    with opened_client(asking, cache=asking.cache or out.with_name(f"{out.name}.cache")) as client:
        try:
            done = run_system(
                questions,
                settings.reader,
                settings,
                out=out,
                check=None if settings.check == "no" else settings.check,
                client=client,
                model=asking.model,
                index=index,
                options=given,
            )
        finally:
            if client is not None:
                remark(f"language model: {client.spending}", error=as_json)
    failed = [prediction for prediction in done if prediction.failure is not None]
    if as_json:
        say_json({"out": str(out), "questions": len(done), "failed": len(failed), "settings": done.settings})
        return
    remark(f"{out}: {options.made_by(done)}")
    if failed:
        say(f"{len(failed)} failed, the first because {failed[0].failure}; the same command tries them again")
    remark(f"next: {options.scoring_command(questions, out, settings.split, settings.limit)}")
