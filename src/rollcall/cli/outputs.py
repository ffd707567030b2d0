"""Declares what a command writes and reads: no output may be an input, and each output has one writer.

Functions of the library check their own outputs. A command checks them before it starts, so that no long work
is refused at the end.
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
    *outputs: str,
    reads: Sequence[str] = (),
    asks: Sequence[str] = (),
    when: Mapping[str, str] | None = None,
    by: Callable[[], bool] = lambda: True,
) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """Lock the outputs that these parameters name while the command runs.

    `reads` are the parameters for files and folders that are read. `asks` are those for question sets; a run
    or a report may be in the folder of its question set. `when` gives for an output the parameter without
    which it is not written. Where several processes work together, `by` says whether this one writes.
    """

    def decorate(command: Callable[Given, Result]) -> Callable[Given, Result]:
        signature, needed = inspect.signature(command), when or {}

        @wraps(command)
        def held(*args: Given.args, **kwargs: Given.kwargs) -> Result:
            from rollcall.questions.question_set import CARD, MANIFEST, QUESTIONS

            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            given = bound.arguments
            written = [name for name in outputs if by() and given[needed.get(name, name)] is not None]
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
