"""Explains what is wrong with a value of an option or a recipe; lists the words if only some are allowed."""

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import msgspec

from rollcall.wrong_values import wrong_value


def mistake_in(value: object, kind: Any, *, strict: bool = True) -> str | None:
    """Why a value does not have a type, or None if it does; if not strict, a text may stand for a number."""
    try:
        msgspec.convert(value, kind, strict=strict)
    except msgspec.ValidationError as error:
        words = list(_words(kind))
        given = value if isinstance(value, list | tuple) else [value]
        kinds = {type(word) for word in words}
        wrong = [one for one in given if type(one) in kinds and one not in words]
        if not wrong:
            return wrong_value(error)
        number = " or a number" if _takes_numbers(kind) else ""
        return f"{wrong[0]!r} is not one of {', '.join(map(str, words))}{number}"
    return None


def _words(kind: Any) -> Iterator[object]:
    """The words that a type allows."""
    if get_origin(kind) is Literal:
        yield from get_args(kind)
    else:
        for part in get_args(kind):
            yield from _words(part)


def _takes_numbers(kind: Any) -> bool:
    if get_origin(kind) is Literal:
        return False
    return kind in (int, float) or any(_takes_numbers(part) for part in get_args(kind))
