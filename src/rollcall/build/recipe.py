"""Recipes: short YAML files that name a pipeline and set its parameters.

A recipe is checked key by key against its pipeline's parameters before anything runs. A mistake is reported
with the file, the line and the most similar key. `--set key=value` changes one key, with the same checks.
"""

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, TypeAlias, get_type_hints

import msgspec
import yaml

from rollcall._core.errors import RollcallError, mistake_in, why
from rollcall._core.files import without_credentials
from rollcall._core.yaml_tree import compose, line_of, value_of
from rollcall.build.keys import SECTION, AuditKeys
from rollcall.build.pipelines import PIPELINES, Pipeline
from rollcall.build.stage import KeyMistakeError, Places

_FOLDER = "recipes"
_HEADER = ("pipeline", "description")
_KINDS = "kinds"
"""The key that names kinds of questions, whose options are then keys too."""


@dataclass(frozen=True)
class Recipe:
    """A pipeline's name with all its parameters: those of the file, and the defaults for the others."""

    name: str
    pipeline: str
    description: str
    parameters: Any
    """The parameters, as the record that the pipeline declares."""
    audit: AuditKeys = field(default_factory=AuditKeys)
    """Whether the set is audited, which is not part of the set."""

    def record(self) -> dict[str, Any]:
        """The whole recipe as plain values, for the manifest."""
        return {"name": self.name, "pipeline": self.pipeline, **msgspec.to_builtins(self.parameters)}


def names() -> list[str]:
    """The names of the recipes that come with Rollcall."""
    files = resources.files("rollcall.build").joinpath(_FOLDER).iterdir()
    return sorted(file.name.removesuffix(".yaml") for file in files if file.name.endswith(".yaml"))


