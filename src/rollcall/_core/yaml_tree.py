"""YAML files as trees with positions; recipes and lexicons are both read in this form.

A file may come from an untrusted source, so only plain YAML is allowed: no tags that name types, no aliases
(a few lines of them can expand until memory is full), only scalar keys, and a limit on nesting. An error
message gives the line.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import yaml

from rollcall._core.console import shown
from rollcall._core.errors import DEEPEST, RollcallError

_OPENING = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
_CLOSING = (yaml.MappingEndEvent, yaml.SequenceEndEvent)
_PLAIN_TAGS = "tag:yaml.org,2002:"
_INTEGER = _PLAIN_TAGS + "int"
_LONGEST_INTEGER = 40
_PLAIN = frozenset(_PLAIN_TAGS + name for name in ("str", "int", "float", "bool", "null", "map", "seq"))


_ESCAPED = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]")
"""Characters that YAML forbids or takes for line ends, or that a reader cannot see."""


def quoted(text: str) -> str:
    """A text in the quotes of YAML and JSON, on one line."""
    return _ESCAPED.sub(lambda sign: f"\\u{ord(sign.group()):04x}", json.dumps(text, ensure_ascii=False))


def compose(text: str, source: str) -> yaml.Node | None:
    """The tree of a file's only document; `source` is the file name in error messages."""
    try:
        _check(text, source)
        tree: yaml.Node | None = yaml.compose(text, Loader=_loader())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f":{mark.line + 1}" if mark is not None else ""
        raise RollcallError(f"{source}{line}: not YAML: {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise RollcallError(f"{source}: not YAML: {' '.join(str(error).split())}") from None
    except UnicodeEncodeError:
        raise RollcallError(f"{shown(source)}: holds half a character, which is no text") from None
    for node in _nodes(tree):
        if isinstance(node, yaml.ScalarNode) and (problem := _problem(node)):
            raise RollcallError(f"{source}:{line_of(node)}: {problem}")
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            if not isinstance(key, yaml.ScalarNode):
                raise RollcallError(f"{source}:{line_of(key)}: a key must be a single word or text")
    return tree


def value_of(node: yaml.Node, source: str) -> Any:
    """The plain values of a tree; `source` is the file name in error messages."""
    loader = yaml.SafeLoader("")
    try:
        return loader.construct_document(node)
    except (yaml.YAMLError, ValueError, TypeError, OverflowError) as error:  # 1_000_000 digits, a key of keys
        problem = getattr(error, "problem", None) or str(error)
        raise RollcallError(f"{source}: {' '.join(problem.split())}") from None
    finally:
        loader.dispose()


def line_of(node: yaml.Node) -> int:
    """The line at which a part of a tree begins, counted from 1."""
    return int(node.start_mark.line) + 1


def _check(text: str, source: str) -> None:
    """Check the file event by event before it becomes a tree, because building the tree is recursive."""
    depth = 0
    for event in yaml.parse(text, Loader=_loader()):
        line = event.start_mark.line + 1 if event.start_mark is not None else 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise RollcallError(f"{source}:{line}: anchors and aliases (& and *) are not read; repeat it")
        tag = getattr(event, "tag", None)
        if tag is not None and tag not in _PLAIN and tag != "!":
            raise RollcallError(f"{source}:{line}: the tag {tag} is not read; write the value without it")
        depth += isinstance(event, _OPENING) - isinstance(event, _CLOSING)
        if depth > DEEPEST:
            raise RollcallError(f"{source}:{line}: nested too deeply (more than {DEEPEST} levels)")


def _problem(node: yaml.ScalarNode) -> str | None:
    if node.tag == _INTEGER and len(node.value) > _LONGEST_INTEGER:
        return f"a number of {len(node.value):,} digits is beyond all bounds"
    if any("\ud800" <= letter <= "\udfff" for letter in node.value):
        return "half a character is no text"
    return None


def _nodes(tree: yaml.Node | None) -> Iterator[yaml.Node]:
    pending = [tree] if tree is not None else []
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, yaml.MappingNode):
            pending += [part for pair in node.value for part in pair]
        elif isinstance(node, yaml.SequenceNode):
            pending += node.value


def _loader() -> type[yaml.SafeLoader]:
    loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return loader
