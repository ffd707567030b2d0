"""Declares the stages of a pipeline, and makes sure that each stage reads only what it declares.

A stage names the sections of the parameters and the inputs that it reads; these decide whether it runs again.
So it is given nothing else. Reading something undeclared is an error at once. Otherwise the old output would
stay in use although something it depends on has changed.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NoReturn, get_args, get_origin

import msgspec

from rollcall.build.inputs import Inputs
from rollcall.build.stage import Outcome, Stage

_NAMES_FILE = {"names": "file"}
FileName = Annotated[str, msgspec.Meta(extra=_NAMES_FILE)]
"""A parameter that may name a file or folder, which is then an input of the stages that read it."""


class _Undeclared:
    """Stands for something that a stage did not declare."""

    def __init__(self, what: str):
        self._what = what

    def _refuse(self, *_: object) -> NoReturn:
        raise AssertionError(self._what)

    __getattr__ = __fspath__ = __truediv__ = __iter__ = __index__ = __str__ = _refuse


class Declaring:
    """Makes the stages of one pipeline from its parameters and inputs."""

    def __init__(self, parameters: msgspec.Struct, inputs: Inputs):
        self._parameters = parameters
        self._inputs = inputs

    def stage(
        self,
        name: str,
        work: Callable[..., Outcome],
        *given: Any,
        needs: Sequence[str] = (),
        reads: Sequence[str] = (),
        sections: Sequence[str] = (),
        more: dict[str, Any] | None = None,
        uses_outcomes: bool = False,
    ) -> Stage:
        """A stage whose function is called with `given` and, as the last argument, the `Work`.

        If the function has the argument `parameters` or `inputs`, it gets the sections and the folders
        (`reads`) that are named here. `more` are further values among `given` on which the output depends.
        """
        declared = {"parameters": self._only(name, sections), "inputs": self._reading(name, reads)}
        others = iter(given)
        *asked, _ = inspect.signature(work).parameters
        places = self._inputs.named()
        return Stage(
            name,
            partial(work, *(declared[key] if key in declared else next(others) for key in asked)),
            tuple(needs),
            inputs={name: path for name, path in places.items() if name.removeprefix("the ") in reads}
            | _files([*(getattr(self._parameters, key) for key in sections), *given]),
            parameters={key: msgspec.to_builtins(getattr(self._parameters, key)) for key in sections}
            | (more or {}),
            uses_outcomes=uses_outcomes,
        )

    def _only(self, stage: str, sections: Sequence[str]) -> msgspec.Struct:
        others = {
            field.name: _Undeclared(f"stage {stage} looks at {field.name} and does not declare it")
            for field in msgspec.structs.fields(self._parameters)
            if field.name not in sections
        }
        return msgspec.structs.replace(self._parameters, **others)

    def _reading(self, stage: str, reads: Sequence[str]) -> Inputs:
        given: list[Any] = [
            path
            if folder in reads
            else _Undeclared(f"stage {stage} reads the {folder} and does not declare it")
            for folder, path in (("graph", self._inputs.graph), ("corpus", self._inputs.given_corpus))
        ]
        return Inputs(*given)


def _files(records: Sequence[Any]) -> dict[str, Path]:
    return {f"the file {path}": path for record in records for path in named_files(record)}


def named_files(section: Any) -> Iterator[Path]:
    """The existing files and folders that a section of parameters names."""
    if not isinstance(section, msgspec.Struct):
        return
    for field in msgspec.structs.fields(section):
        value = getattr(section, field.name)
        if isinstance(value, msgspec.Struct):
            yield from named_files(value)
        elif _may_name_file(field.type):
            yield from (path for path in map(Path, _texts(value)) if path.exists())


def _texts(value: Any) -> list[str]:
    """The texts in a value, without empty ones, which would name the current folder."""
    values = value.values() if isinstance(value, dict) else [value] if isinstance(value, str) else value
    return [one for one in values or () if isinstance(one, str) and one]


def _may_name_file(kind: Any) -> bool:
    if get_origin(kind) is Annotated:
        return any(getattr(mark, "extra", None) == _NAMES_FILE for mark in get_args(kind)[1:])
    return any(_may_name_file(part) for part in get_args(kind))
