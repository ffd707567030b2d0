"""Nodes and relationships as Neo4j writes them: rows of `neo4j-admin`, and rows and JSON of APOC.

A node is an entity, its labels are classes, its properties are values, and a relationship is a fact. What a
relationship itself has as properties is left out: a fact of ours has none.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from rollcall.errors import RollcallError

_ROLES = {
    "id": "id", "_id": "id", "label": "labels", "_labels": "labels", "start_id": "start", "_start": "start",
    "end_id": "end", "_end": "end", "type": "type", "_type": "type", "ignore": "ignore",
}  # fmt: skip
_COLUMN = re.compile(r"(?P<name>[^:]*):(?P<type>\w+)(?P<many>\[\])?(?:\((?P<space>[^)]*)\))?(?:\{.*\})?")
_NAMES = ("name", "title", "label", "fullname", "full_name", "displayname", "display_name", "preflabel")
_ALIASES = ("alias", "aliases", "aka", "synonym", "synonyms", "also_known_as", "alternativenames")
_DESCRIPTIONS = ("description", "summary")

Properties: TypeAlias = Mapping[str, object]


class Column(NamedTuple):
    """What a column of a file holds: a role such as `id`, or else a property."""

    role: str
    name: str = ""
    space: str = ""
    """The space in which an id is unique, as `neo4j-admin` has them."""
    many: bool = False


class Node(NamedTuple):
    id: str
    labels: list[str]
    properties: dict[str, object]


class Relationship(NamedTuple):
    start: str
    type: str
    end: str
    has_properties: bool


@lru_cache(maxsize=1000)
def column(header: str) -> Column:
    """What a column holds, by its heading."""
    if header.startswith("_") and header.lower() in _ROLES:
        return Column(_ROLES[header.lower()])
    found = _COLUMN.fullmatch(header.strip())
    if found is None:
        return Column("property", header.strip())
    kind = found["type"].lower()
    if kind in _ROLES and not header.startswith("_"):
        return Column(_ROLES[kind], found["name"], found["space"] or "")
    return Column("property", found["name"], many=bool(found["many"]))


def is_neo4j(headers: Iterable[str]) -> bool:
    """Whether columns are those of nodes or relationships of Neo4j."""
    marked = {column(one).role for one in headers if ":" in one or one.startswith("_")}
    return "id" in marked or {"start", "end"} <= marked


def is_neo4j_record(record: object) -> bool:
    """Whether a JSON object is a node or a relationship as APOC writes them."""
    if not isinstance(record, dict):
        return False
    if record.get("type") == "node":
        return "id" in record and isinstance(record.get("labels", []), list)
    return record.get("type") == "relationship" and "start" in record and "end" in record


def of_row(row: Properties) -> Node | Relationship:
    """The node or the relationship of a row, by its columns."""
    given: dict[str, str] = {}
    properties: dict[str, object] = {}
    for header, content in row.items():
        held = column(header)
        text = "" if content is None else str(content).strip()
        if not text or held.role == "ignore":
            continue
        if held.role == "property":
            properties[held.name] = [part for part in text.split(";") if part] if held.many else text
        else:
            given[held.role] = f"{held.space}/{text}" if held.space else text
    if "start" in given or "end" in given:
        for needed in ("start", "end", "type"):
            if needed not in given:
                raise RollcallError(f"a relationship without its {needed}")
        return Relationship(given["start"], given["type"], given["end"], bool(properties))
    if "id" not in given:
        raise RollcallError("neither a node with an id nor a relationship with start and end")
    labels = [label for label in re.split("[;:]", given.get("labels", "")) if label]
    return Node(given["id"], labels, properties)


def of_record(record: Mapping[str, object]) -> Node | Relationship:
    """The node or the relationship of a JSON object."""
    properties = record.get("properties") or {}
    if not isinstance(properties, dict):
        raise RollcallError("properties that are no object")
    if record.get("type") == "relationship":
        return Relationship(
            _end(record.get("start")),
            str(record.get("label") or ""),
            _end(record.get("end")),
            bool(properties),
        )
    labels = record.get("labels") or []
    if not isinstance(labels, list) or record.get("id") is None:
        raise RollcallError("a node without an id, or with labels that are no list")
    return Node(str(record["id"]), [str(label) for label in labels], properties)


def _end(end: object) -> str:
    id_ = end.get("id") if isinstance(end, dict) else end
    if id_ is None:
        raise RollcallError("a relationship without its start or end")
    return str(id_)


class Named(NamedTuple):
    """The properties of a node that are names, and the others."""

    label: str | None
    aliases: list[str]
    description: str | None
    others: dict[str, object]


def names_of(properties: Properties) -> Named:
    """Which of a node's properties name it: the first of the usual ones is its label."""
    by_name = {key.lower(): key for key in properties}
    label = _first(properties, by_name, _NAMES)
    description = _first(properties, by_name, _DESCRIPTIONS)
    aliases = [
        str(text)
        for name in _ALIASES
        if name in by_name
        for text in _many(properties[by_name[name]])
        if str(text).strip()
    ]
    used = {label, description, *(by_name.get(name) for name in _ALIASES)}
    others = {key: value for key, value in properties.items() if key not in used}
    return Named(
        str(properties[label]) if label else None,
        aliases,
        str(properties[description]) if description else None,
        others,
    )


def _first(properties: Properties, by_name: Mapping[str, str], names: Iterable[str]) -> str | None:
    found = (by_name[name] for name in names if name in by_name)
    return next((key for key in found if isinstance(properties[key], str) and properties[key]), None)


def _many(content: object) -> list[object]:
    return content if isinstance(content, list) else [content]
