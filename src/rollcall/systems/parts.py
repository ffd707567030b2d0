"""The parts of a system as a user names them: chosen, given their options, checked, and then opened.

A part is a name of a registry, a `module:name`, a class, or an object that is ready. Options are given for
all parts together, and each goes to the parts that have it; an option that no part has is an error.
"""

from collections.abc import Mapping, Sequence
from typing import Generic, TypeGuard, TypeVar, cast

import msgspec

from rollcall.configurable import NoOptions, called, check_needs, missing_options, nearest, read_options
from rollcall.errors import RollcallError
from rollcall.registry import Registry
from rollcall.systems.context import NEEDS, Context
from rollcall.systems.interfaces import Reader, System
from rollcall.systems.own import name_of

S = TypeVar("S", bound=System, covariant=True)


class Part(Generic[S]):
    """One part that is not yet opened."""

    def __init__(self, kind: str, name: str, thing: type[S] | S) -> None:
        self.name = name
        self.label = f"the {kind} {name}"
        self.thing = thing
        self._given: dict[str, object] = {}

    @property
    def option_names(self) -> tuple[str, ...]:
        return self._record.__struct_fields__

    def give(self, name: str, value: object) -> None:
        """Set an option."""
        self._given[name] = value

    @property
    def options(self) -> msgspec.Struct:
        if missing := missing_options(self._record, self._given):
            written = " ".join(f"--option {name}=…" for name in missing)
            raise RollcallError(
                f"{self.label} needs the option{'s' * (len(missing) > 1)} {' and '.join(missing)}: "
                f"give {written} (options= in Python)"
            )
        return read_options(self._record, self._given, self.label)

    @property
    def takes_passages(self) -> bool:
        """Whether passages must be retrieved for it; for an object that is ready this is not known."""
        if _is_kind(self.thing) and issubclass(self.thing, Reader):
            return self.thing.takes_passages(self.options)
        return True

    @property
    def needs(self) -> tuple[str, ...]:
        return self.thing.needed(self.options) if _is_kind(self.thing) else ()

    def check(self, context: Context) -> None:
        """Raise an error if something is missing, before anything is loaded."""
        check_needs(self.label, self.needs, context.has, NEEDS)

    def open(self, context: Context) -> S:
        """The part, opened; a user's own class that declares nothing is called without arguments."""
        if _is_kind(self.thing):
            return cast(S, self.thing.open(self.options, context))
        return called(self.thing, {}) if isinstance(self.thing, type) else self.thing

    @property
    def _record(self) -> type[msgspec.Struct]:
        return self.thing.Options if _is_kind(self.thing) else NoOptions


def choose(registry: Registry[type[S] | S], given: str | type[S] | S) -> Part[S]:
    """The part of a name, a class or an object."""
    if isinstance(given, str):
        return Part(registry.kind, given, registry.find(given))
    name = given.__name__ if isinstance(given, type) else name_of(given)
    return Part(registry.kind, name, given)


def share_options(options: Mapping[str, object], parts: Sequence[Part[System]]) -> None:
    """Give each option to the parts that have it, or to the part named before it: `bm25.k1`."""
    for key, value in options.items():
        owner, _, name = key.rpartition(".")
        takers = [part for part in parts if owner in ("", part.name) and name in part.option_names]
        if not takers:
            known = dict.fromkeys(option for part in parts for option in part.option_names)
            labels = " or ".join(part.label for part in parts)
            raise RollcallError(f"there is no option {key} of {labels}{nearest(name, known)}")
        for part in takers:
            part.give(name, value)


def _is_kind(thing: object) -> TypeGuard[type[System]]:
    return isinstance(thing, type) and issubclass(thing, System)
