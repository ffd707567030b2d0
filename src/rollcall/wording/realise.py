"""From a query to a question in English, with a few alternative wordings.

A pattern is expressed from its question node: the node's noun, then one verb phrase for each condition, in
which other variables become noun phrases of the same form. Functions and unions are added around this. The
result depends only on the query, the labels and the lexicon: the same query always has the same wording.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rollcall.graph import Graph
from rollcall.query import Query
from rollcall.wording.answer_nouns import AnswerNouns
from rollcall.wording.ends import EndNouns
from rollcall.wording.heads import Nouns
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.naming import Labels, Naming
from rollcall.wording.sense import Sense
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
        described: Mapping[str, str] | None = None,
        tell_namesakes_apart: bool = False,
    ):
        """`ends` says what the ends of relations are that the lexicon does not know; `class_names` gives
        nouns for classes whose labels do not say what their members are; `described` gives the nouns by
        which pages say what entities are.
        """
        self.lexicon = lexicon or Lexicon.load()
        self.naming = Naming(
            graph, ends=ends, class_names=class_names, tell_namesakes_apart=tell_namesakes_apart
        )
        self._sense = Sense(graph, self.lexicon, self.naming, described)
        self._nouns: AnswerNouns | None = None
        if isinstance(graph, Graph) and described:
            self._nouns = AnswerNouns(graph, self.lexicon, self.naming, described)

    def ask(self, query: Query, answers: Iterable[str]) -> Wording | None:
        """The question for some entities that answer a query; None if it would make no sense."""
        answers = list(answers)
        nouns: Nouns | None = self._nouns.of(query, answers) if self._nouns is not None else ()
        if nouns is None or self.would_confuse(query, nouns) or self._sense.are_no_names(answers):
            return None
        return self.word(query, nouns)

    def would_confuse(self, query: Query, nouns: Nouns = ()) -> bool:
        """Whether a query makes no sensible question."""
        return self._sense.would_confuse(query, nouns)

    def word(self, query: Query, nouns: Nouns = ()) -> Wording:
        """The question that a query asks, and alternatives, all different."""
        found = list(dict.fromkeys(wordings(query, self.lexicon, self.naming, nouns)))
        return Wording(found[0], found[1:])
