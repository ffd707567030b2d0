"""`hybrid`, and names joined by a plus sign: combines rankings by reciprocal rank fusion.

A passage's score is the sum over the rankings of 1 / (60 + rank): ranks can be compared between retrievers
whose scores cannot. Each retriever is asked for at least as many passages as the result has.
"""

from collections.abc import Sequence

from rollcall._core.registry import Settings
from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Asked, Retriever, as_retriever
from rollcall.systems.retrieve import RETRIEVERS

_DAMPING = 60
_DEPTH = 200


class Fusion(Retriever):
    """Fuses any retrievers, usually two."""

    def __init__(self, *retrievers: Retriever, damping: float = _DAMPING) -> None:
        self._retrievers = [as_retriever(retriever) for retriever in retrievers]
        self.name = "+".join(retriever.name for retriever in self._retrievers)
        self.damping = damping

    def check_questions(self, questions: Sequence[Asked]) -> None:
        for retriever in self._retrievers:
            retriever.check_questions(questions)

    def retrieve(self, questions: Sequence[Asked], k: int) -> list[list[Passage]]:
        rankings = [retriever.retrieve(questions, max(k, _DEPTH)) for retriever in self._retrievers]
        return [fused(lists, k, self.damping) for lists in zip(*rankings, strict=True)]

    def settings(self) -> Settings:
        return {**super().settings(), "parts": [retriever.settings() for retriever in self._retrievers]}


@RETRIEVERS.register("hybrid")
class Hybrid(Fusion):
    """Fuses bm25 and dense; any others are fused as in bm25+dense."""

    parts = ("bm25", "dense")


def fused(rankings: Sequence[Sequence[Passage]], k: int, damping: float = _DAMPING) -> list[Passage]:
    """The k best by the sum of reciprocal ranks; ties are ordered by id."""
    scores: dict[str, float] = {}
    passages: dict[str, Passage] = {}
    for ranking in rankings:
        for rank, passage in enumerate(ranking, 1):
            scores[passage.id] = scores.get(passage.id, 0.0) + 1.0 / (damping + rank)
            passages[passage.id] = passage
    order = sorted(scores, key=lambda id_: (-scores[id_], id_))[:k]
    return [Passage(id_, passages[id_].title, passages[id_].text, scores[id_]) for id_ in order]
