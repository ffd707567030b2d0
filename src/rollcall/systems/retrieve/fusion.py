"""`hybrid`: two rankings made one by reciprocal rank fusion.

A passage's score is the sum over the rankings of 1 / (60 + rank): ranks can be compared between retrievers
whose scores cannot. Each retriever is asked for at least as many passages as are wanted in the end.
"""

from collections.abc import Sequence

from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Asked, Retriever
from rollcall.systems.retrieve.store import PassageStore

_DAMPING = 60
_DEPTH = 200


class Hybrid:
    """Fuses any retrievers, usually two."""

    def __init__(self, *retrievers: Retriever, damping: float = _DAMPING) -> None:
        self.name = "+".join(retriever.name for retriever in retrievers)
        self.store: PassageStore | None = next(
            (
                store
                for store in (getattr(one, "store", None) for one in retrievers)
                if isinstance(store, PassageStore)
            ),
            None,
        )
        self._retrievers = retrievers
        self._damping = damping

    def retrieve(self, questions: Sequence[Asked], k: int) -> list[list[Passage]]:
        rankings = [retriever.retrieve(questions, max(k, _DEPTH)) for retriever in self._retrievers]
        return [fused(lists, k, self._damping) for lists in zip(*rankings, strict=True)]


def fused(rankings: Sequence[Sequence[Passage]], k: int, damping: float = _DAMPING) -> list[Passage]:
    """The k best by the sum of reciprocal ranks; of equal ones the one with the smaller id first."""
    scores: dict[str, float] = {}
    found: dict[str, Passage] = {}
    for ranking in rankings:
        for rank, passage in enumerate(ranking, 1):
            scores[passage.id] = scores.get(passage.id, 0.0) + 1.0 / (damping + rank)
            found[passage.id] = passage
    order = sorted(scores, key=lambda id_: (-scores[id_], id_))[:k]
    return [Passage(id_, found[id_].title, found[id_].text, scores[id_]) for id_ in order]
