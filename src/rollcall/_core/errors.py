"""The exception for every user error: what is wrong, where, and what to do, in one line.

The command line prints it and exits with code 2; any other exception is a bug in Rollcall. Input that looks
wrong but may be intended gives a warning, which the command line also prints in one line.
"""

import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Literal, NamedTuple, get_args, get_origin

import msgspec


class RollcallError(Exception):
    """A mistake in the input or the call; its text is one clear line for the user."""


class RollcallWarning(UserWarning):
    """Something in the input that may not be what the user expects; its text is one line."""


# Says in plain words what is wrong with a value that has another type than the expected one. The library
# that reads records reports types by their names in Python. Its messages have a few fixed forms, which
# are translated here; a message of another form is left as it is.

_KINDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}
_BOUNDS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}
_PLACE = re.compile(r" - at `\$\.?(?P<place>[^`]*)`$")
_TYPE = re.compile(r"Expected `(?P<kinds>[^`]+)`, got `(?P<got>[^`]+)`")
_BOUND = re.compile(r"Expected `(?P<kinds>int|float)` (?P<bound>[<>]=?) (?P<limit>\S+)")
_MISSING = re.compile(r"Object missing required field `(?P<field>[^`]+)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<field>[^`]+)`")
_WORD = re.compile(r"Invalid enum value (?P<word>.+)")


def wrong_value(error: msgspec.ValidationError) -> str:
    """What is wrong with a value, and where in its record it is."""
    message = str(error)
    match = _PLACE.search(message)
    field = match["place"].replace("[...]", "") if match else ""
    explanation = _explained(message[: match.start()] if match else message, field)
    return message if explanation is None else explanation


def _explained(message: str, field: str) -> str | None:
    subject, within = (f"{field} ", f" in {field}") if field else ("", "")
    if match := _TYPE.fullmatch(message):
        return f"{subject}must be {_one_of(match['kinds'])}, and is {_kind_in_words(match['got'])}"
    if match := _BOUND.fullmatch(message):
        limit = f"{_BOUNDS[match['bound']]} {match['limit'].removesuffix('.0')}"
        return f"{subject}must be {_one_of(match['kinds'])} of {limit}"
    if match := _MISSING.fullmatch(message):
        return f"{match['field']} is missing{within}"
    if match := _UNKNOWN.fullmatch(message):
        return f"{match['field']} is not a known key{within}"
    if match := _WORD.fullmatch(message):
        return f"{match['word']} is not allowed{within}"
    return None


def _one_of(kinds: str) -> str:
    *all_but_last, last = (_KINDS.get(kind, kind) for kind in kinds.split(" | "))
    return f"{', '.join(all_but_last)} or {last}" if all_but_last else last


def _kind_in_words(kind: str) -> str:
    return "a number with decimals" if kind == "float" else _KINDS.get(kind, kind)


# Explains what is wrong with a value of an option or a recipe; lists the words if only some are allowed.


def mistake_in(value: object, kind: Any, *, strict: bool = True) -> str | None:
    """Why a value does not have a type, or None if it does; if not strict, a text may stand for a number."""
    try:
        msgspec.convert(value, kind, strict=strict)
    except msgspec.ValidationError as error:
        words = list(_words(kind))
        values = value if isinstance(value, list | tuple) else [value]
        kinds = {type(word) for word in words}
        wrong = [item for item in values if type(item) in kinds and item not in words]
        if not wrong:
            return wrong_value(error)
        number = " or a number" if _takes_numbers(kind) else ""
        return f"{wrong[0]!r:.80} is not one of {', '.join(map(str, words))}{number}"
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


# The limit on the nesting of input, and one way to report input that is too deep or cannot be decoded.
# Markup, cells and YAML are read by recursive functions. They stop at one limit, which real text does
# not come near. The JSON library has its own limit; its three kinds of failure are treated as one here.

DEEPEST = 40
"""The depth to which MediaWiki expands templates."""

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The exceptions that decoding JSON can raise for any invalid bytes."""
_ENDS = {"Input data was truncated": "it breaks off before its end"}


def why(error: Exception) -> str:
    """The reason why something cannot be decoded, in words."""
    if isinstance(error, msgspec.ValidationError):
        return wrong_value(error)
    return "nested too deeply" if isinstance(error, RecursionError) else _ENDS.get(str(error), str(error))


# A filter that excluded something: its description, and the option that sets it. A build without results
# names the recipe key behind each filter. The option identifies that key, so that it need not be
# searched for in the description.


class Filter(NamedTuple):
    """Why things were left out, and the name of the option to change, if there is one."""

    why: str
    option: str = ""


# Types that several threads decode. msgspec completes what it knows of a Struct when the type is first
# decoded. Two threads that do this at once end the whole process by a segmentation fault (seen with
# msgspec 0.22, in a server whose first requests came together), so types are completed before threads
# begin.

_turn = threading.Lock()
_completed: set[type[msgspec.Struct]] = set()


def complete_types() -> None:
    """Complete every Struct that is loaded; whoever starts threads calls this first, and a thread that
    imports further modules calls it after that.
    """
    with _turn:
        waiting = [msgspec.Struct]
        while waiting:
            for kind in waiting.pop().__subclasses__():
                waiting.append(kind)
                if kind not in _completed:
                    with suppress(TypeError, NameError):  # of a type that is never decoded
                        msgspec.json.Decoder(kind)
                    _completed.add(kind)
