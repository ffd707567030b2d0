"""What a right answer costs: the cost of all questions, divided by all right answers.

Questions without a right answer cost as well, so it is a ratio of sums and not a mean of ratios.
"""

from rollcall.questions.run import Prediction
from rollcall.score.measure_kind import CostMeasure
from rollcall.score.measures import MEASURES


@MEASURES.register("seconds/right")
class SecondsPerRight(CostMeasure):
    """Seconds per right answer, over all questions."""

    source = "Rollcall"
    needs = ("seconds",)
    unit = "s"

    def cost(self, prediction: Prediction) -> float | None:
        return prediction.seconds


@MEASURES.register("tokens/right")
class TokensPerRight(CostMeasure):
    """Tokens per right answer, over all questions."""

    source = "Rollcall"
    needs = ("tokens",)
    unit = "tokens"

    def cost(self, prediction: Prediction) -> float | None:
        return prediction.tokens


@MEASURES.register("money/right")
class MoneyPerRight(CostMeasure):
    """Money per right answer, over all questions, in the currency of the run."""

    source = "Rollcall"
    needs = ("money",)
    unit = "money"

    def cost(self, prediction: Prediction) -> float | None:
        return prediction.money


@MEASURES.register("steps/right")
class StepsPerRight(CostMeasure):
    """Steps per right answer, over all questions."""

    source = "Rollcall"
    needs = ("steps",)
    unit = "steps"

    def cost(self, prediction: Prediction) -> float | None:
        return prediction.steps
