"""Neutral answers in scoring: answers that are probably right and not required.

They are handled before anything is measured, so that every measure treats them alike. With `ignore`, a
prediction that names a neutral answer and no answer that counts is removed from the predictions. With
`count`, neutral answers are required like all others. With `wrong`, they are not looked at, as in published
scorers.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.registry import plugin_failures
from rollcall.questions.record import Question
from rollcall.questions.run import Prediction, answer_text
from rollcall.score.options import GoldSetting, NeutralAre
from rollcall.score.pairing import Pairs, answer_sets, predicted
from rollcall.score.profile import Predicted, Profile
from rollcall.text.nouns import counted


class NeutralHandling(NamedTuple):
    """How neutral answers were handled, and the predictions that were ignored."""

    treated: NeutralAre
    answers: int
    """How many neutral answers the questions have."""
    ignored: list[list[Predicted]]
    """For each pair of a question and a prediction, the predicted answers that were removed."""

    def as_json(self) -> dict[str, object]:
        return {
            "treated": self.treated,
            "answers": self.answers,
            "ignored": sum(map(len, self.ignored)),
            "questions": sum(map(bool, self.ignored)),
        }

    @property
    def line(self) -> str:
        """What was done, in one line."""
        answers = counted(self.answers, "neutral answer")
        if self.treated == "count":
            return f"{answers} required like all others"
        if self.treated == "wrong":
            return f"{answers} not looked at, so a prediction of one is wrong; --neutral ignore ignores it"
        total, questions = sum(map(len, self.ignored)), sum(map(bool, self.ignored))
        where = f", in {counted(questions, 'question')}" if questions else ""
        return f"{answers}; {counted(total, 'prediction')} of them ignored{where}"


def without_neutral(
    pairs: Pairs, profile: Profile, setting: GoldSetting, given: NeutralAre | None
) -> tuple[list[tuple[Question, Prediction | None]], NeutralHandling | None]:
    """The pairs as they are scored, and how neutral answers were handled, if there are any."""
    treated = given or profile.neutral
    if given == "ignore" and profile.reads_whole:
        raise RollcallError(
            f"--neutral ignore needs answers one by one, and the profile {profile.name} reads a response as "
            "a whole; choose --neutral wrong or count, or another --profile, such as entity"
        )
    kept = list(pairs)
    answers = sum(len(question.neutral) for question, _ in kept)
    if not answers:
        return kept, None
    ignored: list[list[Predicted]] = [[] for _ in kept]
    if treated == "count":
        kept = [(_with_all_answers(question), prediction) for question, prediction in kept]
    elif treated == "ignore":
        with plugin_failures(f"the profile {profile.name}", profile):
            for index, (question, prediction) in enumerate(kept):
                neutral = of_neutral_answers(question, predicted(prediction), profile, setting)
                if prediction is not None and any(neutral):
                    sorted_out: tuple[list[Predicted], list[Predicted]] = ([], [])
                    for answer, is_neutral in zip(prediction.answers, neutral, strict=True):
                        sorted_out[is_neutral].append(answer)
                    remaining, ignored[index] = sorted_out
                    kept[index] = (question, msgspec.structs.replace(prediction, answers=remaining))
    return kept, NeutralHandling(treated, answers, ignored)


def of_neutral_answers(
    question: Question, predictions: Sequence[Predicted], profile: Profile, setting: GoldSetting
) -> list[bool]:
    """For each prediction, whether it names a neutral answer and no answer that counts."""
    if not question.neutral or not predictions:
        return [False] * len(predictions)
    neutral = profile.names_any(question, question.neutral, predictions)
    if any(neutral):
        for gold in answer_sets(question, setting):
            counting = profile.names_any(question, gold, predictions)
            neutral = [
                is_neutral and not counts for is_neutral, counts in zip(neutral, counting, strict=True)
            ]
    return neutral


def ignored_names(
    question: Question, ignored: Sequence[Predicted], profile: Profile
) -> list[tuple[str, list[str]]]:
    """The neutral answers that ignored predictions name, each with the predicted names."""
    if not ignored:
        return []
    named: dict[str, list[str]] = {}
    for prediction in ignored:
        resolution = profile.resolve(question, question.neutral, [prediction])
        label = next(
            (label for label, hit in zip(resolution.gold, resolution.found, strict=True) if hit),
            answer_text(prediction),
        )
        named.setdefault(label, []).append(answer_text(prediction))
    return list(named.items())


def _with_all_answers(question: Question) -> Question:
    """A question whose neutral answers are required."""
    return msgspec.structs.replace(
        question,
        answers=[*question.answers, *question.neutral],
        alternatives=[[*other, *question.neutral] for other in question.alternatives],
        neutral=[],
    )
