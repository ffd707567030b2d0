"""Writing as in RoMQA and GraphQuestions: a person sees a query and asks it in words.

Conditions come in random order with titles, descriptions and aliases, so that nobody copies a template. What
is written goes to two others (`verify`); only what both accept is kept.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Annotated, ClassVar

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.audit.parts import query_of
from rollcall.questions.record import Question
from rollcall.studio.records import Item, Judged, item_key
from rollcall.studio.tasks import TASKS
from rollcall.studio.tasks.shown import drawn_questions, numbered, shown_query, wording_of
from rollcall.studio.tasks.task import (
    LONGEST_TEXT,
    MOST_PEOPLE,
    QUALIFY,
    Agreement,
    Choice,
    Count,
    Form,
    Material,
    People,
    Positive,
    Task,
    TaskSettings,
    one,
    short,
)
from rollcall.studio.tasks.verify import VERIFY, Verify, qualification_items, without_query, written_items
from rollcall.text.words import ARTICLES, AUXILIARIES, DEMONSTRATIVES, QUESTION_WORDS, base_form, fold

# Whether a paraphrase says too little new: GraphQuestions removed "which city" for "what city" by hand.
# Two wordings are compared without case, punctuation, plural endings and words that carry no meaning. If
# the same words remain in the same order, the paraphrase is trivial; the same words in another order are
# a change of structure, which is what is wanted, unless almost everything stands as before.

_WORD = re.compile(r"\w+(?:['’]\w+)?")
_EMPTY = ARTICLES | QUESTION_WORDS | AUXILIARIES | DEMONSTRATIVES | {"please", "there", "list", "name", "all"}
_ASKING = {"tell", "show", "give", "find", "me", "us"}
_LIKE = 0.95


def is_trivial(wording: str, known: str) -> bool:
    """Whether a wording repeats a known one but for words that carry no meaning."""
    new, old = _telling(wording), _telling(known)
    if not new:
        return True
    if new == old:
        return True
    return len(new) == len(old) and SequenceMatcher(None, new, old, autojunk=False).ratio() >= _LIKE


def trivial_match(wording: str, known: Iterable[str]) -> str | None:
    """The known wording that a new one repeats, if there is one."""
    return next((one for one in known if is_trivial(wording, one)), None)


def _telling(wording: str) -> list[str]:
    words = _WORD.findall(fold(wording))
    kept = [base_form(word) for word in words if word not in _EMPTY]
    while kept and kept[0] in _ASKING:
        kept.pop(0)
    return kept


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


# Paraphrasing as in QAMPARI and GraphQuestions: many people say a canonical question in other words. A
# paraphrase that repeats the question but for empty words is refused at once (`trivial`), with the
# reason. Entities are shown with the names that the corpus uses, the most frequent first.


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
