"""LOFT's scorer for sets of strings: one string may stand in the other, and each is used once.

A prediction fits a gold answer if one of the two, normalised, contains the other. They are assigned to each
other so that as many as possible fit, which is what an optimal linear assignment of ones and zeros is. LOFT
reports three figures, which are measures of their own here; precision, recall and F1 follow the assignment.
"""

import unicodedata
from collections.abc import Sequence

from rollcall.questions.record import Answer, Question
from rollcall.score.match import WRONG, Match, Resolution, best_assignment, normalise_all, rated
from rollcall.score.profile import Predicted, Profile, texts
from rollcall.score.profiles import PROFILES

SUBSPAN, COVERAGE, SAME_SET = "SubspanEM", "Coverage", "SetEM"


@PROFILES.register("loft")
class LoftProfile(Profile):
    """LOFT's multi_value_rag: strings that contain each other, assigned one to one for the best.

    - Strings are decomposed (NFD) and normalised as in `answerequiv`. A prediction fits an answer if either
      contains the other; both are assigned one to one so that as many as possible fit, which is what its
      linear assignment of ones and zeros finds.
    - `SubspanEM` (its `subspan_em`): every gold answer is assigned. `SetEM` (`em`): both normalised sets are
      equal. `Coverage` (`coverage`): gold answers that are predicted, by equality, of all listed; questions
      without a prediction are *left out* of its mean, as published, and count 0 in the other two. P, R and F1
      follow the assignment, and are ours.
    - The empty string is contained in every other, as published: a gold answer `The` fits any prediction.
    - `model_outputs` that are text are read as its own tools do: the list in the line `Final Answer: […]`.
    """

    source = "LOFT (Lee et al.), evaluation/rag.py, MultiValueRagEvaluation"
    default_measures = (SUBSPAN, SAME_SET, COVERAGE, "P", "R", "F1")
    own_figures = (SUBSPAN, SAME_SET, COVERAGE)

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        counted = texts(predictions)
        given = normal_forms(counted)
        names = [normal_forms([answer.label, *answer.aliases]) for answer in gold]
        fits = [
            [
                index
                for index, forms in enumerate(names)
                if any(name in form or form in name for form in forms)
            ]
            for name in given
        ]
        assigned = best_assignment(fits)
        owners = [WRONG if index is None else index for index in assigned]
        hits = [index in owners for index in range(len(gold))]
        own = _figures(given, names, all(hits)) if gold else {}
        return Resolution(counted, owners, [answer.label for answer in gold], hits, own=own)

    def rate(self, resolution: Resolution) -> Match:
        hits, given, gold = resolution.found.count(True), len(resolution.predictions), len(resolution.gold)
        return rated(hits / given if given else 0.0, hits / gold if gold else 0.0, resolution)

    def warning(self, resolution: Resolution) -> str | None:
        if not resolution.gold:
            return "no gold answers: the published scorer divides by zero; left out"
        return (
            None
            if resolution.predictions
            else f"no predictions: the published scorer leaves them out of {COVERAGE} and counts 0 elsewhere"
        )

    def prepare(self, text: str) -> str:
        return normal_forms([text])[0]

    def mentions(self, passage: str, names: Sequence[str]) -> bool:
        return any(name in passage for name in names if name)


def normal_forms(names: Sequence[str]) -> list[str]:
    """Strings as LOFT compares them: accents are separated from their letters first."""
    return normalise_all([unicodedata.normalize("NFD", name) for name in names])


def _figures(given: list[str], names: list[list[str]], all_found: bool) -> dict[str, float]:
    """LOFT's three figures; without a prediction there is no coverage."""
    if not given:
        return {SUBSPAN: 0.0, SAME_SET: 0.0}
    owner_of: dict[str, int] = {}
    for index, forms in enumerate(names):
        for form in forms:
            owner_of.setdefault(form, index)
    equal = {owner_of[form] for form in given if form in owner_of}
    same = all(form in owner_of for form in given) and all(
        not set(given).isdisjoint(forms) for forms in names
    )
    return {SUBSPAN: float(all_found), SAME_SET: float(same), COVERAGE: len(equal) / len(names)}
