"""The pipeline of queries with asked-for characteristics: templates, clusters and set operations,
alone or mixed.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rollcall.build.characteristic.parameters import Parameters as Parameters

if TYPE_CHECKING:
    from rollcall.build.inputs import Inputs
    from rollcall.build.stage import Stage


def check(parameters: Parameters, inputs: "Inputs") -> None:
    """Refuse a lexicon that cannot be read."""
    from rollcall.build.lexicon import build_lexicon

    build_lexicon(parameters.wording)


def stages(parameters: Parameters, inputs: "Inputs", recipe: dict[str, Any]) -> "Sequence[Stage]":
    """The stages, in order; quotas for classes that the graph does not have are refused."""
    from rollcall.build.characteristic.listing import all_stages

    if "template" in parameters.kinds:
        from rollcall.graph import Graph
        from rollcall.mine.templates.quota_check import check_classes

        with Graph.open(inputs.graph) as graph:
            check_classes(parameters.templates.quotas, graph)
    return all_stages(parameters, inputs, recipe)
