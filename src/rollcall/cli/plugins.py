"""`rollcall plugins`: lists everything that can be chosen by name, with its description and its origin."""

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from rollcall._core.console import Screen, say, say_json
from rollcall._core.errors import RollcallError
from rollcall.cli.options import AsJson

if TYPE_CHECKING:
    from rollcall._core.registry import Registry, RegistryEntry
    from rollcall.score.measures import MeasureKind

HOMES = (
    "rollcall.audit.checks",
    "rollcall.build.pipelines",
    "rollcall.corpus.sources",
    "rollcall.evidence.verifiers",
    "rollcall.graph.sources",
    "rollcall.mine.kinds",
    "rollcall.questions.formats",
    "rollcall.studio.tasks",
    "rollcall.systems.check",
    "rollcall.systems.read",
    "rollcall.systems.retrieve",
    "rollcall.systems.train",
    "rollcall.score.measures",
    "rollcall.score.profiles",
    "rollcall.tables.engine",
)
"""The modules that create the registries when they are imported."""


def plugins(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", help="Show this one with its options; or module:name.", show_default=False
        ),
    ] = None,
    kind: Annotated[
        str | None, typer.Option(help="Only of this kind, such as readers.", show_default=False)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List what can be chosen by name: readers, retrievers, verifiers and more, including your own.

    docs/extending.md shows how to add one of your own.
    """
    registries = _registries(kind)
    if name is not None:
        _show(name, registries, as_json)
        return
    if as_json:
        say_json(
            {
                registry.plural: [_record(registry.kind, entry) for entry in registry]
                for registry in registries
            }
        )
        return
    from rich.table import Table

    console = Screen()
    for registry in registries:
        table = Table(title=registry.plural, title_justify="left", box=None, show_header=False)
        table.add_column(no_wrap=True)
        table.add_column()
        table.add_column(overflow="fold", style="dim")
        for entry in registry:
            table.add_row(entry.name, entry.summary, entry.origin)
        console.print(table)


def _registries(kind: str | None) -> "list[Registry[object]]":
    from importlib import import_module

    from rollcall._core.registry import ALL, nearest

    for home in HOMES:
        import_module(home)
    if kind is None:
        return [ALL[plural] for plural in sorted(ALL)]
    chosen = [registry for registry in ALL.values() if kind in (registry.kind, registry.plural)]
    if not chosen:
        raise RollcallError(f"--kind {kind}: no such kind{nearest(kind, sorted(ALL))}")
    return chosen


def _record(kind: str, entry: "RegistryEntry[object]") -> dict[str, object]:
    told = {"kind": kind, "name": entry.name, "summary": entry.summary, "of": entry.origin}
    return {**told, "options": _options(entry.thing)}


def _show(name: str, registries: "list[Registry[object]]", as_json: bool) -> None:
    """Print all entries with a name, with their options."""
    entries: list[tuple[str, RegistryEntry[object]]] = []
    mistakes = []
    for registry in registries:
        try:
            entries.append((registry.kind, registry.entry(name)))
        except RollcallError as error:
            mistakes.append(str(error))
    if not entries:
        raise RollcallError(mistakes[0] if ":" in name else _unknown(name, registries))
    if as_json:
        say_json([_record(kind, entry) for kind, entry in entries])
        return
    for kind, entry in entries:
        say(f"{kind} {entry.name}, from {entry.origin}")
        say(f"  {entry.summary}")
        for line in entry.details.splitlines():
            say(f"  {line}".rstrip())
        for line in _options(entry.thing):
            say(f"    {line}")


def _unknown(name: str, registries: "list[Registry[object]]") -> str:
    """What is said of a name that nothing has: the kind that is called so, or the nearest names."""
    import difflib

    for registry in registries:
        if name in (registry.kind, registry.plural):
            return f"{name!r} is a kind, not a name; `rollcall plugins --kind {shlex.quote(name)}` lists them"
    known = sorted({entry_name for registry in registries for entry_name in registry.names})
    near = difflib.get_close_matches(name, known, 3, 0.5)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    return f"nothing is called {name!r:.80}; {hint}`rollcall plugins` lists all names"


def _options(thing: object) -> list[str]:
    import msgspec

    from rollcall._core.registry import Configurable, described_options
    from rollcall.score.measures import MeasureKind
    from rollcall.studio.tasks.task import Task
    from rollcall.systems.train.trainable import Learner

    if isinstance(thing, type) and issubclass(thing, MeasureKind):
        return _parameters(thing)
    if not (isinstance(thing, type) and issubclass(thing, Configurable | Task)):
        return []
    options: type[msgspec.Struct] = thing.Settings if issubclass(thing, Task) else thing.Options
    presets = sorted(thing.presets) if issubclass(thing, Learner) else []
    return [
        *(f"--preset {name}" for name in presets),
        *(
            (
                f"{option.name}: {option.kind}{f' = {option.default}' if option.default else ''}"
                f"  {option.meaning}"
            ).rstrip()
            for option in described_options(options)
        ),
    ]


def _parameters(kind: "type[MeasureKind]") -> list[str]:
    """The parameters that may be written after and around a measure's name."""
    takes = kind.parameters
    meanings = (
        ("@k", takes.cut, "only the first k count"),
        ("-k", takes.cap, "finding k answers is enough"),
        (">=t", "optional" if takes.threshold else "never", "the share of questions that reach t"),
        ("min(…), max(…)", "optional" if takes.worst else "never", "the worst, the best of each cluster"),
    )
    return [f"{sign} ({taken}): {meaning}" for sign, taken, meaning in meanings if taken != "never"]
