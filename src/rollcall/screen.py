"""The console for tables and coloured lines: strings are shown literally and cannot control the terminal.

Each call prints a line or a table, and each cell of a table is one line, or a `Group` of lines: a line break
in a string is shown as an escape sequence, as every control character is. Markup such as `[red]` is off,
since any string may come from data; use `styled` for colours.
"""

import os
from collections.abc import Iterable
from typing import IO, Any

from rich.console import Console, ConsoleOptions, Group
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from rollcall.terminal import one_line, shown


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

    def _on_one_line(self, thing: Any) -> Any:
        if isinstance(thing, str):
            return one_line(thing)
        if isinstance(thing, Text) and not thing.plain.isprintable():
            parts = [(one_line(part.text), part.style or "") for part in thing.render(self, end="")]
            return Text.assemble(
                *parts, justify=thing.justify, overflow=thing.overflow, no_wrap=thing.no_wrap
            )
        if isinstance(thing, Group):
            return Group(*map(self._on_one_line, thing.renderables))
        if isinstance(thing, Table):
            thing.title, thing.caption = map(self._on_one_line, (thing.title, thing.caption))
            for column in thing.columns:
                column.header, column.footer = map(self._on_one_line, (column.header, column.footer))
                column._cells = [*map(self._on_one_line, column._cells)]
        return thing

    def render(self, renderable: Any, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            text, style, control = segment
            yield segment if control else Segment(shown(text), style)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def styled(*parts: str | tuple[str, str]) -> Text:
    """A line of parts; a part with a style is a pair: `styled(("warning:", "yellow"), " it is late")`."""
    return Text.assemble(*parts)
