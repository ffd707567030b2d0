"""Measures of the retrieved passages: how many answers, and how much of their evidence, they contain."""

from rollcall.score.measure_kind import MeasureParameters, PassageMeasure
from rollcall.score.measures import MEASURES
from rollcall.score.retrieval import Retrieval, share_within


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
