"""What made a result, told by the objects that made it, so that the work of two never ends up in one file.

The settings of a system or a source are its class, its public attributes of simple, unchangeable types and,
unless it is one of ours, the hash of the file its class stands in. A system that knows better overrides
`settings`.
"""

import hashlib
import inspect
import types
from pathlib import Path
from typing import TypeAlias

import msgspec

Settings: TypeAlias = dict[str, object]

_OURS = "rollcall"
_SPEED = "parallel"
"""The one attribute that changes how fast a system is and never what it says."""


def described(thing: object) -> Settings:
    """What tells an object from another that does the same kind of work."""
    kind = type(thing)
    found: Settings = {"class": f"{kind.__module__}.{kind.__qualname__}"}
    if source := _source_hash(kind):
        found["source"] = source
    for name, value in inspect.getmembers_static(thing):
        if name.startswith("_") or name == _SPEED:
            continue
        if isinstance(value, types.MemberDescriptorType):  # a slot
            value = getattr(thing, name)
        if _is_simple(value):
            found[name] = value
        elif isinstance(value, msgspec.Struct) and value.__struct_config__.frozen:
            found[name] = msgspec.to_builtins(value)
    return found


def content_of(folder: Path, manifest: str) -> str:
    """The hash of what a graph or corpus holds, as its manifest tells it."""
    return hashlib.sha256((folder / manifest).read_bytes()).hexdigest()[:16]


def _is_simple(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_simple, value))
    return value is None or isinstance(value, str | int | float | bool | Path)


def _source_hash(kind: type) -> str:
    """The hash of a class's file, or of the class alone where it was written at a prompt."""
    if kind.__module__.partition(".")[0] == _OURS:
        return ""
    try:
        file = Path(inspect.getsourcefile(kind) or "")
        source = file.read_bytes() if file.is_file() else inspect.getsource(kind).encode()
    except (OSError, TypeError):
        return ""
    return hashlib.sha256(source).hexdigest()[:16]
