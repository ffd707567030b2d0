"""Paraphrasing as in QAMPARI and GraphQuestions: many people say a canonical question in other words.

A paraphrase that repeats the question but for empty words is refused at once (`trivial`), with the reason.
Entities are shown with the names that the corpus uses, the most frequent first.
"""

from rollcall.audit.parts import query_of
from rollcall.questions.record import Question
from rollcall.studio.records import Item, item_key
from rollcall.studio.tasks import TASKS
from rollcall.studio.tasks.drawing import drawn_questions, numbered, wording_of
from rollcall.studio.tasks.material import Material
from rollcall.studio.tasks.query_shown import shown_query
from rollcall.studio.tasks.task import Choice, People, TaskSettings
from rollcall.studio.tasks.verify import qualification_items
from rollcall.studio.tasks.write import SENSELESS, WRITTEN, Wording, WriteSettings


class ParaphraseSettings(WriteSettings, frozen=True, kw_only=True):
    """What a manager decides about paraphrasing."""

    overlap: People = 3
    """How many people paraphrase each question."""


@TASKS.register("paraphrase")
class Paraphrase(Wording):
    """Say a question in other words, with the same meaning."""

    name = "paraphrase"
    title = "Paraphrase questions"
    Settings = ParaphraseSettings
    choices = (
        Choice(WRITTEN, "Done", "Ctrl+Enter", "The paraphrase is written.", "good", accepts=True),
        Choice(SENSELESS, "I cannot understand it", "Alt+9", "The question makes no sense.", "bad"),
    )

    def items(self, material: Material, settings: TaskSettings) -> list[Item]:
        return numbered(
            [_item(one, material, settings) for one in drawn_questions(self, material.questions, settings)]
        )

    def qualification(self, material: Material, settings: TaskSettings) -> list[Item]:
        has_queries = any(query_of(one) is not None for one in material.questions)
        return qualification_items(material, settings) if has_queries else []


def _item(question: Question, material: Material, settings: TaskSettings) -> Item:
    text = wording_of(question)
    return Item(
        key=item_key("paraphrase", question.id),
        question=question.id,
        shown={
            **shown_query(question, material, settings.seed),
            "question": text,
            "known": [text],
        },
    )
