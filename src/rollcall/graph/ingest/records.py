"""Reads tables and JSON lines with named columns: facts, values, entities, types, subclasses, relations.

The columns determine the content of a file, so TSV, CSV, Parquet and JSON lines with the same column names
are read in the same way. Rows with an empty required cell are left out and counted.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote

from rollcall._core.errors import RollcallError
from rollcall.graph.ingest.cells import bare_integer, count_reading
from rollcall.graph.rows import GraphShard, value_row
from rollcall.input_files.input_file import Tally, explain
from rollcall.query.values import Point, number, parse_value
from rollcall.tables.graph import Values
from rollcall.tables.table import columns
from rollcall.text.nouns import counted

# Nodes and relationships as Neo4j writes them: rows of `neo4j-admin`, and rows and JSON of APOC. A node
# is an entity, its labels are classes, its properties are values, and a relationship is a fact. What a
# relationship itself has as properties is left out: a fact of ours has none.

_ROLES = {
    "id": "id", "_id": "id", "label": "labels", "_labels": "labels", "start_id": "start", "_start": "start",
    "end_id": "end", "_end": "end", "type": "type", "_type": "type", "ignore": "ignore",
}  # fmt: skip
_COLUMN = re.compile(r"(?P<name>[^:]*):(?P<type>\w+)(?P<many>\[\])?(?:\((?P<space>[^)]*)\))?(?:\{.*\})?")
_NAMES = ("name", "title", "label", "fullname", "full_name", "displayname", "display_name", "preflabel")
_ALIASES = ("alias", "aliases", "aka", "synonym", "synonyms", "also_known_as", "alternativenames")
_DESCRIPTIONS = ("description", "summary")

Properties: TypeAlias = Mapping[str, object]


class RecordColumn(NamedTuple):
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
def column(header: str) -> RecordColumn:
    """What a column holds, by its heading."""
    if header.startswith("_") and header.lower() in _ROLES:
        return RecordColumn(_ROLES[header.lower()])
    match = _COLUMN.fullmatch(header.strip())
    if match is None:
        return RecordColumn("property", header.strip())
    kind = match["type"].lower()
    if kind in _ROLES and not header.startswith("_"):
        return RecordColumn(_ROLES[kind], match["name"], match["space"] or "")
    return RecordColumn("property", match["name"], many=bool(match["many"]))


def is_neo4j(headers: Iterable[str]) -> bool:
    """Whether columns are those of nodes or relationships of Neo4j."""
    marked = {column(header).role for header in headers if ":" in header or header.startswith("_")}
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
    roles: dict[str, str] = {}
    properties: dict[str, object] = {}
    for header, content in row.items():
        spec = column(header)
        text = "" if content is None else str(content).strip()
        if not text or spec.role == "ignore":
            continue
        if spec.role == "property":
            properties[spec.name] = [part for part in text.split(";") if part] if spec.many else text
        else:
            roles[spec.role] = f"{spec.space}/{text}" if spec.space else text
    if "start" in roles or "end" in roles:
        for needed in ("start", "end", "type"):
            if needed not in roles:
                raise RollcallError(f"a relationship without its {needed}")
        return Relationship(roles["start"], roles["type"], roles["end"], bool(properties))
    if "id" not in roles:
        raise RollcallError("neither a node with an id nor a relationship with start and end")
    labels = [label for label in re.split("[;:]", roles.get("labels", "")) if label]
    return Node(roles["id"], labels, properties)


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


class NodeNames(NamedTuple):
    """The properties of a node that are names, and the others."""

    label: str | None
    aliases: list[str]
    description: str | None
    others: dict[str, object]


def names_of(properties: Properties) -> NodeNames:
    """Which of a node's properties name it: the first of the usual ones is its label."""
    by_name = {key.lower(): key for key in properties}
    label = _first(properties, by_name, _NAMES)
    description = _first(properties, by_name, _DESCRIPTIONS)
    aliases = [
        str(text)
        for name in _ALIASES
        if name in by_name
        for text in _neo4j_many(properties[by_name[name]])
        if str(text).strip()
    ]
    used = {label, description, *(by_name.get(name) for name in _ALIASES)}
    others = {key: value for key, value in properties.items() if key not in used}
    return NodeNames(
        str(properties[label]) if label else None,
        aliases,
        str(properties[description]) if description else None,
        others,
    )


