"""A trained `sempre`: parses a question and gives the query of the best derivation."""

from collections.abc import Sequence

import numpy as np

from rollcall._core.errors import RollcallError
from rollcall.graph import Graph
from rollcall.papers.semantic_parsers.alignment import Alignment, GraphReading, Names, Table, TrainingQuestion
from rollcall.papers.semantic_parsers.learning import (
    AdaGrad,
    Interpretation,
    PassPlan,
    StoredModel,
    agreeing_share,
    gradient,
    learn_in_passes,
    nothing_found,
    training_questions,
    unused_words,
)
from rollcall.papers.semantic_parsers.sempre_parser import (
    Derivation,
    Ground,
    Parser,
    RelationLexicon,
    SempreQuestion,
)
from rollcall.systems.ask.forms import query_of
from rollcall.systems.train.training_example import TrainingExample

# What `sempre` has learned: the weights of features, and the words that went with relations.


class SempreModel(StoredModel, frozen=True, kw_only=True):
    """A trained model."""

    file = "sempre.json"
    alignment: Table
    beam: int


class SempreInterpreter:
    """Interprets questions about one graph."""

    def __init__(self, graph: Graph, model: SempreModel) -> None:
        reading = GraphReading(graph, model.names)
        self._index, self._reader = graph.index, reading.questions
        self._aligned = Alignment.opened(model.alignment, graph.index).whole
        self._weights = model.weights
        self._parser = Parser(Ground(graph, reading.hops, RelationLexicon(reading.phrases)), model.beam)

    def understand(self, question: str) -> Interpretation:
        """The query that a question asks for."""
        reading = self._reader.read(question)
        parses = self._parser.parses(SempreQuestion(reading, self._aligned, self._weights))
        for best in parses:
            try:
                query = query_of(best.form, self._index)
            except RollcallError:  # what the query language cannot say
                continue
            left = unused_words(reading, best.mask)
            sure = agreeing_share(np.array([parse.score for parse in parses]), parses, best)
            return Interpretation(question, query, sure, left)
        return nothing_found(reading)


# How `sempre` learns: it parses each question with the weights so far, and moves them towards right
# answers. Which query a question asks is not given. Every parse is rewarded by the F1 of its answers.


class SempreLearning:
    """Learns to parse questions about one graph."""

    def __init__(self, graph: Graph, names: Names, beam: int) -> None:
        self._graph, self._names, self._beam = graph, names, beam
        self._reading = GraphReading(graph, names)
        lexicon = RelationLexicon(self._reading.phrases)
        self._parser = Parser(Ground(graph, self._reading.hops, lexicon), beam)
        self._alignment = Alignment({})

    def learn(
        self, examples: Sequence[TrainingExample], optimiser: AdaGrad, plan: PassPlan
    ) -> list[dict[str, float]]:
        """Learn from questions and their answers; the figures of each pass."""
        questions = training_questions(self._graph, self._reading.questions, examples, plan.progress)
        self._alignment = Alignment.learned(questions, self._reading.hops)
        history = learn_in_passes(
            plan, questions, optimiser, lambda question: self._step(question, optimiser)
        )
        if not optimiser.named():
            raise RollcallError(
                "no query that can be grown from the names in these questions gives a right answer, so"
                " nothing can be learned; is it the graph that they are about?"
            )
        return history

    def _step(self, question: TrainingQuestion, optimiser: AdaGrad) -> float | None:
        asking = SempreQuestion(question.reading, self._alignment.without(question.group), optimiser.named())
        parses = self._parser.parses(asking)
        rewards = np.array([reward(question, parse) for parse in parses])
        if not rewards.any():
            return None
        scores = np.array([parse.score for parse in parses])
        optimiser.step(gradient([parse.features for parse in parses], scores, rewards))
        return float(rewards[0])

    def model(self, optimiser: AdaGrad) -> SempreModel:
        """What was learned."""
        table = self._alignment.table(self._graph.index)
        return SempreModel(weights=optimiser.named(), alignment=table, names=self._names, beam=self._beam)

    def f1(self, examples: Sequence[TrainingExample], optimiser: AdaGrad, progress: bool | None) -> float:
        """The mean F1 of the best parses of questions that were not learned from."""
        weights, total = optimiser.named(), 0.0
        for question in training_questions(self._graph, self._reading.questions, examples, progress):
            parses = self._parser.parses(SempreQuestion(question.reading, self._alignment.whole, weights))
            total += reward(question, parses[0]) if parses else 0.0
        return total / len(examples)


def reward(question: TrainingQuestion, parse: Derivation) -> float:
    """The F1 of a parse's answers."""
    if parse.function == "count":
        return question.gold.reward_of_count(len(parse.terms))
    return question.gold.reward(parse.terms)
