"""Looks at the possible answers to questions with a graph and a corpus, and chooses among them."""

from collections.abc import Mapping, Sequence
from copy import copy

import numpy as np

from rollcall.graph.graph import Graph
from rollcall.questions.record import Answer
from rollcall.questions.run import EntityAnswer, Passage
from rollcall.score.name_keys import words
from rollcall.systems.interfaces import Answers, Asked
from rollcall.systems.read.combined.features import FeatureMaker, FirstLook, Weigh
from rollcall.systems.read.combined.likeness import Types
from rollcall.systems.read.combined.model_scores import ModelScores
from rollcall.systems.read.combined.nearness import Nearness
from rollcall.systems.read.combined.search import Search
from rollcall.systems.read.combined.second_look import SecondLook
from rollcall.systems.read.combined.statement_weights import NO_STATEMENTS, Statements
from rollcall.systems.read.combined.table import Chances, Table
from rollcall.systems.read.combined.trees import Judged
from rollcall.systems.read.kept_scores import ScoredAnswer
from rollcall.systems.read.mentions import best_number
from rollcall.systems.read.name_finder import NameFinder
from rollcall.systems.read.passage_reader import PassageReader
from rollcall.systems.read.passage_sentences import PassageReading
from rollcall.systems.retrieve.store import PassageStore

_HOMONYMS = 4
"""A name of more entities than this is too ambiguous to use."""
_TOGETHER = 32
"""Questions whose passages the models score at a time."""


class Weighing:
    """Features of possible answers, from a graph's names and the scores of models in single passages."""

    def __init__(
        self,
        graph: Graph,
        store: PassageStore | None,
        models: Mapping[str, PassageReader] | None = None,
        statements: Statements = NO_STATEMENTS,
        search: Search | None = None,
        near: Nearness | None = None,
    ) -> None:
        """`store` gives the pages of entities; without it titles are looked up, and no other page is read.

        `search` finds further passages, and `near` tells how near passages are to a question.
        """
        self._search, self.near = search, near
        self.graph, self.models = graph, dict(models or {})
        self._finder = NameFinder(graph)
        self.reading = PassageReading(
            graph, self._finder, store.entity if store is not None else lambda id_: None
        )
        self._types, self._pages = Types(graph), store.page_of if store is not None else None
        self._look_by(statements)

    def with_statements(self, statements: Statements) -> "Weighing":
        """The same with other weights of statements."""
        other = copy(self)
        other._look_by(statements)
        return other

    def without_nearness(self, search: Search | None) -> "Weighing":
        """The same where nothing is known of what is near, with another search."""
        other = copy(self)
        other._search, other.near = search, None
        other._look_by(self._statements)
        return other

    def _look_by(self, statements: Statements) -> None:
        self._statements = statements
        reading, types, pages = self.reading, self._types, self._pages
        self.maker = FeatureMaker(
            self.graph, reading, self._finder, types, pages, statements, self._search, self.near
        )
        self._second = SecondLook(self.graph, reading, types, pages, statements, self.near)

    def is_chained(self, question: Asked) -> bool:
        """Whether a question asks about things that it describes."""
        return self.maker.words(question).further is not None

    def first(
        self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]], things: Weigh | None
    ) -> list[FirstLook]:
        """The possible answers to each question, with their features."""
        found: list[FirstLook] = []
        for start in range(0, len(questions), _TOGETHER):
            found += self._first(
                questions[start : start + _TOGETHER], passages[start : start + _TOGETHER], things
            )
        return found

    def second(self, question: Asked, first: FirstLook, chances: Chances) -> Table:
        """The same features, with what a second look adds; `chances` come from the first."""
        return self._second.rows(question.question, first, chances)

    def choose(self, question: Asked, first: FirstLook, chances: Chances) -> Answers:
        """The answers that promise the greatest F1; in the closed setting only candidates."""
        ranked = sorted(
            zip(chances.tolist(), first.answers, strict=True), key=lambda pair: (-pair[0], str(pair[1]))
        )
        if question.candidates:
            numbers = {self.graph.index.entity_number(one.id) for one in question.candidates if one.id}
            ranked = [one for one in ranked if one[1] in numbers]
        given = best_number([chance for chance, _ in ranked])
        return [self._answer(answer) for _, answer in ranked[:given]]

    def judged(self, gold: Sequence[Answer], first: FirstLook) -> Judged:
        """Which possible answers are right: an entity by its id, anything else by its name."""
        ids = {one.id for one in gold if one.id}
        named = {words(name) for one in gold for name in (one.label, *one.aliases)}
        unidentified = {words(name) for one in gold if not one.id for name in (one.label, *one.aliases)}

        def is_right(answer: int | str) -> bool:
            if isinstance(answer, str):
                return words(answer) in named
            id_ = self.graph.index.entity_ids[answer]
            return id_ in ids or words(self.graph.label(id_)) in unidentified

        return Judged(first.rows, np.array([is_right(one) for one in first.answers], dtype=np.float64))

    def _first(
        self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]], things: Weigh | None
    ) -> list[FirstLook]:
        if self.near is not None:
            self.near.seek(questions)
        every: dict[str, list[list[list[ScoredAnswer]]]] = {
            name: model.scored(questions, passages) for name, model in self.models.items()
        }
        found = []
        for place, (question, these) in enumerate(zip(questions, passages, strict=True)):
            scores: ModelScores = {
                name: [self._by_answer(one) for one in scored[place]] for name, scored in every.items()
            }
            found.append(self.maker.read(question, these, scores, things))
        return found

    def _answer(self, answer: int | str) -> str | EntityAnswer:
        if isinstance(answer, str):
            return answer
        id_ = self.graph.index.entity_ids[answer]
        return EntityAnswer(id_, self.graph.label(id_))

    def _by_answer(self, scored: Sequence[ScoredAnswer]) -> dict[int | str, float]:
        """Scores by entity; a model that gives names scores all entities of a name."""
        found: dict[int | str, float] = {}
        for one in scored:
            number = self.graph.index.entity_number(one.answer)
            named = self._finder.entities(one.answer) if number is None else (number,)
            for answer in named if 0 < len(named) <= _HOMONYMS else (one.answer,):
                found[answer] = max(found.get(answer, 0.0), one.score)
        return found
