"""Measures of what a run records about each prediction besides its answers and passages: what it cost."""

from rollcall.questions.run import Prediction
from rollcall.score.measure_kind import MeasureParameters, RecordMeasure
from rollcall.score.measures import MEASURES


class _Recorded(RecordMeasure):
    """The number that a prediction has under the name of what the measure needs."""

    parameters = MeasureParameters(cut="never", threshold=False, worst=False)
    lower_is_better = True
    source = "Rollcall"

    def value(self, prediction: Prediction) -> float | None:
        number: float | None = getattr(prediction, self.needs[0])
        return number


@MEASURES.register("time")
class Time(_Recorded):
    """Time: seconds the system took, as its run says."""

    source = "GraphQuestions Table 4"
    needs = ("seconds",)
    unit = "s"


@MEASURES.register("tokens")
class Tokens(_Recorded):
    """Tokens: those read and written for a question, as the run says."""

    needs = ("tokens",)
    unit = "tokens"


@MEASURES.register("money")
class Money(_Recorded):
    """Money: what a question cost, in the currency of the run."""

    needs = ("money",)
    unit = "money"


@MEASURES.register("steps")
class Steps(_Recorded):
    """Steps: turns or calls of tools that a question took, as the run says."""

    needs = ("steps",)
    unit = "steps"
