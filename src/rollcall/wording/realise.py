"""From a query to a question in English, with a few alternative wordings.

A pattern is expressed from its question node: the node's noun, then one verb phrase for each condition, in
which other variables become noun phrases of the same form. Functions and unions are added around this. The
result depends only on the query, the labels and the lexicon: the same query always has the same wording.
`most_natural_first` orders wordings by rules about what people would use.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rollcall.graph import Graph
from rollcall.graph.evaluate import answer_terms
from rollcall.query import QUESTION, Query
from rollcall.text.words import COMMON, base_form
from rollcall.wording.answer_nouns import AnswerNouns
from rollcall.wording.ends import EndNouns
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


# Which of several wordings of one question people would use: a score from rules, the same every time.
#
# `clumsiness` adds what each rule costs (`RULES`) and a little for each word and for each content word that
# is said twice. `most_natural_first` orders wordings by it. The order in which they were made stays unless
# another wording is clearly better, so that small differences in length decide nothing.
# `benchmarks/bench_wording.py` compares the choice with the words of people.

RULES: tuple[tuple[str, float, str], ...] = (
    (r"\b(?:has|have|had) [^,]+? as (?:its|their) ", 2.0, "has A as its section"),
    (r"\b(?:has|have|had) [^,]+? among (?:its|their) ", 2.0, "has A among its tools"),
    (r"\b(?:has|have|had) [^,]+? as an? ", 0.5, "has A as a symptom"),
    (r"“[^”]*” (?:value|date|entry|entries)", 4.0, "has a “pos” value of 3"),
    (r"\b(?:listed with|under “)", 4.0, "is listed with A under “via”"),
    (r"\b(?:some|any)(?:thing|one) (?:that|who) ", 1.5, "depends on something that A depends on"),
    (r"\bthings that ", 1.5, "are things that A depends on"),
    (r"\b(?:is it|are they) that ", 1.0, "what is it that A is based on"),
)
"""Patterns of wordings that people avoid, what each costs, and an example."""
_WORD = 0.05
_AGAIN = 0.4
_CLEARLY = 0.45
"""How much less clumsy a wording must be to come before one that was made earlier."""


def clumsiness(question: str) -> float:
    """How far a question is from what people would say; 0 is best."""
    text = question[:1].lower() + question[1:]
    cost = sum(weight * len(re.findall(pattern, text)) for pattern, weight, _example in RULES)
    words = re.findall(r"[^\W\d_]+", text.lower())
    content = Counter(base_form(word) for word in words if word not in COMMON)
    again = sum(times - 1 for times in content.values())
    return cost + _WORD * len(words) + _AGAIN * again


def most_natural_first(questions: Sequence[str]) -> list[str]:
    """Some wordings of one question, with the least clumsy one first; the others stay in their order."""
    if not questions:
        return []
    best, cost = 0, clumsiness(questions[0])
    for position, question in enumerate(questions[1:], 1):
        if (other := clumsiness(question)) <= cost - _CLEARLY:
            best, cost = position, other
    return [questions[best], *questions[:best], *questions[best + 1 :]]
