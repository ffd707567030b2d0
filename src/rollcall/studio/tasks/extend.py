"""Extension as in QAMPARI's ExtendedSet: find further answers in a given time, each with its evidence.

A person searches the corpus and names what a passage states. Rows without a name are ignored, so every
passage can offer an empty row, and the form works without scripts.
"""

from collections.abc import Iterable
from itertools import zip_longest
from threading import Lock
from typing import Annotated

import msgspec

from rollcall._core.errors import RollcallError, complete_types
from rollcall.corpus import Corpus
from rollcall.questions.record import Question
from rollcall.questions.run import Passage
from rollcall.score.match import name_key
from rollcall.studio.records import Item, item_key
from rollcall.studio.tasks import TASKS
from rollcall.studio.tasks.shown import drawn_questions, numbered, wording_of
from rollcall.studio.tasks.task import (
    LONGEST_TEXT,
    Choice,
    Form,
    Search,
    Task,
    TaskMaterial,
    TaskSettings,
    short,
    texts_of,
)
from rollcall.systems.interfaces import Asked, Retriever
from rollcall.text.sentences import split

DONE = "done"
_FIELDS = ("label", "passage", "title", "quote")
_LONGEST_NAME = 300
_LONGEST_MINUTES = 10_000


class ExtendSettings(TaskSettings, frozen=True, kw_only=True):
    """What a manager decides about extension."""

    minutes: Annotated[float, msgspec.Meta(ge=0, le=_LONGEST_MINUTES)] = 12.0
    """How long a person looks for answers to one question; 0 for no limit."""


@TASKS.register("extend")
class Extend(Task):
    """Search the corpus for answers that a question lacks, each with the sentence that states it."""

    name = "extend"
    title = "Find further answers"
    Settings = ExtendSettings
    right_or_wrong = False
    needs = ("corpus",)
    choices = (
        Choice(
            DONE,
            "Done with this question",
            "Ctrl+Enter",
            "Time is over, or nothing more is found.",
            "good",
            accepts=True,
        ),
    )

    def items(self, material: TaskMaterial, settings: TaskSettings) -> list[Item]:
        assert isinstance(settings, ExtendSettings)
        self.check_material(material)
        questions = drawn_questions(self, material.questions, settings)
        return numbered([_item(question, settings.minutes) for question in questions])

    def values(self, item: Item, choice: str, form: Form) -> dict[str, object]:
        known = item.shown.get("answers")
        names = {name_key(name) for name in known} if isinstance(known, list) else set()
        answers: dict[bytes, dict[str, object]] = {}
        for row in answer_rows(form):
            label = short(row["label"], _LONGEST_NAME, "an answer")
            if not row["quote"]:
                raise RollcallError(f"“{label}” has no evidence: choose the sentence that states it")
            if name_key(label) in names:
                raise RollcallError(f"“{label}” is an answer already; take it off the list")
            evidence = {"text": short(row["quote"], LONGEST_TEXT, "the evidence")}
            evidence |= {name: row[name] for name in ("passage", "title") if row[name]}
            answers.setdefault(name_key(label), {"label": label, "evidence": evidence})
        return {"answers": list(answers.values())}


def answer_rows(form: Form) -> list[dict[str, str]]:
    """The rows of a form that name an answer."""
    columns = [texts_of(form, field) for field in _FIELDS]
    rows = [dict(zip(_FIELDS, row, strict=True)) for row in zip_longest(*columns, fillvalue="")]
    return [row for row in rows if row["label"]]


def _item(question: Question, minutes: float) -> Item:
    answers = [*question.answers, *question.extended]
    names = dict.fromkeys(name for answer in answers for name in (answer.label, *answer.aliases))
    return Item(
        key=item_key("extend", question.id),
        question=question.id,
        shown={
            "question": wording_of(question),
            "answers": list(names),
            "labels": list(dict.fromkeys(answer.label for answer in answers)),
            "minutes": minutes,
        },
    )


# Search over a corpus for those who look for further answers: BM25, as the baseline systems search.
# Passages come with their sentences, so that a person can choose the one that states an answer without a
# mouse.

RESULTS = 10


def corpus_search(corpus: Corpus) -> Search:
    """Search over the passages of a corpus; the index is opened, or made, at the first search."""

    opened: list[Retriever] = []
    opening = Lock()

    def retriever() -> Retriever:
        with opening:
            if not opened:
                from rollcall.systems.context import Context
                from rollcall.systems.opening import open_retriever

                complete_types()
                opened.append(open_retriever("bm25", Context(corpus=corpus, progress=False)))
        return opened[0]

    def search(text: str, most: int = RESULTS) -> list[Passage]:
        if not text.strip():
            return []
        return retriever().retrieve([Asked("", text)], most)[0]

    return search


def result_cards(passages: Iterable[Passage]) -> list[dict[str, object]]:
    """Found passages as a page shows them, with their sentences to choose from."""
    return [
        {
            "passage": passage.id,
            "title": passage.title,
            "text": passage.text,
            "sentences": [passage.text[start:end] for start, end in split(passage.text)],
        }
        for passage in passages
    ]
