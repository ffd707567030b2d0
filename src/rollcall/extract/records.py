"""What was read out of a corpus, before names are merged: things and statements, page by page.

A model and the rules that work without one both give these records, so that everything after them (merging,
checking, writing) is the same for both.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import yaml

from rollcall._core.errors import RollcallError, wrong_value
from rollcall._core.files import check_input, replacing
from rollcall._core.yaml_tree import compose, line_of, value_of
from rollcall.corpus import Corpus
from rollcall.corpus.lists import without_parenthesis
from rollcall.text.words import fold


class Thing(msgspec.Struct, frozen=True):
    """Something that a page names, with its class and its other names there."""

    name: str
    class_: str
    other_names: tuple[str, ...] = ()


class Statement(msgspec.Struct, frozen=True):
    """A fact as a page states it, by the names that the page uses; `object` may be a value.

    `sentence` is its number on the page; None for a row of a table, whose words are in `text`.
    """

    subject: str
    relation: str
    object: str
    sentence: int | None = None
    literal: bool = False
    text: str = ""
    subject_class: str = ""
    object_class: str = ""


class PageReading(msgspec.Struct, frozen=True):
    """What was read on one page; `topic` is the name of what it is about, if that is known."""

    page: str
    things: tuple[Thing, ...] = ()
    statements: tuple[Statement, ...] = ()
    topic: str = ""


# The schema of an extraction: the classes of things, and the relations between them, that are looked
# for. A YAML file, written by hand or proposed by a model and then corrected. Every mistake in it is
# reported with its line.

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
        self._relations |= {
            fold(relation.id): name for name, relation in self.relations.items() if relation.id
        }

    def class_of(self, name: str) -> str | None:
        """The class that a model means by a word."""
        return self._classes.get(fold(name))

    def relation_of(self, name: str) -> str | None:
        """The relation that a model means by a name, which may have underscores for spaces."""
        return self._relations.get(fold(name)) or self._relations.get(fold(name.replace("_", " ")))

    def relation_id(self, name: str) -> str:
        """The id of a relation in the graph."""
        return self.relations[name].id or name

    def lineage(self, class_: str) -> tuple[str, ...]:
        """A class and those that it is a part of."""
        lineage = [class_]
        while (parent := self.classes[lineage[-1]].parent) is not None and parent not in lineage:
            lineage.append(parent)
        return tuple(lineage)

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
        raise RollcallError(f"{path}: is not a schema; a schema has the keys classes and relations")
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
        file = msgspec.convert(value, _File)
    except msgspec.ValidationError as error:
        where = str(error).partition(" - at `$")[2]
        key = tuple(part for part in where.rstrip("`").replace("[...]", "").split(".") if part)
        raise SchemaError(wrong_value(error), key) from None
    classes = {
        _name(name): class_ if isinstance(class_, ClassOfThings) else ClassOfThings(class_ or "")
        for name, class_ in file.classes.items()
    }
    relations = {_name(name): relation for name, relation in file.relations.items()}
    if not classes or not relations:
        raise SchemaError("a schema has at least one class and one relation")
    _refuse_twins("classes", classes)
    _refuse_twins("relations", relations)
    for name, entry in classes.items():
        if name in VALUES:
            raise SchemaError(
                f"{name}: is the name of a kind of value; choose another name", ("classes", name)
            )
        if entry.parent is not None and entry.parent not in classes:
            raise SchemaError(f"{name}: its parent {entry.parent} is not a class", ("classes", name))
    for name, relation in relations.items():
        for end, class_ in (("subject", relation.subject), ("object", relation.object)):
            if class_ not in classes and not (end == "object" and class_ in VALUES):
                values = f", or {', '.join(VALUES)}" if end == "object" else ""
                raise SchemaError(
                    f"{name}: its {end} {class_} is not a class of this schema; choose one of "
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
        name: class_.meaning if class_.parent is None else msgspec.to_builtins(class_)
        for name, class_ in schema.classes.items()
    }
    relations = {name: msgspec.to_builtins(relation) for name, relation in schema.relations.items()}
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
            raise SchemaError(f"{name}: appears twice ({seen[fold(name)]})", (part, name))
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


# Where links lead: to the title of a page, also where a link names the page's id or a redirect. Pages of
# a folder of documents are known by their paths, and links between them name these.


class LinkTargets:
    """The titles that the targets of a corpus's links mean."""

    def __init__(self, corpus: Corpus, pages: Sequence[tuple[str, str]]) -> None:
        """`pages` are given by id and title."""
        self._titles = {title for _page, title in pages}
        self._by_id = dict(pages)
        redirects = corpus.tables.redirects.to_pyarrow().to_pylist()
        self._moved: dict[str, str] = {row["title"]: row["target"] for row in redirects}

    def title(self, target: str) -> str:
        """The title that a target means; itself, if there is no such page."""
        if target in self._titles:
            return target
        moved = self._moved.get(target, target)
        return moved if moved in self._titles else self._by_id.get(moved, moved)


# Cuts pages into blocks of whole sentences, each read in one request.


class SentenceBlock(NamedTuple):
    """Some consecutive sentences of a page; `first` is the number of the first one, `opening` that of the
    page's first sentence if the block does not have it.
    """

    page: str
    title: str
    first: int
    sentences: tuple[str, ...]
    opening: str = ""

    @property
    def halves(self) -> "tuple[SentenceBlock, SentenceBlock]":
        """The block as two, for a reply that was too long."""
        middle = len(self.sentences) // 2
        opening = self.opening or self.sentences[0]
        return self._replace(sentences=self.sentences[:middle]), self._replace(
            first=self.first + middle, sentences=self.sentences[middle:], opening=opening
        )

    @property
    def text(self) -> str:
        """Everything that a name may be taken from."""
        return "\n".join((without_parenthesis(self.title), self.opening, *self.sentences))


def blocks_of(corpus: Corpus, pages: Iterable[tuple[str, str]], words: int) -> Iterator[SentenceBlock]:
    """The blocks of pages, given by id and title, with at most `words` words where sentences allow it."""
    for page, title in pages:
        sentences = [" ".join(sentence.text.split()) for sentence in corpus.sentences(page)]
        start, size = 0, 0
        for number, sentence in enumerate(sentences):
            length = len(sentence.split())
            if number > start and size + length > words:
                yield _block(page, title, sentences, start, number)
                start, size = number, 0
            size += length
        if start < len(sentences):
            yield _block(page, title, sentences, start, len(sentences))


def _block(page: str, title: str, sentences: list[str], start: int, end: int) -> SentenceBlock:
    return SentenceBlock(page, title, start, tuple(sentences[start:end]), sentences[0] if start else "")