def _first(properties: Properties, by_name: Mapping[str, str], names: Iterable[str]) -> str | None:
    keys = (by_name[name] for name in names if name in by_name)
    return next((key for key in keys if isinstance(properties[key], str) and properties[key]), None)


def _neo4j_many(content: object) -> list[object]:
    return content if isinstance(content, list) else [content]


# Objects inside a row of JSON or Parquet: one with an id or a name is a link to an entity. `{"maker":
# {"id": "Q1", "name": "Nordwerk"}}` says the same as `{"maker": "Q1"}` and a row that labels Q1. What
# else an object may be is not guessed: it is left out, and the summary says where and what to do.

_IDS = ("id", "@id", "_id", "$oid")
"""Keys of an id, as tables, JSON-LD and document databases have them."""
_SHOWN = 5


class EntityLink(NamedTuple):
    """The entity that an object names."""

    id: str
    label: str | None
    others: int
    """How many further keys it has, which are not read."""


def link_of(content: Mapping[str, object]) -> EntityLink | None:
    """The entity that an object names by an id, a name or both."""
    by_key = {key.strip().lower(): _scalar(value) for key, value in content.items()}
    id_ = next((by_key[key] for key in _IDS if by_key.get(key)), "")
    label = _scalar(names_of(content).label)
    if not id_ and not label:
        return None
    return EntityLink(id_ or label, label or None, len(content) - bool(id_) - bool(label))


def _scalar(value: object) -> str:
    return str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""


def nested_remark(nested: Mapping[str, Sequence[int]]) -> str:
    """What is said of objects that are not links, and of lists, by their keys; empty if there are none."""
    shown = sorted(nested.items())[:_SHOWN]
    listed = ", ".join(
        f"{counted(count, 'value')} under {key[:40]} (the first in line {line})"
        for key, (count, line) in shown
    )
    if not listed:
        return ""
    more = ", …" if len(nested) > _SHOWN else ""
    return (
        f"left out {listed}{more}: objects without an id or a name, or lists where one text belongs; write "
        "what they hold under keys of the row itself"
    )


# Names made of identifiers: `http://example.org/Falcon_Pump` is called Falcon Pump. They are used only
# where no source gives a label, because a question that names an IRI is no English.

_CASES = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PREFIX = re.compile(r"[A-Za-z][\w.-]*:")


def local_name(id_: str) -> str:
    """The last part of an identifier, as words; empty for a blank node, which has no name."""
    if id_.startswith("_:"):
        return ""
    last = re.split(r"[/#]", id_.rstrip("/#"))[-1]
    if not _is_spaced(last) and (prefix := _PREFIX.match(last)) and prefix.end() < len(last):
        last = last[prefix.end() :].rpartition(":")[2] if last.startswith("urn:") else last[prefix.end() :]
    words = unquote(last).replace("_", " ")
    if not _is_spaced(words.strip()):
        words = _CASES.sub(" ", words)
    return " ".join(words.split())


def local_term(id_: str) -> str:
    """The last part of the identifier of a relation or a class, in lower case but for abbreviations."""
    words = local_name(id_).split()
    shouted = len(words) > 1 and all(word.isupper() for word in words)  # ACTED_IN
    return " ".join(
        word if word.isupper() and not shouted and len(word) > 1 else word.lower() for word in words
    )


def _is_spaced(text: str) -> bool:
    return any(sign.isspace() for sign in text)


