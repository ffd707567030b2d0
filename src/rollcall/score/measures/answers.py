"""Measures of the predicted answers, each computed from a question's match."""

from rollcall.score.match import Match, harmonic
from rollcall.score.measures import MEASURES, AnswerMeasure, AnswerProgress, ListMeasure, MeasureParameters


@MEASURES.register("P")
class Precision(AnswerMeasure):
    """Precision: share of the predictions that are right."""

    source = "QAMPARI §4.2; @k: RoMQA §3.1"

    def value(self, match: Match) -> float:
        return match.precision


@MEASURES.register("R")
class Recall(AnswerMeasure):
    """Recall: share of the gold answers that are found; R-5: min(5, found) / min(5, gold)."""

    source = "QAMPARI §4.2; -k: ALCE"
    parameters = MeasureParameters(cap="optional")

    def value(self, match: Match) -> float:
        return capped_recall(match, self.cap)


@MEASURES.register("F1")
class F1(AnswerMeasure):
    """F1: harmonic mean of precision and recall, per question; F1-5: of precision and R-5."""

    source = "QAMPARI §4.2; -k: ALCE"
    parameters = MeasureParameters(cap="optional")

    def value(self, match: Match) -> float:
        if self.cap is None:
            return match.f1
        return harmonic(match.precision, capped_recall(match, self.cap))


@MEASURES.register("MRecall")
class MRecall(AnswerMeasure):
    """MRecall: every gold answer is found; MRecall-5@5: five of them, or all if there are fewer."""

    source = "QUEST, analyze_retriever.py; -k: LOFT, mrecall@k"
    parameters = MeasureParameters(cap="optional", threshold=False)

    def value(self, match: Match) -> float:
        return float(bool(match.gold) and capped_recall(match, self.cap) == 1)


@MEASURES.register("acc")
class Accuracy(AnswerMeasure):
    """Accuracy: the predicted set is exactly the gold set."""

    source = "RoMQA §3.1"
    skips_empty_gold = False

    def value(self, match: Match) -> float:
        return float(match.exact)


@MEASURES.register("EM")
class ExactMatch(AnswerMeasure):
    """Exact match: the first prediction names a gold answer."""

    source = "What's in a Name? §2.3; Natural Questions"
    parameters = MeasureParameters(cut="never")

    @property
    def depth(self) -> int:
        return 1

    def value(self, match: Match) -> float:
        return float(match.right)


def capped_recall(match: Match, cap: int | None) -> float:
    """Recall where finding `cap` answers is enough."""
    if cap is None or not match.gold:
        return match.recall
    return min(cap, match.found) / min(cap, match.gold)


# Measures of when a list of answers ends: too late, after its last right answer, or too early.


@MEASURES.register("Padding")
class Padding(ListMeasure):
    """Padding: share of the answers that come after the last right one; all of them if none is right."""

    source = "Rollcall"
    lower_is_better = True

    def value(self, progress: AnswerProgress) -> float | None:
        return (progress.given - progress.last_right) / progress.given if progress.given else None


@MEASURES.register("EarlyStop")
class EarlyStop(ListMeasure):
    """Early stop: answers are missing, although the list ends with a right one or has none at all."""

    source = "Rollcall"
    lower_is_better = True

    def value(self, progress: AnswerProgress) -> float | None:
        if not progress.gold:
            return None
        return float(progress.found < progress.gold and progress.last_right == progress.given)
