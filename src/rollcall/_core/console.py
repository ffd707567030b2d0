"""Lines for the terminal: text from data cannot control it, and any encoding of the terminal works.

A label may contain sequences that move the cursor, change the title or overwrite earlier output, and line
breaks after which it looks like a line of Rollcall. They are shown as escape sequences: by `say` in
lines, by `Screen` in tables and styled text. Everything that commands print goes through one of the two, and
each call prints one line.
"""

import json
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from rich.console import Console, ConsoleOptions, Group
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as RichProgress
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Text

_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Control characters except tab and line break, and those that change the direction of text."""
_BREAKS = str.maketrans({"\n": "\\n", "\t": "\\t"})
_SHOWN_RAW = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""The characters among them that JSON does not escape."""


def shown(text: str) -> str:
    """A text of one or several lines, in which characters that control a terminal are escape sequences."""
    return text if text.isprintable() else _STEERING.sub(_escape, text)


def one_line(text: str) -> str:
    """A text on one line, in which control characters, also line breaks and tabs, are escape sequences."""
    return text if text.isprintable() else shown(text).translate(_BREAKS)


def _escape(match: re.Match[str]) -> str:
    return match.group().encode("unicode_escape").decode("ascii")


class _Manner:
    """How commands speak; set once, by the command line."""

    quiet = False


def be_quiet(quiet: bool = True) -> None:
    """Leave out remarks and progress from now on, as `--quiet` asks for."""
    _Manner.quiet = quiet


def is_quiet() -> bool:
    """Whether only results, warnings and errors are wanted."""
    return _Manner.quiet


def remark(text: str = "", *, error: bool = False, flush: bool = False) -> None:
    """Print a line about what is done or was done, unless only results are wanted."""
    if not _Manner.quiet:
        say(text, error=error, flush=flush)


def say(text: str = "", *, error: bool = False, flush: bool = False) -> None:
    """Print one line, in which tabs may separate columns; with `error`, to standard error."""
    say_lines(text.replace("\n", "\\n"), error=error, flush=flush)


def say_lines(text: str, *, error: bool = False, flush: bool = False) -> None:
    """Print a document of several lines."""
    print(shown(text), file=sys.stderr if error else sys.stdout, flush=flush)


def say_json(value: Any, *, flush: bool = False) -> None:
    """Print a value as one line of JSON, in characters that the terminal can show."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") in ("utf8", "utf8sig")
    text = json.dumps(value, ensure_ascii=not unicode)
    print(_SHOWN_RAW.sub(lambda match: f"\\u{ord(match.group()):04x}", text), flush=flush)


def bear_any_encoding() -> None:
    """Write characters that the terminal cannot encode as escape sequences, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def argument_text(word: str) -> str:
    """An argument decoded as UTF-8, whatever the encoding of the locale; existing paths are unchanged."""
    if word.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in word) or Path(word).exists():
        return word
    try:
        return os.fsencode(word).decode()
    except UnicodeError:
        return word


def leave_quietly() -> None:
    """Stop writing to an output whose reader has closed it, as after `| head`."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):  # not a real file, as in tests
        pass
    finally:
        os.close(nowhere)


# The console for tables and coloured lines: strings are shown literally and cannot control the terminal.
# Each call prints a line or a table, and each cell of a table is one line, or a `Group` of lines: a line
# break in a string is shown as an escape sequence, as every control character is. Markup such as `[red]`
# is off, since any string may come from data; use `styled` for colours.


class Screen(Console):
    """A console without markup, which escapes control characters in everything it shows."""

    def __init__(self, *, stderr: bool = False, width: int | None = None, soft_wrap: bool = False,
                 file: IO[str] | None = None) -> None:  # fmt: skip
        super().__init__(
            stderr=stderr,
            width=width,
            soft_wrap=soft_wrap,
            file=file,
            markup=False,
            emoji=False,
            highlight=False,
            # Without colours, bold and dim text go too: no escape sequence is left.
            color_system=None if os.environ.get("NO_COLOR") else "auto",
        )

    def print(self, *objects: Any, **options: Any) -> None:
        super().print(*map(self._on_one_line, objects), **options)

    def _on_one_line(self, renderable: Any) -> Any:
        if isinstance(renderable, str):
            return one_line(renderable)
        if isinstance(renderable, Text) and not renderable.plain.isprintable():
            parts = [(one_line(part.text), part.style or "") for part in renderable.render(self, end="")]
            return Text.assemble(
                *parts, justify=renderable.justify, overflow=renderable.overflow, no_wrap=renderable.no_wrap
            )
        if isinstance(renderable, Group):
            return Group(*map(self._on_one_line, renderable.renderables))
        if isinstance(renderable, Table):
            renderable.title, renderable.caption = map(
                self._on_one_line, (renderable.title, renderable.caption)
            )
            for column in renderable.columns:
                column.header, column.footer = map(self._on_one_line, (column.header, column.footer))
                column._cells = [*map(self._on_one_line, column._cells)]
        return renderable

    def render(self, renderable: Any, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            text, style, control = segment
            yield segment if control else Segment(shown(text), style)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def styled(*parts: str | tuple[str, str]) -> Text:
    """A line of parts; a part with a style is a pair: `styled(("warning:", "yellow"), " it is late")`."""
    return Text.assemble(*parts)


# Progress of long work: one bar with the work done, the time left, and remarks such as errors and money.
# On a terminal it is a live bar on standard error; elsewhere (a log file, CI) and with `--quiet` it is
# silent, so that output stays clean. On a narrow terminal the bar and the time since the start give way,
# never the count, the time left and the remark. Tests and libraries pass `Progress(show=False)`.

_NARROW = 110
_NAME, _NAME_IF_NARROW = 28, 16
_BAR, _BAR_IF_NARROW = 24, 6


class Progress:
    """A named piece of work with a total (bytes, entities, …) and an optional remark beside the bar."""

    def __init__(
        self, name: str, total: float | None = None, *, count: bool = False, show: bool | None = None
    ):
        """`count` also prints done/total as numbers; `show` overrides the check for a terminal."""
        visible = sys.stderr.isatty() and not is_quiet() if show is None else show
        console = Screen(stderr=True)
        self._bar = RichProgress(
            *columns(console.width, count),
            console=console,
            disable=not visible,
            transient=True,
            refresh_per_second=5,
        )
        self._task = self._bar.add_task(name, total=total, remark="")

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def advance(self, amount: float, remark: str | None = None) -> None:
        if remark is None:
            self._bar.update(self._task, advance=amount)
        else:
            self._bar.update(self._task, advance=amount, remark=remark)


def columns(width: int, count: bool) -> list[ProgressColumn]:
    """The columns of a bar for a terminal of this width."""
    narrow = width < _NARROW
    shortest = _NAME_IF_NARROW if narrow else _NAME
    name = TextColumn(
        "{task.description}",
        markup=False,
        table_column=Column(min_width=shortest, max_width=shortest, no_wrap=True, overflow="ellipsis"),
    )
    remark = TextColumn(
        "{task.fields[remark]}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis")
    )
    bar = BarColumn(_BAR_IF_NARROW if narrow else _BAR)
    counted = [MofNCompleteColumn()] if count else [TaskProgressColumn()]
    times = [TimeRemainingColumn()] if narrow else [TimeElapsedColumn(), TimeRemainingColumn()]
    more = [TaskProgressColumn()] if count and not narrow else []
    return [name, bar, *more, *counted, *times, remark]
