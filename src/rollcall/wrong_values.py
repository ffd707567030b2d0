"""Says in plain words what is wrong with a value that has another type than the expected one.

The library that reads records reports types by their names in Python. Its messages have a few fixed forms,
which are translated here; a message of another form is left as it is.
"""

import re

import msgspec

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
    found = _PLACE.search(message)
    place = found["place"].replace("[...]", "") if found else ""
    said = _said(message[: found.start()] if found else message, place)
    return message if said is None else said


def _said(message: str, place: str) -> str | None:
    subject, within = (f"{place} ", f" in {place}") if place else ("", "")
    if found := _TYPE.fullmatch(message):
        return f"{subject}must be {_one_of(found['kinds'])}, and is {_given(found['got'])}"
    if found := _BOUND.fullmatch(message):
        limit = f"{_BOUNDS[found['bound']]} {found['limit'].removesuffix('.0')}"
        return f"{subject}must be {_one_of(found['kinds'])} of {limit}"
    if found := _MISSING.fullmatch(message):
        return f"{found['field']} is missing{within}"
    if found := _UNKNOWN.fullmatch(message):
        return f"{found['field']} is no known key{within}"
    if found := _WORD.fullmatch(message):
        return f"{found['word']} is not allowed{within}"
    return None


def _one_of(kinds: str) -> str:
    *others, last = (_KINDS.get(kind, kind) for kind in kinds.split(" | "))
    return f"{', '.join(others)} or {last}" if others else last


def _given(kind: str) -> str:
    return "a number with decimals" if kind == "float" else _KINDS.get(kind, kind)
