"""The `rollcall` command: collects the sub-commands and reports every error in one line.

An error in the call or the input exits with 2, an interruption with 130, a request to terminate with 143, and
a bug in Rollcall with 1; `--debug` shows the traceback of any of them.
"""

import errno
import os
import re
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Annotated, Any

import typer

from rollcall import __version__
from rollcall._core.console import argument_text, be_quiet, bear_any_encoding, leave_quietly, say
from rollcall._core.errors import RollcallError, RollcallWarning
from rollcall._core.registry import failed_plugin
from rollcall._core.workers import address_space, collect_rarely

# Explains an error in one line, and decides whether it is the user's, the machine's or Rollcall's. An
# error in the call, the input or a plug-in, and a full disk or a missing permission, exit with 2: the
# line says what to do. Anything else is a bug in Rollcall, and the line says so.

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FULL_WORDS = ("no space left on device", "disk is full", "file too large", "disk quota exceeded")
"""Messages of libraries that do not give the number of the error."""
_NO_MEMORY_WORDS = (
    "out of memory",
    "cannot allocate memory",
    "failed to allocate",
    "failed to map segment",  # of a library that is loaded
    "bad_alloc",
    "can't start new thread",
)
_LONGEST_NAME = 100
"""How many characters are shown of a name on either side of one that cannot be encoded."""


def explain(error: Exception) -> tuple[str, int]:
    """One line about an error, empty if all is said, and the exit code."""
    if any(_is_full(cause) for cause in _chain(error)):
        return (
            "there is no room left on the disk; what was finished is kept: make room, or name another place, "
            "and run the same command again",
            2,
        )
    if isinstance(error, RollcallError):
        return str(error), 2
    if any(_lacks_memory(cause) for cause in _chain(error)):
        limited = "" if address_space() is None else ", or raise the limit of this process (ulimit -v)"
        return (
            "there is not enough memory for this; give it less to do at once (see --jobs and "
            f"--memory){limited}",
            2,
        )
    if (told := failed_plugin(error)) is not None:
        return told, 2
    if isinstance(error, UnicodeEncodeError):  # texts of files are checked when they are read
        told = "an argument or the name of a file is not text in the terminal's encoding; use another"
        return f"{_name_around(error)}: {told}", 2
    if isinstance(error, OSError) and error.filename is not None:
        return f"{_named(error.filename)}: {error.strerror}", 2
    if hasattr(error, "format_message"):  # typer reports a wrong option or argument in this way
        message = error.format_message()
        return f"{message} Try --help." if message else "", 2  # without any argument, it has printed the help
    return f"unexpected {type(error).__name__}: {error} (a bug; --debug shows where)", 1


def _is_full(error: BaseException) -> bool:
    if isinstance(error, OSError) and error.errno in _FULL:
        return True
    return not isinstance(error, RollcallError) and any(word in str(error).lower() for word in _FULL_WORDS)


def _lacks_memory(error: BaseException) -> bool:
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    if isinstance(error, SystemError):  # how libraries end that do not expect it
        return address_space() is not None
    return any(word in str(error).lower() for word in _NO_MEMORY_WORDS)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and the errors that caused it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _name_around(error: UnicodeEncodeError) -> str:
    """The name that has the character which cannot be encoded, out of what was to be written."""
    start, end = (
        re.split(r'["\n]', text) for text in (error.object[: error.start], error.object[error.start :])
    )
    return start[-1][-_LONGEST_NAME:] + end[0][:_LONGEST_NAME]


def _named(filename: object) -> str:
    return filename.decode("utf-8", "replace") if isinstance(filename, bytes) else str(filename)


# Termination on request: SIGTERM and a closed terminal end a command as Ctrl-C does. Unfinished files
# are removed, worker processes end, and locks are released. The exit code is then 128 plus the number of
# the signal, as for a program without a handler. A second signal ends the command at once.

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def ending_on_request() -> Iterator[list[int]]:
    """Turn requests to terminate into `KeyboardInterrupt`; the list then has the exit code for the signal."""
    codes: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        codes.append(128 + number)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield codes
        return
    handled = [number for number in _SIGNALS if signal.getsignal(number) == signal.SIG_DFL]
    for number in handled:
        signal.signal(number, end)
    try:
        yield codes
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)


