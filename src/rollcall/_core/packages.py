"""Packages whose names are imported on first use, so that importing a package loads only what is used of it.

A package says which of its modules has each name. For type checkers it imports the names as usual, and hides
from them what is made here: a module with a `__getattr__` has any name, as far as they know.
"""

import html
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from itertools import islice
from types import ModuleType
from typing import TYPE_CHECKING

from rollcall._core.errors import RollcallError

if TYPE_CHECKING:
    import pandas as pd


def names_on_first_use(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package, by the module in it that has each name."""

    def find(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return find, listed


# Packages that can be called like the verb they are named after, such as `rollcall.score(gold, run)`.
# When anything in the package `rollcall.score` is imported, Python sets the attribute `score` of
# `rollcall` to that package, so a function of this name in `rollcall` would be overwritten. Instead,
# calling the package calls the function of the same name in it.


class VerbPackage(ModuleType):
    """A package that contains a function of its own name and calls it when the package is called."""

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self._verb)

    def __call__(self, *args: object, **kwargs: object) -> object:
        return self._verb(*args, **kwargs)

    @property
    def _verb(self) -> Callable[..., object]:
        verb: Callable[..., object] = getattr(self, self.__name__.rpartition(".")[2])
        return verb


# How Rollcall's objects are displayed in a notebook: a short text, a small table, a data frame. Only the
# first rows are shown, and everything that comes from data is escaped. Only data frames need pandas,
# which is optional.

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
