"""Which retrieved passages become positive training examples if answers have more names.

A passage is positive for a question if it names an answer in whole words. A question without a positive
passage cannot be used for training, so the number of questions gained is the value of an expansion (Table 1,
last rows).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Question
from rollcall.questions.run import Passage, Run
from rollcall.score.pairing import pair
from rollcall.score.profiles.entity import EntityProfile


class Positive(msgspec.Struct, omit_defaults=True):
    """A passage that names an answer, and the name it uses."""

    id: str
    passage: str
    name: str
    added: bool
    title: str = ""
    entity: str | None = None
    source: str | None = None


@dataclass
class PositiveCounts:
    """How many questions and passages are positive by the gold's own names, and with the added ones."""

    questions: int = 0
    questions_before: int = 0
    questions_after: int = 0
    passages: int = 0
    passages_before: int = 0
    passages_after: int = 0

    def rows(self) -> dict[str, float | int]:
        return {
            "questions with a positive passage, own names": self.questions_before,
            "questions with a positive passage, all names": self.questions_after,
            "positive passages, own names": self.passages_before,
            "positive passages, all names": self.passages_after,
        }


_PROFILE = EntityProfile()


def positive_passages(expanded: QuestionSet, run: Run) -> tuple[list[Positive], PositiveCounts]:
    """The positive passages of an expanded set, each with the first name that makes it so."""
    found: list[Positive] = []
    counts = PositiveCounts()
    for question, prediction in pair(expanded, run)[0]:
        passages = [] if prediction is None else prediction.retrieved
        positives = _of_question(question, passages)
        before = sum(not one.added for one in positives)
        counts.questions += 1
        counts.questions_before += before > 0
        counts.questions_after += bool(positives)
        counts.passages += len(passages)
        counts.passages_before += before
        counts.passages_after += len(positives)
        found += positives
    return found, counts


def _of_question(question: Question, passages: Sequence[Passage]) -> list[Positive]:
    names = [
        (name, _PROFILE.prepare(name), answer)
        for added in (False, True)  # the gold's own names first, so that they count before added ones
        for answer in question.answers
        for name in _names(answer, added)
    ]
    positives = []
    for place, passage in enumerate(passages, 1):
        text = _PROFILE.prepare(f"{passage.title}\n{passage.text}")
        hit = next(((name, answer) for name, form, answer in names if _PROFILE.mentions(text, [form])), None)
        if hit is not None:
            alias = next((one for one in hit[1].added if one.text == hit[0]), None)
            positives.append(
                Positive(
                    question.id,
                    passage.id or str(place),
                    hit[0],
                    alias is not None,
                    passage.title,
                    alias.entity if alias else None,
                    alias.source if alias else None,
                )
            )
    return positives


def _names(answer: Answer, added: bool) -> list[str]:
    extra = {alias.text for alias in answer.added}
    if added:
        return [name for name in answer.aliases if name in extra]
    return [answer.label, *(name for name in answer.aliases if name not in extra)]
