"""The audit of equivalences as in "What's in a Name?": was a prediction rightly counted right?

Items are predictions of runs that are wrong without the names that an expansion added, and right with them.
The expanded set says itself which names were added, so the set before is what remains without them.
"""

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Question
from rollcall.score.expansion import NewlyRight, newly_right
from rollcall.score.profiles import open_profile
from rollcall.studio.records import Item, item_key
from rollcall.studio.tasks import TASKS
from rollcall.studio.tasks.shown import PassageTexts, drawn_questions, numbered, shown_passages, shuffled
from rollcall.studio.tasks.task import Choice, Count, Material, Reason, Task, TaskSettings

WRONG = "wrong"
REASONS = (
    Reason("other-entity", "other entity", "3", "The two names do not mean the same thing."),
    Reason("wrong-context", "wrong context", "4", "They may mean the same, but not in this question."),
    Reason(
        "wrong-alias", "wrong alias", "5", "The same thing, but the question asks for another name of it."
    ),
)


class EquivalenceSettings(TaskSettings, frozen=True, kw_only=True):
    """What a manager decides about the audit."""

    sample: Count = 50
    """How many predictions are drawn; 0 for all."""
    profile: str = "entity"
    """The profile that compares predictions with answers."""


@TASKS.register("equivalence")
class Equivalence(Task):
    """Say whether a prediction that an added name made right is right."""

    name = "equivalence"
    title = "Audit equivalences"
    Settings = EquivalenceSettings
    needs = ("runs",)
    not_asked = "questions without a drawn prediction that an added name makes right (option sample)"
    choices = (
        Choice("correct", "Correct", "1", "The prediction answers the question.", "good", accepts=True),
        Choice("debatable", "Debatable", "2", "Reasonable people would differ.", "unsure"),
        Choice(WRONG, "Wrong", "3", "It does not; say why.", "bad", reasons=REASONS),
        Choice("invalid", "Invalid question", "6", "Ill-formed, or nothing could answer it.", "plain"),
    )

    def items(self, material: Material, settings: TaskSettings) -> list[Item]:
        assert isinstance(settings, EquivalenceSettings)
        self.check_material(material)
        questions = drawn_questions(self, material.questions, settings)
        after = QuestionSet(questions, material.questions.manifest)
        before = QuestionSet([_before(one) for one in questions])
        profile = open_profile(settings.profile)
        found: dict[tuple[str, str], NewlyRight] = {}
        for run in material.runs:
            for row in newly_right(before, after, run, profile):
                found.setdefault((row.id, row.prediction), row)
        if not found:
            raise RollcallError(
                "no prediction turned right by an added name: give a set that `rollcall expand` made, "
                "and runs on its questions"
            )
        rows = shuffled((found[key] for key in sorted(found)), settings.seed, "equivalence")
        texts, by_id = PassageTexts(material.corpus), {question.id: question for question in questions}
        return numbered([_item(row, by_id[row.id], texts) for row in rows[: settings.sample or None]])


def _before(question: Question) -> Question:
    """The question without the names that an expansion added."""
    return msgspec.structs.replace(question, answers=[_without_added(answer) for answer in question.answers])


def _without_added(answer: Answer) -> Answer:
    added = {alias.text for alias in answer.added}
    return msgspec.structs.replace(
        answer, aliases=[name for name in answer.aliases if name not in added], added=[]
    )


def _item(row: NewlyRight, question: Question, texts: PassageTexts) -> Item:
    answer = next(
        (one for one in question.answers if one.label == row.answer or row.alias in one.added), None
    )
    names = [] if answer is None else list(_without_added(answer).aliases)
    evidence = [] if answer is None else answer.evidence
    return Item(
        key=item_key("equivalence", row.id, row.prediction),
        question=row.id,
        shown={
            "question": row.question,
            "prediction": row.prediction,
            "answer": row.answer if answer is None else answer.label,
            "aliases": names,
            "passages": shown_passages(evidence, [row.answer, *names, row.prediction], texts),
        },
        hidden={"alias": None if row.alias is None else msgspec.to_builtins(row.alias)},
    )
