"""Tasks about wordings, as in RoMQA, GraphQuestions and QAMPARI.

- `verify`: two others, blind, say whether a wording asks exactly what the query asks. Only full agreement
  keeps it.
- `write`: a person sees a query and asks it in words.
- `paraphrase`: many people say a question in other words.

Verification stands alone for the wordings of a set, and is the second stage of writing and paraphrasing. Its
items with known verdicts are the qualification test of both.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Annotated, ClassVar

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.audit.material import query_of
from rollcall.questions.record import Question
from rollcall.studio.records import Item, ItemResolution, JudgmentRecord, item_key
from rollcall.studio.tasks import TASKS
from rollcall.studio.tasks.shown import chance, drawn_questions, numbered, shown_query, shuffled, wording_of
from rollcall.studio.tasks.task import (
    LONGEST_TEXT,
    MOST_PEOPLE,
    QUALIFY,
    Agreement,
    Choice,
    Count,
    Form,
    People,
    Positive,
    Share,
    Task,
    TaskMaterial,
    TaskSettings,
    short,
    text_of,
)
from rollcall.text.words import ARTICLES, AUXILIARIES, DEMONSTRATIVES, QUESTION_WORDS, base_form, fold

MATCHES, DIFFERS = "matches", "differs"
VERIFY = "verify"


class VerifySettings(TaskSettings, frozen=True, kw_only=True):
    """What a manager decides about verification."""

    overlap: People = 2
    agreement: Agreement = "all"
    injected: Share = 0.1
    """The share of wordings that are known to ask something else."""
    inspected: Count = 10
    """How many verdicts of each worker a manager inspects in a batch."""
    inspected_wrong: Positive = 2
    """With so many wrong ones, the worker's part of the batch is judged again."""
    batch: Positive = 500
    """How many verdicts make a batch."""


@TASKS.register(VERIFY)
class Verify(Task):
    """Say whether a wording asks exactly what the query asks."""

    name = VERIFY
    title = "Verify wordings"
    Settings = VerifySettings
    choices = (
        Choice(
            MATCHES,
            "Matches",
            "1",
            "It asks for exactly this, in English that people use.",
            "good",
            accepts=True,
        ),
        Choice(
            DIFFERS, "Differs", "2", "A condition is missing, added or changed, or it makes no sense.", "bad"
        ),
    )

    def leaves_out(self, question: Question, settings: TaskSettings) -> str:
        return super().leaves_out(question, settings) or without_query(question)

    def items(self, material: TaskMaterial, settings: TaskSettings) -> list[Item]:
        assert isinstance(settings, VerifySettings)
        questions = drawn_questions(self, material.questions, settings)
        items = []
        for question in questions:
            described = shown_query(question, material, settings.seed)
            for text in dict.fromkeys((wording_of(question), *question.wordings)):
                items.append(_verify_item(question.id, described, text, {"source": "set"}))
        wanted = round(len(items) * settings.injected / (1 - min(settings.injected, 0.9)))
        items += _known(material, settings, wanted, questions, only=DIFFERS)
        return numbered(shuffled(items, settings.seed, "verify"))

    def settled_by(self, choices: Sequence[str], agreement: Agreement) -> ItemResolution:
        """A wording that too few people accept is discarded; it is never disputed."""
        enough = len(choices) if agreement == "all" else len(choices) // 2 + 1
        matching = choices.count(MATCHES)
        return self.settled(
            MATCHES if matching >= enough else DIFFERS, f"{matching} of {len(choices)} accept it"
        )


def without_query(question: Question) -> str:
    """What a question is that has no query to write from or to compare with; empty if it has one."""
    return "" if query_of(question) is not None else "questions without a query"


def _verify_item(question: str, described: dict[str, object], text: str, hidden: dict[str, object]) -> Item:
    return Item(
        key=item_key(VERIFY, question, fold(text)),
        question=question,
        shown={**described, "wording": text},
        hidden={"text": text, **hidden},
        injected="expected" in hidden,
    )


def written_items(item: Item, judged: Sequence[JudgmentRecord], overlap: int) -> list[Item]:
    """The wordings that people wrote for an item, each to be verified by others than its writer."""
    items: dict[str, Item] = {}
    for judgment in judged:
        text = judgment.values.get("text")
        if not judgment.counted or judgment.role != "annotator" or not isinstance(text, str) or not text:
            continue
        key = item_key(VERIFY, item.question, fold(text))
        writers = (*items[key].barred, judgment.person) if key in items else (judgment.person,)
        shown = {name: value for name, value in item.shown.items() if name not in ("known", "question")}
        if "query" not in shown:
            shown["canonical"] = item.shown.get("question", "")
        items[key] = Item(
            key=key,
            question=item.question,
            shown={**shown, "wording": text},
            hidden={"text": text, "by": judgment.person, "source": "written"},
            order=item.order,
            overlap=overlap,
            after=item.key,
            stage=VERIFY,
            barred=writers,
        )
    return list(items.values())


