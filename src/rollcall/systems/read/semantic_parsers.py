"""`jacana`: answers are the likely nodes around the names of a question (`rollcall train jacana`).

It has no query. A question without a known name, or without any likely node, is recorded as not understood.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, Self

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.registry import content_of
from rollcall.graph import Graph
from rollcall.graph.index import MANIFEST
from rollcall.questions.run import EntityAnswer, Passage
from rollcall.systems.ask.learned.learning import Interpretation
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Answers, Asked, Reader, ReadingError
from rollcall.systems.read import READERS
from rollcall.systems.read.graph_answers import listed_answers
from rollcall.systems.read.trained_reader import TrainedOptions
from rollcall.systems.train.model_folder import RefusesSeen, read_about


@READERS.register("jacana")
class JacanaReader(RefusesSeen, Reader):
    """A trained classifier over the neighbours of a topic; answers from the graph alone."""

    name = "jacana"
    Options = TrainedOptions
    needs = ("graph",)

    def __init__(self, graph: Graph, options: TrainedOptions) -> None:
        from rollcall.systems.ask.jacana import JacanaAnswerer, JacanaModel

        self._model, self.seen = options.model, options.seen
        self._about = read_about(options.model, self.name)
        self.weights = self._about.version
        self.graph_hash = content_of(graph.folder, MANIFEST)
        self._graph = graph
        self._answerer = JacanaAnswerer(graph, JacanaModel.open(Path(options.model)))

    @classmethod
    def open(cls, options: TrainedOptions, context: Context) -> "JacanaReader":
        return cls(context.graph, options)

    @classmethod
    def takes_passages(cls, options: msgspec.Struct) -> bool:
        return False

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


class InterpretingReader(RefusesSeen, Reader):
    """A trained system that answers by a query."""

    Options = InterpretingOptions
    needs = ("graph",)

    def __init__(self, graph: Graph, options: InterpretingOptions, interpreter: Interpreter) -> None:
        self._model, self.seen = options.model, options.seen
        self._about = read_about(options.model, self.name)
        self.weights, self.least = self._about.version, options.least
        self.graph_hash = content_of(graph.folder, MANIFEST)
        self._graph, self._interpreter = graph, interpreter
        self._queries: dict[str, str] = {}

    @classmethod
    def open(cls, options: InterpretingOptions, context: Context) -> Self:
        read_about(options.model, cls.name)
        return cls(context.graph, options, cls.interpreter(context.graph, Path(options.model)))

    @classmethod
    def interpreter(cls, graph: Graph, folder: Path) -> Interpreter:
        """What finds queries, from the folder that was trained."""
        raise NotImplementedError

    @classmethod
    def takes_passages(cls, options: msgspec.Struct) -> bool:
        return False

    def understand(self, question: str) -> Interpretation:
        """The query that a question asks for, how sure it is, and the words that the query does not use."""
        return self._interpreter.understand(question)

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        self.check_questions([question])
        found = self.understand(question.question)
        if found.query is None or found.score < self.least:
            raise ReadingError(
                f"not understood: {', '.join(found.not_understood) or 'which of several readings'}"
            )
        try:
            answers = listed_answers(self._graph, self._graph.answers(found.query))
        except RollcallError as error:  # a query that is too large for the evaluator
            raise ReadingError(str(error)) from error
        self._queries[question.id] = found.query.text
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
        from rollcall.systems.ask.sempre.interpreter import SempreInterpreter, SempreModel

        return SempreInterpreter(graph, SempreModel.open(folder))


# `parasempre`: answers by the query that paraphrases a question best (`rollcall train parasempre`).


@READERS.register("parasempre")
class ParasempreReader(InterpretingReader):
    """A trained ranking of candidate queries said in English; answers from the graph alone."""

    name = "parasempre"

    @classmethod
    def interpreter(cls, graph: Graph, folder: Path) -> Interpreter:
        from rollcall.systems.ask.parasempre.interpreter import ParasempreInterpreter, ParasempreModel

        return ParasempreInterpreter(graph, ParasempreModel.open(folder))
