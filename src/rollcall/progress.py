"""Progress of long work: one bar with the work done, the errors, and the time left.

On a terminal it is a live bar on standard error; elsewhere (a log file, CI) it is silent, so that
output stays clean. Tests and libraries pass `Progress(show=False)`.
"""

import sys
from types import TracebackType
from typing import Self

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as RichProgress

from rollcall.screen import Screen


class Progress:
    """A named piece of work with a total (bytes, entities, …) and an optional remark beside the bar."""

    def __init__(
        self, name: str, total: float | None = None, *, count: bool = False, show: bool | None = None
    ):
        """`count` also prints done/total as numbers; `show` overrides the check for a terminal."""
        visible = sys.stderr.isatty() if show is None else show
        columns = [TextColumn("{task.description:<28}", markup=False), BarColumn(24), TaskProgressColumn()]
        if count:
            columns.append(MofNCompleteColumn())
        columns += [
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[remark]}", markup=False),
        ]
        self._bar = RichProgress(
            *columns, console=Screen(stderr=True), disable=not visible, transient=True, refresh_per_second=5
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
