"""Columns of a table read as pandas reads CSV, which decides how a number or an empty cell is written.

The published scorer compares what pandas made of both tables: `007` is `7`, an empty cell and `N/A` are
`nan`, and whole numbers become `1990.0` where a cell of their column is empty. Columns of whole numbers are
also written so where the other table's column has fractions.
"""

import re
from typing import Literal

Kind = Literal["int", "float", "bool", "text"]

MISSING = frozenset(
    ("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>")
) | {"N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"}
_WHOLE = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(
    r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?(?:inf|infinity)", re.IGNORECASE
)
_TRUTH = {
    "True": "True",
    "TRUE": "True",
    "true": "True",
    "False": "False",
    "FALSE": "False",
    "false": "False",
}
_MOST, _LEAST = 2**63 - 1, -(2**63)


def kind_of(cells: list[str]) -> Kind:
    """What a column holds, by all its cells."""
    known = [cell for cell in cells if cell not in MISSING]
    if not cells:
        return "text"
    if all(map(_WHOLE.fullmatch, known)) and all(_LEAST <= int(cell) <= _MOST for cell in known):
        return "int" if len(known) == len(cells) else "float"
    if all(map(_NUMBER.fullmatch, known)):
        return "float"
    return "bool" if all(cell in _TRUTH for cell in known) else "text"


def written(cells: list[str], kind: Kind) -> list[str]:
    """The cells as pandas writes them as strings."""
    return [_written(cell, kind) for cell in cells]


def _written(cell: str, kind: Kind) -> str:
    if cell in MISSING:
        return "nan"
    if kind == "int":
        return str(int(cell))
    if kind == "float":
        return str(float(cell))
    return _TRUTH[cell] if kind == "bool" else cell


def written_alike(first: list[str], second: list[str]) -> tuple[list[str], list[str]]:
    """Two columns as strings; whole numbers are written as fractions if the other column has fractions.

    >>> written_alike(["1990", "2001"], ["1990", ""])
    (['1990.0', '2001.0'], ['1990.0', 'nan'])
    """
    kinds = kind_of(first), kind_of(second)
    if set(kinds) == {"int", "float"}:
        kinds = ("float", "float")
    return written(first, kinds[0]), written(second, kinds[1])
