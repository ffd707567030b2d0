"""Reads the fields of a posted form: each may come once or several times, and may hold anything.

Text is stripped of control characters and cut where it is longer than anybody writes, so that nothing that
is stored can break a terminal, a CSV file or a page.
"""

import re
from collections.abc import Mapping
from typing import TypeAlias

from rollcall.errors import RollcallError

Form: TypeAlias = Mapping[str, str | list[str]]

LONGEST_COMMENT = 4_000
LONGEST_TEXT = 2_000
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def one(form: Form, field: str) -> str:
    """The text of a field, empty if it is missing; the last one if it came several times."""
    given = many(form, field)
    return given[-1] if given else ""


def many(form: Form, field: str) -> list[str]:
    """All texts of a field, in order."""
    given = form.get(field, [])
    return [clean(text) for text in ([given] if isinstance(given, str) else given)]


def clean(text: str) -> str:
    """A text without control characters and characters that turn the direction of writing."""
    return _CONTROL.sub("", text).strip()


def comment_of(form: Form) -> str:
    """The comment, if there is one."""
    return short(one(form, "comment"), LONGEST_COMMENT, "the comment")


def short(text: str, most: int, what: str) -> str:
    """A text that must not be longer."""
    if len(text) > most:
        raise RollcallError(f"{what} has {len(text):,} characters; write {most:,} at most")
    return text


def rating(form: Form, field: str, most: int, what: str) -> int:
    """A number from 1 to `most`."""
    text = one(form, field)
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= most):
        raise RollcallError(f"{what}: choose a number from 1 to {most}")
    return int(text)
