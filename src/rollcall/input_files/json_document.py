"""The keys of a file that is one JSON object, as many programs export their lists: `{"loans": [{…}, …]}`.

Only the beginning of a file is looked at, which may end anywhere.
"""

import json
from typing import NamedTuple

_SPACE = " \t\r\n"


class Member(NamedTuple):
    """A key of the object, where its content begins in the file, and whether that is a list of objects."""

    key: str
    start: int
    is_list: bool


class JsonDocument(NamedTuple):
    """A file that is one JSON object."""

    members: tuple[Member, ...]
    """Those in the beginning of the file."""
    one_line: bool
    """Whether it may be a line of many, as it is all in one."""

    @property
    def keys(self) -> list[str]:
        return [member.key for member in self.members]

    @property
    def lists(self) -> list[Member]:
        return [member for member in self.members if member.is_list]


def json_document(content: bytes) -> JsonDocument | None:
    """The object that the beginning of a file shows; None if it shows something else, or several objects."""
    text = content.decode("utf-8", "surrogateescape")
    place = _after_space(text, 0)
    if text[place : place + 1] != "{":
        return None
    decode = json.JSONDecoder().raw_decode
    members = list[Member]()
    place = _after_space(text, place + 1)
    try:
        while text[place] != "}":
            key, place = decode(text, place)
            colon = _after_space(text, place)
            if not isinstance(key, str) or text[colon] != ":":
                return None
            start = _after_space(text, colon + 1)
            offset = len(text[:start].encode("utf-8", "surrogateescape"))
            try:
                value, place = decode(text, start)
            except (ValueError, RecursionError):  # the rest is not in the beginning, or is no JSON
                first = _after_space(text, start + 1)
                members.append(Member(key, offset, text[start] == "[" and text[first : first + 1] == "{"))
                break
            whole = isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)
            members.append(Member(key, offset, whole))
            place = _after_space(text, place)
            if text[place] == ",":
                place = _after_space(text, place + 1)
        else:
            if text[place + 1 :].strip(_SPACE):
                return None
    except (ValueError, IndexError, RecursionError):  # it is cut between two members, or is no JSON
        pass
    return JsonDocument(tuple(members), "\n" not in text.strip(_SPACE)) if members else None


def _after_space(text: str, place: int) -> int:
    while text[place : place + 1] and text[place] in _SPACE:
        place += 1
    return place
