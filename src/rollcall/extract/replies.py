"""Reads a model's reply to a block: JSON, also inside other text, with faults, or broken off.

Where the whole is not JSON, the complete objects in it are read one by one, so that a reply that was cut off
gives what it has. None means that nothing could be read, which is not the same as a reply that finds nothing.
"""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from rollcall.llm.answer_list import FENCE, TRAILING_COMMA

_INNERMOST = re.compile(r'\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\}')
_MOST_OPENINGS = 50
"""The most brackets at which the object is looked for: each is tried, and a reply may consist of them."""
_LONGEST = 200_000
"""A longer reply is no reply to a block."""
_NAMES = ("name", "entity", "label", "text")
_CLASSES = ("class", "type", "category")
_OTHERS = ("other_names", "aliases", "other names", "also_known_as")
_RELATIONS = ("relation", "predicate", "property", "relationship")
_SUBJECTS, _OBJECTS = ("subject", "head", "source"), ("object", "tail", "target", "value")


class SaidThing(NamedTuple):
    """A thing as a reply gives it."""

    name: str
    class_: str
    other_names: tuple[str, ...] = ()


class SaidFact(NamedTuple):
    """A fact as a reply gives it; `sentence` is 0 if there is no number."""

    subject: str
    relation: str
    object: str
    sentence: int = 0


class SaidBlock(NamedTuple):
    """What a reply says of a block."""

    topic: str
    things: tuple[SaidThing, ...]
    facts: tuple[SaidFact, ...]


def read_object(text: str, *keys: str) -> dict[str, Any] | None:
    """The first JSON object in a reply that has one of the keys; None if there is none."""
    for part in (*FENCE.findall(text[:_LONGEST]), text[:_LONGEST]):
        for plain in dict.fromkeys((part, TRAILING_COMMA.sub(r"\1", part))):
            for found in islice(re.finditer(r"\{", plain), _MOST_OPENINGS):
                try:
                    value, _end = json.JSONDecoder(strict=False).raw_decode(plain, found.start())
                except (ValueError, RecursionError):
                    continue
                if isinstance(value, dict) and any(key in value for key in keys):
                    return value
    return None


def read_reply(text: str) -> SaidBlock | None:
    """What a reply says of its block."""
    whole = read_object(text, "entities", "facts")
    if whole is not None:
        things = [thing for one in _listed(whole.get("entities")) if (thing := _thing(one)) is not None]
        facts = [fact for one in _listed(whole.get("facts")) if (fact := _fact(one)) is not None]
        return SaidBlock(_words(whole.get("topic")), tuple(things), tuple(facts))
    parts = list(_parts(text[:_LONGEST]))
    facts = [fact for one in parts if (fact := _fact(one)) is not None]
    things = [thing for one in parts if _fact(one) is None and (thing := _thing(one)) is not None]
    return SaidBlock("", tuple(things), tuple(facts)) if facts or things else None


def _parts(text: str) -> Iterator[dict[str, Any]]:
    """The innermost complete objects of a text."""
    for found in _INNERMOST.finditer(TRAILING_COMMA.sub(r"\1", text)):
        try:
            value = json.loads(found[0], strict=False)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def _thing(said: Any) -> SaidThing | None:
    if not isinstance(said, dict):
        return None
    name, class_ = _first(said, _NAMES), _first(said, _CLASSES)
    others: list[Any] = next((said[key] for key in _OTHERS if isinstance(said.get(key), list)), [])
    if not name or not class_:
        return None
    return SaidThing(name, class_, tuple(other for one in others if (other := _words(one))))


def _fact(said: Any) -> SaidFact | None:
    if isinstance(said, list) and len(said) == 3:
        said = dict(zip(("subject", "relation", "object"), said, strict=True))
    if not isinstance(said, dict):
        return None
    subject, relation, object_ = (_first(said, keys) for keys in (_SUBJECTS, _RELATIONS, _OBJECTS))
    if not subject or not relation or not object_:
        return None
    return SaidFact(subject, relation, object_, _number(said.get("sentence")))


def _first(said: dict[str, Any], keys: tuple[str, ...]) -> str:
    return next((words for key in keys if (words := _words(said.get(key)))), "")


def _words(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())


def _number(value: Any) -> int:
    if isinstance(value, str) and (found := re.search(r"\d{1,6}", value)):
        return int(found[0])
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
