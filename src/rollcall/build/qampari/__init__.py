"""The pipeline of the QAMPARI paper: queries mined from a graph, proved by text, worded, sampled and
released.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rollcall.build.qampari.parameters import Parameters as Parameters

if TYPE_CHECKING:
    from rollcall.build.inputs import Inputs
    from rollcall.build.stage import Stage


def check(parameters: Parameters, inputs: "Inputs") -> None:
    """Refuse a lexicon that cannot be read, and relations that the graph does not have."""
    from rollcall.build.qampari.relations import check

    check(parameters, inputs)


def stages(parameters: Parameters, inputs: "Inputs", recipe: dict[str, Any]) -> "Sequence[Stage]":
    """The stages, in order."""
    from rollcall.build.qampari.listing import all_stages

    return all_stages(parameters, inputs, recipe)
