"""Whether a command line says what Rollcall, or a benchmark, understands, without running it."""

import io
from contextlib import redirect_stderr
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.models import TyperPath

from documents import REST
from places import ROOT
from rollcall.cli.main import _own_options, app, explain


def mistake(words: list[str], *, whole: bool = True) -> str | None:
    """What is wrong with the words after `rollcall`; None where nothing is.

    Files need not be there. Without `whole`, or with `…` among the words, something may be missing.
    """
    whole = whole and REST not in words
    _, words = _own_options([word for word in words if word != REST])
    command = _root()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TyperPath, "convert", lambda self, value, parameter, context: Path(value))
        try:
            while hasattr(command, "commands") and words:
                context = command.make_context("rollcall", list(words), resilient_parsing=not whole)
                names = [*getattr(context, "_protected_args", ()), *context.args]
                if not names:
                    return None if not whole else "names no command"
                if names[0] not in command.commands:
                    return f"no command {names[0]}"
                command, words = command.commands[names[0]], names[1:]
            if words == ["--help"]:
                return None
            if whole:
                command.make_context("rollcall", list(words))
            else:
                _known_options(command, words)
        except typer.Exit:
            return None
        except Exception as error:
            return explain(error)[0]
    return None


@cache
def _root() -> Any:
    """All commands; making them takes longer than parsing a line."""
    return typer.main.get_command(app)


def _known_options(command: Any, words: list[str]) -> None:
    known = {name for one in command.params for name in (*one.opts, *one.secondary_opts)} | {"--help"}
    for word in words:
        name = word.partition("=")[0]
        if name.startswith("-") and name != "-" and name not in known:
            raise typer.BadParameter(f"no option {name}")


def benchmark_mistake(words: list[str]) -> str | None:
    """What is wrong with the words after `python`, of which the first is a script of `benchmarks/`."""
    script, *options = (word for word in words if word != REST)
    if not (ROOT / script).is_file():
        return f"no file {script}"
    if not options:
        return None  # a script that is named
    told = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stderr(told):
        patch.syspath_prepend(ROOT / "benchmarks")
        try:
            import_module(Path(script).stem).arguments().parse_args(options)
        except SystemExit:
            return told.getvalue().strip().splitlines()[-1]
    return None
