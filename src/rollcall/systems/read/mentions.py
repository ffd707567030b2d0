"""`mentions`: gives the entities that the passages name, ranked by how well they are supported.

No model is needed. The packaged weights were learned from questions about generated worlds; for a set with a
training split, the weights are fitted to that split instead.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from rollcall.graph.graph import Graph
from rollcall.graph.layout import MANIFEST
from rollcall.questions.run import EntityAnswer, Passage
from rollcall.settings import content_of
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Answers, Asked, Reader
from rollcall.systems.read import READERS
from rollcall.systems.read.chain import chained
from rollcall.systems.read.mention_weights import Form, MentionWeights, packaged_weights
from rollcall.systems.read.name_finder import NameFinder
from rollcall.systems.read.passage_sentences import PassageReading
from rollcall.systems.read.question_words import QuestionAnalysis
from rollcall.systems.read.support import PossibleAnswer, supported
from rollcall.systems.retrieve.store import PassageStore


class Weighed(NamedTuple):
    """The candidates of a question, and the form it has, which says whose weights count."""

    candidates: list[PossibleAnswer]
    form: Form


class MentionsOptions(msgspec.Struct, frozen=True):
    """Whether the reader fits its weights."""

    tune: bool = True
    """Fit the weights to the training split, if the set has one."""


@READERS.register("mentions")
class Mentions(Reader):
    """Names the entities of the graph that are in the passages, ranked by their support; no model.

    Chained questions may also ask for dates and numbers.
    """

    name = "mentions"
    Options = MentionsOptions
    needs = ("passages", "graph")

    def __init__(
        self, graph: Graph, store: PassageStore | None = None, weights: MentionWeights | None = None
    ) -> None:
        """`store` gives the entity of a passage's page; without it the titles are looked up."""
        self.graph_hash = content_of(graph.folder, MANIFEST)
        self._graph = graph
        finder = NameFinder(graph)
        self._questions = QuestionAnalysis(graph, finder)
        self._reading = PassageReading(graph, finder, store.entity if store is not None else lambda id_: None)
        self.weights = weights or packaged_weights()

    @classmethod
    def open(cls, options: MentionsOptions, context: Context) -> "Mentions":
        from rollcall.systems.read.tuning import training_questions, tune

        reader = cls(context.graph, context.store if context.has("corpus") else None)
        training = training_questions(context.questions) if options.tune else []
        if training:
            tune(reader, context.retriever, training, context.k)
            reader.name = "mentions, tuned"
        return reader

    def weighed(self, question: Asked, passages: Sequence[Passage]) -> Weighed:
        """All possible answers with their features; in the closed setting only the candidates."""
        words = self._questions.words(question.question)
        read = self._reading.read(passages)
        found = supported(self._graph, words, read)
        form: Form = "classed" if words.classes else "unclassed"
        if words.further is not None:
            weights = self.weights.of(form)
            chances = {one.answer: weights.probability(one) for one in found if isinstance(one.answer, int)}
            named = {entity for anchor in words.anchors for entity in anchor.entities}
            found = [
                one for one in chained(self._graph, words.further, read, chances) if one.answer not in named
            ]
            form = "chained"
        if question.candidates:
            numbers = {self._graph.index.entity_number(one.id) for one in question.candidates if one.id}
            found = [one for one in found if one.answer in numbers]
        return Weighed(found, form)

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        found, form = self.weighed(question, passages)
        weights = self.weights.of(form)
        ranked = sorted(
            ((weights.probability(one), one.answer) for one in found),
            key=lambda pair: (-pair[0], str(pair[1])),
        )
        given = best_number([chance for chance, _ in ranked])
        return [self._answer(answer) for _, answer in ranked[:given]]

    def id_of(self, candidate: PossibleAnswer) -> str:
        """The id of an entity, or the text of a value."""
        answer = candidate.answer
        return answer if isinstance(answer, str) else self._graph.index.entity_ids[answer]

    def _answer(self, answer: int | str) -> str | EntityAnswer:
        if isinstance(answer, str):
            return answer
        id_ = self._graph.index.entity_ids[answer]
        return EntityAnswer(id_, self._graph.label(id_))


def best_number(chances: Sequence[float]) -> int:
    """How many answers to give, the likeliest first, for the greatest expected F1.

    A fixed least probability would suit only texts like those the weights were fitted to. Where all evidence
    is weak, this gives the answers that are about as likely as the likeliest.
    """
    expected = sum(chances)
    best, number, right = 0.0, 0, 0.0
    for place, chance in enumerate(chances, 1):
        right += chance
        if right / (place + expected) > best:
            best, number = right / (place + expected), place
    return number
