"""`qampari`: the pipeline of the QAMPARI paper."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollcall.build.pipelines import PIPELINES, Pipeline
from rollcall.build.qampari import parameters as keys

if TYPE_CHECKING:
    from rollcall.build.stage import Inputs, Stage
    from rollcall.evidence.expected import Acceptance
    from rollcall.evidence.verifiers.verifier import Verifier


@PIPELINES.register("qampari")
class Qampari(Pipeline):
    """Queries mined from a graph, proved by text, worded, sampled and released, as in the QAMPARI paper."""

    Parameters = keys.Parameters

    @classmethod
    def check_recipe(cls, parameters: keys.Parameters) -> None:
        from rollcall.build.chosen_verifier import check_verifier

        parameters.check()
        check_verifier(parameters.evidence)

    @classmethod
    def check(cls, parameters: keys.Parameters, inputs: "Inputs") -> None:
        """Refuse a lexicon that cannot be read, and relations that the graph does not have."""
        from rollcall.build.qampari.relations import check

        check(parameters, inputs)

    @classmethod
    def no_longer_holds(cls, parameters: keys.Parameters, kind: str, answers: int, in_graph: int) -> str:
        """Why a question of an older set is not carried forward: by the limits of the recipe."""
        limits = parameters.answers_of(kind)
        if not limits.least <= answers <= limits.most:
            return f"not {limits.least:,} to {limits.most:,} answers"
        few = answers < limits.validated * in_graph
        return f"less than {limits.validated:.0%} of answers validated" if few else ""

    @classmethod
    def accepting(
        cls, parameters: keys.Parameters, verifier: "Verifier", learned: bool, graph: Path
    ) -> "Acceptance | None":
        from rollcall.build.qampari.relations import acceptance

        return acceptance(verifier, learned, parameters, graph)

    @classmethod
    def stages(
        cls, parameters: keys.Parameters, inputs: "Inputs", recipe: dict[str, Any]
    ) -> "Sequence[Stage]":
        from rollcall.build.qampari.listing import all_stages

        return all_stages(parameters, inputs, recipe)
