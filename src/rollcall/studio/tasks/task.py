"""The interface of tasks: which items are made from a set, what a person may say, and what verdicts come to.

A task is pure: it knows neither database nor web. What annotators see is decided when an item is made, in
`Item.shown`; what would give an injected item away stays in `Item.hidden`. A task that has several stages
(writing, then verifying what was written) names the task that shows each stage, so every screen exists once.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, NamedTuple, TypeAlias

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.registry import Need, check_needs, lacks_method
from rollcall.corpus import Corpus
from rollcall.graph import Graph
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Question
from rollcall.questions.run import Passage, Run
from rollcall.studio.records import Item, ItemResolution, Json, JudgmentRecord, Verdict

# Reads the fields of a posted form: each may come once or several times, and may hold anything. Text is
# stripped of control characters and cut where it is longer than anybody writes, so that no stored
# text can break a terminal, a CSV file or a page.

Form: TypeAlias = Mapping[str, str | list[str]]

LONGEST_COMMENT = 4_000
LONGEST_TEXT = 2_000
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def text_of(form: Form, field: str) -> str:
    """The text of a field, empty if it is missing; the last one if it came several times."""
    texts = texts_of(form, field)
    return texts[-1] if texts else ""


def texts_of(form: Form, field: str) -> list[str]:
    """All texts of a field, in order."""
    value = form.get(field, [])
    return [clean(text) for text in ([value] if isinstance(value, str) else value)]


def clean(text: str) -> str:
    """A text without control characters and characters that turn the direction of writing."""
    return _CONTROL.sub("", text).strip()


def comment_of(form: Form) -> str:
    """The comment, if there is one."""
    return short(text_of(form, "comment"), LONGEST_COMMENT, "the comment")


def short(text: str, most: int, what: str) -> str:
    """A text that must not be longer."""
    if len(text) > most:
        raise RollcallError(f"{what} has {len(text):,} characters; write {most:,} at most")
    return text


def rating(form: Form, field: str, most: int, what: str) -> int:
    """A number from 1 to `most`."""
    text = text_of(form, field)
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= most):
        raise RollcallError(f"{what}: choose a number from 1 to {most}")
    return int(text)


# Gold: an item of the set whose right verdict was given, by which others are measured. Unlike an
# injected item it is a real one, and its verdict is its result. What people say about it from then on
# counts in their records and nowhere else, so that nothing is counted twice.

_EXPECTED, _GOLD = "expected", "gold"


class GoldVerdict(NamedTuple):
    """The right verdict of a gold item, and who gave it."""

    choice: str
    by: str
    values: Json


def known_choice(item: Item) -> str | None:
    """The right choice for an item that is injected or gold; None if several are, or it is not known."""
    expected = item.hidden.get(_EXPECTED) if item.injected or item.gold else None
    return str(expected[0]) if isinstance(expected, list | tuple) and len(expected) == 1 else None


def gold_verdict(item: Item) -> GoldVerdict | None:
    """The right verdict of an item, if it is gold."""
    return hidden_gold(item.hidden) if item.gold else None


def hidden_gold(hidden: Json) -> GoldVerdict | None:
    """The right verdict that the hidden part of an item has."""
    expected, gold = hidden.get(_EXPECTED), hidden.get(_GOLD)
    if not isinstance(expected, list | tuple) or not expected or not isinstance(gold, dict):
        return None
    values = gold.get("values")
    return GoldVerdict(str(expected[0]), str(gold.get("by", "")), values if isinstance(values, dict) else {})


def hidden_with_gold(hidden: Json, verdict: Verdict, by: str) -> Json:
    """The hidden part of an item with its right verdict."""
    return {**hidden, _EXPECTED: [verdict.choice], _GOLD: {"by": by, "values": dict(verdict.values)}}


def hidden_without_gold(hidden: Json) -> Json:
    """The hidden part of an item that is gold no longer."""
    return {name: value for name, value in hidden.items() if name not in (_EXPECTED, _GOLD)}


def with_gold(item: Item, verdict: Verdict, by: str) -> Item:
    """The item as gold."""
    return msgspec.structs.replace(item, gold=True, hidden=hidden_with_gold(item.hidden, verdict, by))


# What tasks make their items from: a question set, and the runs, corpus, graph and other sets given with
# it. Only the set is always there; a task that needs more declares it, and the error says how to give
# it.

Search = Callable[[str, int], list[Passage]]
"""Finds the best passages of a corpus for a text."""

NEEDS = {
    "corpus": Need("a corpus", "--corpus", "corpus="),
    "graph": Need("a graph", "--graph", "graph="),
    "runs": Need("one run or more", "--run", "runs="),
    "others": Need("another question set to compare with", "--beside", "beside="),
}
"""Everything that tasks may need."""


@dataclass(frozen=True)
class TaskMaterial:
    """A question set and what belongs to it."""

    questions: QuestionSet
    name: str = "set"
    """What the set is called where sets are compared."""
    runs: Sequence[Run] = ()
    corpus: Corpus | None = None
    graph: Graph | None = None
    others: Mapping[str, QuestionSet] = field(default_factory=dict)
    """Sets that this one is compared with, by name."""
    search: Search | None = None
    """Search over the corpus, if an index of it is there."""

    def has(self, need: str) -> bool:
        """Whether something that a task may need was given."""
        parts = {"corpus": self.corpus, "graph": self.graph, "runs": self.runs, "others": self.others}
        return bool(parts[need]) if need in ("runs", "others") else parts[need] is not None


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


class VerdictReason(msgspec.Struct, frozen=True):
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
    reasons: tuple[VerdictReason, ...] = ()
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
    """The minutes after which the page says that time is over; 0 if there is no limit."""
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

    def check_material(self, material: TaskMaterial) -> None:
        """Raise an error that names what is missing."""
        check_needs(f"the task {self.name}", self.needs, material.has, NEEDS)

    def fitted(self, settings: TaskSettings, questions: QuestionSet) -> TaskSettings:
        """The settings; those that were not given are taken from the set."""
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

    def items(self, material: TaskMaterial, settings: TaskSettings) -> list[Item]:
        """What is to be judged, in the order in which it is handed out."""
        raise NotImplementedError

    def qualification(self, material: TaskMaterial, settings: TaskSettings) -> list[Item]:
        """The items of the qualification test, whose right verdicts are known."""
        return []

    # -- verdicts ------------------------------------------------------------------------------------

    def parse(self, item: Item, form: Form) -> Verdict:
        """What a person said, from the fields of the form; an error tells the person what to correct."""
        shown_by = self.at(item.stage)
        key, _, reason = text_of(form, "choice").partition(":")
        choice = choice_of(shown_by, key)
        if choice is None:
            raise RollcallError("no verdict was chosen; choose one and send again")
        values = shown_by.values(item, key, form)
        if choice.reasons:
            values["why"] = _reason(choice, reason or text_of(form, "why"))
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

    def resolve(self, item: Item, judged: Sequence[JudgmentRecord], settings: TaskSettings) -> ItemResolution:
        """What all judgments of an item come to; one by a manager or adjudicator decides."""
        shown_by = self.at(item.stage)
        counted = [judgment for judgment in judged if judgment.counted]
        decided = next((judgment for judgment in reversed(counted) if judgment.role in DECISIVE), None)
        if decided is not None:
            return shown_by.settled(decided.choice, f"decided by {decided.person}")
        if (gold := gold_verdict(item)) is not None:
            return shown_by.settled(gold.choice, f"gold, by {gold.by}")
        needed = item.overlap or settings.overlap
        if len(counted) < needed:
            return ItemResolution("open", why=f"{len(counted)} of {needed} judgments")
        if (known := known_choice(item)) is not None:  # people are measured by it, and decide nothing
            return shown_by.settled(known, KNOWN)
        choices = [judgment.choice for judgment in counted]
        return shown_by.settled_by(choices, settings.agreement)

    def settled_by(self, choices: Sequence[str], agreement: Agreement) -> ItemResolution:
        """What a complete list of verdicts comes to."""
        common = max(dict.fromkeys(choices), key=choices.count)
        enough = len(choices) if agreement == "all" else len(choices) // 2 + 1
        if choices.count(common) < enough:
            return ItemResolution(
                "disputed",
                why=", ".join(f"{choices.count(choice)} {choice}" for choice in dict.fromkeys(choices)),
            )
        return self.settled(common, f"{choices.count(common)} of {len(choices)}")

    def settled(self, choice: str, why: str) -> ItemResolution:
        """The resolution that a final choice means."""
        accepts = any(known.accepts for known in self.choices if known.key == choice)
        return ItemResolution("accepted" if accepts else "rejected", choice, why)

    def follow_up(self, item: Item, judged: Sequence[JudgmentRecord], settings: TaskSettings) -> list[Item]:
        """Items that follow from the judgments of an item, such as written wordings to verify.

        It may be called after each judgment; an item that was made before has the same key.
        """
        return []


def lacks(thing: object) -> str | None:
    """What something lacks to be a task."""
    if not (isinstance(thing, type) and issubclass(thing, Task)):
        return "it is not a subclass of rollcall.studio.tasks.task.Task"
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
    return re.sub(r"(?<=\d )[\w-]+(?=,|$)", lambda match: label_of(task, match[0]), why)


def _reason(choice: Choice, key: str) -> str:
    if key not in {known.key for known in choice.reasons}:
        listed = ", ".join(known.label for known in choice.reasons)
        raise RollcallError(f"{choice.label} needs a reason; choose one of: {listed}")
    return key
