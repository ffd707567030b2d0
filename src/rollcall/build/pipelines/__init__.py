"""The pipelines that a recipe can name: each has a record of parameters and lists its stages.

Each registers itself in its own file. Stages never import these files, so that the code that lists the stages
is not part of the stages' code.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from rollcall._core.registry import Registry, lacks_method

if TYPE_CHECKING:
    from rollcall.build.stage import Inputs, Stage
    from rollcall.evidence.expected import Acceptance
    from rollcall.evidence.verifiers.verifier import Verifier


class Pipeline:
    """A way to make a question set; the argument `parameters` of its methods is its own record."""

    Parameters: ClassVar[type[msgspec.Struct]]
    """The keys of its recipes: types, defaults, sections as records."""

    @classmethod
    def check_recipe(cls, parameters: Any) -> None:
        """Refuse values that are allowed one by one but not together; `KeyMistakeError` names the keys."""

    @classmethod
    def needs_corpus(cls, parameters: Any) -> bool:
        """Whether a build with these parameters reads text, so that it cannot do without a corpus."""
        return True

    @classmethod
    def check(cls, parameters: Any, inputs: "Inputs") -> None:
        """Refuse parameters that name something that the graph, or a file of the user, does not have."""

    @classmethod
    def no_longer_holds(cls, parameters: Any, kind: str, answers: int, in_graph: int) -> str:
        """Why a question of an older set is not carried forward; empty if it is.

        `answers` is the number of its answers now, `in_graph` that of the graph's, proved or not.
        """
        return "" if answers else "no answer is left"

    @classmethod
    def accepting(
        cls, parameters: Any, verifier: "Verifier", learned: bool, graph: Path
    ) -> "Acceptance | None":
        """Which sentences are accepted for an answer of an older set; None leaves it to the verifier."""
        from rollcall.build.expectation import asked

        return asked(parameters.evidence)

    @classmethod
    def stages(cls, parameters: Any, inputs: "Inputs", recipe: dict[str, Any]) -> "Sequence[Stage]":
        """The stages, in order, ready to run; the last one writes the files of the set."""
        raise NotImplementedError


def _lacks(thing: object) -> str | None:
    if isinstance(thing, type) and issubclass(thing, Pipeline):
        if not hasattr(thing, "Parameters"):
            return "it has no record of Parameters"
        return lacks_method(thing, Pipeline, "stages", "stages(parameters, inputs, recipe)")
    return "it is no subclass of rollcall.build.pipelines.Pipeline"


PIPELINES: Registry[type[Pipeline]] = Registry("pipeline", "pipelines", "rollcall.build.pipelines", _lacks)
