"""How Rollcall's objects are displayed in a notebook: a short text, a small table, a data frame.

Only the first rows are shown, and everything that comes from data is escaped. Only data frames need pandas,
which is optional.
"""

import html
from collections.abc import Iterable, Sequence
from importlib import import_module
from itertools import islice
from types import ModuleType
from typing import TYPE_CHECKING

from rollcall.errors import RollcallError

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 10
_LONGEST = 200


def html_table(
    title: str, headings: Sequence[str], rows: Iterable[Sequence[object]], total: int | None = None
) -> str:
    """The first rows as HTML, and how many more there are."""
    shown = [list(row) for row in islice(rows, SHOWN)]
    head = "".join(f"<th>{html.escape(heading)}</th>" for heading in headings)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(cell)}</td>' for cell in row)}</tr>" for row in shown)
    more = f"<p>… and {total - len(shown):,} more</p>" if total is not None and total > len(shown) else ""
    return (
        f"<div><p><b>{html.escape(title)}</b></p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}</div>"
    )


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return html.escape(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")


def data_frame(rows: Sequence[dict[str, object]]) -> "pd.DataFrame":
    """Rows as a pandas data frame."""
    return pandas_library().DataFrame(list(rows))


def pandas_library() -> ModuleType:
    """The module pandas; an error if it is not installed."""
    try:
        return import_module("pandas")
    except ImportError:
        raise RollcallError(
            "to_frame() needs pandas, which is not installed: pip install 'rollcall-qa[frames]'"
        ) from None
