"""From a query to a question in English, with a few alternative wordings.

A pattern is expressed from its question node: the node's noun, then one verb phrase for each condition, in
which other variables become noun phrases of the same form. Functions and unions are added around this. The
result depends only on the query, the labels and the lexicon: the same query always has the same wording.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import permutations

from rollcall.graph import Graph
from rollcall.query import QUESTION, Edge, Pattern, Query
from rollcall.query.statements import Node
from rollcall.wording.class_nouns import ClassNoun
from rollcall.wording.ends import EndNouns
from rollcall.wording.entry import Entry
from rollcall.wording.heads import Head, head_of
from rollcall.wording.lands import cannot_be_said, lies_within, name_a_land_twice
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
        class_names: Mapping[str, str] | None = None,
        tell_namesakes_apart: bool = False,
    ):
        """`ends` says what the ends of relations are that the lexicon does not know; `class_names` gives
        nouns for classes whose labels do not say what their members are.
        """
        self.lexicon = lexicon or Lexicon.load()
        self._graph = graph
        self.naming = Naming(
            graph, ends=ends, class_names=class_names, tell_namesakes_apart=tell_namesakes_apart
        )

    def would_confuse(self, query: Query) -> bool:
        """Whether a question could not tell apart two relations or two entities of a query, would say a
        thing twice or deny it in the same words, or would use an adjective as the name of a place.
        """
        name = self.naming.entity
        if name_a_land_twice(query, name):
            return True
        if any(cannot_be_said(edge, self._entry(edge.relation), name) for edge in query.edges):
            return True
        if any(map(_says_it_twice, query.patterns)):
            return True
        if any(map(self._expects_other_things, query.patterns)):
            return True
        if isinstance(self._graph, Graph) and lies_within(query, self._graph, self._entry):
            return True
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

    def _expects_other_things(self, pattern: Pattern) -> bool:
        """Whether a class is at an end at which a relation of the lexicon expects something else."""
        for typing in pattern.typings:
            noun = self.lexicon.class_noun(self.naming.class_label(typing.class_id), typing.class_id)
            for edge in pattern.edges if not typing.negated else ():
                entry = self._entry(edge.relation)
                ends = ((edge.subject, entry.subjects), (edge.object, entry.objects))
                expected = [one for node, one in ends if node == typing.node and not entry.generic]
                if any(_cannot_be(noun, head_of(one)) for one in expected):
                    return True
        return False

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


_NO_BODIES = frozenset(
    ("language", "position", "occupation", "ethnic group", "religion", "genre", "award", "musical instrument")
)
"""Nouns for what is neither a place nor an organization."""


def _cannot_be(noun: ClassNoun, expected: Head) -> bool:
    """Whether members of a class cannot be what a relation expects: people a work, a place a language."""
    if noun.person:
        return expected.is_specific and not expected.person
    if noun.one == "place" and expected.one == "person":
        return True
    return noun.one in ("place", "organization") and expected.one in _NO_BODIES


def _says_it_twice(pattern: Pattern) -> bool:
    """Whether one entity is named twice for what graphs rarely tell apart.

    `runs on iOS but is not available for iOS` asks for facts that are missing; `is a legislative body of A
    and is in A` says a thing from both sides.
    """
    about = [
        edge for edge in pattern.edges if QUESTION in edge.nodes and set(edge.nodes) & set(pattern.entities)
    ]
    for edge, other in permutations(about, 2):
        if edge.negated or edge.relation == other.relation or _others(edge) != _others(other):
            continue
        if other.negated or (edge.subject == QUESTION) != (other.subject == QUESTION):
            return True
    return False


def _others(edge: Edge) -> set[Node]:
    return {node for node in edge.nodes if node != QUESTION}
