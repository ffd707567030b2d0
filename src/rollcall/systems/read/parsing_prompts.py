"""The prompts by which a language model writes a query: the language in brief, and what the graph has.

Only what a question may need is shown, found as `ask` finds it: the entities that its words may name with
their relations, the relations and the classes that it speaks of.
"""

from collections.abc import Iterable, Sequence

from rollcall.graph import Graph
from rollcall.query import Query
from rollcall.systems.ask.name_index import NameIndex
from rollcall.systems.ask.reading import QuestionReader, Reading

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
        entities = list(dict.fromkeys(one for mention in reading.entities for one in mention.entities))
        told = ["Entities that may be meant:", *map(self._entity, entities[:_ENTITIES])] if entities else []
        relations = self._relations(reading, entities[:_ENTITIES])
        if relations:
            told += ["Relations:", *(f"  {self._written(*one)}" for one in relations)]
        classes = list(dict.fromkeys(one.class_ for one in reading.classes))[:_CLASSES]
        if classes:
            ids, labels = self._index.class_ids, self._index.class_labels
            told += ["Classes:", *(f"  {self._written(ids[one], labels[one])}" for one in classes)]
        return "\n".join([*told, f"Question: {question}"])

    def _entity(self, number: int) -> str:
        id_ = self._index.entity_ids[number]
        types = [self._index.class_labels[one] for one in self._index.direct_types(number).tolist()]
        kind = f" ({', '.join(one for one in types if one)})" if any(types) else ""
        return f"  {self._written(id_, self._graph.label(id_))}{kind}"

    def _relations(self, reading: Reading, entities: Sequence[int]) -> list[tuple[str, str]]:
        """Relations that the question speaks of, best first, and those of its entities, in turn."""
        spoken = sorted(reading.relations, key=lambda one: -one.match)
        found = [one.relation for one in spoken]
        of_entities = [[hop // 2 for hop in self._hops.hops(one)][:_HOPS] for one in entities]
        found += [one[place] for place in range(_HOPS) for one in of_entities if place < len(one)]
        ids, labels = self._index.relation_ids, self._index.relation_labels
        return [(ids[one], labels[one]) for one in dict.fromkeys(found)][:_RELATIONS]

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
