"""Screening: read a whole set quickly and mark what is wrong with its questions.

One person reads hundreds in an hour, so a figure with its interval can be put on a set's quality before
anything else is done with it.
"""

from rollcall.questions.record import Question
from rollcall.studio.records import Item, item_key
from rollcall.studio.tasks import TASKS
from rollcall.studio.tasks.drawing import chance, drawn_questions, numbered, wording_of
from rollcall.studio.tasks.form import Form, many
from rollcall.studio.tasks.material import Material
from rollcall.studio.tasks.task import Choice, Positive, Task, TaskSettings


class ScreenSettings(TaskSettings, frozen=True, kw_only=True):
    """What a manager decides about screening."""

    answers: Positive = 12
    """How many answers of a question are shown, drawn at random."""


@TASKS.register("screen")
class Screen(Task):
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

    def items(self, material: Material, settings: TaskSettings) -> list[Item]:
        assert isinstance(settings, ScreenSettings)
        return numbered([_item(one, settings) for one in drawn_questions(self, material.questions, settings)])

    def values(self, item: Item, choice: str, form: Form) -> dict[str, object]:
        listed = item.shown.get("answers")
        labels = [row["answer"] for row in listed] if isinstance(listed, list) else []
        marked = [label for label in many(form, "marked") if label in labels]
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
                    "answer": one.label,
                    "evidence": [{"title": piece.title or "", "text": piece.text} for piece in one.evidence],
                }
                for one in drawn
            ],
            "more": len(question.answers) - len(drawn),
        },
    )
