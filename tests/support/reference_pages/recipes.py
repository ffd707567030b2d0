"""docs/reference/recipes.md: every key of the recipes with its type, its default and its meaning."""

import inspect
from collections.abc import Iterator

import msgspec

from reference_pages.markdown import code, table
from rollcall._core.registry import Option, described_options
from rollcall.build import recipe
from rollcall.build.keys import SECTION, AuditKeys
from rollcall.build.pipelines import PIPELINES

_HEAD = """# Recipes

A recipe names a pipeline and sets its keys; what it does not set has the default here. `rollcall build
--list` lists the recipes, `rollcall build NAME --show` prints one, `--set KEY=VALUE` changes a key.
[build.md](../build.md) says what the stages do with them.
"""
_INSTALLED = {"evidence.verifier": "`learned` or `contrast`"}
"""Defaults that depend on what is installed."""
_LONGEST = 160


def rendered() -> str:
    """The page."""
    loaded = [(name, recipe.load(name)) for name in recipe.names()]
    rows = [(code(name), code(one.pipeline), one.description) for name, one in loaded]
    parts = [_HEAD, "\n", table(("recipe", "pipeline", "what it makes"), rows)]
    for entry in PIPELINES:
        using = [(name, one) for name, one in loaded if one.pipeline == entry.name]
        parts.append(f"\n## Pipeline {entry.name}\n\n{entry.summary}\n")
        for section, about, options in sections(entry.thing.Parameters):
            parts.append(f"\n### {entry.name}: {section}\n\n{about}\n\n" if section else "\n")
            parts.append(
                table(("key", "type", "default", "meaning"), [_row(section, one) for one in options])
            )
        for name, _ in using:
            text = "\n".join(recipe.describe(name))
            parts.append(f"\n### The recipe {name}\n\n```yaml\n{text}\n```\n")
    parts.append("\n## Of every pipeline: audit\n\n" + (inspect.getdoc(AuditKeys) or "") + "\n\n")
    described = [_row(SECTION, one) for one in described_options(AuditKeys)]
    parts.append(table(("key", "type", "default", "meaning"), described))
    return "".join(parts)


def sections(kind: type[msgspec.Struct]) -> Iterator[tuple[str, str, list[Option]]]:
    """The keys outside of sections, then each section with what it is about."""
    inside = {
        one.name: one.type
        for one in msgspec.structs.fields(kind)
        if inspect.isclass(one.type) and issubclass(one.type, msgspec.Struct)
    }
    yield "", "", [one for one in described_options(kind) if one.name not in inside]
    for name, record in inside.items():
        yield name, " ".join((inspect.getdoc(record) or "").split()), described_options(record)


def _row(section: str, one: Option) -> tuple[str, str, str, str]:
    name = f"{section}.{one.name}" if section else one.name
    default = _INSTALLED.get(name) or code(one.default if len(one.default) <= _LONGEST else "[…]")
    return code(name), one.kind, default, one.meaning
