"""`structured`: queries of a given structure, with the answers that the graph gives.

A recipe lists the kinds it asks for, so one set may have all of them. The sections of the kinds are the
options of their miners.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from rollcall.build.keys import SearchKeys, UnprovedAnswersAre
from rollcall.build.lexicon import LexiconFiles, build_lexicon
from rollcall.build.pipelines import PIPELINES, Pipeline, check_further, check_in_graph
from rollcall.build.polish import Polish
from rollcall.build.stage import KeyMistakeError
from rollcall.mine.clusters.drawing import ClusterOptions
from rollcall.mine.kinds import QuestionKind, kinds_of
from rollcall.mine.set_operations import SetOptions
from rollcall.mine.templates.quotas import TemplateOptions

if TYPE_CHECKING:
    from rollcall.build.stage import Inputs, Stage

BASIC = ("template", "cluster", "set-operation")
"""The kinds whose sections every recipe of this pipeline has."""

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Seed = Annotated[int, msgspec.Meta(ge=0, le=(1 << 63) - 1)]


class StatusKeys(msgspec.Struct, frozen=True):
    """Which answers count."""

    unproved: UnprovedAnswersAre = "count"
    """What becomes of answers that no text proves: neutral (giving one is neither rewarded nor penalised),
    count (they are required like all others, as published), or drop (giving one is wrong). Without evidence,
    all answers count."""
    least: Positive = 1
    """The least number of answers that count; a number that is asked for counts if text proves everything
    that it counts."""


class ShownEvidenceKeys(SearchKeys, frozen=True):
    """How facts are proved by text."""

    use: bool = True
    """Whether facts are proved by text; without it no corpus is needed."""
    per_fact: Positive = 1
    """How many sentences are kept for each fact, best first."""
    validated: Share = 0.0
    """The share of a question's answers that text must prove; a kept question keeps all its answers."""


class WordingKeys(LexiconFiles, frozen=True):
    """How questions are worded."""

    sentences: Positive = 5
    """The most wordings of a query."""
    variants: Positive = 3
    """The most entity-level paraphrases of a wording of a template, including the one with the label."""


class Split(msgspec.Struct, frozen=True):
    """The sizes of the splits, in any unit; a cluster or a query with its paraphrases is in one split."""

    shares: dict[str, float] = msgspec.field(default_factory=lambda: {"train": 1.0, "test": 1.0})
    """The size of each split by its name."""


class StructuredParameters(msgspec.Struct, frozen=True):
    """All parameters."""

    seed: Seed = 1
    """The seed of everything that is drawn at random."""
    kinds: tuple[str, ...] = BASIC
    """The kinds of questions that the set has: by name, or module:name for one of your own."""
    templates: TemplateOptions = msgspec.field(default_factory=TemplateOptions)
    clusters: ClusterOptions = msgspec.field(default_factory=ClusterOptions)
    sets: SetOptions = msgspec.field(default_factory=SetOptions)
    answers: StatusKeys = StatusKeys()
    evidence: ShownEvidenceKeys = ShownEvidenceKeys()
    wording: WordingKeys = WordingKeys()
    split: Split = msgspec.field(default_factory=Split)

    def check(self) -> None:
        """Refuse values that are allowed one by one but not together."""
        if not self.kinds:
            raise KeyMistakeError(
                f"kinds is empty; choose one of {', '.join(BASIC)}, or your own as module:name", "kinds"
            )
        check_further(self.kinds, BASIC, proved=False)
        self.evidence.check_address()
        Polish.of(self.wording)
        if (
            not self.split.shares
            or min(self.split.shares.values()) < 0
            or not sum(self.split.shares.values())
        ):
            raise KeyMistakeError(
                "split.shares needs parts with shares above 0, such as {train: 1, test: 1}",
                "split.shares",
                *(f"split.shares.{name}" for name in self.split.shares),
            )

    def question_kinds(self) -> list[type[QuestionKind]]:
        """The kinds of questions."""
        return kinds_of(self.kinds)


@PIPELINES.register("structured")
class Structured(Pipeline):
    """Queries of a given structure: templates, clusters and set operations, alone or mixed."""

    Parameters = StructuredParameters

    @classmethod
    def check_recipe(cls, parameters: StructuredParameters) -> None:
        from rollcall.build.chosen_verifier import check_verifier

        parameters.check()
        if parameters.evidence.use:
            check_verifier(parameters.evidence)

    @classmethod
    def needs_corpus(cls, parameters: StructuredParameters) -> bool:
        """Only evidence is sought in text; without a corpus, the graph gives names and commonness."""
        return parameters.evidence.use

    @classmethod
    def check(cls, parameters: StructuredParameters, inputs: "Inputs") -> None:
        """Refuse a lexicon that cannot be read."""
        build_lexicon(parameters.wording)

    @classmethod
    def no_longer_holds(cls, parameters: StructuredParameters, kind: str, answers: int, in_graph: int) -> str:
        """Why a question of an older set is not carried forward: too few of its answers count."""
        least = parameters.answers.least
        return f"fewer than {least} answers that count" if answers < least else ""

    @classmethod
    def stages(
        cls, parameters: StructuredParameters, inputs: "Inputs", recipe: dict[str, Any]
    ) -> "Sequence[Stage]":
        """The stages, in order; options that name what the graph does not have are refused."""
        from rollcall.build.pipeline import shown_stages

        check_in_graph(parameters.question_kinds(), parameters, inputs)
        return shown_stages(parameters, inputs, recipe)
