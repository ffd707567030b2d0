"""What a right answer costs: the cost of all questions, divided by all right answers.

Questions without a right answer cost as well, so it is a ratio of sums and not a mean of ratios.
"""

from rollcall.questions.run import Prediction
from rollcall.score.measure_kind import CostMeasure
from rollcall.score.measures import MEASURES


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
