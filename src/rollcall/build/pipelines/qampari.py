"""`qampari`: questions of which text proves the answers, as in the QAMPARI paper; the defaults are its.

Simple questions are mined and proved first, because intersections and compositions start from proved ones.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from rollcall.build.keys import SearchKeys, UnprovedAnswersAre
from rollcall.build.lexicon import LexiconFiles
from rollcall.build.pipelines import PIPELINES, Pipeline, check_further, check_in_graph
from rollcall.build.polish import Polish
from rollcall.build.stage import KeyMistakeError
from rollcall.mine.composition import CompositionKeys
from rollcall.mine.intersection import IntersectionKeys
from rollcall.mine.kinds import QuestionKind, kinds_of
from rollcall.mine.lists import TableKeys
from rollcall.mine.simple import SimpleKeys
from rollcall.questions.splits import Sampling

if TYPE_CHECKING:
    from rollcall.build.stage import Inputs, Stage
    from rollcall.evidence.expected import Acceptance
    from rollcall.evidence.verifiers.verifier import Verifier

BASIC = ("simple", "intersection", "composition", "table-simple", "table-composition")
"""The kinds of every recipe of this pipeline."""

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Seed = Annotated[int, msgspec.Meta(ge=0, le=(1 << 63) - 1)]
Chosen = str | list[str]
"""Relations: auto, lexicon, all, or a list of ids."""


class RelationSelection(msgspec.Struct, frozen=True):
    """Which relations are asked about."""

    simple: Chosen = "auto"
    """The relations of simple questions, and so of the parts of others: auto, lexicon, all, or a list of
    ids."""
    composition: Chosen = "auto"
    """The second relation of a composition."""
    excluded: list[str] = []
    """Ids or labels of relations that are never asked about."""
    covered: Share = 0.5
    """With auto: the lexicon is used if its relations have at least this share of the graph's facts."""


class Answers(msgspec.Struct, frozen=True):
    """How many answers a question may have, and how many of them text must prove."""

    least: Positive = 5
    """The least number of answers."""
    most: Positive = 200
    """The largest number of answers."""
    validated: Share = 0.8
    """The share of a question's answers that text must prove."""
    unproved: UnprovedAnswersAre = "neutral"
    """What becomes of answers that no text proves: neutral (giving one is neither rewarded nor penalised),
    count (they are required like all others), or drop, as published (giving one is wrong)."""


class ProofKeys(SearchKeys, frozen=True):
    """How facts are proved by text."""

    threshold: Share | Literal["auto", "own"] = "auto"
    """The score a sentence needs: the verifier's own for each relation, or one figure for all. With auto it
    is what `lose` or `precision` gives, else the verifier's own where the lexicon knows the graph's relations
    or the scores are calibrated probabilities, and otherwise what `stated` gives."""
    stated: Share = 0.95
    """Of the facts that a sentence names, the share taken to be stated where the lexicon does not know the
    relations: of each relation, the facts with the best scores. `benchmarks/bench_stated.py` measures it."""
    per_fact: Positive = 1
    """How many sentences are kept for each fact, best first."""

    @property
    def scores_for(self) -> str | None:
        return "evidence.threshold" if isinstance(self.threshold, float) else self.expectation


class CompletionKeys(msgspec.Struct, frozen=True):
    """Whether the corpus is searched for answers that the graph lacks, and what becomes of them."""

    use: bool = True
    """Whether it is searched."""
    neutral: Share = 0.25
    """From this probability on, an answer that only text or a list gives is neutral."""
    counts: Share = 0.8
    """From this probability on, it counts if text states all of it, and is required like all others."""
    most: Positive = 2000
    """A question is left out if text names more possible answers for one of its conditions."""
    open: Share = 0.25
    """A question is left out if less than this share of the answers that seem right counts: it is open."""


