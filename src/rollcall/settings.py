"""The settings of the objects that made a result, so that results of two systems never share one file.

The settings of a system or a source are its class, its public attributes of simple, immutable types and,
unless it is built in, the hash of the file that defines its class. A system can override `settings`.
"""

import hashlib
import inspect
import types
from pathlib import Path
from typing import TypeAlias

import msgspec

Settings: TypeAlias = dict[str, object]

_OURS = "rollcall"
_SPEED = ("parallel", "together")
"""The attributes that change only how fast a system is, never its output."""


def described(thing: object) -> Settings:
    """The settings that distinguish an object from others that do the same kind of work."""
    kind = type(thing)
    found: Settings = {"class": f"{kind.__module__}.{kind.__qualname__}"}
    if source := _source_hash(kind):
        found["source"] = source
    for name, value in inspect.getmembers_static(thing):
        if name.startswith("_") or name in _SPEED:
            continue
        if isinstance(value, types.MemberDescriptorType):  # a slot
            value = getattr(thing, name)
        if _is_simple(value):
            found[name] = value
        elif isinstance(value, msgspec.Struct) and value.__struct_config__.frozen:
            found[name] = msgspec.to_builtins(value)
    return found


def content_of(folder: Path, manifest: str) -> str:
    """The hash of the content of a graph or corpus, computed from its manifest."""
    return hashlib.sha256((folder / manifest).read_bytes()).hexdigest()[:16]


def _is_simple(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_simple, value))
    return value is None or isinstance(value, str | int | float | bool | Path)


def _source_hash(kind: type) -> str:
    """The hash of the file of a class, or of the class alone if it was defined at a prompt."""
    if kind.__module__.partition(".")[0] == _OURS:
        return ""
    try:
        file = Path(inspect.getsourcefile(kind) or "")
        source = file.read_bytes() if file.is_file() else inspect.getsource(kind).encode()
    except (OSError, TypeError):
        return ""
    return hashlib.sha256(source).hexdigest()[:16]
