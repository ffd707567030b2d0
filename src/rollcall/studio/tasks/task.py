"""The interface of tasks: which items are made from a set, what a person may say, and what verdicts come to.

A task is pure: it knows neither database nor web. What annotators see is decided when an item is made, in
`Item.shown`; what would give an injected item away stays in `Item.hidden`. A task that has several stages
(writing, then verifying what was written) names the task that shows each stage, so every screen exists once.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal, TypeAlias

import msgspec

from rollcall.configurable import check_needs
from rollcall.errors import RollcallError
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Question
from rollcall.registry import lacks_method
from rollcall.studio.records import Item, Judged, Resolution, Verdict
from rollcall.studio.tasks.form import Form, comment_of, one
from rollcall.studio.tasks.gold import gold_verdict, known_choice
from rollcall.studio.tasks.material import NEEDS, Material

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
MOST_PEOPLE = 1000
"""More people than judge one item."""
People = Annotated[int, msgspec.Meta(ge=1, le=MOST_PEOPLE)]
Agreement: TypeAlias = Literal["all", "majority"]

QUALIFY, CHECK, JUDGE = "qualify", "check", "judge"
KNOWN = "known beforehand"
"""Why an injected item has its result."""
DECISIVE = ("manager", "adjudicator")
"""Roles whose verdict decides alone."""


class Reason(msgspec.Struct, frozen=True):
    """Why a verdict is given, where it must say so."""

    key: str
    label: str
    shortcut: str
    meaning: str = ""


class Choice(msgspec.Struct, frozen=True):
    """One verdict that a person may give."""

    key: str
    label: str
    shortcut: str
    """The key on the keyboard."""
    meaning: str = ""
    """When to choose it, in one line."""
    tone: Literal["good", "bad", "unsure", "plain"] = "plain"
    accepts: bool = False
    """Whether what is judged is kept."""
    reasons: tuple[Reason, ...] = ()
    """One of these must be given with it."""


class TaskSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What a manager decides about a project; tasks add settings of their own."""

    splits: tuple[str, ...] = ()
    """Only questions of these splits; all if none is named."""
    questions: Count = 0
    """How many questions are drawn at random; 0 for all."""
    overlap: People = 1
    """How many people judge each item."""
    agreement: Agreement = "majority"
    """How many of them must say the same: all, or more than half. Otherwise an adjudicator decides."""
    seed: int = 0
    """The seed of everything that is drawn."""
    check_accepted: Share = 0.0
    """The share of accepted items that a manager looks at."""
    check_rejected: Share = 0.0
    """The share of rejected items that a manager looks at."""
    qualify: Count = 0
    """How many items the qualification test has; 0 for no test."""
    pass_mark: Share = 0.8
    """The share of the test that must be right."""
    gold: Share = 0.1
    """The share of judgments that go to gold items, if there are any, beside injected ones."""


