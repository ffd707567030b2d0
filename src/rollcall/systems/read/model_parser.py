"""`ask-llm`: a language model writes the query of a question, and the graph answers it.

The model sees a summary of the query language and what the graph has about the question's names. A query that
cannot be read, has unknown names, or has no answers is sent back with the reason. Answers come from the graph
alone: if the model writes no usable query, it has failed, and nothing is guessed.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, NamedTuple

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.registry import content_of
from rollcall.graph import Graph
from rollcall.graph.index import MANIFEST
from rollcall.llm.client import Client
from rollcall.llm.server import Message, ModelError, Request, ask
from rollcall.query import Query
from rollcall.questions.record import Question
from rollcall.questions.run import Passage
from rollcall.systems.ask.name_index import NameIndex
from rollcall.systems.ask.reading import QuestionReader, QuestionReading
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Answers, Asked, Reader, ReadingError, listed_answers
from rollcall.systems.read import READERS

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
        self.name = f"ask-llm({model})"
        self.parallel = client.concurrency
        self.server, self.model, self.corrections = client.base_url, model, corrections
        self.max_tokens, self.temperature = max_tokens, temperature
        self.examples = tuple(question.id for question in shots)
        self.graph_hash = content_of(graph.folder, MANIFEST)
        self._graph, self._client = graph, client
        self._brief = GraphInBrief(graph)
        self._turns = {
            question.id: turns for question in shots if (turns := self._example(question)) is not None
        }
        self._queries: dict[str, str] = {}

    @classmethod
    def takes_passages(cls, options: msgspec.Struct) -> bool:
        return False

    @classmethod
    def open(cls, options: ModelParserOptions, context: Context) -> "ModelParser":
        from rollcall.systems.read.language_model import drawn

        asked_by_query = [
            question for question in context.questions if question.query is not None and question.query.text
        ]
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
        excerpt = " ".join(reply.split())[:_SHOWN]
        raise ReadingError(f"the model wrote no usable query: {excerpt!r}: {tried.complaint}")

    def query_of(self, question: str) -> str | None:
        return self._queries.pop(question, None)

    def requests(self, question: Asked, passages: Sequence[Passage]) -> list[Request]:
        """The first request that would be made, for an estimate of the cost."""
        return [self._request(question)]

    def _request(self, question: Asked) -> Request:
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
            excerpt = " ".join((reply.refusal or reply.text).split())[:_SHOWN]
            raise ReadingError(f"the model refused: {excerpt!r}")
        return reply.text

    def _tried(self, reply: str) -> _Tried:
        """The first query in a reply that can be used, with its answers; otherwise why there is none."""
        from rollcall.graph.graph import resolve

        complaint = "it is empty"
        for index, text in enumerate(queries_in(reply)):
            try:
                query = resolve(Query.parse(text), self._graph)
                answers = listed_answers(self._graph, self._graph.answers(query))
            except RollcallError as error:
                if index == 0:
                    complaint = " ".join(str(error).split())
                continue
            return _Tried(query, answers, "" if answers else EMPTY)
        return _Tried(None, [], complaint)

    def _example(self, question: Question) -> tuple[str, str] | None:
        """A training question as an example, if this graph can answer it."""
        assert question.query is not None
        try:
            return example_of(self._brief, question.question, question.query.text)
        except RollcallError:  # a query of a text that this version cannot read
            return None


def _corrected(request: Request, reply: str, complaint: str) -> Request:
    turns = (Message("assistant", reply or "…"), Message("user", CORRECTION.format(complaint)))
    return msgspec.structs.replace(request, messages=(*request.messages, *turns))


# The prompts by which a language model writes a query: a summary of the language, and what the graph has.
# Only what a question may need is shown, found as `ask` finds it: the entities that its words may name
# with their relations, the relations and the classes that it speaks of.

SYSTEM = """\
You translate questions about a knowledge graph into its query language. Reply with one query on one line
and nothing else.

