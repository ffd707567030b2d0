"""Validation as in QAMPARI: does the text state this answer to this question?

A share of wrong answers is injected to see who reads. Questions whose answers fall under the minimum are
dropped, and others of the pool take their place until the quota is met.
"""

from collections.abc import Sequence

import msgspec

from rollcall.audit.material import answer_names
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Question
from rollcall.studio.records import Item, ItemResolution, item_key
from rollcall.studio.tasks import TASKS
from rollcall.studio.tasks.injection import Wrong, WrongAnswers
from rollcall.studio.tasks.shown import (
    PassageTexts,
    chance,
    drawn_questions,
    identity,
    numbered,
    shown_passages,
    shuffled,
    wording_of,
)
from rollcall.studio.tasks.task import Agreement, Choice, Count, Share, Task, TaskMaterial, TaskSettings

STATED, NOT_STATED, UNCLEAR = "stated", "not-stated", "unclear"
MOST_MINIMUM = 5
"""So many validated answers QAMPARI asks for."""


class ValidateSettings(TaskSettings, frozen=True, kw_only=True):
    """What a manager decides about validation."""

    injected: Share = 0.1
    """The share of items whose answer is known to be wrong."""
    quota: Count = 0
    """How many validated questions are wanted; the rest of the set is the pool. 0 for all, without a pool."""
    minimum: Count | None = None
    """A question with fewer validated answers is dropped, and replaced from the pool. If it is not given: as
    many as every question of the set has, and 5 at most."""
    together: bool = True
    """Whether the answers of one question are handed out one after the other."""
    check_accepted: Share = 0.05
    check_rejected: Share = 1.0


@TASKS.register("validate")
class Validate(Task):
    """Say whether the marked text states an answer to a question."""

    name = "validate"
    title = "Validate answers"
    Settings = ValidateSettings
    choices = (
        Choice(
            STATED, "Stated", "1", "The text says so, or it follows from it at once.", "good", accepts=True
        ),
        Choice(NOT_STATED, "Not stated", "2", "The text says something else, or leaves a part open.", "bad"),
        Choice(UNCLEAR, "Cannot understand", "3", "The question or the text makes no sense.", "unsure"),
    )

    def fitted(self, settings: TaskSettings, questions: QuestionSet) -> ValidateSettings:
        assert isinstance(settings, ValidateSettings)
        if settings.minimum is not None:
            return settings
        usable = [
            question
            for question in questions
            if question.answers and not super(Validate, self).leaves_out(question, settings)
        ]
        least = min((len(set(map(identity, question.answers))) for question in usable), default=MOST_MINIMUM)
        return msgspec.structs.replace(settings, minimum=min(least, MOST_MINIMUM))

    def leaves_out(self, question: Question, settings: TaskSettings) -> str:
        assert isinstance(settings, ValidateSettings)
        if reason := super().leaves_out(question, settings):
            return reason
        needed, proved = settings.minimum or 1, len(_proved(question))
        if proved >= needed:
            return ""
        if not proved:
            return "questions without an answer that has evidence"
        return f"questions with fewer than {needed} answers that have evidence (option minimum)"

    def answers_left_out(self, question: Question) -> int:
        return len(set(map(identity, question.answers))) - len(_proved(question))

    def settled_by(self, choices: Sequence[str], agreement: Agreement) -> ItemResolution:
        """One person who cannot understand says nothing about the answer: it needs a second opinion."""
        if list(choices) == [UNCLEAR]:
            return ItemResolution("disputed", why=f"1 {UNCLEAR}")
        return super().settled_by(choices, agreement)

    def items(self, material: TaskMaterial, settings: TaskSettings) -> list[Item]:
        settings = self.fitted(settings, material.questions)
        questions = drawn_questions(self, material.questions, settings)
        active = questions[: settings.quota or None]
        wrong = _wrong_answers(questions, material, settings)
        texts = PassageTexts(material.corpus)
        pool = {question.id for question in questions[len(active) :]}
        groups = []
        for question in questions:
            right = [_item(question, answer, texts, question.id in pool) for answer in _proved(question)]
            false = [
                _item(question, wrong_answer.answer, texts, question.id in pool, wrong_answer)
                for wrong_answer in wrong[question.id]
            ]
            groups.append(shuffled([*right, *false], settings.seed, "answers", question.id))
        flat = [item for group in groups for item in group]
        return numbered(flat if settings.together else _scattered(flat, pool, settings.seed))


def _proved(question: Question) -> list[Answer]:
    """The answers with evidence that can be read, each once."""
    once: dict[str, Answer] = {}
    for answer in question.answers:
        if any(piece.text.strip() for piece in answer.evidence):
            once.setdefault(identity(answer), answer)
    return list(once.values())


def _wrong_answers(
    questions: Sequence[Question], material: TaskMaterial, settings: ValidateSettings
) -> dict[str, list[Wrong]]:
    """Wrong answers by question: drawn among all items, so that a question may have none or two."""
    injected: dict[str, list[Wrong]] = {question.id: [] for question in questions}
    slots = [question for question in questions for _ in _proved(question)]
    if not settings.injected:
        return injected
    wanted = round(len(slots) * settings.injected / (1 - min(settings.injected, 0.9)))
    source = WrongAnswers(material.questions, material.graph, injected, settings.seed, material.corpus)
    numbers = chance(settings.seed, "injected")
    for attempt in range(wanted * 4):
        if wanted <= 0:
            break
        question = numbers.choice(slots)
        wrong = source.find(question, attempt)
        taken = {identity(earlier.answer) for earlier in injected[question.id]}
        if wrong is not None and identity(wrong.answer) not in taken:
            injected[question.id].append(wrong)
            wanted -= 1
    return injected


def _item(
    question: Question, answer: Answer, texts: PassageTexts, pool: bool, wrong: Wrong | None = None
) -> Item:
    """Right and wrong answers take this one way, so nothing shown can differ between them."""
    names = answer_names(answer)
    hidden: dict[str, object] = {"answer": {"id": answer.id, "label": answer.label}}
    if wrong is not None:
        hidden |= {"expected": [NOT_STATED], "source": _source(wrong)}
    return Item(
        key=item_key("validate", question.id, identity(answer)),
        question=question.id,
        shown={
            "question": wording_of(question),
            "answer": answer.label,
            "aliases": list(answer.aliases),
            "passages": shown_passages(answer.evidence, names, texts),
        },
        hidden=hidden,
        pool=pool,
        injected=wrong is not None,
    )


def _source(wrong: Wrong) -> dict[str, str]:
    lender = {"question": wrong.of.id} if wrong.of is not None else {}
    return {**lender, "how": wrong.how}


def _scattered(items: list[Item], pool: set[str], seed: int) -> list[Item]:
    """All items in random order, those of the pool after the others."""
    mixed = shuffled(items, seed, "scattered")
    return sorted(mixed, key=lambda item: item.question in pool)
