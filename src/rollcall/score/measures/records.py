"""Measures of what a run records about each prediction besides its answers and passages."""

from rollcall.questions.run import Prediction
from rollcall.score.measure_kind import MeasureParameters, RecordMeasure
from rollcall.score.measures import MEASURES


@MEASURES.register("time")
class Time(RecordMeasure):
    """Time: seconds the system took, as its run says."""

    source = "GraphQuestions Table 4"
    parameters = MeasureParameters(cut="never", threshold=False, worst=False)
    needs = ("seconds",)
    unit = "s"
    lower_is_better = True

    def value(self, prediction: Prediction) -> float | None:
        return prediction.seconds