def qualification_items(material: TaskMaterial, settings: TaskSettings) -> list[Item]:
    """A test with known verdicts: wordings of the set, half of them beside the query of another question."""
    if not settings.qualify:
        return []
    drawn = {question.id for question in drawn_questions(Verify(), material.questions, settings)}
    unlimited = msgspec.structs.replace(settings, questions=0, splits=())
    questions = drawn_questions(Verify(), material.questions, unlimited)
    # Writers should not see the wordings of what they are to write, if other questions will do.
    questions.sort(key=lambda question: question.id in drawn)
    items = _known(material, settings, settings.qualify, questions)
    if len(items) < settings.qualify:
        raise RollcallError(
            f"the set has queries for {len(items)} items of a qualification test, and {settings.qualify} "
            "are wanted; choose fewer (qualify=), or none (qualify=0)"
        )
    return numbered(
        [
            Item(
                key=item_key(QUALIFY, item.key),
                question=item.question,
                shown=item.shown,
                hidden=item.hidden,
                injected=True,
                stage=QUALIFY,
            )
            for item in items
        ]
    )


def _known(
    material: TaskMaterial, settings: TaskSettings, wanted: int, questions: Sequence[Question], only: str = ""
) -> list[Item]:
    """Items whose verdict is known: a query with its own wording, or with that of its nearest neighbour."""
    items: list[Item] = []
    for index, question in enumerate(questions):
        if len(items) >= wanted:
            break
        described = shown_query(question, material, settings.seed)
        right = (
            only or (MATCHES if chance(settings.seed, "known", index).random() < 0.5 else DIFFERS)
        ) == MATCHES
        other = None if right else _neighbour(question, questions, settings.seed)
        if not right and other is None:
            continue
        text = wording_of(question if other is None else other)
        expected = MATCHES if right else DIFFERS
        items.append(_verify_item(question.id, described, text, {"expected": [expected], "source": "known"}))
    return items


def _neighbour(question: Question, questions: Sequence[Question], seed: int) -> Question | None:
    """The question that shares most with another but asks something else, so that only reading tells."""
    query = query_of(question)
    assert query is not None
    own_terms = {*query.relations, *query.entities}
    best: tuple[float, float, Question] | None = None
    for other in questions:
        theirs = query_of(other)
        if theirs is None or theirs == query or fold(wording_of(other)) == fold(wording_of(question)):
            continue
        other_terms = {*theirs.relations, *theirs.entities}
        near = len(own_terms & other_terms) / len(own_terms | other_terms)
        at_random = chance(seed, "neighbour", question.id, other.id).random()
        if best is None or (near, at_random) > best[:2]:
            best = (near, at_random, other)
    return None if best is None else best[2]


# Writing: conditions come in random order with titles, descriptions and aliases, so that writers do not copy
# a template. What is written goes to two others; only what both accept is kept.

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
    if not new or new == old:
        return True
    return len(new) == len(old) and SequenceMatcher(None, new, old, autojunk=False).ratio() >= _LIKE


def trivial_match(wording: str, known: Iterable[str]) -> str | None:
    """The known wording that a new one repeats, if there is one."""
    return next((text for text in known if is_trivial(wording, text)), None)


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


class WordingTask(Task):
    """What writing and paraphrasing have in common: a text, which others verify."""

    Settings = WriteSettings
    right_or_wrong = False
    stages: ClassVar[Mapping[str, type[Task]]] = {VERIFY: Verify, QUALIFY: Verify}

    def values(self, item: Item, choice: str, form: Form) -> dict[str, object]:
        if choice != WRITTEN:
            return {}
        text = short(" ".join(text_of(form, "text").split()), LONGEST_TEXT, "the question")
        if len(text.split()) < _SHORTEST:
            raise RollcallError(f"the question is too short: write {_SHORTEST} words or more")
        known = item.shown.get("known")
        repeated = trivial_match(text, known if isinstance(known, list) else ())
        if repeated is not None:
            raise RollcallError(
                f"this says almost the same as “{repeated}”: use other words or another structure"
            )
        return {"text": text}

    def qualification(self, material: TaskMaterial, settings: TaskSettings) -> list[Item]:
        return qualification_items(material, settings)

    def follow_up(self, item: Item, judged: Sequence[JudgmentRecord], settings: TaskSettings) -> list[Item]:
        assert isinstance(settings, WriteSettings)
        if item.stage in self.stages or not settings.verifiers:
            return []
        return written_items(item, judged, settings.verifiers)


@TASKS.register("write")
class Write(WordingTask):
    """Write the question that a query asks."""

    name = "write"
    title = "Write questions"
    choices = (
        Choice(WRITTEN, "Done", "Ctrl+Enter", "The question is written.", "good", accepts=True),
        Choice(SENSELESS, "Nobody would ask this", "Alt+9", "The conditions make no sense together.", "bad"),
    )

    def leaves_out(self, question: Question, settings: TaskSettings) -> str:
        return super().leaves_out(question, settings) or without_query(question)

    def items(self, material: TaskMaterial, settings: TaskSettings) -> list[Item]:
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
class Paraphrase(WordingTask):
    """Say a question in other words, with the same meaning."""

    name = "paraphrase"
    title = "Paraphrase questions"
    Settings = ParaphraseSettings
    choices = (
        Choice(WRITTEN, "Done", "Ctrl+Enter", "The paraphrase is written.", "good", accepts=True),
        Choice(SENSELESS, "I cannot understand it", "Alt+9", "The question makes no sense.", "bad"),
    )

    def items(self, material: TaskMaterial, settings: TaskSettings) -> list[Item]:
        return numbered(
            [
                _item(question, material, settings)
                for question in drawn_questions(self, material.questions, settings)
            ]
        )

    def qualification(self, material: TaskMaterial, settings: TaskSettings) -> list[Item]:
        has_queries = any(query_of(question) is not None for question in material.questions)
        return qualification_items(material, settings) if has_queries else []


def _item(question: Question, material: TaskMaterial, settings: TaskSettings) -> Item:
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
