"""QUEST's scorer: the exact titles of documents, as sets; and LOFT's, for the ids of passages.

Nothing is normalised, but that LOFT removes white space around ids. Without a right title, precision, recall
and F1 are 0.
"""

from collections.abc import Sequence
from typing import ClassVar

from rollcall.questions.record import Answer, Question
from rollcall.score.match import WRONG, Match, Resolution, rated
from rollcall.score.profile import Predicted, Profile, texts
from rollcall.score.profiles import PROFILES


@PROFILES.register("quest")
class QuestProfile(Profile):
    """QUEST's run_eval.py: sets of exact titles."""

    source = "QUEST (Malaviya et al.), language/quest/eval/run_eval.py"
    default_measures: ClassVar[tuple[str, ...]] = ("P", "R", "F1", "MRecall")

    def form(self, name: str) -> str:
        """A title or id as it is compared."""
        return name

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        wanted = dict.fromkeys(self.form(answer.label) for answer in gold)
        places = {title: place for place, title in enumerate(wanted)}
        counted = list(dict.fromkeys(map(self.form, texts(predictions))))
        owners = [places.get(title, WRONG) for title in counted]
        named = set(owners)
        return Resolution(counted, owners, list(places), [place in named for place in range(len(places))])

    def rate(self, resolution: Resolution) -> Match:
        found, given, gold = resolution.found.count(True), len(resolution.predictions), len(resolution.gold)
        return rated(found / given if found else 0.0, found / gold if found else 0.0, resolution)

    def warning(self, resolution: Resolution) -> str | None:
        return None if resolution.gold else "no gold answers: the published scorer raises; counted as 0"


@PROFILES.register("loft-retrieval")
class LoftRetrievalProfile(QuestProfile):
    """LOFT's retrieval.py: the ids of relevant passages, in the order in which they were given."""

    source = "LOFT (Lee et al.), evaluation/retrieval.py"
    default_measures = ("R@1", "R-1@1", "MRecall-1@1", "MRecall-2@2", "MRecall-3@3", "MRecall-5@5")

    def form(self, name: str) -> str:
        return name.strip()
