"""Naturalness as in RoMQA: would you ask this, and would another person?

Every rater sees one question of each compared set, shuffled, then one of each again; which set a question is
from stays hidden.
"""

from collections.abc import Sequence

from rollcall.studio.records import Item, Resolution, item_key
from rollcall.studio.tasks import TASKS
from rollcall.studio.tasks.drawing import drawn_questions, numbered, shuffled, wording_of
from rollcall.studio.tasks.form import Form, rating
from rollcall.studio.tasks.material import Material
from rollcall.studio.tasks.task import Agreement, Choice, People, Task, TaskSettings

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

    def items(self, material: Material, settings: TaskSettings) -> list[Item]:
        sets = {material.name: material.questions, **material.others}
        drawn = {name: drawn_questions(self, one, settings) for name, one in sets.items()}
        rounds = max(map(len, drawn.values())) if len(drawn) == 1 else min(map(len, drawn.values()))
        made = []
        for place in range(rounds):
            bundle = [
                Item(
                    key=item_key("naturalness", name, questions[place].id),
                    question=questions[place].id,
                    shown={"question": wording_of(questions[place])},
                    hidden={"set": name},
                )
                for name, questions in drawn.items()
            ]
            made += shuffled(bundle, settings.seed, "bundle", place)
        return numbered(made)

    def values(self, item: Item, choice: str, form: Form) -> dict[str, object]:
        return {field: rating(form, field, STEPS, about) for field, about in SCALES}

    def settled_by(self, said: Sequence[str], agreement: Agreement) -> Resolution:
        return Resolution("accepted", RATED, f"{len(said)} ratings")
