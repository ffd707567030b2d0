"""From a query to a question in English, with a few alternative wordings.

A pattern is expressed from its question node: the node's noun, then one verb phrase for each condition, in
which other variables become noun phrases of the same form. Functions and unions are added around this. The
result depends only on the query, the labels and the lexicon: the same query always has the same wording.
"""

from dataclasses import dataclass, field

from rollcall.query import QUESTION, Query
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

    def has_relations_said_alike(self, query: Query) -> bool:
        """Whether two relations of a query, or the two directions of one, have the same words, so that a
        question would confuse them.
        """
        entries = {relation: self._entry(relation) for relation in query.relations}
        said = [(entry.noun, entry.forward) for entry in entries.values()]
        return len(set(said)) < len(said) or any(
            edge.negated
            and other.relation == edge.relation
            and (edge.subject == QUESTION) != (other.subject == QUESTION)
            and _is_symmetric(entries[edge.relation])
            for pattern in query.patterns
            for edge in pattern.edges
            for other in pattern.edges
        )

    def _entry(self, relation: str) -> Entry:
        naming = self.naming
        return self.lexicon.entry(relation, naming.relation_label(relation), naming.ends(relation))

    def word(self, query: Query) -> Wording:
        """The question that a query asks, and alternatives, all different."""
        found = list(dict.fromkeys(wordings(query, self.lexicon, self.naming)))
        return Wording(found[0], found[1:])


def _is_symmetric(entry: Entry) -> bool:
    """Whether a relation is said of its objects as of its subjects: `is married to`."""
    return entry.forward.replace("{object}", "{subject}") == entry.object_clause
