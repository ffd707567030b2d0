"""Validation as in QAMPARI: does the text state this answer to this question?

A share of wrong answers is injected to see who reads. Questions whose answers fall under the minimum are
dropped, and others of the pool take their place until the quota is met.
"""

from collections.abc import Sequence

from rollcall.audit.parts import answer_names
from rollcall.errors import RollcallError
from rollcall.questions.record import Answer, Question
from rollcall.studio.records import Item, item_key
from rollcall.studio.tasks import TASKS
from rollcall.studio.tasks.drawing import chance, drawn_questions, numbered, shuffled, wording_of
from rollcall.studio.tasks.injection import Wrong, WrongAnswers, identity
from rollcall.studio.tasks.material import Material
from rollcall.studio.tasks.passages import PassageTexts, shown_passages
from rollcall.studio.tasks.task import Choice, Count, Share, Task, TaskSettings

STATED, NOT_STATED, UNCLEAR = "stated", "not-stated", "unclear"


class ValidateSettings(TaskSettings, frozen=True, kw_only=True):
    """What a manager decides about validation."""

    injected: Share = 0.1
    """The share of items whose answer is known to be wrong."""
    quota: Count = 0
    """How many validated questions are wanted; the rest of the set is the pool. 0 for all, without a pool."""
    minimum: Count = 5
    """A question with fewer validated answers is dropped, and replaced from the pool."""
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

    def items(self, material: Material, settings: TaskSettings) -> list[Item]:
        assert isinstance(settings, ValidateSettings)
        questions = [one for one in drawn_questions(material.questions, settings) if _provable(one, settings)]
        if not questions:
            raise RollcallError(
                f"no question has {settings.minimum} answers with evidence; choose a smaller minimum, "
                "or a set whose answers have evidence"
            )
        active = questions[: settings.quota or None]
        wrong = _wrong_answers(questions, material, settings)
        texts = PassageTexts(material.corpus)
        pool = {one.id for one in questions[len(active) :]}
        made = []
        for question in questions:
            right = [_item(question, answer, texts, question.id in pool) for answer in _proved(question)]
            false = [
                _item(question, one.answer, texts, question.id in pool, one) for one in wrong[question.id]
            ]
            made.append(shuffled([*right, *false], settings.seed, "answers", question.id))
        flat = [item for group in made for item in group]
        return numbered(flat if settings.together else _scattered(flat, pool, settings.seed))


def _provable(question: Question, settings: ValidateSettings) -> bool:
    return len(_proved(question)) >= max(settings.minimum, 1)


def _proved(question: Question) -> list[Answer]:
    """The answers with evidence that can be read, each once."""
    once: dict[str, Answer] = {}
    for answer in question.answers:
        if any(piece.text.strip() for piece in answer.evidence):
            once.setdefault(identity(answer), answer)
    return list(once.values())


def _wrong_answers(
    questions: Sequence[Question], material: Material, settings: ValidateSettings
) -> dict[str, list[Wrong]]:
    """Wrong answers by question: drawn among all items, so that a question may have none or two."""
    found: dict[str, list[Wrong]] = {question.id: [] for question in questions}
    places = [question for question in questions for _ in _proved(question)]
    if not settings.injected:
        return found
    wanted = round(len(places) * settings.injected / (1 - min(settings.injected, 0.9)))
    source = WrongAnswers(material.questions, material.graph, found, settings.seed, material.corpus)
    numbers = chance(settings.seed, "injected")
    for attempt in range(wanted * 4):
        if wanted <= 0:
            break
        question = numbers.choice(places)
        wrong = source.find(question, attempt)
        taken = {identity(one.answer) for one in found[question.id]}
        if wrong is not None and identity(wrong.answer) not in taken:
            found[question.id].append(wrong)
            wanted -= 1
    return found


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
