"""The schema of an extraction: the classes of things, and the relations between them, that are looked for.

A YAML file, written by hand or proposed by a model and then corrected. Every mistake in it is reported with
its line.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import yaml

from rollcall.english.folding import fold
from rollcall.errors import RollcallError
from rollcall.files import check_input, replacing
from rollcall.wrong_values import wrong_value
from rollcall.yaml_tree import compose, line_of, value_of

VALUES = ("date", "number", "text")
"""What a relation may lead to instead of a class."""
HEADER = """\
# What `rollcall extract --schema` reads out of a text: classes of things, and relations between them.
# Change names and meanings, remove what is of no use, add what is missing. The object of a relation is a
# class, or date, number or text. `parent` makes a class a kind of another one; `id` is the relation's id in
# the graph, such as Wikidata's (its name otherwise); `example` is a sentence that states the relation.
"""


class ClassOfThings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A class: what belongs to it, and the class that it is a part of."""

    meaning: str = ""
    parent: str | None = None


class RelationOfThings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A relation: the classes of its ends, what it means, and perhaps a sentence that states it."""

    subject: str
    object: str
    meaning: str = ""
    example: str = ""
    id: str | None = None

    @property
    def is_literal(self) -> bool:
        """Whether it leads to values rather than to things."""
        return self.object in VALUES


class Schema:
    """Classes and relations by name; names are found regardless of case."""

    def __init__(
        self, classes: Mapping[str, ClassOfThings], relations: Mapping[str, RelationOfThings]
    ) -> None:
        self.classes, self.relations = dict(classes), dict(relations)
        self._classes = {fold(name): name for name in self.classes}
        self._relations = {fold(name): name for name in self.relations}
        self._relations |= {fold(one.id): name for name, one in self.relations.items() if one.id}

    def class_of(self, said: str) -> str | None:
        """The class that a model means by a word."""
        return self._classes.get(fold(said))

    def relation_of(self, said: str) -> str | None:
        """The relation that a model means by a name, which may have underscores for spaces."""
        return self._relations.get(fold(said)) or self._relations.get(fold(said.replace("_", " ")))

    def relation_id(self, name: str) -> str:
        """The id of a relation in the graph."""
        return self.relations[name].id or name

    def lineage(self, class_: str) -> tuple[str, ...]:
        """A class and those that it is a part of."""
        found = [class_]
        while (parent := self.classes[found[-1]].parent) is not None and parent not in found:
            found.append(parent)
        return tuple(found)

    def fits(self, class_: str, expected: str) -> bool:
        """Whether a thing of a class may stand where another class is expected."""
        return expected in self.lineage(class_) or class_ in self.lineage(expected)


class _File(msgspec.Struct, forbid_unknown_fields=True):
    classes: dict[str, ClassOfThings | str | None]
    relations: dict[str, RelationOfThings]


def read_schema(path: Path) -> Schema:
    """The schema of a file."""
    check_input(path)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise RollcallError(f"{path}: is not UTF-8 text") from None
    tree = compose(text, str(path))
    if not isinstance(tree, yaml.MappingNode):
        raise RollcallError(f"{path}: is no schema; it has the keys classes and relations")
    try:
        return made_schema(value_of(tree, str(path)))
    except SchemaError as error:
        raise RollcallError(f"{path}:{_line(tree, error.key)}: {error}") from None


class SchemaError(RollcallError):
    """What is wrong with a schema, and the key that it is wrong at."""

    def __init__(self, message: str, key: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.key = key


def made_schema(value: Any) -> Schema:
    """The schema of plain values, checked."""
    try:
        found = msgspec.convert(value, _File)
    except msgspec.ValidationError as error:
        where = str(error).partition(" - at `$")[2]
        key = tuple(part for part in where.rstrip("`").replace("[...]", "").split(".") if part)
        raise SchemaError(wrong_value(error), key) from None
    classes = {
        _name(name): one if isinstance(one, ClassOfThings) else ClassOfThings(one or "")
        for name, one in found.classes.items()
    }
    relations = {_name(name): one for name, one in found.relations.items()}
    if not classes or not relations:
        raise SchemaError("a schema has at least one class and one relation")
    _refuse_twins("classes", classes)
    _refuse_twins("relations", relations)
    for name, one in classes.items():
        if name in VALUES:
            raise SchemaError(f"{name}: is what values are called; choose another name", ("classes", name))
        if one.parent is not None and one.parent not in classes:
            raise SchemaError(f"{name}: its parent {one.parent} is no class", ("classes", name))
    for name, relation in relations.items():
        for end, class_ in (("subject", relation.subject), ("object", relation.object)):
            if class_ not in classes and not (end == "object" and class_ in VALUES):
                values = f", or {', '.join(VALUES)}" if end == "object" else ""
                raise SchemaError(
                    f"{name}: its {end} {class_} is no class of this schema; there are "
                    f"{', '.join(classes)}{values}",
                    ("relations", name),
                )
    return Schema(classes, relations)


def write_schema(schema: Schema, path: Path) -> None:
    """Write a schema for a person to correct."""
    with replacing(path) as partial:
        partial.write_text(HEADER + schema_text(schema), encoding="utf-8")


def schema_text(schema: Schema) -> str:
    """A schema as YAML."""
    classes = {
        name: one.meaning if one.parent is None else msgspec.to_builtins(one)
        for name, one in schema.classes.items()
    }
    relations = {name: msgspec.to_builtins(one) for name, one in schema.relations.items()}
    text: str = yaml.safe_dump(
        {"classes": classes, "relations": relations}, allow_unicode=True, sort_keys=False, width=100
    )
    return text


def _name(name: str) -> str:
    return " ".join(name.split())


def _refuse_twins(part: str, named: Mapping[str, object]) -> None:
    seen: dict[str, str] = {}
    for name in named:
        if not name:
            raise SchemaError("a name is empty", (part,))
        if fold(name) in seen:
            raise SchemaError(f"{name}: is there twice ({seen[fold(name)]})", (part, name))
        seen[fold(name)] = name


def _line(tree: yaml.MappingNode, key: tuple[str, ...]) -> int:
    """The line of a key, or of the nearest one above it."""
    node: yaml.Node = tree
    line = line_of(tree)
    for part in key:
        if not isinstance(node, yaml.MappingNode):
            break
        for name, below in node.value:
            if name.value == part:
                node, line = below, line_of(name)
                break
        else:
            break
    return line