A query is statements with ; between them, and ?x is what is asked for:
  ?x P57 Q9                      what has Q9 as P57 (subject, relation, object)
  Q9 P57 ?x                      the P57 of Q9
  ?x a Q11424; ?x P57 Q9         members of a class with a condition
  Q9 P57 ?y; ?y P19 ?x           a chain: the P19 of the P57 of Q9
  ?x P57 Q9; not ?x P162 Q9      a condition that must not hold
  {?x P57 Q9} | {?x P162 Q9}     either
  count {?x P57 Q9}              how many
  argmax ?v {?x a Q8502; ?x P2044 ?v}   the greatest by a value; argmin the least
  max {?y a Q8502; ?y P2044 ?x}  the greatest value; min the least
  ?x P569 < @1960                a comparison: < <= > >=
  distinct {?x P22 ?p; Q9 P22 ?p}   all nodes different
Values: 42, 8848[metre], @1960-05-17, @1960, "text". Ids with spaces are in square brackets: [place of birth].
Use the ids that are listed. A query has at most one of count, max, min, argmax, argmin and comparisons."""
CORRECTION = "This query cannot be used: {}. Reply with a corrected query on one line and nothing else."
EMPTY = "it has no answers in the graph"
_ENTITIES, _RELATIONS, _CLASSES = 12, 40, 12
_HOPS = 25
"""The most relations that are shown of one entity."""


class GraphInBrief:
    """What one graph has that a question may need."""

    def __init__(self, graph: Graph) -> None:
        self._graph, self._index = graph, graph.index
        names = NameIndex.of(graph)
        self._hops = names.neighbourhood
        self._reader = QuestionReader(graph, names)

    def of(self, question: str) -> str:
        """The prompt of a question."""
        reading = self._reader.read(question)
        entities = list(dict.fromkeys(entity for mention in reading.entities for entity in mention.entities))
        lines = ["Entities that may be meant:", *map(self._entity, entities[:_ENTITIES])] if entities else []
        relations = self._relations(reading, entities[:_ENTITIES])
        if relations:
            lines += ["Relations:", *(f"  {self._written(*relation)}" for relation in relations)]
        classes = list(dict.fromkeys(mention.class_ for mention in reading.classes))[:_CLASSES]
        if classes:
            ids, labels = self._index.class_ids, self._index.class_labels
            lines += ["Classes:", *(f"  {self._written(ids[number], labels[number])}" for number in classes)]
        return "\n".join([*lines, f"Question: {question}"])

    def _entity(self, number: int) -> str:
        id_ = self._index.entity_ids[number]
        types = [
            self._index.class_labels[class_number]
            for class_number in self._index.direct_types(number).tolist()
        ]
        kind = f" ({', '.join(label for label in types if label)})" if any(types) else ""
        return f"  {self._written(id_, self._graph.label(id_))}{kind}"

    def _relations(self, reading: QuestionReading, entities: Sequence[int]) -> list[tuple[str, str]]:
        """Relations that the question speaks of, best first, and those of its entities, in turn."""
        spoken = sorted(reading.relations, key=lambda mention: -mention.match)
        relations = [mention.relation for mention in spoken]
        of_entities = [[hop // 2 for hop in self._hops.hops(entity)][:_HOPS] for entity in entities]
        relations += [
            hops[position] for position in range(_HOPS) for hops in of_entities if position < len(hops)
        ]
        ids, labels = self._index.relation_ids, self._index.relation_labels
        return [(ids[relation], labels[relation]) for relation in dict.fromkeys(relations)][:_RELATIONS]

    @staticmethod
    def _written(id_: str, label: str) -> str:
        return f"{id_}: {label}" if label and label != id_ else id_


def example_of(graph_in_brief: GraphInBrief, question: str, query: str) -> tuple[str, str]:
    """A solved example as the turns of a conversation."""
    return graph_in_brief.of(question), Query.parse(query).text


def queries_in(reply: str) -> Iterable[str]:
    """The texts in a reply that may be its query, the likeliest first: a line of code, the last line, all."""
    lines = [line.strip().strip("`").strip() for line in reply.strip().splitlines()]
    lines = [line.removeprefix("Query:").strip() for line in lines]
    with_variables = [line for line in lines if "?" in line and not line.endswith("?")]
    return dict.fromkeys([*reversed(with_variables), " ".join(line for line in lines if line)])
