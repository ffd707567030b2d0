"""QAMPARI's two scorers: `reader_metrics.py` (profile `qampari`) and PIG's `exact_match.py` (`qampari-pig`).

Both are reproduced with their peculiarities: raw strings form the set of predictions, an answer's text counts
only if it is also an alias, a shared alias belongs to the last answer that lists it, and repeated gold
answers count in the denominator of one scorer but not of the other.
"""

from collections.abc import Sequence

from rollcall.questions.formats.qampari import NAME as QAMPARI_FORMAT
from rollcall.questions.record import Answer, Question
from rollcall.score.match import WRONG, Boundary, Match, Resolution, normalise, normalise_all, rated
from rollcall.score.profile import Predicted, Profile, texts
from rollcall.score.profiles import PROFILES


@PROFILES.register("qampari")
class QampariProfile(Profile):
    """QAMPARI's reader_metrics.py: raw strings as a set, aliases only, repeated gold counts.

    - Predictions are a *set of raw strings*: `Paris` and `paris` are two, and lower precision.
    - An answer is named by its aliases; its text counts only if it is among them. (Sets that are not
      QAMPARI's keep the label apart; there it counts.)
    - An alias that two answers list verbatim belongs to the *last*; aliases that are equal only once
      normalised, to the *first*.
    - A repeated answer text keeps its last aliases, but every repeat stays in recall's denominator: `[Ann,
      Ann]` can reach 1/2.
    - Normaliser: lower case, ASCII punctuation deleted, a/an/the blanked out, white space squeezed; `regex`
      word boundaries. Strings that become empty match each other: `The` = `...`.
    - Crashes without predictions or without gold answers: 0, with a warning. A null prediction is left out,
      missing aliases mean the text alone.
    """

    source = "QAMPARI (Amouyal et al.), models/evaluation/reader_metrics.py"
    default_measures = ("P", "R", "F1", "R>=0.8", "F1>=0.5")
    boundary: Boundary = "regex"

    def distinct(self, predictions: Sequence[Predicted]) -> list[Predicted]:
        return list(dict.fromkeys(texts(predictions)))

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        places = {answer.label: index for index, answer in enumerate(gold)}
        owner_of = self._owners(accepted_names(question, gold))
        counted = list(dict.fromkeys(texts(predictions)))
        hits = [False] * len(gold)
        owners = []
        for form in normalise_all(counted, self.boundary):
            label = owner_of.get(form)
            owners.append(WRONG if label is None else places[label])
            if label is not None:
                hits[places[label]] = True
        return Resolution(counted, owners, [answer.label for answer in gold], hits)

    def _owners(self, names: dict[str, list[str]]) -> dict[str, str]:
        """The answer to which each normalised alias belongs: the last to list it verbatim, else the first."""
        verbatim = {alias: label for label, aliases in names.items() for alias in aliases}
        owners: dict[str, str] = {}
        for form, label in zip(normalise_all(list(verbatim), self.boundary), verbatim.values(), strict=True):
            owners.setdefault(form, label)
        return owners

    def rate(self, resolution: Resolution) -> Match:
        hits = resolution.found.count(True)
        precision = hits / len(resolution.predictions) if resolution.predictions else 0.0
        return rated(precision, hits / len(resolution.gold) if resolution.gold else 0.0, resolution)

    def warning(self, resolution: Resolution) -> str | None:
        if not resolution.predictions:
            return "no predictions: the published scorer divides by zero; counted as 0"
        return (
            None if resolution.gold else "no gold answers: the published scorer divides by zero; counted as 0"
        )

    def prepare(self, text: str) -> str:
        return normalise(text, self.boundary)

    def mentions(self, passage: str, names: Sequence[str]) -> bool:
        return any(name in passage for name in names if name)


@PROFILES.register("qampari-pig")
class PigProfile(QampariProfile):
    """QAMPARI's exact_match.py for PIG: a list of predictions, distinct answer texts as gold.

    As `qampari`, but predictions are a *list* (a repeat lowers precision), distinct answer texts are the
    gold, `Answer: ` is stripped, the boundary is Python's `re`, and a prediction whose answer is already
    found moves on to another answer with a colliding alias. No predictions: 0.
    """

    source = "QAMPARI (Amouyal et al.), models/readers/RAG/exact_match.py"
    boundary: Boundary = "re"

    def distinct(self, predictions: Sequence[Predicted]) -> list[Predicted]:
        return list(predictions)

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        names = accepted_names(question, gold)
        labels = list(names)
        places = {label: index for index, label in enumerate(labels)}
        verbatim = {alias: label for label, aliases in names.items() for alias in aliases}
        fits: dict[str, list[int]] = {}
        for form, label in zip(normalise_all(list(verbatim), self.boundary), verbatim.values(), strict=True):
            fits.setdefault(form, []).append(places[label])
        counted = [prediction.replace("Answer: ", "") for prediction in texts(predictions)]
        hits = [False] * len(labels)
        owners = []
        for form in normalise_all(counted, self.boundary):
            chosen = fits.get(form, [])
            owner = next((index for index in chosen if not hits[index]), WRONG)
            owners.append(owner)
            if owner != WRONG:
                hits[owner] = True
        return Resolution(counted, owners, labels, hits)

    def warning(self, resolution: Resolution) -> str | None:
        return (
            None if resolution.gold else "no gold answers: the published scorer divides by zero; counted as 0"
        )


def accepted_names(question: Question, gold: Sequence[Answer]) -> dict[str, list[str]]:
    """Each answer text with its aliases; for a repeated text the last aliases count, as published.

    QAMPARI's files list the answer's text among the aliases if it counts; in other sets the label is
    separate, so it is added there.
    """
    if question.provenance.get("format") == QAMPARI_FORMAT:
        return {answer.label: answer.aliases for answer in gold}
    return {answer.label: [answer.label, *answer.aliases] for answer in gold}
