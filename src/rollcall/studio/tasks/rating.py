"""Naturalness as in RoMQA: would you ask this, and would another person?

Every rater sees one question of each compared set, shuffled, then one of each again; which set a question is
from stays hidden.
"""

from collections.abc import Sequence

from rollcall.questions.record import Question
from rollcall.studio.records import Item, ItemResolution, item_key
from rollcall.studio.tasks import TASKS
from rollcall.studio.tasks.shown import chance, drawn_questions, numbered, shuffled, wording_of
from rollcall.studio.tasks.task import (
    Agreement,
    Choice,
    Form,
    People,
    Positive,
    Task,
    TaskMaterial,
    TaskSettings,
    rating,
    texts_of,
)

RATED = "rated"
STEPS = 5
SCALES = (
    ("self", "How likely would you ask this question?"),
    ("other", "How likely would another person ask it?"),
)
WORDS = ("very unlikely", "unlikely", "hard to say", "likely", "very likely")


class NaturalnessSettings(TaskSettings, frozen=True, kw_only=True):
    """What a manager decides about ratings."""

    overlap: People = 3


@TASKS.register("naturalness")
class Naturalness(Task):
    """Rate how likely you, or somebody else, would ask a question."""

    name = "naturalness"
    title = "Rate naturalness"
    Settings = NaturalnessSettings
    right_or_wrong = False
    not_asked = "questions that were not drawn, because every set gives as many as the smallest"
    choices = (Choice(RATED, "Next", "Enter", "Both ratings are given.", accepts=True),)

    def items(self, material: TaskMaterial, settings: TaskSettings) -> list[Item]:
        sets = {material.name: material.questions, **material.others}
        drawn = {name: drawn_questions(self, questions, settings) for name, questions in sets.items()}
        rounds = max(map(len, drawn.values())) if len(drawn) == 1 else min(map(len, drawn.values()))
        items = []
        for index in range(rounds):
            bundle = [
                Item(
                    key=item_key("naturalness", name, questions[index].id),
                    question=questions[index].id,
                    shown={"question": wording_of(questions[index])},
                    hidden={"set": name},
                )
                for name, questions in drawn.items()
            ]
            items += shuffled(bundle, settings.seed, "bundle", index)
        return numbered(items)

    def values(self, item: Item, choice: str, form: Form) -> dict[str, object]:
        return {field: rating(form, field, STEPS, about) for field, about in SCALES}

    def settled_by(self, choices: Sequence[str], agreement: Agreement) -> ItemResolution:
        return ItemResolution("accepted", RATED, f"{len(choices)} ratings")


# Screening: read a whole set quickly and mark what is wrong with its questions. One person reads
# hundreds in an hour, so a figure with its interval can be put on a set's quality before anything else
# is done with it.


class ScreenSettings(TaskSettings, frozen=True, kw_only=True):
    """What a manager decides about screening."""

    answers: Positive = 12
    """How many answers of a question are shown, drawn at random."""


@TASKS.register("screen")
class ScreenTask(Task):
    """Read a question with its answers and mark what is wrong with it."""

    name = "screen"
    title = "Screen questions"
    Settings = ScreenSettings
    choices = (
        Choice(
            "fine", "Fine", "1", "Somebody might ask it, and the answers look right.", "good", accepts=True
        ),
        Choice("clumsy", "Clumsy", "2", "One understands it, but nobody would say it so.", "unsure"),
        Choice("senseless", "Senseless", "3", "It asks nothing that one could answer.", "bad"),
        Choice("wrong-answer", "Wrong answer", "4", "An answer does not answer it.", "bad"),
        Choice("weak-evidence", "Weak evidence", "5", "The text does not prove an answer.", "unsure"),
    )

    def items(self, material: TaskMaterial, settings: TaskSettings) -> list[Item]:
        assert isinstance(settings, ScreenSettings)
        return numbered(
            [_item(question, settings) for question in drawn_questions(self, material.questions, settings)]
        )

    def values(self, item: Item, choice: str, form: Form) -> dict[str, object]:
        listed = item.shown.get("answers")
        labels = [row["answer"] for row in listed] if isinstance(listed, list) else []
        marked = [label for label in texts_of(form, "marked") if label in labels]
        return {"answers": marked} if marked and choice in ("wrong-answer", "weak-evidence") else {}


def _item(question: Question, settings: ScreenSettings) -> Item:
    drawn = chance(settings.seed, "screened", question.id).sample(
        question.answers, min(settings.answers, len(question.answers))
    )
    return Item(
        key=item_key("screen", question.id),
        question=question.id,
        shown={
            "question": wording_of(question),
            "answers": [
                {
                    "answer": answer.label,
                    "evidence": [
                        {"title": piece.title or "", "text": piece.text} for piece in answer.evidence
                    ],
                }
                for answer in drawn
            ],
            "more": len(question.answers) - len(drawn),
        },
    )
