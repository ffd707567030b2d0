"""Cells of CSV files and other tables of text: several answers in one cell, and text that is not a formula.

Answers are separated by semicolons. A list that this would not give back as it was (a name has a semicolon,
or two answers have the same name) is written as a JSON list, and both are read.
"""

import ast
from collections.abc import Sequence

import msgspec

from rollcall.english.folding import fold
from rollcall.nesting import UNREADABLE
from rollcall.questions.record import Answer

BETWEEN = "; "
_SEPARATOR = ";"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would compute; a space before it makes it text."""


def text_cell(text: str) -> str:
    """A text as a cell that a spreadsheet does not compute."""
    return f" {text}" if text.lstrip(" ").startswith(_FORMULA) else text


def cell_text(cell: str) -> str:
    """The text of a cell that `text_cell` made."""
    return cell[1:] if cell[:1] == " " and cell.lstrip(" ").startswith(_FORMULA) else cell


def answers_cell(answers: Sequence[Answer]) -> str:
    """The labels of answers as one cell; ids are needed only where two answers have one name."""
    labels = [answer.label for answer in answers]
    names = [fold(label) for label in labels]
    given: list[object] = [
        {"id": answer.id, "label": answer.label}
        if answer.id is not None and (names.count(name) > 1 or not name)
        else answer.label
        for answer, name in zip(answers, names, strict=True)
    ]
    cell = BETWEEN.join(labels)
    return cell if answers_of(cell) == given else msgspec.json.encode(given).decode()


def answers_of(cell: str) -> list[object]:
    """The answers of one cell: a list as JSON or Python writes it, or names between semicolons."""
    if cell.lstrip().startswith("["):
        for read in (msgspec.json.decode, ast.literal_eval):
            try:
                listed = read(cell.strip())
            except (*UNREADABLE, ValueError, SyntaxError, TypeError, MemoryError):
                continue
            if isinstance(listed, list):
                return listed
    return [name for part in cell.split(_SEPARATOR) if (name := part.strip())]
