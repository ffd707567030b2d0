"""`ask`: answers from the graph alone, by the query that the question was understood to ask.

It reads no passages. A question in which no name leads to an answer is recorded as not understood, with its
words, so that it is not taken for a question without answers.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.registry import content_of
from rollcall.graph import Graph
from rollcall.graph.index import MANIFEST
from rollcall.questions.run import Passage
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Answers, Asked, Reader, ReadingError, listed_answers
from rollcall.systems.read import READERS
from rollcall.systems.train.model_folder import check_unseen, read_about


class AskOptions(msgspec.Struct, frozen=True):
    """Which answers the reader gives."""

    least: float = 0.0
    """How sure it must be, from 0 to 1; a question that it is less sure of is recorded as not understood."""
    vectors: bool = False
    """Compare questions and relations by a sentence encoder too (extra `neural`)."""
    rerank: bool = True
    """Rank readings again by the packaged cross-encoder, where `rollcall-models` is installed."""
    model: str | None = None
    """A folder that `rollcall train ask` made, whose cross-encoder ranks readings in place of the packaged
    one (extra `neural`)."""
    seen: bool = False
    """Answer questions, too, that this model was trained on."""


@READERS.register("ask")
class Ask(Reader):
    """Understands the question as a query and answers from the graph alone; needs no corpus and no model."""

    name = "ask"
    Options = AskOptions
    needs = ("graph",)

    def __init__(
        self,
        graph: Graph,
        least: float = 0.0,
        *,
        vectors: bool = False,
        rerank: bool = True,
        model: str | None = None,
        seen: bool = False,
    ) -> None:
        from rollcall.systems.ask.asker import Asker  # not every machine that lists readers has the stemmer
        from rollcall.systems.ask.ranking import packaged_reranker, trained_reranker

        self.graph_hash = content_of(graph.folder, MANIFEST)
        self.least, self.vectors = least, vectors
        self._model, self.seen = model, seen
        self._about = read_about(model, self.name) if model is not None else None
        reranker = packaged_reranker() if rerank and model is None else None
        if model is not None:
            reranker = trained_reranker(Path(model))
        self.weights = reranker.version if reranker is not None else ""
        self._graph, self._asker = graph, Asker(graph, vectors=vectors, rerank=reranker or False)
        self._queries: dict[str, str] = {}

    @classmethod
    def open(cls, options: AskOptions, context: Context) -> "Ask":
        return cls(
            context.graph,
            options.least,
            vectors=options.vectors,
            rerank=options.rerank,
            model=options.model,
            seen=options.seen,
        )

    @classmethod
    def takes_passages(cls, options: msgspec.Struct) -> bool:
        return False

    def check_questions(self, questions: Sequence[Asked]) -> None:
        if self._model is not None and self._about is not None:
            check_unseen(self._model, self._about, questions, self.seen)

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        self.check_questions([question])
        reading = self._asker.understand(question.question)
        if reading.query is None or reading.surety < self.least:
            raise ReadingError(
                f"not understood: {', '.join(reading.not_understood) or 'which of several readings'}"
            )
        try:
            denotation = self._asker.answers(reading)
        except RollcallError as error:  # a query that is too large for the evaluator
            raise ReadingError(str(error)) from error
        self._queries[question.id] = reading.query.text
        return listed_answers(self._graph, denotation)

    def query_of(self, question: str) -> str | None:
        return self._queries.pop(question, None)
