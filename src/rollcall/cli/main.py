"""The `rollcall` command: gathers the sub-commands and turns every mistake into one line.

A mistake in the call or the input exits with 2, an interruption with 130, and a bug of ours with 1;
`--debug` shows the traceback of any of them.
"""

import sys
from typing import Annotated

import typer

from rollcall import __version__
from rollcall.errors import RollcallError

app = typer.Typer(
    name="rollcall",
    help="Build, audit and score question sets whose answers are sets.",
    epilog="Start with `rollcall demo`. Every command has its own --help.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"rollcall {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
) -> None:
    """Options of every command; `--debug` is read by `main`, wherever it stands."""


def _register_commands() -> None:
    from rollcall.cli import (
        ask,
        build,
        compare,
        corpus,
        demo,
        expand,
        export,
        graph,
        import_,
        measures,
        plugins,
        retrieve,
        run,
        score,
        show,
        stats,
        verify,
        world,
    )
    from rollcall.cli.report_files import ReportCommand

    app.command("world")(world.world)
    app.command("graph")(graph.graph)
    app.command("corpus")(corpus.corpus)
    app.command("build")(build.build)
    app.command("show")(show.show)
    app.command("stats")(stats.stats)
    app.command("export")(export.export)
    app.command("import")(import_.import_)
    app.command("ask")(ask.ask)
    app.command("verify")(verify.verify)
    app.command("retrieve")(retrieve.retrieve)
    app.command("run")(run.run)
    app.command("score", cls=ReportCommand)(score.score)
    app.command("compare", cls=ReportCommand)(compare.compare)
    app.command("expand")(expand.expand)
    app.command("measures")(measures.measures)
    app.command("plugins")(plugins.plugins)
    app.command("demo")(demo.demo)


_register_commands()


def main(arguments: list[str] | None = None) -> None:
    """Run one command line and exit; the entry point of the `rollcall` script."""
    given = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in given
    try:
        code = app([w for w in given if w != "--debug"], prog_name="rollcall", standalone_mode=False)
    except Exception as error:
        if debug:
            raise
        sys.exit(_explain(error))
    sys.exit(code if isinstance(code, int) else 0)


def _explain(error: Exception) -> int:
    """Print one line about the error and return the exit code it deserves."""
    line, code = f"unexpected {type(error).__name__}: {error} (a bug; --debug shows where)", 1
    if isinstance(error, RollcallError):
        line, code = str(error), 2
    elif isinstance(error, OSError) and error.filename is not None:
        line, code = f"{error.filename}: {error.strerror}", 2
    elif hasattr(error, "format_message"):  # how typer reports a wrong option or argument
        line, code = f"{error.format_message()} Try --help.", 2
    print(f"rollcall: {' '.join(line.split())}", file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
