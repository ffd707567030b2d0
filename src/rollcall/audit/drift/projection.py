"""What the questions of a set would be with a newer graph and corpus: the same queries, answered again.

An answer stays if the graph still has it and text still states what it rests on; an answer comes if the newer
graph has it, the older one had not, and text states it. Only what changed is looked for in the corpus: a
sentence that is still there states what it stated. What lists say is in no graph, so questions about lists
stay as they are, and so do questions without a query.
"""

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from rollcall.audit.drift.causes import answer_text, written
from rollcall.audit.drift.derivations import Derivation, denotation, derivations, holds
from rollcall.audit.drift.texts import Fact, Place, fact_in, fact_of, place_of, sentences_in
from rollcall.audit.parts import query_of
from rollcall.english.counting import counted
from rollcall.graph import Graph
from rollcall.query import Query, Value, number, parse_value
from rollcall.query.statements import Edge
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Evidence, Question
from rollcall.questions.splits import TABLES
from rollcall.questions.value_names import value_names

IN_GRAPH = "answers_in_graph"
"""The key under which a question's provenance says how many answers its graph had, proved or not."""


Find = Callable[[Collection[Fact]], dict[Fact, Evidence]]
"""Finds the sentences that state facts."""


class Projected(NamedTuple):
    """The questions as they would be, and what could not be looked into."""

    questions: QuestionSet
    notes: list[str]


class _Asked(NamedTuple):
    """A question that a graph can answer."""

    question: Question
    query: Query
    kept: list[Answer]
    doubtful: dict[str, list[Derivation]]
    """Answers whose text must be looked for, with their derivations in the newer graph."""


