"""RoMQA's scorer: exact labels as ordered sets, worst cases in clusters, its own rule for empty gold.

Questions whose gold is empty (or one empty label) are left out of the means of F1, precision and recall,
but count as 0 in the cluster minima and in accuracy.
"""

from collections.abc import Sequence

from rollcall.questions.record import Answer, Question
from rollcall.score.match import WRONG, Match, Resolution, rated
from rollcall.score.profile import Predicted, Profile, texts
from rollcall.score.profiles import PROFILES


@PROFILES.register("romqa")
class RomqaProfile(Profile):
    """RoMQA's evaluation.py: exact labels, no aliases, no normalisation, cluster minima."""

    source = "RoMQA (Zhong et al.), evaluation.py"

    def measures(self, *, closed: bool, clustered: bool) -> Sequence[str]:
        if closed:
            return ("F1", "min(F1)", "acc", "min(acc)", "P", "R")
        return ("F1", "min(F1)", "P@10", "min(P@10)", "P", "R", "acc")

    def distinct(self, predictions: Sequence[Predicted]) -> list[Predicted]:
        return list(dict.fromkeys(texts(predictions)))

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        places = {label: place for place, label in enumerate(dict.fromkeys(answer.label for answer in gold))}
        counted = list(dict.fromkeys(texts(predictions)))
        owners = [places.get(label, WRONG) for label in counted]
        named = set(owners)
        return Resolution(counted, owners, list(places), [place in named for place in range(len(places))])

    def rate(self, resolution: Resolution) -> Match:
        gold, predicted = len(resolution.gold), len(resolution.predictions)
        found = resolution.found.count(True)
        empty = not any(resolution.gold)
        precision = found / predicted if predicted else 0.0
        return rated(precision, found / gold if gold else 0.0, resolution, in_means=not empty)
