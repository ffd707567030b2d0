"""The parts of judged profiles that need no language model, each under a name of its own.

A response is cut into its items (a JSON list, bullets, lines, semicolons or commas), and the items are
matched as in the profile `entity`. Reports of judged profiles show it beside the judge's verdict.
"""

from collections.abc import Sequence

from rollcall.llm.answer_list import parse_list
from rollcall.questions.record import Answer, Question
from rollcall.questions.text_items import text_items
from rollcall.score.match import WRONG, Match, Resolution
from rollcall.score.profile import Predicted, Profile, texts
from rollcall.score.profiles import PROFILES
from rollcall.score.profiles.deepsearchqa import EXTRANEOUS, FULLY_WRONG, kinds
from rollcall.score.profiles.entity import EntityProfile


class ResponseMatchProfile(EntityProfile):
    """Items of a response, matched as in `entity`."""

    judge = Profile.judge
    measures = Profile.measures

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        return super().resolve(question, gold, response_items(predictions))


@PROFILES.register("monaco-match")
class MonacoMatchProfile(ResponseMatchProfile):
    """MoNaCo without a language model: the items of a response, matched as in entity."""

    source = "Rollcall, beside MoNaCo's judge"
    default_measures = ("F1", "P", "R")


@PROFILES.register("deepsearchqa-match")
class DeepSearchQaMatchProfile(ResponseMatchProfile):
    """DeepSearchQA without a language model: the items of a response, matched as in entity."""

    source = "Rollcall, beside DeepSearchQA's grader"
    default_measures = ("acc", FULLY_WRONG, EXTRANEOUS, "P", "R", "F1")
    own_figures = (FULLY_WRONG, EXTRANEOUS)

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        found = super().resolve(question, gold, predictions)
        return found._replace(own=kinds(found.found, found.owners.count(WRONG)))

    def rate(self, resolution: Resolution) -> Match:
        return super().rate(resolution)._replace(own=resolution.own)


def response_items(predictions: Sequence[Predicted]) -> list[Predicted]:
    """The items of a response that is one text; several answers are items already."""
    if len(predictions) != 1:
        return list(predictions)
    text = texts(predictions)[0]
    listed = parse_list(text)
    return list(text_items(text) if listed is None else listed)
