"""How good answers to exercises are, by our own scorer."""

from collections.abc import Sequence

from rollcall.questions.run import Prediction
from rollcall.systems.interfaces import Answers
from rollcall.systems.train.exercise import Exercise

MEASURES = ("F1", "P", "R")


def figures(answers: Sequence[Answers], exercises: Sequence[Exercise]) -> dict[str, float]:
    """Mean F1, precision and recall, between 0 and 1."""
    from rollcall.score import score

    report = score(
        [one.as_question for one in exercises],
        [Prediction(one.id, list(given)) for one, given in zip(exercises, answers, strict=True)],
        measures=MEASURES,
        confidence=None,
    )
    return {name: report[name].value or 0.0 for name in MEASURES}
