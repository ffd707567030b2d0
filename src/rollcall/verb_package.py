"""Packages that can be called like the verb they are named after, such as `rollcall.score(gold, run)`.

When anything in the package `rollcall.score` is imported, Python sets the attribute `score` of `rollcall` to
that package, so a function of this name in `rollcall` would be overwritten. Instead, calling the package
calls the function of the same name in it.
"""

import inspect
from collections.abc import Callable
from types import ModuleType


class VerbPackage(ModuleType):
    """A package that contains a function of its own name and calls it when the package is called."""

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self._verb)

    def __call__(self, *args: object, **kwargs: object) -> object:
        return self._verb(*args, **kwargs)

    @property
    def _verb(self) -> Callable[..., object]:
        verb: Callable[..., object] = getattr(self, self.__name__.rpartition(".")[2])
        return verb
