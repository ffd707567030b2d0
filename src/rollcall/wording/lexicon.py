"""The lexicon: every relation's entry, from the package's YAML files and the user's own.

A relation is looked up by id, else by a label or alias that only one entry has, else worded from its label
alone. The package's words are used for another label than the entry's own only if they are words of that
label. A user's file changes the fields that it gives, of the package's entries and of those that a label
gives; every error is reported with its file and line.
"""

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NoReturn, Self

import yaml

from rollcall._core.errors import RollcallError
from rollcall._core.yaml_tree import compose
from rollcall.corpus.lists import MEMBERSHIP, parse_column
from rollcall.text.nouns import is_person
from rollcall.text.words import fold, read_list
from rollcall.wording.entry import USES, VALUE_NOUNS, Entry
from rollcall.wording.frames import ADJECTIVES
from rollcall.wording.generic import Ends, generic_entry
from rollcall.wording.labels import words_of_label
from rollcall.wording.nouns import ClassNoun, class_noun, head_of, kind_above
from rollcall.wording.phrases import PLACEHOLDER

# Reading lexicon files: YAML with one mapping per relation, checked line by line. The YAML is read as a
# tree with positions instead of values, so that every error can name its line, and a bare `on` or `no`
# remains a word.

_TEXTS = (
    "label",
    "noun",
    "plural",
    "of",
    "subjects",
    "objects",
    "forward",
    "people",
    "backward",
    "statement",
    "most",
    "least",
)
_LISTS = ("types", "cues", "aliases", "use")
_SWITCHES = ("single", "by_label")
_KEYS = (*_TEXTS, *_LISTS, *_SWITCHES)
_BRACES = re.compile(r"\{[^}]*\}?|\}")
_DOUBLED = re.compile(r"\b(\w+) \1\b", re.I)


@dataclass(frozen=True)
class Fields:
    """The fields of one relation in a file, each with its line."""

    path: Path
    line: int
    values: Mapping[str, Any]
    lines: Mapping[str, int] = field(default_factory=dict)

    def changed(self, other: "Fields") -> "Fields":
        """These fields, replaced by those that another file gives."""
        return replace(other, values={**self.values, **other.values}, lines={**self.lines, **other.lines})

    def fail(self, key: str, problem: str) -> NoReturn:
        raise RollcallError(f"{self.path}, line {self.lines.get(key, self.line)}: {problem}")


def read_entries(path: Path, known: Mapping[str, Fields] | None = None) -> dict[str, Fields]:
    """The relations of a file with their fields; `known` ids must not occur again."""
    try:
        tree = compose(path.read_text(encoding="utf-8"), str(path))
    except FileNotFoundError:
        raise RollcallError(f"{path}: no such lexicon file") from None
    except UnicodeDecodeError:
        raise RollcallError(f"{path}: is not UTF-8 text") from None
    if tree is None:
        return {}
    if not isinstance(tree, yaml.MappingNode):
        raise RollcallError(f"{path}, line 1: a lexicon file maps relation ids to entries")
    entries: dict[str, Fields] = {}
    for key, value in tree.value:
        line = key.start_mark.line + 1
        if key.value in entries or (known and key.value in known):
            raise RollcallError(f"{path}, line {line}: there is already an entry for {key.value}")
        entries[key.value] = _fields(path, line, key.value, value)
    return entries


