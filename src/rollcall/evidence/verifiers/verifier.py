"""What a verifier is: something that says how sure it is that a sentence states a fact.

Three are here: `contrast`, learned from the user's own graph and corpus; `nli`, any entailment model;
`llm`, any language model behind a server. `none` takes every sentence that names both ends, for comparison.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from rollcall.errors import RollcallError
from rollcall.evidence.candidate import CandidateSentence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rollcall.wording import Lexicon

VERIFIERS = ("contrast", "nli", "llm", "none")


@runtime_checkable
class Verifier(Protocol):
    """Scores candidates between 0 and 1; those of at least `threshold` are taken to state their fact."""

    name: str
    threshold: float
    parallel: bool
    """Whether it may be copied into worker processes."""

    def scores(self, candidates: Sequence[CandidateSentence]) -> "NDArray[np.float64]":
        """One probability for each candidate, as a numpy array."""

    def accepts(
        self, candidates: Sequence[CandidateSentence], scores: "NDArray[np.float64]"
    ) -> "NDArray[np.bool_]":
        """Which candidates count as evidence, as a numpy array of truth values."""


class EveryMention:
    """Takes every sentence that names both ends."""

    name = "none"
    threshold = 0.5
    parallel = True

    def scores(self, candidates: Sequence[CandidateSentence]) -> "NDArray[np.float64]":
        import numpy as np

        return np.ones(len(candidates))

    def accepts(
        self, candidates: Sequence[CandidateSentence], scores: "NDArray[np.float64]"
    ) -> "NDArray[np.bool_]":
        return scores >= self.threshold


def make_verifier(
    name: str,
    *,
    graph: Path | None = None,
    corpus: Path | None = None,
    model: str | None = None,
    lexicon: "Lexicon | None" = None,
    jobs: int = 1,
    memory: str = "1GB",
    **options: Any,
) -> Verifier:
    """A verifier by name; `contrast` learns from the graph and corpus now, others load or reach a model.

    All of them word relations by the `lexicon`, or by the packaged one.
    """
    if name == "none":
        return EveryMention()
    if name == "contrast":
        if graph is None or corpus is None:
            raise RollcallError(
                "the contrast verifier learns from a graph and a corpus: give --graph and --corpus"
            )
        from rollcall.evidence.verifiers.contrast.verifier import learn_contrast

        return learn_contrast(graph, corpus, lexicon=lexicon, jobs=jobs, memory=memory, **options)
    if name in ("nli", "llm"):
        from rollcall.evidence.verifiers.hypothesis import Hypotheses

        options["hypotheses"] = Hypotheses(lexicon, _relation_labels(graph))
    if name == "nli":
        from rollcall.evidence.verifiers.nli import NliVerifier

        return NliVerifier(model, **options) if model else NliVerifier(**options)
    if name == "llm":
        from rollcall.evidence.verifiers.language_model import LanguageModelVerifier

        return LanguageModelVerifier(model, **options)
    raise RollcallError(f"--verifier {name}: is none of {', '.join(VERIFIERS)}")


def _relation_labels(graph: Path | None) -> dict[str, str]:
    if graph is None:
        return {}
    from rollcall.graph import Graph

    index = Graph.open(graph).index
    return {id_: label for id_, label in zip(index.relation_ids, index.relation_labels, strict=True) if label}