def source(name_or_file: str) -> tuple[str, str]:
    """The text of a recipe, and the name of its file."""
    if name_or_file in names():
        file = resources.files("rollcall.build").joinpath(_FOLDER, f"{name_or_file}.yaml")
        return file.read_text(encoding="utf-8"), f"{name_or_file}.yaml"
    path = Path(name_or_file)
    if path.suffix not in (".yaml", ".yml"):
        near = difflib.get_close_matches(name_or_file, names(), 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise RollcallError(
            f"{name_or_file}: no such recipe{hint} (choose one of {', '.join(names())}, or give a .yaml file)"
        )
    try:
        return path.read_text(encoding="utf-8"), str(path)
    except UnicodeDecodeError as error:
        raise RollcallError(f"{path}: is not UTF-8 text ({error.reason} at byte {error.start})") from None


GivenRecipe: TypeAlias = "Recipe | Mapping[str, object] | Path | str"
"""A recipe by name, by file, or as a mapping of its keys to values."""
GivenChanges: TypeAlias = "Mapping[str, object] | Iterable[str]"
"""Dotted keys with their values, or texts `key=value`."""


def load(recipe: "Mapping[str, object] | Path | str", changes: GivenChanges = ()) -> Recipe:
    """Read and check a recipe, then apply changes of single keys."""
    text, file = (_as_text(recipe), "recipe") if isinstance(recipe, Mapping) else source(str(recipe))
    root = _compose(text, file)
    pipeline = _pipeline(root, file)
    pipeline_class = PIPELINES.find(pipeline)
    changes = _as_texts(changes)
    keys = _keys(pipeline_class, root, changes, file)
    kind = _with_audit(keys)
    header = {key.value: value.value for key, value in root.value if key.value in _HEADER}
    body = [(key, value) for key, value in root.value if key.value not in _HEADER]
    places = Places(file)
    values = _read(yaml.MappingNode(root.tag, body, root.start_mark, root.end_mark), kind, file, "", places)
    for change in changes:
        _apply(values, change, kind)
        places.by_option(change.partition("=")[0].strip())
    name = Path(file).stem
    try:
        audit = msgspec.convert(values.pop(SECTION, {}), AuditKeys)
        parameters = msgspec.convert(values, keys)
        audit.check()
        pipeline_class.check_recipe(parameters)
    except KeyMistakeError as error:
        raise RollcallError(f"{places.of(error.keys)}: {error}") from None
    except (msgspec.ValidationError, RollcallError) as error:
        raise RollcallError(f"{file}: {why(error)}") from None
    return Recipe(name, pipeline, " ".join(str(header.get("description", "")).split()), parameters, audit)


def _keys(
    pipeline: type[Pipeline], root: yaml.MappingNode, changes: Iterable[str], file: str
) -> type[msgspec.Struct]:
    """The keys of a recipe, with the sections of the kinds of questions that it names."""
    nodes = [(value, f"{file}:{line_of(value)}") for key, value in root.value if key.value == _KINDS]
    for change in changes:
        path, _, text = change.partition("=")
        if path.strip() == _KINDS and (node := compose(text, f"--set {change}")) is not None:
            nodes.append((node, f"--set {_KINDS}"))
    if not nodes:
        return pipeline.keys(())
    node, location = nodes[-1]
    kinds = value_of(node, f"{location}: {_KINDS}")
    if mistake_in(kinds, tuple[str, ...]) is not None:
        return pipeline.keys(())  # the check of the key says what is wrong
    try:
        return pipeline.keys(kinds)
    except RollcallError as error:
        raise RollcallError(f"{location}: {_KINDS}: {error}") from None


def _as_text(recipe: Mapping[str, object]) -> str:
    try:
        return yaml.safe_dump(dict(recipe), sort_keys=False, allow_unicode=True)
    except yaml.YAMLError as error:
        raise RollcallError(
            f"recipe: contains a value that a recipe cannot contain: {str(error).splitlines()[0]}"
        ) from None


def _as_texts(changes: GivenChanges) -> list[str]:
    if isinstance(changes, str):
        raise RollcallError(f"changes: write a list, such as [{changes!r}], or a mapping of keys to values")
    if not isinstance(changes, Mapping):
        return list(changes)
    flow = {
        key: yaml.safe_dump([value], default_flow_style=True, width=10**9) for key, value in changes.items()
    }
    return [f"{key}={text.strip()[1:-1]}" for key, text in flow.items()]


def _compose(text: str, file: str) -> yaml.MappingNode:
    root = compose(text, file)
    if not isinstance(root, yaml.MappingNode):
        raise RollcallError(f"{file}: a recipe is a list of `key: value` lines, beginning with `pipeline:`")
    return root


def _pipeline(root: yaml.MappingNode, file: str) -> str:
    for key, value in root.value:
        if key.value in _HEADER and not isinstance(value, yaml.ScalarNode):
            raise RollcallError(f"{file}:{line_of(value)}: {key.value} must be one text")
    for key, value in root.value:
        if key.value == "pipeline":
            try:
                return PIPELINES.entry(str(value.value)).name
            except RollcallError as error:
                raise RollcallError(f"{file}:{line_of(value)}: {error}") from None
    raise RollcallError(f"{file}: missing key `pipeline`; choose one of {', '.join(PIPELINES.names)}")


def _read(node: yaml.Node, kind: type, file: str, prefix: str, places: Places) -> dict[str, Any]:
    """A mapping checked against a record type, key by key."""
    if not isinstance(node, yaml.MappingNode):
        raise RollcallError(
            f"{file}:{line_of(node)}: {prefix.rstrip('.')} needs keys ({', '.join(_fields(kind))})"
        )
    fields = _fields(kind)
    values: dict[str, Any] = {}
    for key, value in node.value:
        name = str(key.value)
        if name not in fields:
            raise RollcallError(
                f"{file}:{line_of(key)}: unknown key {prefix}{name}{_nearest(name, fields, prefix)}"
            )
        if name in values:
            raise RollcallError(f"{file}:{line_of(key)}: {prefix}{name} is given twice")
        if _is_record(fields[name]):
            values[name] = _read(value, fields[name], file, f"{prefix}{name}.", places)
        else:
            plain = value_of(value, f"{file}:{line_of(value)}: {prefix}{name}")
            _check(plain, fields[name], f"{file}:{line_of(value)}: {prefix}{name}")
            values[name] = plain
            places.in_file(f"{prefix}{name}", line_of(value))
            if isinstance(value, yaml.MappingNode):
                for inside, _ in value.value:
                    places.in_file(f"{prefix}{name}.{inside.value}", line_of(inside))
    return values


def _apply(values: dict[str, Any], change: str, kind: type) -> None:
    """Set one key that is given on the command line."""
    path, separator, text = change.partition("=")
    change = without_credentials(change)  # as messages show it
    if not separator or not path:
        raise RollcallError(f"--set {change}: write key=value, such as answers.least=3")
    names, section = path.strip().split("."), values
    for depth, name in enumerate(names):
        fields = _fields(kind)
        prefix = "".join(f"{part}." for part in names[:depth])
        if name not in fields:
            raise RollcallError(f"--set {change}: unknown key {prefix}{name}{_nearest(name, fields, prefix)}")
        if _is_record(fields[name]):
            if depth == len(names) - 1:
                inside = ", ".join(f"{path}.{key}" for key in _fields(fields[name]))
                raise RollcallError(f"--set {change}: {path} has keys of its own: {inside}")
            section, kind = section.setdefault(name, {}), fields[name]
        elif depth < len(names) - 1:
            inside = section.setdefault(name, {})
            if not isinstance(inside, dict):
                raise RollcallError(f"--set {change}: {prefix}{name} has no keys of its own")
            # Only mappings from free names to values remain here, such as the quotas.
            section[name] = {**inside, ".".join(names[depth + 1 :]): _parse(text, change)}
            _check(section[name], fields[name], f"--set {change}: {prefix}{name}")
            return
        else:
            section[name] = _parse(text, change)
            _check(section[name], fields[name], f"--set {change}: {path}")


def _parse(text: str, change: str) -> Any:
    node = compose(text, f"--set {change}")
    return None if node is None else value_of(node, f"--set {change}")


def _check(value: Any, kind: Any, location: str) -> None:
    if (wrong := mistake_in(value, kind)) is not None:
        raise RollcallError(f"{location}: {wrong}")


def _with_audit(kind: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """The keys of a recipe: those of its pipeline, and those of the audit, which every pipeline has."""
    return msgspec.defstruct(
        "Keys", [(SECTION, AuditKeys, AuditKeys())], bases=(kind,), kw_only=True, frozen=True
    )


def _fields(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _nearest(name: str, fields: Iterable[str], prefix: str = "") -> str:
    choices = list(fields)
    near = difflib.get_close_matches(name, choices, 1, cutoff=0.5)
    if near:
        return f"; did you mean {prefix}{near[0]}?"
    return f"; choose one of {', '.join(prefix + choice for choice in choices)}"


def describe(name: str) -> Iterator[str]:
    """The lines of a packaged recipe or of a file, unchanged."""
    yield from source(name)[0].splitlines()
