"""The pipelines that a recipe can name: each has a record of parameters and lists its stages.

Each registers itself in its own file. Stages never import these files, so that the code that lists the stages
is not part of the stages' code.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.registry import Registry, lacks_method
from rollcall.build.stage import KeyMistakeError
from rollcall.mine.kinds import KINDS, QuestionKind, keys_of, kinds_of

if TYPE_CHECKING:
    from rollcall.build.stage import Inputs, Stage
    from rollcall.evidence.expected import Acceptance
    from rollcall.evidence.verifiers.verifier import Verifier


class Pipeline:
    """A way to make a question set; the argument `parameters` of its methods is its own record."""

    Parameters: ClassVar[type[msgspec.Struct]]
    """The keys of its recipes: types, defaults, sections as records."""

    @classmethod
    def keys(cls, kinds: Sequence[str]) -> type[msgspec.Struct]:
        """The keys of a recipe that names some kinds of questions: those of `Parameters`, and a section for
        each kind that has none there.
        """
        declared = {field.name for field in msgspec.structs.fields(cls.Parameters)}
        if "kinds" not in declared:
            return cls.Parameters
        sections = {name: kind for name, kind in keys_of(kinds_of(kinds)).items() if name not in declared}
        fields = [(name, kind, msgspec.field(default_factory=kind)) for name, kind in sections.items()]
        if not fields:
            return cls.Parameters
        return msgspec.defstruct("Parameters", fields, bases=(cls.Parameters,), kw_only=True, frozen=True)

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
        from rollcall.build.expectation import acceptance_for

        return acceptance_for(parameters.evidence)

    @classmethod
    def stages(cls, parameters: Any, inputs: "Inputs", recipe: dict[str, Any]) -> "Sequence[Stage]":
        """The stages, in order, ready to run; the last one writes the files of the set."""
        raise NotImplementedError


def check_further(names: Sequence[str], basic: Sequence[str], *, proved: bool) -> None:
    """Refuse kinds of questions that do not exist, or that need what only other pipelines have."""
    choice = "" if proved else f" ({', '.join(basic)})"
    for name in names:
        try:
            kind = KINDS.find(name)
        except RollcallError as error:
            raise KeyMistakeError(f"kinds: {error}", "kinds") from None
        elsewhere = kind.sections != QuestionKind.sections or (proved and not kind.proved)
        if elsewhere and (proved or name not in basic):
            raise KeyMistakeError(
                f"kinds: {name} cannot be one of the kinds of this pipeline{choice}; give one of your own as "
                "module:name",
                "kinds",
            )


def check_in_graph(kinds: Sequence[type[QuestionKind]], parameters: Any, inputs: "Inputs") -> None:
    """Refuse options of kinds that name something that the graph does not have."""
    from rollcall.graph import Graph

    checking = [kind for kind in kinds if lacks_method(kind, QuestionKind, "check", "check") is None]
    if checking:
        with Graph.open(inputs.graph) as graph:
            for kind in checking:
                kind.check(getattr(parameters, kind.place()), graph)


def _lacks(candidate: object) -> str | None:
    if isinstance(candidate, type) and issubclass(candidate, Pipeline):
        if not hasattr(candidate, "Parameters"):
            return "it has no record of Parameters"
        return lacks_method(candidate, Pipeline, "stages", "stages(parameters, inputs, recipe)")
    return "it is not a subclass of rollcall.build.pipelines.Pipeline"


PIPELINES: Registry[type[Pipeline]] = Registry("pipeline", "pipelines", "rollcall.build.pipelines", _lacks)
