"""Exact match as in open-domain question answering: any listed string may be the answer.

All names of all gold answers are alternatives, and the first prediction is compared with them. `nq` has the
word boundary of QAMPARI's and FiD's scorers, `answerequiv` that of "What's in a Name?".
"""

from collections.abc import Sequence

from rollcall.questions.record import Answer, Question
from rollcall.score.match import WRONG, Match, Resolution, rated
from rollcall.score.profile import Predicted, Profile, texts
from rollcall.score.profiles import PROFILES
from rollcall.score.squad_names import Boundary, normalise, normalise_all


@PROFILES.register("nq")
class NaturalQuestionsProfile(Profile):
    """Exact match after the SQuAD normaliser, any gold string (`regex` word boundaries)."""

    source = "Natural Questions open; QAMPARI's compute_metrics_nq"
    default_measures = ("EM",)
    boundary: Boundary = "regex"

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        names = [name for answer in gold for name in (answer.label, *answer.aliases)]
        accepted = set(normalise_all(names, self.boundary))
        counted = texts(predictions)
        forms = normalise_all(counted, self.boundary)
        owners = [0 if form in accepted else WRONG for form in forms]
        return Resolution(counted, owners, names[:1], [0 in owners] if names else [])

    def rate(self, resolution: Resolution) -> Match:
        right = sum(owner != WRONG for owner in resolution.owners)
        predicted = len(resolution.predictions)
        return rated(right / predicted if predicted else 0.0, float(any(resolution.found)), resolution)

    def prepare(self, text: str) -> str:
        return normalise(text, self.boundary)

    def mentions(self, passage: str, names: Sequence[str]) -> bool:
        return any(name in passage for name in names if name)


@PROFILES.register("answerequiv")
class AnswerEquivalenceProfile(NaturalQuestionsProfile):
    """Exact match as in “What's in a Name?”: like nq, with the word boundaries of Python's `re`."""

    source = "AnswerEquiv (Si et al.), get_exact_match"
    boundary: Boundary = "re"
