"""From a query to a question in English, with a few alternative wordings.

A pattern is expressed from its question node: the node's noun, then one verb phrase for each condition, in
which other variables become noun phrases of the same form. Functions and unions are added around this. The
result depends only on the query, the labels and the lexicon: the same query always has the same wording.
"""

from dataclasses import dataclass, field

from rollcall.query import QUESTION, Edge, Query
from rollcall.query.statements import Node
from rollcall.wording.ends import EndNouns
from rollcall.wording.entry import Entry
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.naming import Labels, Naming
from rollcall.wording.shapes import wordings


@dataclass(frozen=True)
class Wording:
    """A query in words: the question and alternative wordings."""

    question: str
    alternatives: list[str] = field(default_factory=list)


class Realiser:
    """Expresses queries with the labels of a graph (ids without a graph) and the words of a lexicon."""

    def __init__(
        self,
        graph: Labels | None = None,
        lexicon: Lexicon | None = None,
        *,
        ends: EndNouns | None = None,
        tell_namesakes_apart: bool = False,
    ):
        """`ends` says what the ends of relations are that the lexicon does not know."""
        self.lexicon = lexicon or Lexicon.load()
        self.naming = Naming(graph, ends=ends, tell_namesakes_apart=tell_namesakes_apart)

    def would_confuse(self, query: Query) -> bool:
        """Whether a question could not tell apart two relations or two entities of a query, or would say a
        thing and deny it in the same words.
        """
        said = [(entry.noun, entry.forward) for entry in map(self._entry, query.relations)]
        names = [self.naming.entity(entity).name for entity in query.entities]
        if len(set(said)) < len(said) or len(set(names)) < len(names):
            return True
        return any(
            self._clause(edge) == self._clause(other)
            for pattern in query.patterns
            for edge in pattern.edges
            for other in pattern.edges
            if edge.negated and not other.negated and _others(edge) & _others(other)
        )

    def _clause(self, edge: Edge) -> str:
        """An edge as it is said of the question; being located in a place is being in it."""
        entry = self._entry(edge.relation)
        clause = entry.forward if edge.subject == QUESTION else entry.object_clause
        return clause.replace("{subject}", "{object}").replace("located ", "")

    def _entry(self, relation: str) -> Entry:
        naming = self.naming
        return self.lexicon.entry(relation, naming.relation_label(relation), naming.ends(relation))

    def word(self, query: Query) -> Wording:
        """The question that a query asks, and alternatives, all different."""
        found = list(dict.fromkeys(wordings(query, self.lexicon, self.naming)))
        return Wording(found[0], found[1:])


def _others(edge: Edge) -> set[Node]:
    return {node for node in edge.nodes if node != QUESTION}
