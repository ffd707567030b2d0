"""The interface of verifiers; a verifier says how sure it is that a sentence states a fact.

Input: candidates. Output: a score between 0 and 1 for each. A kind of verifier is chosen by name
(`rollcall.evidence.verifiers`), declares its options and what it needs, and is then opened; most kinds are
verifiers themselves. A verifier that learns is opened once, saved, and loaded later.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from rollcall._core.registry import Configurable, Need, check_needs, read_options
from rollcall.evidence.candidate import CandidateSentence
from rollcall.evidence.values import wanted_value
from rollcall.wording import Lexicon

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rollcall.tables.engine import Engine


NEEDS = {
    "graph": Need("a graph", "--graph", "graph="),
    "corpus": Need("a corpus", "--corpus", "corpus="),
}
"""Everything that verifiers may need."""


@dataclass(frozen=True)
class VerifierContext:
    """What verifiers are opened with."""

    graph: Path | None = None
    corpus: Path | None = None
    relations: Collection[str] | None = None
    """The relations that will be verified, for verifiers that learn; None for all."""
    engine: "Engine | None" = None
    """What runs the work of verifiers that learn; None for one process of this machine."""
    work: Path | None = None
    """A folder for intermediate files, which all machines of the engine see; None for a temporary one."""
    lexicon: "Lexicon | None" = None
    """The lexicon that words relations; None for the packaged one."""
    prepared: Path | None = None
    """The file that `VerifierKind.prepare` wrote with the same options, graph, corpus and lexicon."""
    earlier: Path | None = None
    """The file of a verifier that learned other relations from what was prepared."""

    def has(self, need: str) -> bool:
        return {"graph": self.graph, "corpus": self.corpus}[need] is not None

    def hypotheses(self) -> "Hypotheses":
        """Puts facts into words: by the lexicon, and by the graph's labels for relations it does not have."""
        return Hypotheses(self.lexicon, self.relation_labels())

    def relation_labels(self) -> dict[str, str]:
        """The labels of the graph's relations, by id."""
        if self.graph is None:
            return {}
        from rollcall.graph import Graph

        index = Graph.open(self.graph).index
        pairs = zip(index.relation_ids, index.relation_labels, strict=True)
        return {id_: label for id_, label in pairs if label}


class Reason(NamedTuple):
    """A feature of a sentence and what it adds to the log-odds."""

    feature: str
    weight: float


class Verdicts(NamedTuple):
    """What is known about some candidates after a verifier was asked."""

    scores: "NDArray[np.float64]"
    """0 where an end is not named; NaN if the verifier gives no scores."""
    accepted: "NDArray[np.bool_]"
    reasons: list[str]
    """Why a candidate was not given to the verifier; empty for all others."""

    def score(self, row: int, digits: int = 6) -> float | None:
        """The score of a candidate; None if it has none."""
        score = float(self.scores[row])
        return None if score != score else round(score, digits)


class VerifierKind(Configurable):
    """How a verifier is made: `needs` may be `graph` and `corpus`, `open` is given a `VerifierContext`."""

    learns: ClassVar[bool] = False
    """Whether opening it takes long on the graph and corpus; a build then does it in a separate stage."""
    prepares: ClassVar[bool] = False
    """Whether `prepare` does a part of the learning that is the same for any relations."""
    explains: ClassVar[bool] = False
    """Whether its verifiers give reasons."""
    has_scores: ClassVar[bool] = True
    """Whether its scores tell sentences apart. If they do not, they are never stored."""

    @classmethod
    def prepare(cls, options: Any, context: VerifierContext, path: Path) -> None:
        """Write what learning needs to a file; a build does so once, and then learns relations twice."""
        raise NotImplementedError

    @classmethod
    def load(cls, path: Path, lexicon: "Lexicon | None" = None) -> "Verifier":
        """Load what a verifier that learns has saved."""
        raise NotImplementedError


class Verifier(VerifierKind):
    """Scores candidates between 0 and 1; by default those with at least `threshold` are accepted."""

    name: str = ""
    threshold: float = 0.5
    parallel: bool = False
    """Whether it may be copied into worker processes."""
    prior: float | None = None
    """The share of true sentences for which its scores are calibrated probabilities, between 0 and 1; None if
    they are not."""

    @property
    def remark(self) -> str:
        """What people should know about what it learned; empty if there is nothing to say."""
        return ""

    def scores(self, candidates: Sequence[CandidateSentence]) -> "NDArray[np.float64]":
        """One probability for each candidate, as a numpy array."""
        raise NotImplementedError

    def accepts(
        self, candidates: Sequence[CandidateSentence], scores: "NDArray[np.float64]"
    ) -> "NDArray[np.bool_]":
        """Which candidates count as evidence, as a Boolean numpy array."""
        return scores >= self.threshold

    def verdicts(self, candidates: Sequence[CandidateSentence]) -> Verdicts:
        """Ask about candidates: everything that uses a verifier does so here.

        The verifier is given only those that name both ends; others have the score 0 and a reason.
        """
        import numpy as np

        reasons = [candidate.unnamed for candidate in candidates]
        rows = [row for row, reason in enumerate(reasons) if not reason]
        scores, accepted = np.zeros(len(candidates)), np.zeros(len(candidates), bool)
        if rows:
            named = [candidates[row] for row in rows]
            named_scores = self.scores(named)
            accepted[rows] = self.accepts(named, named_scores)
            scores[rows] = named_scores if self.has_scores else np.nan
        return Verdicts(scores, accepted, reasons)

    def explain(self, candidate: CandidateSentence) -> list[Reason]:
        """The strongest reasons for and against a candidate, if the verifier gives reasons."""
        return []

    def save(self, path: Path) -> None:
        """Save what was learned to a file."""
        raise NotImplementedError


def open_verifier(
    kind: type[VerifierKind], name: str, options: Mapping[str, object], context: VerifierContext
) -> Verifier:
    """Make a verifier of a kind; `name` is the user's name for it. Wrong or missing options are errors."""
    label = f"the verifier {name}"
    record = read_options(kind.Options, options, label)
    check_needs(label, kind.needed(record), context.has, NEEDS)
    verifier: Verifier = kind.open(record, context)
    return verifier


# The hypothesis of a fact: the fact in words, in the relation's own direction.


class Hypotheses:
    """Puts facts into words with a lexicon, by default the packaged one.

    `labels` gives the names of relations that the lexicon does not have, by id.
    """

    def __init__(self, lexicon: Lexicon | None = None, labels: Mapping[str, str] | None = None) -> None:
        self._lexicon = lexicon or Lexicon.load()
        self._labels = labels or {}

    def of(self, candidate: CandidateSentence) -> str:
        """The hypothesis that is given with a candidate, or the lexicon's statement of its fact."""
        if candidate.hypothesis:
            return candidate.hypothesis
        entry = self._lexicon.entry(candidate.relation, self._labels.get(candidate.relation))
        value = wanted_value(candidate.object) if candidate.literal else None
        subject = candidate.subject_name or candidate.subject
        return entry.statement(
            subject, (candidate.object_name or candidate.object) if value is None else value
        )