_SYNONYMS = {"predicate": "relation", "property": "relation", "type": "class", "superclass": "parent"}
_SHAPES: list[tuple[str, set[str]]] = [
    ("facts", {"subject", "relation", "object"}),
    ("facts", {"subject", "relation", "value"}),
    ("types", {"entity", "class"}),
    ("subclasses", {"class", "parent"}),
    ("relations", {"relation", "label"}),
    ("entities", {"id", "label"}),
    ("entities", {"id", "aliases"}),
    ("entities", {"id", "types"}),
    ("aliases", {"entity", "text", "source"}),
    ("aliases", {"entity", "text", "count"}),
]
RELATION_COLUMNS = ("object", "value")
"""What columns of a table of entities can be besides its own: `object:Made at` is a relation to entities."""
ENTITY_COLUMNS = frozenset({"id", "label", "aliases", "types", "description", "title"})
_OWN_VALUES = set(columns(Values))
"""The columns of a table of values that this package wrote: its values are canonical texts, not free text."""
SPLIT_COLUMNS = ("aliases", "types")
"""Columns besides the relations to entities whose cells may hold several names."""
_SEVERAL, _SEVERAL_WITH_COMMAS = re.compile(r"[|;]"), re.compile(r"[|;,]")
"""What stands between several names in one cell."""
KNOWN_COLUMNS = (
    "subject, relation, object; subject, relation, value; id with label, aliases or types; entity, class; "
    "class, parent; relation, label; entity, text, source or count; id with columns that --columns calls "
    "object or value; or those of Neo4j"
)


def column_names(header: Iterable[str]) -> tuple[str, ...]:
    """The names of a file's columns in the file's order, with synonyms replaced."""
    names = [name.strip().strip("\ufeff").strip('"').lower() for name in header]
    return tuple(_SYNONYMS.get(name, name) for name in names)


def shape_of(columns: Iterable[str]) -> str | None:
    """What a file with these columns contains, or None if they do not determine it."""
    present = set(columns)
    if "id" in present and any(column.startswith(("object:", "value:")) for column in present):
        return "entities"
    return next((shape for shape, needed in _SHAPES if needed <= present), None)


UNKNOWN = re.compile(r"[-–—]+|\?+|n/a", re.IGNORECASE)
"""What tables write in place of a name that is not known."""


def several(cell: str, *, commas: bool = False) -> list[str]:
    """The names in one cell of aliases, of types or of entities: the one rule for all three."""
    parts = (_SEVERAL_WITH_COMMAS if commas else _SEVERAL).split(cell)
    return [name for part in parts if (name := part.strip())]


Record: TypeAlias = Mapping[str, object]
"""A row of a file, by column: texts, numbers, lists, or None."""


