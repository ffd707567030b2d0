"""QUEST's scorer: the exact titles of documents, as sets.

Nothing is normalised. Without a right title, precision, recall and F1 are 0. The same rules score LOFT's
retrieval tasks, whose answers are the ids of passages.
"""

from collections.abc import Sequence

from rollcall.questions.record import Answer, Question
from rollcall.score.match import WRONG, Match, Resolution, rated
from rollcall.score.profile import Predicted, Profile, texts
from rollcall.score.profiles import PROFILES


@PROFILES.register("quest")
class QuestProfile(Profile):
    """QUEST's run_eval.py: sets of exact titles; also LOFT's retrieval of passage ids."""

    source = (
        "QUEST (Malaviya et al.), language/quest/eval/run_eval.py; LOFT (Lee et al.), evaluation/retrieval.py"
    )
    default_measures = ("P", "R", "F1", "MRecall")

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        places = {
            title: place for place, title in enumerate(dict.fromkeys(answer.label.strip() for answer in gold))
        }
        counted = list(dict.fromkeys(text.strip() for text in texts(predictions)))
        owners = [places.get(title, WRONG) for title in counted]
        named = set(owners)
        return Resolution(counted, owners, list(places), [place in named for place in range(len(places))])

    def rate(self, resolution: Resolution) -> Match:
        found, given, gold = resolution.found.count(True), len(resolution.predictions), len(resolution.gold)
        return rated(found / given if found else 0.0, found / gold if found else 0.0, resolution)

    def warning(self, resolution: Resolution) -> str | None:
        return None if resolution.gold else "no gold answers: the published scorer raises; counted as 0"