class Task:
    """Makes items and reads verdicts; the first line of its documentation says what people do."""

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    choices: ClassVar[tuple[Choice, ...]] = ()
    Settings: ClassVar[type[TaskSettings]] = TaskSettings
    needs: ClassVar[tuple[str, ...]] = ()
    """What it cannot make its items without: `corpus`, `graph`, `runs`, `others`."""
    minutes: ClassVar[float] = 0.0
    """After so many minutes the page says that time is over; 0 if there is no limit."""
    right_or_wrong: ClassVar[bool] = True
    """Whether a verdict can be right or wrong, so that items can be gold; ratings and texts cannot."""
    not_asked: ClassVar[str] = "questions about which there is nothing to judge"
    """What the questions are about which it makes no item, although `leaves_out` has no reason."""
    stages: ClassVar[Mapping[str, "type[Task]"]] = {}
    """The tasks that show certain stages of this one."""

    @property
    def summary(self) -> str:
        """What people do, in one line."""
        return (type(self).__doc__ or "").strip().partition("\n")[0]

    template: ClassVar[str] = "item.html"
    """The template of its screen, which includes the one in `tasks/` with its name."""
    instructions: ClassVar[str] = "instructions.html"
    """The template of its instructions, which includes the one in `instructions/` with its name."""

    def at(self, stage: str) -> "Task":
        """The task that shows items of a stage, mostly this one."""
        return self.stages[stage]() if stage in self.stages else self

    # -- from a set to items ------------------------------------------------------------------------

    def check_material(self, material: Material) -> None:
        """Raise an error that names what is missing."""
        check_needs(f"the task {self.name}", self.needs, material.has, NEEDS)

    def fitted(self, settings: TaskSettings, questions: QuestionSet) -> TaskSettings:
        """The settings, with those that are taken from the set where nobody gave them."""
        return settings

    def leaves_out(self, question: Question, settings: TaskSettings) -> str:
        """What a question is of which nothing is judged, with the option that decides it; else empty.

        It begins with a noun in the plural, such as `questions without a text`.
        """
        if settings.splits and question.split not in settings.splits:
            return "questions of other splits (option splits)"
        return "" if question.question or any(question.wordings) else "questions without a text"

    def answers_left_out(self, question: Question) -> int:
        """How many answers of a question are not judged, although others of it are."""
        return 0

    def items(self, material: Material, settings: TaskSettings) -> list[Item]:
        """What is to be judged, in the order in which it is handed out."""
        raise NotImplementedError

    def qualification(self, material: Material, settings: TaskSettings) -> list[Item]:
        """The items of the qualification test, whose right verdicts are known."""
        return []

    # -- verdicts ------------------------------------------------------------------------------------

    def parse(self, item: Item, form: Form) -> Verdict:
        """What a person said, from the fields of the form; an error tells the person what to mend."""
        shown_by = self.at(item.stage)
        key, _, reason = one(form, "choice").partition(":")
        choice = choice_of(shown_by, key)
        if choice is None:
            raise RollcallError("no verdict was chosen; choose one and send again")
        values = shown_by.values(item, key, form)
        if choice.reasons:
            values["why"] = _reason(choice, reason or one(form, "why"))
        return Verdict(key, values, comment_of(form))

    def values(self, item: Item, choice: str, form: Form) -> dict[str, object]:
        """What the form says beyond the choice."""
        return {}

    def missed(self, item: Item, verdict: Verdict) -> bool | None:
        """Whether a verdict is wrong about an item whose verdict is known; None for all others."""
        expected = item.hidden.get("expected")
        if not (item.injected or item.gold) or not isinstance(expected, list | tuple):
            return None
        return verdict.choice not in expected

    def resolve(self, item: Item, judged: Sequence[Judged], settings: TaskSettings) -> Resolution:
        """What all judgments of an item come to; one by a manager or adjudicator decides."""
        shown_by = self.at(item.stage)
        counted = [one for one in judged if one.counted]
        decided = next((one for one in reversed(counted) if one.role in DECISIVE), None)
        if decided is not None:
            return shown_by.settled(decided.choice, f"decided by {decided.person}")
        if (given := gold_verdict(item)) is not None:
            return shown_by.settled(given.choice, f"gold, by {given.by}")
        needed = item.overlap or settings.overlap
        if len(counted) < needed:
            return Resolution("open", why=f"{len(counted)} of {needed} judgments")
        if (known := known_choice(item)) is not None:  # people are measured by it, and decide nothing
            return shown_by.settled(known, KNOWN)
        said = [one.choice for one in counted]
        return shown_by.settled_by(said, settings.agreement)

    def settled_by(self, said: Sequence[str], agreement: Agreement) -> Resolution:
        """What a complete list of verdicts comes to."""
        common = max(dict.fromkeys(said), key=said.count)
        enough = len(said) if agreement == "all" else len(said) // 2 + 1
        if said.count(common) < enough:
            return Resolution(
                "disputed", why=", ".join(f"{said.count(one)} {one}" for one in dict.fromkeys(said))
            )
        return self.settled(common, f"{said.count(common)} of {len(said)}")

    def settled(self, choice: str, why: str) -> Resolution:
        """The resolution that a final choice means."""
        accepts = any(known.accepts for known in self.choices if known.key == choice)
        return Resolution("accepted" if accepts else "rejected", choice, why)

    def follow_up(self, item: Item, judged: Sequence[Judged], settings: TaskSettings) -> list[Item]:
        """Items that follow from the judgments of an item, such as written wordings to verify.

        It may be called after each judgment; an item that was made before has the same key.
        """
        return []


def lacks(thing: object) -> str | None:
    """What something lacks to be a task."""
    if not (isinstance(thing, type) and issubclass(thing, Task)):
        return "it is no subclass of rollcall.studio.tasks.task.Task"
    if not thing.choices:
        return "it has no choices"
    return lacks_method(thing, Task, "items", "items(material, settings)")


def choice_of(task: Task, key: str) -> Choice | None:
    """The choice with this key."""
    return next((known for known in task.choices if known.key == key), None)


def label_of(task: Task, key: str) -> str:
    """What people read on the button of a choice."""
    choice = choice_of(task, key)
    return key if choice is None else choice.label


def labelled(task: Task, why: str) -> str:
    """What an item came to, "1 stated, 1 not-stated", with what people read on the buttons."""
    return re.sub(r"(?<=\d )[\w-]+(?=,|$)", lambda found: label_of(task, found[0]), why)


def _reason(choice: Choice, given: str) -> str:
    if given not in {known.key for known in choice.reasons}:
        listed = ", ".join(known.label for known in choice.reasons)
        raise RollcallError(f"{choice.label} needs a reason; choose one of: {listed}")
    return given
