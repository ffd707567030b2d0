"""Writing as in RoMQA and GraphQuestions: a person sees a query and asks it in words.

Conditions come in random order with titles, descriptions and aliases, so that nobody copies a template. What
is written goes to two others (`verify`); only what both accept is kept.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

import msgspec

from rollcall.errors import RollcallError
from rollcall.questions.record import Question
from rollcall.studio.records import Item, Judged, item_key
from rollcall.studio.tasks import TASKS
from rollcall.studio.tasks.drawing import drawn_questions, numbered
from rollcall.studio.tasks.form import LONGEST_TEXT, Form, one, short
from rollcall.studio.tasks.material import Material
from rollcall.studio.tasks.query_shown import shown_query
from rollcall.studio.tasks.task import (
    MOST_PEOPLE,
    QUALIFY,
    Agreement,
    Choice,
    Count,
    Positive,
    Task,
    TaskSettings,
)
from rollcall.studio.tasks.trivial import trivial_match
from rollcall.studio.tasks.verify import VERIFY, Verify, qualification_items, without_query, written_items

WRITTEN, SENSELESS = "written", "senseless"
_SHORTEST = 3


class WriteSettings(TaskSettings, frozen=True, kw_only=True):
    """What a manager decides about writing."""

    verifiers: Annotated[int, msgspec.Meta(ge=0, le=MOST_PEOPLE)] = 2
    """How many others verify each wording. 0 to keep every wording."""
    agreement: Agreement = "all"
    """How many of them must accept it: all, or more than half."""
    qualify: Count = 6
    inspected: Count = 10
    """How many wordings of each writer a manager inspects in a batch."""
    inspected_wrong: Positive = 2
    """With so many wrong ones, the writer's part of the batch is written again."""
    batch: Positive = 500
    """How many wordings make a batch."""


class Wording(Task):
    """What writing and paraphrasing have in common: a text, which others verify."""

    Settings = WriteSettings
    right_or_wrong = False
    stages: ClassVar[Mapping[str, type[Task]]] = {VERIFY: Verify, QUALIFY: Verify}

    def values(self, item: Item, choice: str, form: Form) -> dict[str, object]:
        if choice != WRITTEN:
            return {}
        text = short(" ".join(one(form, "text").split()), LONGEST_TEXT, "the question")
        if len(text.split()) < _SHORTEST:
            raise RollcallError(f"the question is too short: write {_SHORTEST} words or more")
        known = item.shown.get("known")
        repeated = trivial_match(text, known if isinstance(known, list) else ())
        if repeated is not None:
            raise RollcallError(
                f"this says almost the same as “{repeated}”: use other words or another structure"
            )
        return {"text": text}

    def qualification(self, material: Material, settings: TaskSettings) -> list[Item]:
        return qualification_items(material, settings)

    def follow_up(self, item: Item, judged: Sequence[Judged], settings: TaskSettings) -> list[Item]:
        assert isinstance(settings, WriteSettings)
        if item.stage in self.stages or not settings.verifiers:
            return []
        return written_items(item, judged, settings.verifiers)


@TASKS.register("write")
class Write(Wording):
    """Write the question that a query asks."""

    name = "write"
    title = "Write questions"
    choices = (
        Choice(WRITTEN, "Done", "Ctrl+Enter", "The question is written.", "good", accepts=True),
        Choice(SENSELESS, "Nobody would ask this", "Alt+9", "The conditions make no sense together.", "bad"),
    )

    def leaves_out(self, question: Question, settings: TaskSettings) -> str:
        return super().leaves_out(question, settings) or without_query(question)

    def items(self, material: Material, settings: TaskSettings) -> list[Item]:
        questions = drawn_questions(self, material.questions, settings)
        return numbered(
            [
                Item(
                    key=item_key("write", question.id),
                    question=question.id,
                    shown=shown_query(question, material, settings.seed),
                )
                for question in questions
            ]
        )
