"""AmbigQA's F1: predictions and gold answers are paired greedily one to one, in the given order.

Each answer in turn takes the first free prediction that names it. With several annotations the best one
counts, as under every profile.
"""

from collections import defaultdict, deque
from collections.abc import Sequence

from rollcall.questions.record import Answer, Question
from rollcall.score.match import WRONG, Match, Resolution, rated
from rollcall.score.profile import Predicted, Profile, texts
from rollcall.score.profiles import PROFILES
from rollcall.score.squad_names import normalise, normalise_all, normalise_groups


@PROFILES.register("ambigqa")
class AmbigQaProfile(Profile):
    """AmbigQA's F1: greedy one-to-one pairing in order, best annotation."""

    source = "AmbigQA (Min et al.), as shipped with AnswerEquiv"
    default_measures = ("F1", "P", "R")

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        counted = texts(predictions)
        free: dict[str, deque[int]] = defaultdict(deque)
        for position, form in enumerate(normalise_all(counted)):
            free[form].append(position)
        owners = [WRONG] * len(counted)
        found = [False] * len(gold)
        for place, names in enumerate(normalise_groups([(one.label, *one.aliases) for one in gold])):
            naming = [free[name] for name in names if free.get(name)]
            if naming:
                owners[min(naming, key=lambda positions: positions[0]).popleft()] = place
                found[place] = True
        return Resolution(counted, owners, [answer.label for answer in gold], found)

    def rate(self, resolution: Resolution) -> Match:
        found = resolution.found.count(True)
        precision = found / len(resolution.predictions) if resolution.predictions else 0.0
        return rated(precision, found / len(resolution.gold) if resolution.gold else 0.0, resolution)

    def warning(self, resolution: Resolution) -> str | None:
        if resolution.gold and resolution.predictions:
            return None
        return "no predictions or no gold answers: the published scorer refuses; counted as 0"

    def prepare(self, text: str) -> str:
        return normalise(text)

    def mentions(self, passage: str, names: Sequence[str]) -> bool:
        return any(name in passage for name in names if name)
