"""Changes single values in YAML files, and leaves comments, the order and all other keys as they are.

- `with_values`: the text of a file with other values.
- `EditedFile`: a file on disk with values to change, which notices if something else changes the file.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from rollcall._core.errors import RollcallError
from rollcall._core.files import replacing
from rollcall._core.yaml_tree import compose

KeyPath = tuple[str, ...]
"""The keys that lead to a value, from the outermost."""


class ChangedOnDiskError(RollcallError):
    """A file was changed since it was read."""


def with_values(text: str, values: Mapping[KeyPath, Any], source: str) -> str:
    """The text of a YAML file in which some keys have other values; keys that are missing are added."""
    for path, value in values.items():
        text = _with_value(text, path, value, source)
    return text


def _with_value(text: str, path: KeyPath, value: Any, source: str) -> str:
    node = compose(text, source)
    if node is None:
        return f"{_ended(text)}{_lines(path, value, 0)}\n"
    depth, owner = 0, None
    while depth < len(path) and isinstance(node, yaml.MappingNode):
        pair = next((pair for pair in node.value if str(pair[0].value) == path[depth]), None)
        if pair is None:
            return _with_pair(text, node, path[depth:], value)
        owner, node = pair[0], pair[1]
        depth += 1
    if owner is None:
        raise RollcallError(f"{source}: must be a mapping of keys to values")
    return _with_other(text, owner, node, _nested(path[depth:], value))


def _with_other(text: str, key: yaml.Node, node: yaml.Node, value: Any) -> str:
    """The text with another value behind a key; comments inside the old value go above the key."""
    start = text.index(":", key.end_mark.index) + 1
    end = max(start, _end(node))
    end -= text[end - 1] == "\n"  # a block of text ends below its last line
    comments = _comments(text, start, [*_scalars(node)], end)
    line_start = text.rfind("\n", 0, key.start_mark.index) + 1
    indent = text[line_start : key.start_mark.index]
    above = "".join(f"{indent}{comment}\n" for comment in comments) if not indent.strip() else ""
    return f"{text[:line_start]}{above}{text[line_start:start]} {_flow(value)}{text[end:]}"


def _with_pair(text: str, node: yaml.MappingNode, path: KeyPath, value: Any) -> str:
    """The text with one more key in a mapping."""
    if node.flow_style:
        end = node.end_mark.index - 1
        inside = text[node.start_mark.index + 1 : end].rstrip()
        comma = "" if not inside or inside.endswith(",") else ", "
        added = f"{_flow(path[0])}: {_flow(_nested(path[1:], value))}"
        return f"{text[:end].rstrip()}{comma}{added}{text[end:]}"
    column = node.value[0][0].start_mark.column
    end = _end(node)
    line_end = text.find("\n", max(0, end - 1)) if end and text[end - 1] == "\n" else text.find("\n", end)
    head, tail = (text, "") if line_end < 0 else (text[: line_end + 1], text[line_end + 1 :])
    apart = "\n" if column == 0 and "\n\n" in text else ""  # sections stand apart where the others do
    return f"{_ended(head)}{apart}{_lines(path, value, column)}\n{tail}"


def _lines(path: KeyPath, value: Any, column: int) -> str:
    """A key and its value, each further key of the path on a line of its own."""
    lines = [f"{' ' * (column + 2 * depth)}{_flow(name)}:" for depth, name in enumerate(path)]
    if isinstance(value, dict) and value:
        return "\n".join(
            [*lines, *(_lines((name,), item, column + 2 * len(path)) for name, item in value.items())]
        )
    return "\n".join(lines) + f" {_flow(value)}"


def _nested(path: KeyPath, value: Any) -> Any:
    return {path[0]: _nested(path[1:], value)} if path else value


def _flow(value: Any) -> str:
    """A value on one line."""
    text = yaml.safe_dump([value], default_flow_style=True, allow_unicode=True, width=10**9)
    return text.strip()[1:-1]


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def _scalars(node: yaml.Node) -> Iterator[yaml.ScalarNode]:
    """The scalars of a tree, in the order of the text."""
    if isinstance(node, yaml.ScalarNode):
        yield node
    for part in node.value if not isinstance(node, yaml.ScalarNode) else ():
        for inner in part if isinstance(part, tuple) else (part,):
            yield from _scalars(inner)


def _end(node: yaml.Node) -> int:
    """Where a value ends; a block collection ends with its last scalar, not with the comments that follow."""
    if not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _end(last[1] if isinstance(last, tuple) else last)


def _comments(text: str, start: int, scalars: Sequence[yaml.ScalarNode], end: int) -> list[str]:
    """The comments between the scalars of a part of a text."""
    comments = []
    for scalar in (*scalars, None):
        gap = text[start : end if scalar is None else scalar.start_mark.index]
        comments += [line[line.index("#") :].strip() for line in gap.splitlines() if "#" in line]
        start = start if scalar is None else max(start, scalar.end_mark.index)
    return comments


@dataclass
class EditedFile:
    """A YAML file, the values to change in it, and what it was when it was read."""

    path: Path | None
    """None until a person chooses it."""
    text: str = ""
    """The text that was read, or with which a new file begins."""
    values: dict[KeyPath, Any] = field(default_factory=dict)
    read: str = ""
    """The fingerprint of the file when it was read; empty if there was none."""

    @classmethod
    def open(cls, path: Path, beginning: str = "") -> "EditedFile":
        """Read a file; one that does not exist begins with `beginning`."""
        text, read = _text(path)
        return cls(path, text if read else beginning, read=read)

    @property
    def current(self) -> str:
        """The text with the changed values."""
        return with_values(self.text, self.values, str(self.path or "the recipe"))

    @property
    def changed_on_disk(self) -> bool:
        """Whether something else has written the file since it was read."""
        return self.path is not None and _text(self.path)[1] != self.read

    def check(self, path: Path, *, anyway: bool) -> None:
        """Refuse to write to a file that was changed since it was read, or to another one that exists."""
        if anyway:
            return
        if path != self.path and path.exists():
            raise ChangedOnDiskError(f"{path}: already exists; choose another name, or save into it anyway")
        if path == self.path and self.changed_on_disk:
            raise ChangedOnDiskError(
                f"{path}: was changed since it was opened here; load it again, or save your changes into it"
            )

    def save(self, path: Path, values: Mapping[KeyPath, Any] | None = None) -> None:
        """Write the values into the file as it is on disk now, and go on with that."""
        text, read = _text(path)
        text = with_values(text if read else self.text, self.values if values is None else values, str(path))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path) as partial:
                partial.write_text(text, encoding="utf-8")
        except OSError as error:
            raise RollcallError(f"{path}: cannot be written ({error.strerror}); name another file") from error
        self.path, self.text, self.values, self.read = path, text, {}, _text(path)[1]


def _text(path: Path) -> tuple[str, str]:
    """The text of a file and its fingerprint; both empty if there is none."""
    try:
        content = path.read_bytes()
        return content.decode("utf-8"), hashlib.sha256(content).hexdigest()
    except FileNotFoundError:
        return "", ""
    except UnicodeDecodeError:
        raise RollcallError(f"{path}: is not UTF-8 text") from None
    except OSError as error:
        raise RollcallError(f"{path}: cannot be read ({error.strerror}); name another file") from error
