"""Measures of the retrieved passages: how many answers, and how much of their evidence, they contain.

Those of the last four are of the ranking of passages by id, a passage being relevant if it proves an answer;
they are what trec_eval, ir_measures and ranx compute from the files of `rollcall export --format trec`.
"""

import math
from collections.abc import Iterable

from rollcall.questions.judgment import proving
from rollcall.score.measures import MEASURES, MeasureParameters, PassageMeasure, Retrieval, share_within


@MEASURES.register("ARecall")
class AnswerRecall(PassageMeasure):
    """Answer recall: share of the gold answers named in the first k retrieved passages."""

    source = "QAMPARI §4.2"
    parameters = MeasureParameters(cut="required")
    needs = ("passages", "passage texts")

    def value(self, retrieval: Retrieval) -> float | None:
        ranks = retrieval.answer_ranks
        return share_within(ranks, self.cut) if ranks else None


@MEASURES.register("ERecall")
class EvidenceRecall(PassageMeasure):
    """Evidence recall: share of an answer's evidence in the first k passages, mean over answers."""

    source = "QAMPARI §4.2"
    parameters = MeasureParameters(cut="required")
    needs = ("passages", "evidence")

    def value(self, retrieval: Retrieval) -> float | None:
        answers = retrieval.evidence_ranks
        return sum(share_within(ranks, self.cut) for ranks in answers) / len(answers) if answers else None


class RankingMeasure(PassageMeasure):
    """A measure of the ranking of passages by id."""

    needs = ("passages", "evidence")

    @property
    def depth(self) -> None:
        """All passages, because one that comes twice counts once, and the next moves up."""
        return None


@MEASURES.register("PRecall")
class PassageRecall(RankingMeasure):
    """Passage recall: share of the passages that prove answers among the first k retrieved."""

    source = "trec_eval, recall_k"
    parameters = MeasureParameters(cut="required")

    def value(self, retrieval: Retrieval) -> float | None:
        ranks = retrieval.ranks_of(retrieval.relevant)
        return share_within(ranks, self.cut) if ranks else None


@MEASURES.register("StRecall")
class SubtopicRecall(RankingMeasure):
    """Subtopic recall: share of the answers that one of the first k retrieved passages proves."""

    source = "Zhai et al. 2003; TREC Web Track, ndeval"
    parameters = MeasureParameters(cut="required")

    def value(self, retrieval: Retrieval) -> float | None:
        proofs = [proof for entity in retrieval.gold for answer in entity if (proof := proving([answer]))]
        first = [
            min((rank for rank in retrieval.ranks_of(pieces) if rank), default=None) for pieces in proofs
        ]
        return share_within(first, self.cut) if first else None


@MEASURES.register("nDCG")
class NormalisedGain(RankingMeasure):
    """nDCG: gain of the relevant passages, discounted by rank, as a share of the best possible."""

    source = "Järvelin and Kekäläinen 2002; trec_eval, ndcg_cut"

    def value(self, retrieval: Retrieval) -> float | None:
        relevant = len(retrieval.relevant)
        if not relevant:
            return None
        ranks = sorted(rank for rank in retrieval.ranks_of(retrieval.relevant) if rank)
        best = range(1, 1 + (relevant if self.cut is None else min(relevant, self.cut)))
        return _gain([rank for rank in ranks if self.cut is None or rank <= self.cut]) / _gain(best)


@MEASURES.register("RR")
class ReciprocalRank(RankingMeasure):
    """Reciprocal rank: 1 / rank of the first passage that proves an answer (MRR)."""

    source = "Voorhees 1999; trec_eval, recip_rank"

    def value(self, retrieval: Retrieval) -> float | None:
        if not retrieval.relevant:
            return None
        first = min((rank for rank in retrieval.ranks_of(retrieval.relevant) if rank), default=None)
        return 0.0 if first is None or (self.cut is not None and first > self.cut) else 1 / first


def _gain(ranks: Iterable[int]) -> float:
    return math.fsum(1 / math.log2(1 + rank) for rank in ranks)
