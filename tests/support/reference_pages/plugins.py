"""docs/reference/plugins.md: everything that is chosen by name, with its options."""

from importlib import import_module

import msgspec

from reference_pages.markdown import code, table
from rollcall._core.registry import ALL, Configurable, Registry, RegistryEntry, described_options
from rollcall.cli.plugins import HOMES
from rollcall.studio.tasks.task import Task
from rollcall.systems.train.trainable import Learner

_HEAD = """# What is chosen by name

Every registry with what comes with Rollcall; `rollcall plugins` prints this list with what is installed
besides, and `rollcall plugins NAME` one entry. Options are given as `--option NAME=VALUE`.
[extending.md](../extending.md) shows how to add one of each kind: a class in a file (`--reader
my_system:MyReader`), or an entry point in the group `rollcall.KIND`. Measures and profiles have [a page of
their own](measures.md).
"""
_ELSEWHERE = ("measures", "profiles")


def rendered() -> str:
    """The page."""
    for home in HOMES:
        import_module(home)
    parts = [_HEAD]
    for plural in sorted(set(ALL) - set(_ELSEWHERE)):
        registry = ALL[plural]
        parts.append(
            f"\n## {plural.replace('_', ' ').capitalize()}\n\nEntry points: `rollcall.{plural}`.\n\n"
        )
        packaged = _packaged(registry)
        parts.append(table(("name", "what it is"), [(code(one.name), one.summary) for one in packaged]))
        parts += [_options(one) for one in packaged]
    return "".join(parts)


def _packaged(registry: Registry[object]) -> list[RegistryEntry[object]]:
    """What comes with Rollcall, not what happens to be installed where the page is made."""
    return [one for one in registry if one.origin.startswith("rollcall.")]


def _options(entry: RegistryEntry[object]) -> str:
    thing = entry.thing
    if not (isinstance(thing, type) and issubclass(thing, Configurable | Task)):
        return ""
    record: type[msgspec.Struct] = thing.Settings if issubclass(thing, Task) else thing.Options
    rows = [(code(one.name), one.kind, code(one.default), one.meaning) for one in described_options(record)]
    presets = ", ".join(code(name) for name in sorted(thing.presets)) if issubclass(thing, Learner) else ""
    if not rows and not presets:
        return ""
    told = f"Presets: {presets}.\n\n" if presets else ""
    return f"\n### {entry.name}\n\n{told}{table(('option', 'type', 'default', 'meaning'), rows)}"
