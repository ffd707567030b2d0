"""ALCE's scorer for QAMPARI: normalised lists, blank predictions dropped, five answers are enough.

Precision counts every listed prediction, including repeats. Recall counts every gold answer of which a name
is predicted. R-5 and F1-5 stop counting at five answers.
"""

from collections.abc import Sequence

from rollcall.questions.record import Answer, Question
from rollcall.score.match import WRONG, Match, Resolution, rated
from rollcall.score.profile import Predicted, Profile, texts
from rollcall.score.profiles import PROFILES
from rollcall.score.squad_names import normalise, normalise_all, normalise_groups


@PROFILES.register("alce")
class AlceProfile(Profile):
    """ALCE's scorer for QAMPARI: normalised lists, recall capped at five answers."""

    source = "ALCE (Gao et al.), compute_qampari_f1"
    default_measures = ("P", "R", "R-5", "F1", "F1-5")

    def distinct(self, predictions: Sequence[Predicted]) -> list[Predicted]:
        return [prediction for prediction in texts(predictions) if normalise(prediction)]

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        said_as = texts(predictions)
        pairs = [(text, form) for text, form in zip(said_as, normalise_all(said_as), strict=True) if form]
        counted, forms = [text for text, _ in pairs], [form for _, form in pairs]
        said = set(forms)
        found = []
        owner_of: dict[str, int] = {}
        for place, names in enumerate(normalise_groups([(one.label, *one.aliases) for one in gold])):
            found.append(not names.isdisjoint(said))
            for name in names:
                owner_of.setdefault(name, place)
        owners = [owner_of.get(form, WRONG) for form in forms]
        return Resolution(counted, owners, [answer.label for answer in gold], found)

    def rate(self, resolution: Resolution) -> Match:
        right = sum(owner != WRONG for owner in resolution.owners)
        precision = right / len(resolution.predictions) if resolution.predictions else 0.0
        gold = len(resolution.gold)
        return rated(precision, resolution.found.count(True) / gold if gold else 0.0, resolution)

    def warning(self, resolution: Resolution) -> str | None:
        return (
            None if resolution.gold else "no gold answers: the published scorer divides by zero; counted as 0"
        )

    def prepare(self, text: str) -> str:
        return normalise(text)

    def mentions(self, passage: str, names: Sequence[str]) -> bool:
        return any(name in passage for name in names if name)
