"""Measures of what a run records about each prediction besides its answers and passages: what it cost."""

from rollcall.questions.run import Prediction
from rollcall.score.measures import MEASURES, CostMeasure, MeasureParameters, OwnMeasure, RecordMeasure


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


# What a right answer costs: the cost of all questions, divided by all right answers. Questions without a
# right answer cost as well, so it is a ratio of sums and not a mean of ratios.


class _RecordedCost(CostMeasure):
    """The cost that a prediction has under the name of what the measure needs."""

    source = "Rollcall"

    def cost(self, prediction: Prediction) -> float | None:
        number: float | None = getattr(prediction, self.needs[0])
        return number


@MEASURES.register("seconds/right")
class SecondsPerRight(_RecordedCost):
    """Seconds per right answer, over all questions."""

    needs = ("seconds",)
    unit = "s"


@MEASURES.register("tokens/right")
class TokensPerRight(_RecordedCost):
    """Tokens per right answer, over all questions."""

    needs = ("tokens",)
    unit = "tokens"


@MEASURES.register("money/right")
class MoneyPerRight(_RecordedCost):
    """Money per right answer, over all questions, in the currency of the run."""

    needs = ("money",)
    unit = "money"


@MEASURES.register("steps/right")
class StepsPerRight(_RecordedCost):
    """Steps per right answer, over all questions."""

    needs = ("steps",)
    unit = "steps"


# Figures that only some profiles define: each is a measure that those profiles can report.


@MEASURES.register("SubspanEM")
class SubspanMatch(OwnMeasure):
    """Subspan match: every gold answer has a prediction of its own that contains it, or the other way."""

    source = "LOFT, subspan_em"
    figure = "SubspanEM"


@MEASURES.register("SetEM")
class SetMatch(OwnMeasure):
    """Set match: the normalised predictions are exactly the normalised gold answers."""

    source = "LOFT, em"
    figure = "SetEM"


@MEASURES.register("Coverage")
class Coverage(OwnMeasure):
    """Coverage: share of the gold answers that are predicted, of the questions that were answered."""

    source = "LOFT, coverage"
    figure = "Coverage"


@MEASURES.register("ItemP")
class ItemPrecision(OwnMeasure):
    """Precision by item: share of the cells of the predicted table that are right."""

    source = "WideSearch, by item"
    figure = "ItemP"


@MEASURES.register("ItemR")
class ItemRecall(OwnMeasure):
    """Recall by item: share of the cells of the gold table that are found."""

    source = "WideSearch, by item"
    figure = "ItemR"


@MEASURES.register("ItemF1")
class ItemF1(OwnMeasure):
    """F1 by item: harmonic mean of precision and recall of the cells of a table."""

    source = "WideSearch, by item"
    figure = "ItemF1"


@MEASURES.register("FullyWrong")
class FullyWrong(OwnMeasure):
    """Fully wrong: none of the gold answers is in the response."""

    source = "DeepSearchQA, fully incorrect"
    figure = "FullyWrong"
    lower_is_better = True


@MEASURES.register("Extraneous")
class Extraneous(OwnMeasure):
    """Extraneous: all gold answers are in the response, and others too."""

    source = "DeepSearchQA, correct with excessive answers"
    figure = "Extraneous"
    lower_is_better = True
