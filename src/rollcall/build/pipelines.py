"""The pipelines a recipe can name: each has a record of parameters and a function that lists its stages."""

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rollcall.build.inputs import Inputs
    from rollcall.build.stage import Stage

PIPELINES = {"qampari": "rollcall.build.qampari", "characteristic": "rollcall.build.characteristic"}
"""Modules by the name of their pipeline; each offers `Parameters`, `check` and `stages`."""


def parameters_of(pipeline: str) -> Any:
    """The record type of a pipeline's parameters."""
    return import_module(PIPELINES[pipeline]).Parameters


def check_against(pipeline: str, parameters: Any, inputs: "Inputs") -> None:
    """Refuse parameters that name what the graph, or a file of the user's, does not have."""
    import_module(PIPELINES[pipeline]).check(parameters, inputs)


def stages_of(pipeline: str, parameters: Any, inputs: "Inputs", recipe: dict[str, Any]) -> "Sequence[Stage]":
    """The stages of a pipeline, ready to run."""
    stages: Sequence[Stage] = import_module(PIPELINES[pipeline]).stages(parameters, inputs, recipe)
    return stages
