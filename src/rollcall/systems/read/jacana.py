"""`jacana`: answers are the likely nodes around the names of a question (`rollcall train jacana`).

It has no query. A question without a known name, or without any likely node, is recorded as not understood.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from rollcall.graph import Graph
from rollcall.graph.layout import MANIFEST
from rollcall.questions.run import EntityAnswer, Passage
from rollcall.settings import content_of
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Answers, Asked, Reader, ReadingError
from rollcall.systems.read import READERS
from rollcall.systems.read.trained_options import TrainedOptions
from rollcall.systems.train.model_folder import RefusesSeen, read_about


@READERS.register("jacana")
class JacanaReader(RefusesSeen, Reader):
    """A trained classifier over the neighbours of a topic; answers from the graph alone."""

    name = "jacana"
    Options = TrainedOptions
    needs = ("graph",)

    def __init__(self, graph: Graph, options: TrainedOptions) -> None:
        from rollcall.systems.ask.jacana.answerer import JacanaAnswerer
        from rollcall.systems.ask.jacana.model import JacanaModel

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
