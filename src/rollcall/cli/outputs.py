"""What a command writes and reads, said once at its head: then the output is no input, and has one writer.

Functions of the library make sure of their own outputs; a command does so before it starts to work, so that
nobody waits for what is refused in the end.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from rollcall.errors import RollcallError
from rollcall.folders import check_apart
from rollcall.locks import sole_writer

SCREEN = "-"

Given = ParamSpec("Given")
Result = TypeVar("Result")


def writing(
    *outputs: str, reads: Sequence[str] = (), asks: Sequence[str] = (), when: Mapping[str, str] | None = None
) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """Have a command hold the outputs that these parameters name while it runs.

    `reads` are the parameters of files and folders that are read; `asks` are those of question sets, in whose
    folders a run or a report may lie. `when` gives for an output the parameter that it needs to be written.
    """

    def decorate(command: Callable[Given, Result]) -> Callable[Given, Result]:
        signature, needed = inspect.signature(command), when or {}

        @wraps(command)
        def held(*args: Given.args, **kwargs: Given.kwargs) -> Result:
            from rollcall.questions.question_set import CARD, MANIFEST, QUESTIONS

            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            given = bound.arguments
            written = [name for name in outputs if given[needed.get(name, name)] is not None]
            places = [place for name in written for place in _paths(given[name])]
            sets = [place for name in asks for place in _paths(given[name])]
            files = [one / name for one in sets if one.is_dir() for name in (QUESTIONS, MANIFEST, CARD)]
            inputs = [*(place for name in reads for place in _paths(given[name])), *sets, *files]
            with ExitStack() as locks:
                for place in places:
                    check_apart(place, inputs, shared=sets)
                    if places.count(place) > 1:
                        raise RollcallError(f"{place}: is named for two outputs; name another file for one")
                    locks.enter_context(sole_writer(place))
                return command(*args, **kwargs)

        return held

    return decorate


def _paths(value: Any) -> list[Path]:
    if value is None or value == SCREEN:
        return []
    return [Path(one) for one in (value if isinstance(value, list | tuple) else [value])]
