"""Progress of long work: one bar with the work done, the time left, and remarks such as errors and money.

On a terminal it is a live bar on standard error; elsewhere (a log file, CI) and with `--quiet` it is silent,
so that output stays clean. On a narrow terminal the bar and the time since the start give way, never the
count, the time left and the remark. Tests and libraries pass `Progress(show=False)`.
"""

import sys
from types import TracebackType
from typing import Self

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
from rich.table import Column

from rollcall.screen import Screen
from rollcall.terminal import is_quiet

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