app = typer.Typer(
    name="rollcall",
    help="Build, audit and score question sets whose answers are sets.",
    epilog="Start with `rollcall demo`. Every command has its own --help.",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
_INTERRUPTED = 130
"""The exit code after Ctrl-C."""
_GOES_ON = frozenset(
    ["graph", "corpus", "extract", "build", "retrieve", "run", "train", "demo", "score", "audit"]
)
"""The commands that continue an interrupted call; `extract`, `score` and `audit` keep a model's replies."""
_PIPE_CLOSED = 141
"""The exit code that shells report for a program that wrote to a closed pipe."""


def _print_version(wanted: bool) -> None:
    if wanted:
        say(f"rollcall {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print results, warnings and errors alone.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
) -> None:
    """Options of every command; `main` reads `--quiet` and `--debug`, at any position."""


def _register_commands() -> None:
    from rollcall.cli import (
        annotate,
        ask,
        audit,
        build,
        compare,
        demo,
        export,
        extract,
        inputs,
        lexicon,
        plugins,
        run,
        score,
        show,
        stats,
        systems,
        view,
    )
    from rollcall.cli.options import ReportCommand

    app.command("world")(inputs.world)
    app.command("graph")(inputs.graph)
    app.command("corpus")(inputs.corpus)
    app.command("extract")(extract.extract)
    app.command("lexicon")(lexicon.lexicon)
    app.command("build")(build.build)
    app.command("show")(show.show)
    app.command("stats", cls=ReportCommand)(stats.stats)
    app.command("audit", cls=ReportCommand)(audit.audit)
    app.add_typer(annotate.app, name="annotate")
    app.command("export")(export.export)
    app.command("import")(export.import_)
    app.command("ask")(ask.ask)
    app.command("verify", cls=ReportCommand)(audit.verify)
    app.command("retrieve")(systems.retrieve)
    app.command("train")(systems.train)
    app.command("run")(run.run)
    app.command("score", cls=ReportCommand)(score.score)
    app.command("compare", cls=ReportCommand)(compare.compare)
    app.command("expand", cls=ReportCommand)(compare.expand)
    app.command("view")(view.view)
    app.command("diff", cls=ReportCommand)(audit.diff)
    app.command("measures")(compare.measures)
    app.command("plugins")(plugins.plugins)
    app.command("demo")(demo.demo)
    app.command("doctor")(plugins.doctor)


_register_commands()


def main(arguments: list[str] | None = None) -> None:
    """Run one command line and exit; the entry point of the `rollcall` script."""
    given = [argument_text(word) for word in (sys.argv[1:] if arguments is None else arguments)]
    own, given = _own_options(given)
    bear_any_encoding()
    be_quiet("--quiet" in own)
    collect_rarely()
    if os.environ.get("NO_COLOR"):
        _help_without_styles(given)
    with ending_on_request() as asked:
        code = _run(given, "--debug" in own)
    if asked or code == _INTERRUPTED:
        why = "ended on request" if asked else "interrupted"
        say(f"rollcall: {why}{_how_to_go_on(given)}", error=True)
        sys.exit(asked[0] if asked else code)
    sys.exit(code)


def _own_options(given: list[str]) -> tuple[set[str], list[str]]:
    """The options of every command, which may stand anywhere, and the other words."""
    end = given.index("--") if "--" in given else len(given)
    own = {"--debug": "--debug", "--quiet": "--quiet", "-q": "--quiet"}
    own_options = {own[word] for word in given[:end] if word in own}
    return own_options, [word for index, word in enumerate(given) if index >= end or word not in own]


def _how_to_go_on(given: list[str]) -> str:
    """What to do after an interruption, for commands that keep what they have done."""
    name = next((word for word in given if not word.startswith("-")), "")
    return "; what is finished is kept: run the same command again to go on" if name in _GOES_ON else ""


def _help_without_styles(given: list[str]) -> None:
    """Let the help of commands be plain, too: its library leaves bold and dim text where colours are off."""
    if "--help" in given or len(given) < 2:
        from typer import rich_utils

        rich_utils.COLOR_SYSTEM = None


def _run(given: list[str], debug: bool) -> int:
    """Run one command line; returns the exit code."""
    try:
        with _one_line_warnings():
            code = app(given, prog_name="rollcall", standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit) as left:
        if isinstance(left, SystemExit) and not isinstance(left.__context__, BrokenPipeError):
            raise
        leave_quietly()  # the command-line library has begun to exit, and reports this as an error
        return _PIPE_CLOSED
    except Exception as error:
        if debug:
            raise
        line, code = explain(error)
        if line:
            say(f"rollcall: {' '.join(line.split())}", error=True)
    return code if isinstance(code, int) else 0


@contextmanager
def _one_line_warnings() -> Iterator[None]:
    """Print a warning of Rollcall in one line, and others as Python does."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", RollcallWarning)
        as_ever = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, RollcallWarning):
                say(f"warning: {' '.join(str(message).split())}", error=True)
            else:
                as_ever(message, category, *place, **more)

        warnings.showwarning = show
        yield


if __name__ == "__main__":
    main()