class QampariParameters(msgspec.Struct, frozen=True):
    """All parameters."""

    seed: Seed = 1
    """The seed of everything that is drawn at random."""
    relations: RelationSelection = RelationSelection()
    answers: Answers = Answers()
    kinds: tuple[str, ...] = ()
    """Further kinds of questions, besides simple ones, intersections, compositions and those about lists."""
    simple: SimpleKeys = SimpleKeys()
    intersection: IntersectionKeys = IntersectionKeys()
    composition: CompositionKeys = CompositionKeys()
    tables: TableKeys = TableKeys()
    evidence: ProofKeys = ProofKeys()
    completion: CompletionKeys = CompletionKeys()
    wording: LexiconFiles = LexiconFiles()
    split: Sampling = msgspec.field(default_factory=Sampling)

    def check(self) -> None:
        """Refuse values that are allowed one by one but not together."""
        self.evidence.check_address()
        Polish.of(self.wording)
        if self.completion.neutral > self.completion.counts:
            raise KeyMistakeError(
                f"completion.neutral {self.completion.neutral} is above completion.counts "
                f"{self.completion.counts}",
                "completion.neutral",
                "completion.counts",
            )
        if self.answers.least > self.answers.most:
            raise KeyMistakeError(
                f"answers.least {self.answers.least} is above answers.most {self.answers.most}",
                "answers.least",
                "answers.most",
            )
        if self.evidence.expectation is not None and self.evidence.threshold != "auto":
            raise KeyMistakeError(
                f"evidence.threshold {self.evidence.threshold} and {self.evidence.expectation} both say "
                "which sentences are accepted; give only one of them",
                "evidence.threshold",
                self.evidence.expectation,
            )
        for name, selection in (
            ("simple", self.relations.simple),
            ("composition", self.relations.composition),
        ):
            if isinstance(selection, str) and selection not in ("auto", "lexicon", "all"):
                raise KeyMistakeError(
                    f"relations.{name} is {selection!r}; write auto, lexicon, all, or a list of ids "
                    "[P57, P161]",
                    f"relations.{name}",
                )
        for name, sides in (
            ("simple", self.simple.directions),
            ("composition", self.composition.directions),
        ):
            if not sides:
                raise KeyMistakeError(
                    f"{name}.directions is empty; name subject, object or both", f"{name}.directions"
                )
        check_further(self.kinds, BASIC, proved=True)
        names = [kind.name for kind in self.question_kinds()]
        for kind in (*self.split.quotas, *self.split.uniform):
            if kind not in names:
                raise KeyMistakeError(
                    f"split has no kind {kind!r}; choose one of {', '.join(names)}",
                    f"split.quotas.{kind}" if kind in self.split.quotas else "split.uniform",
                )

    def question_kinds(self) -> list[type[QuestionKind]]:
        """The kinds of questions, further ones last."""
        return kinds_of((*BASIC, *self.kinds))

    def answers_of(self, section: str) -> Answers:
        """The limits for a kind of question: those of all kinds, unless the kind's section sets others."""
        kind = getattr(self, section, None)
        limits = {name: getattr(kind, name, None) for name in ("least", "validated")}
        return msgspec.structs.replace(
            self.answers, **{name: value for name, value in limits.items() if value is not None}
        )

    @property
    def most_in_graph(self) -> int:
        """The most answers in the graph with which a query can still pass validation."""
        return int(self.answers.most / max(self.answers.validated, 1e-9) + 1e-9)


@PIPELINES.register("qampari")
class QampariPipeline(Pipeline):
    """Queries mined from a graph, proved by text, worded, sampled and released, as in the QAMPARI paper."""

    Parameters = QampariParameters

    @classmethod
    def check_recipe(cls, parameters: QampariParameters) -> None:
        from rollcall.build.chosen_verifier import check_verifier

        parameters.check()
        check_verifier(parameters.evidence)

    @classmethod
    def check(cls, parameters: QampariParameters, inputs: "Inputs") -> None:
        """Refuse a lexicon that cannot be read, and relations that the graph does not have."""
        from rollcall.build.mining import check

        check(parameters, inputs)

    @classmethod
    def no_longer_holds(cls, parameters: QampariParameters, kind: str, answers: int, in_graph: int) -> str:
        """Why a question of an older set is not carried forward: by the limits of the recipe."""
        limits = parameters.answers_of(kind)
        if not limits.least <= answers <= limits.most:
            return f"not {limits.least:,} to {limits.most:,} answers"
        few = answers < limits.validated * in_graph
        return f"less than {limits.validated:.0%} of answers validated" if few else ""

    @classmethod
    def accepting(
        cls, parameters: QampariParameters, verifier: "Verifier", learned: bool, graph: Path
    ) -> "Acceptance | None":
        from rollcall.build.expectation import acceptance

        return acceptance(verifier, learned, parameters, graph)

    @classmethod
    def stages(
        cls, parameters: QampariParameters, inputs: "Inputs", recipe: dict[str, Any]
    ) -> "Sequence[Stage]":
        from rollcall.build.pipeline import proved_stages

        check_in_graph(parameters.question_kinds(), parameters, inputs)
        return proved_stages(parameters, inputs, recipe)
