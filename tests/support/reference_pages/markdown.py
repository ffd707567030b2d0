"""What the pages share: tables, and texts as Markdown shows them."""

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; nothing at all without rows."""
    lines = [f"| {' | '.join(map(_cell, row))} |\n" for row in rows]
    return "".join([f"| {' | '.join(head)} |\n", "|---" * len(head), "|\n", *lines]) if lines else ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def code(text: str) -> str:
    """A text as code."""
    return f"`{text}`" if text else ""