def _fields(path: Path, line: int, id_: str, node: yaml.Node) -> Fields:
    if not isinstance(node, yaml.MappingNode):
        raise RollcallError(f"{path}, line {line}: the entry of {id_} must be a mapping of fields")
    values: dict[str, Any] = {}
    lines: dict[str, int] = {}
    fields = Fields(path, line, values, lines)
    for key, value in node.value:
        lines[key.value] = key.start_mark.line + 1
        if key.value not in _KEYS:
            near = difflib.get_close_matches(str(key.value), _KEYS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"choose one of {', '.join(_KEYS)}"
            fields.fail(key.value, f"{id_} has an unknown field {key.value!r}; {hint}")
        if key.value in values:
            fields.fail(key.value, f"{id_} has {key.value} twice")
        values[key.value] = _value(fields, key.value, value)
    return fields


def _value(fields: Fields, key: str, node: yaml.Node) -> "str | bool | tuple[str, ...]":
    if key in _LISTS:
        if isinstance(node, yaml.ScalarNode):
            return (node.value,) if node.value else ()
        if isinstance(node, yaml.SequenceNode) and all(
            isinstance(item_node, yaml.ScalarNode) for item_node in node.value
        ):
            return tuple(item.value for item in node.value)
        fields.fail(key, f"{key} must be a list of texts")
    if not isinstance(node, yaml.ScalarNode):
        fields.fail(key, f"{key} must be one text")
    if key in _SWITCHES:
        if node.value not in ("true", "false"):
            fields.fail(key, f"{key} is true or false, not {node.value!r}")
        return bool(node.value == "true")
    text: str = node.value
    return " ".join(text.split())


def entry_of(id_: str, fields: Fields) -> Entry:
    """The checked entry made from some fields."""
    values = fields.values
    label = values.get("label") or fields.fail("label", f"{id_} needs a label")
    noun = values.get("noun", label)
    forward = values.get("forward") or f"has {{object}} as {{its}} {noun}"
    _check_clause(fields, "forward", forward, "object")
    if values.get("people"):
        _check_clause(fields, "people", values["people"], "object")
    if values.get("backward"):
        _check_clause(fields, "backward", values["backward"], "subject")
    statement = values.get("statement", "")
    if statement and (statement.count("{subject}") != 1 or len(PLACEHOLDER.findall(statement)) != 2):
        fields.fail("statement", "a statement holds {subject} once and {object} once")
    unknown = [use for use in values.get("use", USES) if use not in USES]
    if unknown:
        fields.fail("use", f"{unknown[0]!r} is not a use; choose one of {', '.join(USES)}")
    return Entry(
        id=id_,
        label=label,
        noun=noun,
        forward=forward,
        backward=values.get("backward", ""),
        people=values.get("people", ""),
        plural_noun=values.get("plural", ""),
        of=values.get("of", "of"),
        subjects=values.get("subjects", "thing"),
        objects=values.get("objects", "thing"),
        sentence=statement,
        types=values.get("types", ()),
        given_cues=values.get("cues", ()),
        aliases=values.get("aliases", ()),
        use=values.get("use", USES),
        most=values.get("most", ""),
        least=values.get("least", ""),
        single=values.get("single", False),
        by_label=values.get("by_label", True),
    )


def _check_clause(fields: Fields, key: str, clause: str, end: str) -> None:
    placeholders = PLACEHOLDER.findall(re.sub(r"\[[^|\]]*\|", "", clause))
    if len(placeholders) != 1 or placeholders[0][1] != end:
        fields.fail(key, f"{key} must hold the other end exactly once, as {{{end}}}: {clause!r}")
    for brace in _BRACES.findall(clause):
        if not PLACEHOLDER.fullmatch(brace) and brace != "{its}":
            fields.fail(
                key,
                f"{brace} is not a placeholder; choose one of {{{end}}}, {{a {end}}}, {{{end}s}}, {{its}}",
            )
    if doubled := _DOUBLED.search(clause):
        fields.fail(key, f"{key} says {doubled[1]!r} twice: {clause!r}")


class Lexicon:
    """Words for relations and classes."""

    def __init__(self, entries: Mapping[str, Entry], given: Mapping[str, Fields] | None = None):
        """`given` has the fields of entries that say only how a relation's own words differ."""
        self._entries = dict(entries)
        self._given = dict(given or {})
        self._by_label: dict[str, set[str]] = {}
        for id_, entry in self._entries.items():
            for name in (entry.label, *entry.aliases) if entry.by_label else ():
                self._by_label.setdefault(fold(name), set()).add(id_)
        self._worded: dict[tuple[str, str | None, Ends | None], Entry] = {}

    @classmethod
    def load(cls, *paths: Path | str) -> Self:
        """The package's lexicon, changed by the user's files; later files override earlier ones."""
        packaged = _packaged()
        fields: dict[str, Fields] = dict(packaged)
        for path in paths:
            for id_, entry_fields in read_entries(Path(path)).items():
                fields[id_] = fields[id_].changed(entry_fields) if id_ in fields else entry_fields
        entries = {id_: entry_of(id_, entry_fields) for id_, entry_fields in fields.items()}
        return cls(entries, {id_: fields[id_] for id_ in fields.keys() - packaged.keys()})

    def __contains__(self, relation: str) -> bool:
        return relation in self._entries

    def entry(self, relation: str, label: str | None = None, ends: Ends | None = None) -> Entry:
        """The words of a relation: its own entry, that of its label, or one made of label and `ends`."""
        entry = self._entries.get(relation)
        if entry is not None and (relation not in self._given or (label is None and ends is None)):
            return entry
        key = (relation, label, ends)
        if key not in self._worded:
            fields = self._given.get(relation)
            self._worded[key] = (
                self._make(relation, label, ends)
                if fields is None
                else _with_fields(fields, generic_entry(relation, fields.values.get("label", label), ends))
            )
        return self._worded[key]

    def relations(self, use: str | None = None) -> tuple[str, ...]:
        """The ids of all entries, or of those for a use (`simple`, `composition`), in order of id."""
        ids = (id_ for id_, entry in self._entries.items() if use is None or use in entry.use)
        return tuple(sorted(ids, key=lambda id_: (len(id_), id_)))

    def class_noun(self, label: str, id_: str = "") -> ClassNoun:
        """The noun for members of a class."""
        return class_noun(label, id_)

    def type_id(self, label: str) -> str | None:
        """Wikidata's id of a class named in an entry's `types`, if it is known."""
        return _type_ids().get(label)

    def _make(self, relation: str, label: str | None, ends: Ends | None) -> Entry:
        if relation == MEMBERSHIP:
            return Entry(
                relation, relation, "list", "is [one of|among] {object}", objects="list", generic=True
            )
        column = parse_column(relation)
        name = column.header if column else (label or relation)
        lowered = name if column is None else " ".join(map(_lowered, name.split()))
        ids = self._by_label.get(fold(name)) or self._by_label.get(fold(words_of_label(name)), set())
        entry = self._entries[next(iter(ids))] if len(ids) == 1 else None
        if entry is not None and _fits(entry, ends) and not _says_more(entry, name, ends):
            vague = ends is None or ends.subjects in ("", "person or thing")
            subjects = entry.subjects if vague or ends is None else ends.subjects
            if (own := _in_own_words(entry, lowered, generic_entry(relation, lowered, ends))) is not None:
                single = own.single or bool(ends and ends.single)
                return replace(own, id=relation, heading=lowered, subjects=subjects, single=single)
        if column is not None and not (ends and ends.subjects):
            ends = Ends("thing")  # a list says what its members are
        return generic_entry(relation, lowered, ends)


def _fits(entry: Entry, ends: Ends | None) -> bool:
    """Whether an entry found by its label alone is about what the graph has at the relation's ends."""
    if ends is None:
        return True
    values = ends.objects in VALUE_NOUNS
    if ends.objects and values != entry.is_literal:
        return False
    pairs = (
        [(entry.subjects, ends.subjects)]
        if values
        else [(entry.subjects, ends.subjects), (entry.objects, ends.objects)]
    )
    return all(_may_meet(expected, actual) for expected, actual in pairs)


_ATTRIBUTES = {"plural": "plural_noun", "statement": "sentence", "cues": "given_cues"}
"""The attributes of an entry that are named otherwise than the field of a file."""


def _with_fields(fields: Fields, entry: Entry) -> Entry:
    """An entry made from a label, changed by the fields that a user gives."""
    values = dict(fields.values)
    noun = values.get("noun", entry.noun)
    if "forward" not in values and "noun" in values and entry.noun and entry.forward.endswith(entry.noun):
        values["forward"] = entry.forward.removesuffix(entry.noun) + noun
    if "noun" in values and "plural" not in values:
        values["plural"] = ""
    is_worded = "forward" in fields.values
    changes = {_ATTRIBUTES.get(name, name): value for name, value in values.items()}
    return replace(entry, **changes, generic=entry.generic and not is_worded)


_NEUTRAL = frozenset(
    [
        "is",
        "was",
        "has",
        "had",
        "its",
        "as",
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "by",
        "for",
        "from",
        "to",
        "with",
        "or",
        "and",
        "value",
        "values",
        "located",
        "made",
    ]
)
"""Words of clauses that say nothing of their own."""
_FAMILIES = (frozenset(("born", "birth", "birthplace")), frozenset(("died", "dead", "death")))
"""Words that belong together without having their beginning in common."""


def _in_own_words(entry: Entry, name: str, generic: Entry) -> Entry | None:
    """An entry found by a label, if it says no other words than the label; None if it does.

    An entry's own label is said as the entry says it. Of another label the noun stays, too.
    """
    if generic.shape == ADJECTIVES and generic.forward == "is {object}":
        return None  # `is Chinese`
    if fold(name) == fold(entry.label) or fold(words_of_label(name)) == fold(entry.label):
        return entry
    words = words_of_label(name).lower().split(" ")
    if not all(_is_of(word, words) for word in _content_words(entry.forward)):
        return None
    if entry.forward.startswith("has {object} as ") and not generic.forward.startswith("has "):
        return None
    if all(_is_of(word, words) for word in _content_words(entry.noun)):
        return entry
    if entry.is_literal and "{on object}" in entry.forward:
        return entry  # `born`: the date of birth
    if not generic.noun:
        return entry  # a verb says the same as the noun of the entry: `written by`, and `author`
    if entry.is_literal:
        return None
    return replace(entry, noun=generic.noun, plural_noun=generic.plural_noun)


def _content_words(text: str) -> list[str]:
    plain = re.sub(r"\{[^}]*\}", " ", text).replace("[", " ").replace("]", " ").replace("|", " ")
    return [word for word in plain.lower().split() if word not in _NEUTRAL]


def _is_of(word: str, words: Iterable[str]) -> bool:
    """Whether a word is a form of one of some words: `directed` of `director`."""
    length = max(3, len(word) - 3)
    return any(
        other[:length] == word[:length] or any({word, other} <= family for family in _FAMILIES)
        for other in words
    )


def _says_more(entry: Entry, name: str, ends: Ends | None) -> bool:
    """Whether an entry says who acts, and neither its alias (`made by`) nor the graph does.

    `Which companies manufactured A` would be wrong of what people made.
    """
    if ends is None or fold(name) == fold(entry.label) or not words_of_label(name).lower().endswith(" by"):
        return False
    expected = head_of(entry.objects)
    confirmed = entry.objects in (ends.objects, kind_above(ends.objects))
    return expected.is_specific and not expected.person and not confirmed


def _may_meet(expected: str, actual: str) -> bool:
    """Whether a noun of the lexicon and one of the graph may be of the same things."""
    if not actual or "thing" in (expected, actual) or "person or thing" in (expected, actual):
        return True
    return is_person(expected) == is_person(actual)


def _lowered(word: str) -> str:
    """A word of a column's heading as in running text: `City` becomes `city`, `NBA` is unchanged."""
    return word.lower() if word.partition("'")[0].istitle() else word


@cache
def _type_ids() -> dict[str, str]:
    pairs = (line.partition(" = ") for line in read_list(Path(__file__).with_name("type_ids.txt")))
    return {label: id_ for label, _, id_ in pairs}


@cache
def _packaged() -> dict[str, Fields]:
    """The fields of the package's own entries, by id."""
    fields: dict[str, Fields] = {}
    folder = resources.files("rollcall.wording") / "relations"
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".yaml"):
            with resources.as_file(file) as path:
                fields |= read_entries(path, known=fields)
    return fields