class Projection:
    """Answers the questions of a set again."""

    def __init__(
        self,
        graph: Graph,
        old_graph: Graph | None,
        corpus: Path | None,
        find: Find,
        *,
        prove_all: bool = False,
    ):
        """`find` finds the sentences that state facts. With `prove_all`, every answer of the graph may come
        that text proves, also one that the older graph had; then `old_graph` need not be known.
        """
        self.graph, self.old_graph, self.corpus = graph, old_graph, corpus
        self.find, self.prove_all = find, prove_all
        self.untouched = self.undecided = 0

    def project(self, questions: QuestionSet) -> Projected:
        """The questions as they would be with the newer graph and corpus."""
        proved = self.corpus is not None and are_proved(questions)
        there = self._sentences(questions) if proved else None
        asked = {question.id: self._ask(question, there) for question in questions}
        wanted = {
            fact_of(edge)
            for one in asked.values()
            if one is not None
            for found in one.doubtful.values()
            for derivation in found
            for edge in derivation
            if isinstance(edge, Edge)
        }
        stated = self._stated(wanted, questions, there) if proved else None
        made = [
            question if (one := asked[question.id]) is None else self._answered(one, stated)
            for question in questions
        ]
        return Projected(QuestionSet(made, questions.manifest), self._notes())

    def _sentences(self, questions: Iterable[Question]) -> set[Place]:
        assert self.corpus is not None
        return sentences_in(
            self.corpus, {place_of(piece) for q in questions for one in q.answers for piece in one.evidence}
        )

    def _ask(self, question: Question, there: set[Place] | None) -> _Asked | None:
        """The answers that surely stay, and those that text must decide about."""
        query = query_of(question)
        unknown = query is None or any(
            self.graph.index.relation_number(relation) is None for relation in query.relations
        )
        if query is None or question.kind in TABLES or unknown:
            self.untouched += 1
            return None
        now = denotation(self.graph.index, query)
        if query.aggregate == "count":
            return _Asked(question, query, [self._count(question, len(now))], {})
        gold = {self._text(query, answer): answer for answer in question.answers}
        staying = {text: answer for text, answer in gold.items() if text in now}
        sure = [text for text, answer in staying.items() if self._still_stated(answer, there)]
        coming = now - set(gold) - self._known_before(question, query, now)
        if there is None:
            sure, unsure = [*sure, *sorted(coming)], []
        else:
            unsure = sorted({*coming, *staying} - set(sure))
        kept = [self._renamed(gold[text]) if text in gold else self._named(text) for text in sure]
        return _Asked(question, query, kept, derivations(self.graph.index, query, unsure) if unsure else {})

    def _known_before(self, question: Question, query: Query, now: set[str]) -> set[str]:
        """Answers of the graph that are not gold because no text proved them."""
        if self.prove_all:
            return set()
        if self.old_graph is not None:
            return denotation(self.old_graph.index, query)
        if question.provenance.get(IN_GRAPH, len(question.answers)) == len(question.answers):
            return set()
        self.undecided += 1
        return now

    def _still_stated(self, answer: Answer, there: set[Place] | None) -> bool:
        """Whether all that proved an answer is still there; without a corpus, what the graph has counts."""
        if there is None or not answer.evidence:
            return True
        return all(
            place_of(piece) in there
            and (edge := fact_in(piece)) is not None
            and holds(self.graph.index, edge)
            for piece in answer.evidence
        )

    def _stated(
        self, wanted: Collection[Fact], questions: Iterable[Question], there: set[Place] | None
    ) -> dict[Fact, Evidence]:
        """The sentence that states each fact: one of the set that is still there, or the best found."""
        known: dict[Fact, Evidence] = {}
        for question in questions:
            for answer in question.answers:
                for piece in answer.evidence:
                    edge = fact_in(piece)
                    if edge is not None and there is not None and place_of(piece) in there:
                        known.setdefault(fact_of(edge), piece)
        return known | self.find(set(wanted) - set(known))

    def _answered(self, asked: _Asked, stated: dict[Fact, Evidence] | None) -> Question:
        gold = {self._text(asked.query, answer): answer for answer in asked.question.answers}
        answers = list(asked.kept)
        for text, found in asked.doubtful.items():
            evidence = next(filter(None, (_proof(one, stated or {}) for one in found)), None)
            if evidence is not None:
                answer = self._renamed(gold[text]) if text in gold else self._named(text)
                answers.append(msgspec.structs.replace(answer, evidence=evidence))
        answers.sort(key=lambda answer: (answer.label.casefold(), answer.label, answer.id or ""))
        return msgspec.structs.replace(
            asked.question, question=self._reworded(asked.question, asked.query), answers=answers
        )

    def _reworded(self, question: Question, query: Query) -> str:
        """The wording with the new names of what it asks about."""
        text, known = question.question, question.provenance.get("entities", ())
        named = known if isinstance(known, list) and len(known) == len(query.entities) else ()
        for entity, before in zip(query.entities, named, strict=False):
            after = self.graph.label(entity)
            if after not in (before, entity) and isinstance(before, str):
                text = text.replace(before, after)
        return text

    def _text(self, query: Query, answer: Answer) -> str:
        """An answer as graphs write it."""
        graphs = filter(None, (self.graph, self.old_graph))
        found = (answer_text(graph, query, answer) for graph in graphs)
        return next(filter(None, found), answer.label)

    def _named(self, text: str) -> Answer:
        if self.graph.index.entity_number(text) is None:
            return self._value(parse_value(text))
        record = self.graph.entity(text)
        return Answer(record.label or text, text, list(record.aliases))

    def _value(self, value: Value) -> Answer:
        label, *others = written(self.graph, value)
        return Answer(label, None, others)

    def _count(self, question: Question, count: int) -> Answer:
        label, *others = value_names(number(count))
        before = question.answers[0] if question.answers else None
        same = before is not None and label in (before.label, *before.aliases)
        return before if same and before is not None else Answer(label, None, others)

    def _renamed(self, answer: Answer) -> Answer:
        """An answer with the graph's label; the one that it had is another name of it."""
        if answer.id is None or self.graph.index.entity_number(answer.id) is None:
            return answer
        label = self.graph.label(answer.id)
        if label in (answer.label, answer.id):
            return answer
        others = [name for name in (*answer.aliases, answer.label) if name != label]
        return msgspec.structs.replace(answer, label=label, aliases=others)

    def _notes(self) -> list[str]:
        notes = []
        if self.untouched:
            notes.append(
                "unchanged, since they have no query or ask what lists say: "
                f"{counted(self.untouched, 'question')}"
            )
        if self.undecided:
            notes.append(
                f"{self.undecided:,} questions have answers in the graph that no text proved; which of its "
                "answers are new, only the older graph tells (--old-graph)"
            )
        return notes


def are_proved(questions: Iterable[Question]) -> bool:
    """Whether a set has only answers that text proves; in other sets, what the graph has is an answer."""
    evidence = [bool(answer.evidence) for question in questions for answer in question.answers]
    return bool(evidence) and all(evidence)


def _proof(derivation: Derivation, stated: dict[Fact, Evidence]) -> list[Evidence] | None:
    """Evidence for all facts of a derivation; None if one is not stated."""
    edges = [one for one in derivation if isinstance(one, Edge)]
    if any(fact_of(edge) not in stated for edge in edges):
        return None
    return [stated[fact_of(edge)] for edge in edges]