class RecordReader:
    """Adds records, given as mappings from column to content, to a shard."""

    may_have_commas = False
    """Whether numbers may have decimal commas, so that it is counted what speaks for them."""

    def __init__(
        self,
        shape: str,
        shared: Iterable[tuple[str, str]] = (),
        copies: Iterable[tuple[str, str]] = (),
        comma_columns: Iterable[str] = (),
    ) -> None:
        """`shared` gives what a row holds in columns that are missing or empty, `copies` columns that hold
        the same as others, and `comma_columns` those in which commas separate names."""
        self._shared = dict(shared)
        self._copies = tuple(copies)
        self._comma_columns = frozenset(comma_columns)
        readers: dict[str, Callable[[Record], str | None]] = {
            "facts": self._fact,
            "types": self._type,
            "subclasses": self._subclass,
            "aliases": self._alias,
            "entities": self._entity,
            "relations": self._relation,
            "neo4j": lambda record: self._of_neo4j(of_row(record)),
            "neo4j-json": lambda record: self._of_neo4j(of_record(record)),
        }
        self._read_record = readers[shape]

    def read(self, line: int, record: Record, shard: GraphShard, tally: Tally) -> None:
        self._line, self._shard, self._tally = line, shard, tally
        tally.entries += 1
        mark = shard.mark()
        if self._copies:
            record = {**record, **{further: record.get(first) for further, first in self._copies}}
        try:
            missing = self._read_record(self._with_shared(record) if self._shared else record)
        except Exception as error:  # any error in one record affects only that record
            shard.restore(mark)
            tally.add_bad(line, "malformed", explain(error))
            return
        if missing:
            tally.skip(f"rows with an empty {missing}")

    def _with_shared(self, record: Record) -> Record:
        filled = {name: content for name, content in record.items() if content or name not in self._shared}
        return {**self._shared, **filled}

    # Each returns the name of a required column that is empty, if there is one.

    def _fact(self, record: Record) -> str | None:
        subject, relation = self._entity_in(record, "subject"), self._relation_in(record)
        if not subject or not relation:
            return "relation" if subject else "subject"
        has_fact = False
        for object_ in _members(record.get("object")):
            if name := self._id_of("object", object_):
                self._shard.fact(subject, relation, name)
                has_fact = True
        if has_fact:
            return None
        is_own = record.keys() == _OWN_VALUES
        for value in _members(record.get("value")):
            if value is not None and value != "":
                self._fact_value(subject, relation, value, is_own)
                has_fact = True
        return None if has_fact else "value" if "value" in record else "object"

    def _fact_value(self, subject: str, relation: str, value: object, is_own: bool) -> None:
        if is_own:
            self._shard.value(subject, relation, value_row(parse_value(str(value))))
        elif isinstance(value, dict | list):
            self._nested_value(subject, relation, "value", value)
        elif isinstance(value, bool) or not isinstance(value, int | float | Decimal):
            self._cell(subject, relation, str(value))
        else:
            self._shard.value(subject, relation, value_row(number(value)))

    def _cell(self, subject: str, relation: str, text: str) -> None:
        self._shard.cell(subject, relation, text)
        like_year = bare_integer(text)
        if like_year is not None:
            counts = self._tally.bare_integers.setdefault(relation, [0, 0])
            counts[0] += 1
            counts[1] += like_year
        if self.may_have_commas:
            count_reading(text, self._tally.decimal_marks, relation)

    def _type(self, record: Record) -> str | None:
        return self._pair(record, "entity", "class", self._shard.type)

    def _subclass(self, record: Record) -> str | None:
        return self._pair(record, "class", "parent", self._shard.subclass)

    def _pair(self, record: Record, first: str, second: str, add: Callable[[str, str], None]) -> str | None:
        from_id, to_id = self._entity_in(record, first), self._entity_in(record, second)
        if not from_id or not to_id:
            return second if from_id else first
        add(from_id, to_id)
        return None

    def _alias(self, record: Record) -> str | None:
        entity, text = self._entity_in(record, "entity"), self._text_in(record, "text")
        if not entity or not text:
            return "text" if entity else "entity"
        count = record.get("count")
        if isinstance(count, str):
            count = int(count) if count.strip() else None
        self._shard.alias(entity, text, self._text_in(record, "source") or "alias", _count(count))
        return None

    def _entity(self, record: Record) -> str | None:
        id_ = self._entity_in(record, "id")
        if not id_:
            return "id"
        label, description = self._text_in(record, "label"), self._text_in(record, "description")
        self._shard.entity(id_, label, description, self._text_in(record, "title"))
        for alias in self._many(record, "aliases"):
            entry = alias if isinstance(alias, dict) else {"text": alias}
            if entry.get("text") is None:
                self._tally.add_nested(self._line, "aliases")
            elif text := _text("alias", entry["text"]):
                self._shard.alias(id_, text, "entities", _count(entry.get("count")))
        types = record.get("types")
        for class_ in [types] if isinstance(types, dict) else self._many(record, "types"):
            if name := self._id_of("types", class_) if isinstance(class_, dict) else _text("type", class_):
                self._shard.type(id_, name)
        for column, content in record.items():
            role, _, relation = column.partition(":")
            if relation and role in RELATION_COLUMNS:
                self._column(id_, role, relation, content)
        return None

    def _column(self, id_: str, role: str, relation: str, content: object) -> None:
        """Add what a further column of a table of entities says; its heading is the relation."""
        if content is None or content == "" or content == []:
            return
        # In a heading such as "flow (l/min)" the stroke is not part of an address.
        self._shard.relation(relation, relation if "/" in relation else local_term(relation))
        if role == "object":
            commas = f"object:{relation}" in self._comma_columns
            for object_ in several(content, commas=commas) if isinstance(content, str) else _members(content):
                if isinstance(object_, str) and UNKNOWN.fullmatch(object_):
                    self._tally.skip("dashes, question marks and n/a in place of a name")
                elif name := self._id_of(relation, object_):
                    self._shard.fact(id_, relation, name)
        else:
            for value in _members(content):
                if isinstance(value, dict | list):
                    self._nested_value(id_, relation, relation, value)
                else:
                    self._property(id_, relation, value)

    def _nested_value(self, subject: str, relation: str, key: str, value: Record | list[object]) -> None:
        """Add an object where a value is wanted: a place, or a link to an entity."""
        if isinstance(value, dict) and "latitude" in value and "longitude" in value:
            self._property(subject, relation, value)
        elif name := self._id_of(key, value):
            self._shard.fact(subject, relation, name)

    def _relation(self, record: Record) -> str | None:
        id_ = self._relation_in(record)
        if not id_:
            return "relation"
        self._shard.relation(id_, self._text_in(record, "label"), self._text_in(record, "description"))
        for alias in self._many(record, "aliases"):
            if text := _text("alias", alias):
                self._shard.relation_alias(id_, text)
        return None

    # What stands in a column: a text, or an object that names an entity or a relation.

    def _entity_in(self, record: Record, column: str) -> str:
        content = record.get(column)
        return content.strip() if isinstance(content, str) else self._id_of(column, content)

    def _relation_in(self, record: Record) -> str:
        content = record.get("relation")
        if isinstance(content, str):
            return content.strip()
        return self._id_of("relation", content, self._shard.relation)

    def _many(self, record: Record, column: str) -> list[object]:
        """The members of a list; a text is split where several names are separated."""
        content = record.get(column)
        if isinstance(content, str):
            return list[object](several(content, commas=column in self._comma_columns))
        if content is not None and not isinstance(content, list):
            raise RollcallError(f"{content!r} is no list")
        return [member for member in content or [] if member is not None and member != ""]

    def _text_in(self, record: Record, column: str) -> str:
        content = record.get(column)
        if isinstance(content, dict | list):
            if content:
                self._tally.add_nested(self._line, column)
            return ""
        return "" if content is None else str(content).strip()

    def _id_of(self, key: str, content: object, add: Callable[..., None] | None = None) -> str:
        """The id of what a text or an object names; the label of an object is added to it."""
        if isinstance(content, str):
            return content.strip()
        link = link_of(content) if isinstance(content, dict) else None
        if link is None:
            return self._text_in({key: content}, key)
        if link.label is not None:
            # A row of its own is asked first for its label.
            (add or self._shard.entity)(link.id, link.label, preference=1)
        if link.others:
            self._tally.skip("further keys of nested objects", link.others)
        return link.id

    def _of_neo4j(self, element: Node | Relationship) -> str | None:
        if isinstance(element, Relationship):
            if not element.type:
                return "type"
            self._shard.fact(element.start, element.type, element.end)
            # Neo4j's types are written large, one word or several: RUNS is not an abbreviation.
            self._shard.relation(
                element.type, local_term(element.type.lower() if element.type.isupper() else element.type)
            )
            if element.has_properties:
                self._tally.skip("properties of relationships")
            return None
        naming = names_of(element.properties)
        self._shard.entity(element.id, naming.label, naming.description)
        for alias in naming.aliases:
            self._shard.alias(element.id, alias, "neo4j")
        for label in element.labels:
            self._shard.type(element.id, label)
        for property_, content in naming.others.items():
            self._shard.relation(property_, local_term(property_))
            for value in _members(content):
                self._property(element.id, property_, value)
        return None

    def _property(self, node: str, property_: str, value: object) -> None:
        """Add a property of a node; whole numbers are read as texts are, since they may be years."""
        if isinstance(value, dict):
            if "latitude" not in value or "longitude" not in value:
                self._tally.skip("properties with neither text nor number nor place")
                return
            point = Point(float(value["latitude"]), float(value["longitude"]))
            self._shard.value(node, property_, value_row(point))
        elif isinstance(value, float | Decimal):
            self._shard.value(node, property_, value_row(number(value)))
        elif value is not None and value != "":
            self._cell(node, property_, str(value).lower() if isinstance(value, bool) else str(value))


def _text(what: str, content: object) -> str:
    if not isinstance(content, str):
        raise RollcallError(f"{content!r} is no {what}: it must be a text")
    return content.strip()


def _count(content: object) -> int | None:
    """A count as an integer that can be stored; Parquet and JSON may give a whole number as 3.0."""
    if content is None:
        return None
    if not isinstance(content, int | float | Decimal) or isinstance(content, bool) or content != int(content):
        raise RollcallError(f"{content!r} is no count: it must be a whole number")
    if abs(int(content)) >= 1 << 63:
        raise RollcallError("a count is too large")
    return int(content)


def _members(content: object) -> list[object]:
    return content if isinstance(content, list) else [content]
