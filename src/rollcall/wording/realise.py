"""From a query to a question in English, with a few alternative wordings.

A pattern is expressed from its question node: the node's noun, then one verb phrase for each condition, in
which other variables become noun phrases of the same form. Functions and unions are added around this. The
result depends only on the query, the labels and the lexicon: the same query always has the same wording.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from rollcall.graph import Graph
from rollcall.graph.evaluate import answer_terms
from rollcall.query import QUESTION, Query
from rollcall.wording.answer_nouns import AnswerNouns
from rollcall.wording.ends import EndNouns
from rollcall.wording.fluency import most_natural_first
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.naming import Labels, Naming
from rollcall.wording.nouns import Nouns
from rollcall.wording.question import wordings
from rollcall.wording.sense import Sense


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
        relation_names: Mapping[str, str] | None = None,
        class_names: Mapping[str, str] | None = None,
        names: Mapping[str, str] | None = None,
        described: Mapping[str, str] | None = None,
        counted: Collection[str] = (),
        incomplete: Collection[str] = (),
        tell_namesakes_apart: bool = False,
    ):
        """`ends` says what the ends of relations are that the lexicon does not know; `relation_names` gives
        better labels for relations; `class_names` gives nouns for classes whose labels do not say what their
        members are; `names` gives names as running text writes them, where that differs from their labels;
        `described` gives the nouns by which pages say what entities are; `counted` are common nouns of which
        text counts several; `incomplete` are classes of which pages name many others.
        """
        self.lexicon = lexicon or Lexicon.load()
        self.naming = Naming(
            graph,
            ends=ends,
            relation_names=relation_names,
            class_names=class_names,
            names=names,
            counted=counted,
            tell_namesakes_apart=tell_namesakes_apart,
        )
        self._sense = Sense(graph, self.lexicon, self.naming, described, incomplete)
        self._graph = graph if isinstance(graph, Graph) else None
        self._nouns: AnswerNouns | None = None
        if isinstance(graph, Graph) and described:
            self._nouns = AnswerNouns(graph, self.lexicon, self.naming, described)

    def ask(self, query: Query, answers: Iterable[str]) -> Wording | None:
        """The question for some entities that answer a query; None if it would make no sense."""
        answers = list(answers)
        query = self._without_idle_class(query)
        nouns: Nouns | None = self._nouns.of(query, answers) if self._nouns is not None else ()
        if nouns is None or self.would_confuse(query, nouns):
            return None
        if self._sense.are_no_names(answers) or self._sense.are_other_things(query, answers):
            return None
        return self.word(query, nouns)

    def _without_idle_class(self, query: Query) -> Query:
        """The query without a class that changes nothing where a relation's noun says what is asked for.

        `What are the networks of A`, not `what are the services that are networks of A`.
        """
        if self._graph is None or query.function is not None or len(query.patterns) > 1:
            return query
        (pattern,) = query.patterns
        about = [edge for edge in pattern.edges if QUESTION in edge.nodes]
        typings = [typing for typing in pattern.typings if typing.node == QUESTION]
        if len(about) != 1 or len(typings) != 1 or about[0].object != QUESTION or about[0].negated:
            return query
        relation = about[0].relation
        label, ends = self.naming.relation_label(relation), self.naming.ends(relation)
        entry = self.lexicon.entry(relation, label, ends)
        if not entry.noun or entry.backward or typings[0].negated:
            return query
        rest = tuple(statement for statement in pattern.statements if statement != typings[0])
        bare, index = Query((replace(pattern, statements=rest),)), self._graph.index
        return bare if len(answer_terms(index, bare)) == len(answer_terms(index, query)) else query

    def would_confuse(self, query: Query, nouns: Nouns = ()) -> bool:
        """Whether a query makes no sensible question."""
        return self._sense.would_confuse(query, nouns)

    def cannot_be_said_well(self, query: Query) -> bool:
        """Whether a query makes sense and no wording of it is one that people would use."""
        return self._sense.cannot_be_said_well(query)

    def word(self, query: Query, nouns: Nouns = ()) -> Wording:
        """The question that a query asks, and alternatives, all different."""
        texts = most_natural_first([*dict.fromkeys(wordings(query, self.lexicon, self.naming, nouns))])
        return Wording(texts[0], texts[1:])
