"""Measures of what a run records about each prediction besides its answers and passages: what it cost."""

from rollcall.questions.run import Prediction
from rollcall.score.measure_kind import MeasureParameters, RecordMeasure
from rollcall.score.measures import MEASURES

_MEAN = MeasureParameters(cut="never", threshold=False, worst=False)


@MEASURES.register("time")
class Time(RecordMeasure):
    """Time: seconds the system took, as its run says."""

    source = "GraphQuestions Table 4"
    parameters = _MEAN
    needs = ("seconds",)
    unit = "s"
    lower_is_better = True

    def value(self, prediction: Prediction) -> float | None:
        return prediction.seconds


@MEASURES.register("tokens")
class Tokens(RecordMeasure):
    """Tokens: those read and written for a question, as the run says."""

    source = "Rollcall"
    parameters = _MEAN
    needs = ("tokens",)
    unit = "tokens"
    lower_is_better = True

    def value(self, prediction: Prediction) -> float | None:
        return prediction.tokens


@MEASURES.register("money")
class Money(RecordMeasure):
    """Money: what a question cost, in the currency of the run."""

    source = "Rollcall"
    parameters = _MEAN
    needs = ("money",)
    unit = "money"
    lower_is_better = True

    def value(self, prediction: Prediction) -> float | None:
        return prediction.money


@MEASURES.register("steps")
class Steps(RecordMeasure):
    """Steps: turns or calls of tools that a question took, as the run says."""

    source = "Rollcall"
    parameters = _MEAN
    needs = ("steps",)
    unit = "steps"
    lower_is_better = True

    def value(self, prediction: Prediction) -> float | None:
        return prediction.steps
