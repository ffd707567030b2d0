"""Packages whose names are imported on first use, so that importing a package loads only what is used of it.

A package says which of its modules has each name. For type checkers it imports the names as usual, and hides
from them what is made here: a module with a `__getattr__` has any name, as far as they know.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def names_on_first_use(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package, by the module in it that has each name."""

    def find(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return find, listed
