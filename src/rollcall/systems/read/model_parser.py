"""`ask-llm`: a language model writes the query of a question, and the graph answers it.

The model sees the query language in brief and what the graph has of the question's names. A query that cannot
be read, has unknown names, or has no answers is sent back with the reason. The answers are those of the graph
alone: a model that writes no query that can be used has failed, and nothing is guessed.
"""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import msgspec

from rollcall.errors import RollcallError
from rollcall.graph import Graph
from rollcall.graph.layout import MANIFEST
from rollcall.llm.client import Client
from rollcall.llm.records import Message, ModelError, Request, ask
from rollcall.query import Query
from rollcall.questions.record import Question
from rollcall.questions.run import Passage
from rollcall.settings import content_of
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Answers, Asked, Reader, ReadingError
from rollcall.systems.read import READERS
from rollcall.systems.read.graph_answers import listed_answers

_SHOWN = 120

Positive = Annotated[int, msgspec.Meta(ge=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]


class ModelParserOptions(msgspec.Struct, frozen=True):
    """How the model is asked for a query."""

    corrections: Count = 2
    """How often a query that cannot be used, or that has no answers, is sent back."""
    shots: Count = 3
    """The number of examples from the training split before each question, as far as there are any."""
    max_tokens: Positive = 300
    """The most tokens of a reply."""
    temperature: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    """The sampling temperature; 0 for the most likely reply."""
    seed: int = 0
    """The seed for drawing examples."""


class _Tried(NamedTuple):
    """What came of a reply: a query with its answers, or a complaint."""

    query: Query | None
    answers: Answers
    complaint: str


@READERS.register("ask-llm")
class ModelParser(Reader):
    """Lets a language model write the query of a question, and answers from the graph alone (extra `llm`)."""

    Options = ModelParserOptions
    needs = ("graph", "model")

    def __init__(
        self,
        graph: Graph,
        client: Client,
        model: str,
        *,
        corrections: int = 2,
        shots: Sequence[Question] = (),
        max_tokens: int = 300,
        temperature: float = 0.0,
    ) -> None:
        from rollcall.systems.read.parsing_prompts import GraphInBrief

        self.name = f"ask-llm({model})"
        self.parallel = client.concurrency
        self.server, self.model, self.corrections = client.base_url, model, corrections
        self.max_tokens, self.temperature = max_tokens, temperature
        self.examples = tuple(one.id for one in shots)
        self.graph_hash = content_of(graph.folder, MANIFEST)
        self._graph, self._client = graph, client
        self._brief = GraphInBrief(graph)
        self._turns = {one.id: turns for one in shots if (turns := self._example(one)) is not None}
        self._queries: dict[str, str] = {}

    @classmethod
    def takes_passages(cls, options: msgspec.Struct) -> bool:
        return False

    @classmethod
    def open(cls, options: ModelParserOptions, context: Context) -> "ModelParser":
        from rollcall.systems.read.shots import drawn

        asked_by_query = [one for one in context.questions if one.query is not None and one.query.text]
        return cls(
            context.graph,
            context.client,
            context.model,
            corrections=options.corrections,
            shots=drawn(asked_by_query, options.shots, options.seed),
            max_tokens=options.max_tokens,
            temperature=options.temperature,
        )

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        request = self._request(question)
        for left in range(self.corrections, -1, -1):
            reply = self._reply(request)
            tried = self._tried(reply)
            if not tried.complaint or (left == 0 and tried.query is not None):
                assert tried.query is not None
                self._queries[question.id] = tried.query.text
                return tried.answers
            if left:
                request = _corrected(request, reply, tried.complaint)
        self._client.forget(request)
        said = " ".join(reply.split())[:_SHOWN]
        raise ReadingError(f"the model wrote no query that can be used: {said!r}: {tried.complaint}")

    def query_of(self, question: str) -> str | None:
        return self._queries.pop(question, None)

    def requests(self, question: Asked, passages: Sequence[Passage]) -> list[Request]:
        """The first request that would be made, for an estimate of the cost."""
        return [self._request(question)]

    def _request(self, question: Asked) -> Request:
        from rollcall.systems.read.parsing_prompts import SYSTEM

        examples = tuple(turns for id_, turns in self._turns.items() if id_ != question.id)
        return ask(
            self.model,
            self._brief.of(question.question),
            SYSTEM,
            examples,
            max_tokens=self.max_tokens,
            temperature=self.temperature,
        )

    def _reply(self, request: Request) -> str:
        try:
            reply = self._client.complete(request)
        except ModelError as error:
            raise ReadingError(str(error)) from error
        if reply.refusal or reply.finish == "content_filter":
            self._client.forget(request)
            said = " ".join((reply.refusal or reply.text).split())[:_SHOWN]
            raise ReadingError(f"the model refused: {said!r}")
        return reply.text

    def _tried(self, reply: str) -> _Tried:
        """The first query in a reply that can be used, with its answers; otherwise why there is none."""
        from rollcall.graph.resolve import resolve
        from rollcall.systems.read.parsing_prompts import EMPTY, queries_in

        complaint = "it is empty"
        for place, text in enumerate(queries_in(reply)):
            try:
                query = resolve(Query.parse(text), self._graph)
                answers = listed_answers(self._graph, self._graph.answers(query))
            except RollcallError as error:
                if place == 0:
                    complaint = " ".join(str(error).split())
                continue
            return _Tried(query, answers, "" if answers else EMPTY)
        return _Tried(None, [], complaint)

    def _example(self, question: Question) -> tuple[str, str] | None:
        """A training question as an example, if this graph can answer it."""
        from rollcall.systems.read.parsing_prompts import example_of

        assert question.query is not None
        try:
            return example_of(self._brief, question.question, question.query.text)
        except RollcallError:  # a query of a text that this version cannot read
            return None


def _corrected(request: Request, reply: str, complaint: str) -> Request:
    from rollcall.systems.read.parsing_prompts import CORRECTION

    turns = (Message("assistant", reply or "…"), Message("user", CORRECTION.format(complaint)))
    return msgspec.structs.replace(request, messages=(*request.messages, *turns))
