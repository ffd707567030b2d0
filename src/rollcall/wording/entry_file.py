"""Reading lexicon files: YAML with one mapping per relation, checked line by line.

The YAML is read as a tree with positions instead of values, so that every error can name its line, and a bare
`on` or `no` remains a word.
"""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn

import yaml

from rollcall.errors import RollcallError
from rollcall.wording.entry import USES, Entry
from rollcall.wording.phrases import PLACEHOLDER
from rollcall.yaml_tree import compose

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
    found: dict[str, Fields] = {}
    for key, value in tree.value:
        line = key.start_mark.line + 1
        if key.value in found or (known and key.value in known):
            raise RollcallError(f"{path}, line {line}: there is already an entry for {key.value}")
        found[key.value] = _fields(path, line, key.value, value)
    return found


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
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(_KEYS)}"
            fields.fail(key.value, f"{id_} has an unknown field {key.value!r}; {hint}")
        if key.value in values:
            fields.fail(key.value, f"{id_} has {key.value} twice")
        values[key.value] = _value(fields, key.value, value)
    return fields


def _value(fields: Fields, key: str, node: yaml.Node) -> "str | bool | tuple[str, ...]":
    if key in _LISTS:
        if isinstance(node, yaml.ScalarNode):
            return (node.value,) if node.value else ()
        if isinstance(node, yaml.SequenceNode) and all(isinstance(i, yaml.ScalarNode) for i in node.value):
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
        fields.fail("use", f"{unknown[0]!r} is not a use; there are {', '.join(USES)}")
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
    found = PLACEHOLDER.findall(re.sub(r"\[[^|\]]*\|", "", clause))
    if len(found) != 1 or found[0][1] != end:
        fields.fail(key, f"{key} must hold the other end exactly once, as {{{end}}}: {clause!r}")
    for brace in _BRACES.findall(clause):
        if not PLACEHOLDER.fullmatch(brace) and brace != "{its}":
            fields.fail(
                key, f"{brace} is not a placeholder; there are {{{end}}}, {{a {end}}}, {{{end}s}}, {{its}}"
            )
    if doubled := _DOUBLED.search(clause):
        fields.fail(key, f"{key} says {doubled[1]!r} twice: {clause!r}")
