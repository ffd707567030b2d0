"""What is named is registered once: measures, profiles, formats, retrievers, readers, verifiers and more.

A kind of thing is a `Registry`. Our own things stand in the modules of a package and register themselves by a
decorator, so that adding one touches one file. Others come from installed distributions, through entry points
in the group `rollcall.KIND`, or straight from a module, as `module:name`. An unknown name is an error that
says which names are near.
"""

import difflib
import pkgutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Generic, TypeVar, cast

from rollcall.errors import RollcallError

T = TypeVar("T")
Registered = TypeVar("Registered")

ALL: "dict[str, Registry[object]]" = {}
"""Every registry whose module was imported, by the plural of its kind."""


@dataclass(frozen=True)
class Entry(Generic[T]):
    """A thing under its name: what it is in one line, and the module or distribution it comes from."""

    name: str
    thing: T
    summary: str
    origin: str


class Registry(Generic[T]):
    """All things of one kind by name.

    `kind` and `plural` are used in messages, and `plural` names the group of entry points; `package` is the
    package whose modules register our own; `lacks` says what a thing from elsewhere lacks to be of this kind.
    """

    def __init__(
        self,
        kind: str,
        plural: str,
        package: str,
        lacks: Callable[[object], str | None] = lambda thing: None,
    ):
        self.kind = kind
        self.plural = plural
        self._package = package
        self._lacks = lacks
        self._entries: dict[str, Entry[T]] = {}
        self._installed: dict[str, EntryPoint] = {}
        self._loaded = False
        ALL[plural] = cast("Registry[object]", self)  # to be listed, whatever it holds

    def register(self, name: str, summary: str | None = None) -> Callable[[Registered], Registered]:
        """A decorator that gives a thing its name; what it is, is the first line of its documentation."""

        def add(thing: Registered) -> Registered:
            self._add(name, cast(T, thing), getattr(thing, "__module__", ""), summary)
            return thing

        return add

    def find(self, name: str) -> T:
        """The thing of a name, or of a `module:name`."""
        return self.entry(name).thing

    def entry(self, name: str) -> Entry[T]:
        """The thing of a name with what is known about it."""
        if ":" in name:
            return self._imported(name)
        self._load()
        if name not in self._entries and name in self._installed:
            self._load_installed(name)
        if name not in self._entries:
            near = difflib.get_close_matches(name, self.names, 3, 0.5)
            hint = f"did you mean {' or '.join(near)}? " if near else ""
            raise RollcallError(
                f"{name!r:.80} is no {self.kind}; {hint}there are {', '.join(self.names)}, "
                "or give one of your own as module:name"
            )
        return self._entries[name]

    def __iter__(self) -> Iterator[Entry[T]]:
        """All that are there and can be loaded, our own first."""
        for name in self.names:
            with suppress(RollcallError):
                yield self.entry(name)

    @property
    def names(self) -> list[str]:
        """The names of all that are there, our own first, in an order that no import decides."""
        self._load()
        own = sorted(name for name in self._entries if name not in self._installed)
        return [*own, *self._installed]

    def _load(self) -> None:
        if self._loaded:
            return
        self._loaded = True
        package = import_module(self._package)
        for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
            import_module(f"{self._package}.{module.name}")
        points = sorted(entry_points(group=f"rollcall.{self.plural}"), key=lambda point: point.name)
        self._installed = {point.name: point for point in points}

    def _load_installed(self, name: str) -> None:
        """Load a thing of another distribution; one that is broken stops only those who ask for it."""
        point = self._installed[name]
        try:
            thing = point.load()
        except Exception as error:
            raise RollcallError(
                f"the {self.kind} {name!r} of {point.value} cannot be loaded "
                f"({type(error).__name__}: {error}); mend or uninstall its distribution"
            ) from error
        origin = point.dist.name if point.dist is not None else point.value
        self._add(name, self._fitting(thing, point.value), origin, None)

    def _imported(self, given: str) -> Entry[T]:
        module_name, _, name = given.partition(":")
        if not all(part.isidentifier() for part in (*module_name.split("."), *name.split("."))):
            raise RollcallError(
                f"{given!r:.80} is no {self.kind}; write module:name, such as my_module:MyClass"
            )
        if str(Path.cwd()) not in sys.path:
            sys.path.append(str(Path.cwd()))  # a script beside the data, as users of a command have it
        try:
            thing = import_module(module_name)
        except ModuleNotFoundError as error:
            if error.name != module_name.partition(".")[0] and error.name != module_name:
                raise RollcallError(
                    f"{given}: {module_name} needs {error.name}, which is not there"
                ) from None
            raise RollcallError(f"{given}: no module {module_name} here or on PYTHONPATH") from None
        except Exception as error:
            about = " ".join(str(error).split())
            raise RollcallError(
                f"{given}: {module_name} cannot be imported ({type(error).__name__}: {about})"
            ) from error
        found: object = thing
        for part in name.split("."):
            if not hasattr(found, part):
                near = difflib.get_close_matches(part, dir(found), 1)
                hint = f"; did you mean {near[0]}?" if near else ""
                raise RollcallError(f"{given}: {module_name} has no {name}{hint}")
            found = getattr(found, part)
        return Entry(given, self._fitting(found, given), _first_line(found), module_name)

    def _fitting(self, thing: object, where: str) -> T:
        if lacking := self._lacks(thing):
            raise RollcallError(f"{where}: is no {self.kind}: {lacking}; docs/extending.md shows one")
        return cast(T, thing)

    def _add(self, name: str, thing: T, origin: str, summary: str | None) -> None:
        known = self._entries.get(name)
        if known is not None and known.thing is not thing:
            raise RollcallError(
                f"two {self.plural} are called {name!r}, of {known.origin} and of {origin}; rename one"
            )
        self._entries[name] = Entry(name, thing, summary or _first_line(thing), origin)


def _first_line(thing: object) -> str:
    lines = (getattr(thing, "__doc__", None) or "").strip().splitlines()
    return lines[0] if lines else ""
