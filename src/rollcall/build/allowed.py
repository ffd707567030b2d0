"""What is wrong with a value of a recipe, in words: where only some words are allowed, they are listed."""

import re
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import msgspec

_NOT_ALLOWED = re.compile(r"Invalid enum value (?P<value>.+?)(?: - at .*)?")


def mistake_in(value: Any, kind: Any) -> str | None:
    """Why a value is not of a kind, or nothing if it is."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        found = _NOT_ALLOWED.fullmatch(str(error))
        if found is None:
            return str(error)
        words = ", ".join(map(str, _words(kind)))
        return f"{found['value']} is not one of {words}{' or a number' if _takes_numbers(kind) else ''}"
    return None


def _words(kind: Any) -> Iterator[Any]:
    if get_origin(kind) is Literal:
        yield from get_args(kind)
    else:
        for part in get_args(kind):
            yield from _words(part)


def _takes_numbers(kind: Any) -> bool:
    if get_origin(kind) is Literal:
        return False
    return kind in (int, float) or any(_takes_numbers(part) for part in get_args(kind))
