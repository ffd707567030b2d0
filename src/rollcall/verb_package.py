"""Packages that can be called like the verb they are named after, such as `rollcall.score(gold, run)`.

Python gives a package the attribute of its name as soon as anything in it is imported, so a function of that
name in `rollcall` would be lost. Calling the package calls the function of the same name in it.
"""

import inspect
from collections.abc import Callable
from types import ModuleType


class VerbPackage(ModuleType):
    """A package that holds a function of its own name, and stands for it where it is called."""

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self._verb)

    def __call__(self, *args: object, **kwargs: object) -> object:
        return self._verb(*args, **kwargs)

    @property
    def _verb(self) -> Callable[..., object]:
        verb: Callable[..., object] = getattr(self, self.__name__.rpartition(".")[2])
        return verb
