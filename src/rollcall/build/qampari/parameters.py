"""The parameters of the QAMPARI pipeline; the defaults are those of the paper if it gives a number.

They are the keys of a recipe, section by section. Jobs and memory are not included, because they do not
change the output.
"""

from typing import Annotated, Literal

import msgspec

from rollcall.build.keys import SearchKeys
from rollcall.build.lexicon import LexiconFiles
from rollcall.build.stage import KeyMistakeError
from rollcall.questions.splits import Sampling

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Seed = Annotated[int, msgspec.Meta(ge=0, le=(1 << 63) - 1)]
Direction = Literal["subject", "object"]
Chosen = str | list[str]
"""Relations: auto, lexicon, all, or a list of ids."""


class Relations(msgspec.Struct, frozen=True):
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


class Simple(msgspec.Struct, frozen=True):
    """Simple questions r(e), split by type if the relation does not say what is asked for."""

    directions: tuple[Direction, ...] = ("subject",)
    """Which end of a fact is asked for; with object, questions are asked from the other side too."""
    types: bool = True
    """Whether a relation that does not say what is asked for is split by the types of its answers."""
    per_relation: Positive = 2000
    """The most queries of one relation and type for which evidence is searched, sampled at random."""


class Intersection(msgspec.Struct, frozen=True):
    """Questions for the answers that two simple questions share."""

    ways: Literal[2, 3] = 2
    """How many conditions a question has; with 3, those with two and those with three."""
    least: Positive | None = None
    """The least number of answers, if it differs from that of all kinds."""
    validated: Share | None = None
    """The share of answers that text must prove, if it differs from that of all kinds."""
    parts: Share = 0.0
    """The share of its answers that each part must have validated, besides the check of shared answers."""
    per_pair: Positive = 100
    """The most queries of one pair of relations."""
    per_entity: Positive = 20
    """The most queries that name one entity."""
    per_answer: Positive = 200
    """An answer of more simple questions than this is not used to find pairs."""


class Composition(msgspec.Struct, frozen=True):
    """Questions r2(r1(e))."""

    directions: tuple[Direction, ...] = ("object",)
    """Which end of the second relation's facts is asked for."""
    base: Share = 0.5
    """The share of the answers of r1(e) that must be validated."""
    same_relation: bool = False
    """Whether the second relation may be the first one again."""
    coverage: Share = 0.7
    """The least share of the answers of r1(e) that must have r2."""
    round_trip: Share = 0.5
    """The largest share of the answers of r1(e) that may lead back to e."""
    per_pair: Positive = 100
    """The most queries of one pair of relations."""
    per_entity: Positive = 20
    """The most queries that name one entity."""


class Tables(msgspec.Struct, frozen=True):
    """Questions about pages "List of X"."""

    use: bool = True
    """Whether there are questions about lists."""
    prefix: str = "List of"
    """The beginning of the titles of lists."""
    linked: Share = 0.8
    """The least share of a list's rows that must be entities of the graph."""
    per_column: Positive = 6
    """The most compositions of one column that are kept, of those that text proves."""
    per_list: Positive = 12
    """The most compositions of one list that are kept."""
    membership: bool = False
    """Whether text must also prove that an answer to a composition is on the list, not only what its row
    says.
    """
    within_sentence: bool = False
    """Whether one sentence, and not only the whole page, must say that an entity is on a list."""


class EvidenceKeys(SearchKeys, frozen=True):
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


class Parameters(msgspec.Struct, frozen=True):
    """All parameters."""

    seed: Seed = 1
    """The seed of everything that is drawn at random."""
    relations: Relations = Relations()
    answers: Answers = Answers()
    simple: Simple = Simple()
    intersection: Intersection = Intersection()
    composition: Composition = Composition()
    tables: Tables = Tables()
    evidence: EvidenceKeys = EvidenceKeys()
    wording: LexiconFiles = LexiconFiles()
    split: Sampling = msgspec.field(default_factory=Sampling)

    def check(self) -> None:
        """Refuse values that are allowed one by one but not together."""
        self.evidence.check_address()
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
        for name, chosen in (("simple", self.relations.simple), ("composition", self.relations.composition)):
            if isinstance(chosen, str) and chosen not in ("auto", "lexicon", "all"):
                raise KeyMistakeError(
                    f"relations.{name} is {chosen!r}; write auto, lexicon, all, or a list of ids [P57, P161]",
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
        known = ("simple", "table-simple", "intersection", "composition", "table-composition")
        for kind in (*self.split.quotas, *self.split.uniform):
            if kind not in known:
                raise KeyMistakeError(
                    f"split has no kind {kind!r}; there are {', '.join(known)}",
                    f"split.quotas.{kind}" if kind in self.split.quotas else "split.uniform",
                )

    def answers_of(self, kind: str) -> Answers:
        """The limits for a kind of question: those of all kinds, unless the kind's section sets others."""
        if kind != "intersection":
            return self.answers
        own = {"least": self.intersection.least, "validated": self.intersection.validated}
        return msgspec.structs.replace(self.answers, **{k: v for k, v in own.items() if v is not None})

    @property
    def most_in_graph(self) -> int:
        """The most answers in the graph with which a query can still pass validation."""
        return int(self.answers.most / max(self.answers.validated, 1e-9) + 1e-9)
