"""The page of one question: its query as a picture, its answers with marked evidence, what people said of
it.

Passages come whole from the corpus where there is one; without a corpus the sentences themselves are shown.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rollcall.audit.parts import answer_names
from rollcall.corpus import Corpus
from rollcall.graph import Graph
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Characteristic, Question
from rollcall.questions.run import Run
from rollcall.studio.explorer.comparing import SideBySide, side_by_side
from rollcall.studio.export.trace import ProjectTrace, projects_of
from rollcall.studio.records import Json
from rollcall.studio.tasks.material import Material
from rollcall.studio.tasks.passages import PassageTexts, shown_passages
from rollcall.studio.tasks.query_shown import shown_query

_WITH_EVIDENCE = 200
"""Evidence is shown for so many answers; some questions have thousands."""


class ShownAnswer(NamedTuple):
    """One answer as the page shows it."""

    label: str
    id: str
    aliases: Sequence[str]
    passages: list[Json]
    """As `tasks.passages` gives them: titles and parts of text with marks."""
    provenance: str
    """Who accepted it, or where it was found."""
    extended: bool


class QuestionPage(NamedTuple):
    """Everything about one question."""

    question: Question
    query: Json
    """What `query_picture` draws, with conditions and the meaning of names; empty without a query."""
    answers: list[ShownAnswer]
    more: int
    """How many answers are listed without their evidence."""
    characteristics: Mapping[str, Characteristic]
    projects: list[ProjectTrace]
    """What people judged about it, with every verdict."""
    runs: SideBySide | None


def question_page(
    question: Question, *, corpus: Corpus | None = None, graph: Graph | None = None, runs: Sequence[Run] = ()
) -> QuestionPage:
    """All that a reader wants to see of a question."""
    texts = PassageTexts(corpus)
    material = Material(QuestionSet([question]), corpus=corpus, graph=graph)
    listed = [(one, False) for one in question.answers] + [(one, True) for one in question.extended]
    answers = [
        _shown(answer, extended, texts if place < _WITH_EVIDENCE else None)
        for place, (answer, extended) in enumerate(listed)
    ]
    return QuestionPage(
        question,
        shown_query(question, material, 0),
        answers,
        max(0, len(listed) - _WITH_EVIDENCE),
        question.characteristics,
        projects_of(question),
        side_by_side(question, runs) if runs else None,
    )


def _shown(answer: Answer, extended: bool, texts: PassageTexts | None) -> ShownAnswer:
    passages = [] if texts is None else shown_passages(answer.evidence, answer_names(answer), texts)
    told = answer.provenance
    said = "" if told is None else ", ".join(filter(None, [told.source, told.by, told.who, told.note]))
    return ShownAnswer(answer.label, answer.id or "", answer.aliases, passages, said, extended)
