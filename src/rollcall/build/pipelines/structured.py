"""`structured`: the pipeline for queries of a given structure."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rollcall.build.pipelines import PIPELINES, Pipeline
from rollcall.build.structured import parameters as keys

if TYPE_CHECKING:
    from rollcall.build.stage import Inputs, Stage


@PIPELINES.register("structured")
class Structured(Pipeline):
    """Queries of a given structure: templates, clusters and set operations, alone or mixed."""

    Parameters = keys.Parameters

    @classmethod
    def check_recipe(cls, parameters: keys.Parameters) -> None:
        from rollcall.build.chosen_verifier import check_verifier

        parameters.check()
        if parameters.evidence.use:
            check_verifier(parameters.evidence)

    @classmethod
    def needs_corpus(cls, parameters: keys.Parameters) -> bool:
        """Only evidence is sought in text; without a corpus, the graph gives names and commonness."""
        return parameters.evidence.use

    @classmethod
    def check(cls, parameters: keys.Parameters, inputs: "Inputs") -> None:
        """Refuse a lexicon that cannot be read."""
        from rollcall.build.lexicon import build_lexicon

        build_lexicon(parameters.wording)

    @classmethod
    def stages(
        cls, parameters: keys.Parameters, inputs: "Inputs", recipe: dict[str, Any]
    ) -> "Sequence[Stage]":
        """The stages, in order; quotas for classes that the graph does not have are refused."""
        from rollcall.build.structured.listing import all_stages

        if "template" in parameters.kinds:
            from rollcall.graph import Graph
            from rollcall.mine.options import check_classes

            with Graph.open(inputs.graph) as graph:
                check_classes(parameters.templates.quotas, graph)
        return all_stages(parameters, inputs, recipe)
