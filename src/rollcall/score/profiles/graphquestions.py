"""GraphQuestions' scorer: lists of exact strings, with repeats counted on both sides.

An empty prediction has precision 1 by its authors' definition, which raises the mean precision of a system
that gives no answers; the F1 of such a question is 0.
"""

from collections.abc import Sequence

from rollcall.questions.record import Answer, Question
from rollcall.score.match import WRONG, Match, Resolution, rated
from rollcall.score.profile import Predicted, Profile, texts
from rollcall.score.profiles import PROFILES


@PROFILES.register("graphquestions")
class GraphQuestionsProfile(Profile):
    """GraphQuestions' scorer: lists of exact strings; an empty prediction has precision 1."""

    source = "GraphQuestions (Su et al.), §7.3 and its evaluation script"
    default_measures = ("P", "R", "F1", "time")

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        labels = [answer.label for answer in gold]
        counted = texts(predictions)
        said = set(counted)
        places = {label: place for place, label in reversed(list(enumerate(labels)))}
        return Resolution(
            counted,
            [places.get(prediction, WRONG) for prediction in counted],
            labels,
            [label in said for label in labels],
        )

    def rate(self, resolution: Resolution) -> Match:
        predicted, gold = len(resolution.predictions), len(resolution.gold)
        right = sum(owner != WRONG for owner in resolution.owners)
        precision = right / predicted if predicted else 1.0
        return rated(precision, resolution.found.count(True) / gold if gold else 0.0, resolution)

    def warning(self, resolution: Resolution) -> str | None:
        return (
            None if resolution.gold else "no gold answers: the published scorer raises; recall counted as 0"
        )
