"""The console for tables and coloured lines: strings are shown literally and cannot control the terminal.

Markup such as `[red]` is off, since any string may come from data; use `styled` for colours.
"""

import os
from collections.abc import Iterable
from typing import IO, Any

from rich.console import Console, ConsoleOptions
from rich.segment import Segment
from rich.text import Text

from rollcall.terminal import shown


class Screen(Console):
    """A console without markup, which removes control characters from everything it shows."""

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

    def render(self, renderable: Any, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            text, style, control = segment
            yield segment if control else Segment(shown(text), style)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def styled(*parts: str | tuple[str, str]) -> Text:
    """A line of parts; a part with a style is a pair: `styled(("warning:", "yellow"), " it is late")`."""
    return Text.assemble(*parts)
