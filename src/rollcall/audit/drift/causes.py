"""Finds the facts that made an answer come, go or change its name.

An answer rests on the statements of its derivations. It went from the graph because some of them no longer
hold, or because a statement holds now that the query denies; it came for the opposite reason. If it is in the
graph before and after, its text changed. Of an extreme or a count, the statements of all answers of both
graphs are looked at, because one answer goes when another overtakes it.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rollcall.audit.drift.changes import (
    ADDED,
    CAME,
    GONE,
    JUDGED,
    LABEL,
    LISTED,
    NAMES,
    NEUTRAL,
    NOT_NEUTRAL,
    RENAMED,
    STATED,
    STATUS,
    UNKNOWN,
    UNSTATED,
    AnswerChange,
    Cause,
    Place,
    fact_in,
    place_of,
)
from rollcall.audit.material import query_of
from rollcall.graph import Graph
from rollcall.graph.evaluate import answer_terms
from rollcall.graph.index import GraphIndex, Numbers
from rollcall.graph.rows import slice_of
from rollcall.mine.proving import Assignment, assignments, facts_of
from rollcall.query import QUESTION, Edge, Entity, Literal, Query, Value
from rollcall.query.pattern import Pattern
from rollcall.query.statements import Statement, Typing, Variable, positive
from rollcall.query.values import Number
from rollcall.questions.record import Answer, Evidence, Question, value_names
from rollcall.questions.splits import TABLES

# The statements on which an answer rests in a graph, and whether a statement holds in another graph.

Derivation = tuple[Statement, ...]
"""Statements without variables."""
MOST = 5
"""How many derivations of an answer are looked at."""


def denotation(index: GraphIndex, query: Query) -> set[str]:
    """The answers by their texts: ids, and values as they are written; of a count, what is counted."""
    return {index.term_text(term) for term in answer_terms(index, query).tolist()}


def derivations(index: GraphIndex, query: Query, answers: Collection[str]) -> dict[str, list[Derivation]]:
    """Some derivations of each answer; an answer that the query does not have in this graph has none."""
    return _collected(index, query.patterns, answers)


def denials(index: GraphIndex, query: Query, answers: Collection[str]) -> dict[str, list[Derivation]]:
    """Ways in which a graph states what the query denies, for each answer that meets all else it asks."""
    stated = [
        Pattern((*pattern.positive, *map(positive, group)), pattern.distinct)
        for pattern in query.patterns
        for group in pattern.negative_groups
    ]
    return _collected(index, stated, answers)


def _collected(
    index: GraphIndex, patterns: Sequence[Pattern], answers: Collection[str]
) -> dict[str, list[Derivation]]:
    numbers = {number: answer for answer in answers if (number := term(index, answer)) is not None}
    wanted = np.array(sorted(numbers), index.dtype)
    by_answer: dict[str, dict[Derivation, None]] = {answer: {} for answer in answers}
    for pattern in patterns if len(wanted) else ():
        for assignment in assignments(index, pattern, wanted):
            kept = by_answer[numbers[assignment[QUESTION]]]
            if len(kept) < MOST:
                kept[_ground(index, pattern, assignment)] = None
    return {answer: list(kept) for answer, kept in by_answer.items()}


def holds(index: GraphIndex, statement: Statement) -> bool:
    """Whether a graph has a statement that has no variables."""
    if isinstance(statement, Typing):
        assert isinstance(statement.node, Entity)
        number = index.entity_number(statement.node.id)
        return number is not None and _among(index.members(statement.class_id), number)
    assert isinstance(statement.subject, Entity)
    relation, subject = index.relation_number(statement.relation), index.entity_number(statement.subject.id)
    object_ = (
        index.entity_number(statement.object.id)
        if isinstance(statement.object, Entity)
        else index.literal_number(statement.object.value.text)
        if isinstance(statement.object, Literal)
        else None
    )
    if relation is None or subject is None or object_ is None:
        return False
    return _among(slice_of(index.forward(relation), subject, index.dtype), object_)


def _among(numbers: Numbers, number: int) -> bool:
    """Whether a number is among sorted ones."""
    index = int(numbers.searchsorted(numbers.dtype.type(number)))
    return index < len(numbers) and int(numbers[index]) == number


def statements_of(index: GraphIndex, entity: str) -> set[Statement]:
    """All statements of a graph about an entity, without its classes."""
    number = index.entity_number(entity)
    if number is None:
        return set()
    return {
        Edge(Entity(entity), relation_id, _node(index, int(object_)))
        for relation, relation_id in enumerate(index.relation_ids)
        for object_ in slice_of(index.forward(relation), number, index.dtype)
    }


def term(index: GraphIndex, answer: str) -> int | None:
    """The number of an entity or value by its text."""
    number = index.entity_number(answer)
    return number if number is not None else index.literal_number(answer)


def _ground(index: GraphIndex, pattern: Pattern, assignment: Assignment) -> Derivation:
    edges = [
        Edge(Entity(index.term_text(subject)), relation, _node(index, object_))
        for subject, relation, object_ in facts_of(index, pattern, assignment)
    ]
    return (*edges, *_typings(index, pattern, assignment))


def _node(index: GraphIndex, number: int) -> Entity | Literal:
    if number < index.entity_count:
        return Entity(index.term_text(number))
    return Literal(index.value(number))


def _typings(index: GraphIndex, pattern: Pattern, assignment: Assignment) -> Iterator[Typing]:
    for typing in pattern.typings:
        node = typing.node
        if typing.negated:
            continue
        if isinstance(node, Variable):
            yield Typing(Entity(index.term_text(assignment[node])), typing.class_id)
        else:
            yield typing


MOST_CAUSES = 4


class Side(NamedTuple):
    """One of two sides: its graph, and which sentences its corpus has; None if that is not known."""

    graph: Graph | None = None
    has_sentence: Callable[[Place], bool] | None = None


_APPEARED = (CAME, NEUTRAL)
"""Changes of answers that the new side has."""


class Explainer:
    """Explains changed answers of questions."""

    def __init__(self, old: Side, new: Side):
        self.old, self.new = old, new

    def explain(self, before: Question, after: Question, changes: Sequence[AnswerChange]) -> None:
        """Give every change of a question its causes."""
        moved = [change for change in changes if change.kind not in (RENAMED, NAMES)]
        for change in changes:
            if change.kind in (RENAMED, NAMES):
                change.causes = [self._label(change)]
        if not moved:
            return
        query = query_of(after) or query_of(before)
        graphs = self._graphs(before)
        for change in moved:
            answer = _answer(after if change.kind in _APPEARED else before, change)
            causes: list[Cause] = []
            if change.kind in (NEUTRAL, NOT_NEUTRAL):
                if graphs is not None and query is not None:
                    causes = self._statements(query, graphs, change, answer)
                change.causes = (causes or [Cause(STATUS)])[:MOST_CAUSES]
                continue
            if graphs is not None and query is not None:
                causes = self._statements(query, graphs, change, answer)
                causes = causes or self._rested_on(graphs, change, answer)
            elif before.kind in TABLES:
                causes = self._rows(answer)
            change.causes = (causes or self._texts(change, answer, before))[:MOST_CAUSES]

    def _graphs(self, question: Question) -> tuple[Graph, Graph] | None:
        """Both graphs, if both are known and say something about the question."""
        if question.kind in TABLES or self.old.graph is None or self.new.graph is None:
            return None
        return self.old.graph, self.new.graph

    def _label(self, change: AnswerChange) -> Cause:
        """The renaming of an entity, as far as the graphs have it."""
        id_ = change.id
        if id_ is None or self.new.graph is None:
            return Cause(LABEL)
        after = self.new.graph.label(id_)
        before = change.before or (self.old.graph.label(id_) if self.old.graph is not None else after)
        return Cause(
            LABEL, id_, f"{before} ({id_}) is {after} now" if before != after else f"{after} ({id_})"
        )

    def _statements(
        self, query: Query, graphs: tuple[Graph, Graph], change: AnswerChange, answer: Answer
    ) -> list[Cause]:
        """The statements that one graph has and the other has not."""
        had, has = graphs if change.kind not in _APPEARED else (graphs[1], graphs[0])
        kind = ADDED if change.kind in _APPEARED else GONE
        if query.aggregate is not None:
            return self._overtaken(query, graphs)
        text = answer_text(had, query, answer)
        if text is None:
            return []
        lost = _lost(derivations(had.index, query, [text])[text], has)
        causes = [self._cause(kind, statement, graphs) for statement in lost]
        denied = denials(has.index, query, [text])[text]
        opposite = GONE if kind == ADDED else ADDED
        return causes or [
            self._cause(opposite, statement, graphs) for statement in _lost(denied, had, every=True)
        ]

    def _rested_on(self, graphs: tuple[Graph, Graph], change: AnswerChange, answer: Answer) -> list[Cause]:
        """The statements on which the proof of an answer rested that only one graph has.

        The graph may have another derivation of the answer, which no text proves.
        """
        other, kind = (graphs[0], ADDED) if change.kind == CAME else (graphs[1], GONE)
        facts = [fact for piece in answer.evidence if (fact := fact_in(piece)) is not None]
        lost = [fact for fact in dict.fromkeys(facts) if not holds(other.index, fact)]
        return [self._cause(kind, fact, graphs) for fact in lost]

    def _rows(self, answer: Answer) -> list[Cause]:
        """For what a list says: the statements about the answer that changed, which its row repeats."""
        old, new = self.old.graph, self.new.graph
        if answer.id is None or old is None or new is None:
            return []
        before, after = statements_of(old.index, answer.id), statements_of(new.index, answer.id)
        return [
            self._cause(kind, statement, (old, new))
            for kind, some, others in ((GONE, before, after), (ADDED, after, before))
            for statement in some
            if statement not in others
        ]

    def _overtaken(self, query: Query, graphs: tuple[Graph, Graph]) -> list[Cause]:
        """The statements of the answers to a count or an extreme that only one of the graphs has."""
        causes = []
        old, new = graphs
        for kind, had, has in ((GONE, old, new), (ADDED, new, old)):
            answers = sorted(denotation(had.index, query))
            for answer_derivations in derivations(had.index, query, answers).values():
                causes += [
                    self._cause(kind, statement, graphs) for statement in _lost(answer_derivations, has)
                ]
        return list(dict.fromkeys(causes))

    def _cause(self, kind: str, statement: Statement, graphs: tuple[Graph, Graph]) -> Cause:
        graph = graphs[1] if kind == ADDED else graphs[0]
        return Cause(kind, statement.text, statement_text(graph, statement))

    def _texts(self, change: AnswerChange, answer: Answer, question: Question) -> list[Cause]:
        """What the text says of an answer whose statements the graph has before and after, or of a list."""
        side, kind = (self.old, STATED) if change.kind == CAME else (self.new, UNSTATED)
        graph = self.new.graph if change.kind == CAME else self.old.graph
        pieces = [piece for piece in answer.evidence if piece.fact]
        if not pieces:
            return [Cause(UNKNOWN)]
        if side.has_sentence is not None:
            other = [piece for piece in pieces if not side.has_sentence(place_of(piece))]
            if other:
                return [_piece(kind, piece, graph) for piece in other]
        if question.kind in TABLES:
            return [_piece(LISTED, piece, graph) for piece in pieces]
        if side.graph is None:
            return [_piece(UNKNOWN, piece, graph) for piece in pieces]
        return [_piece(JUDGED if side.has_sentence is not None else kind, piece, graph) for piece in pieces]


def statement_text(graph: Graph | None, statement: Statement) -> str:
    """A statement without variables, in the names of a graph."""
    if graph is None:
        return statement.text
    if isinstance(statement, Typing):
        assert isinstance(statement.node, Entity)
        return f"{graph.label(statement.node.id)} · is a · {graph.class_label(statement.class_id)}"
    assert isinstance(statement.subject, Entity)
    end = statement.object
    shown = graph.label(end.id) if isinstance(end, Entity) else end.text
    return f"{graph.label(statement.subject.id)} · {graph.relation_label(statement.relation)} · {shown}"


def _lost(of_answer: Sequence[Derivation], graph: Graph, every: bool = False) -> list[Statement]:
    """The statements of the derivation that lacks the fewest in a graph; none if one lacks none.

    With `every`, those of all derivations.
    """
    lacks = [
        [statement for statement in derivation if not holds(graph.index, statement)]
        for derivation in of_answer
    ]
    if every:
        return list(dict.fromkeys(statement for missing in lacks for statement in missing))
    return min(lacks, key=len, default=[])


def _answer(question: Question, change: AnswerChange) -> Answer:
    """The answer of a question that a change is about."""
    return next(
        answer
        for answer in (*question.answers, *question.neutral)
        if (answer.id == change.id if change.id is not None else answer.label == change.label)
    )


def answer_text(graph: Graph, query: Query, answer: Answer) -> str | None:
    """An answer as the graph writes it; a value is found among the query's by its names."""
    if answer.id is not None:
        return answer.id
    names = {answer.label, *answer.aliases}
    for value in graph.answers(query):
        if not isinstance(value, str) and not names.isdisjoint(written(graph, value)):
            return value.text
    return None


def written(graph: Graph, value: Value) -> list[str]:
    """All written forms of a value."""
    unit = value.unit if isinstance(value, Number) else None
    return value_names(value, graph.label(unit) if unit is not None else "")


def _piece(kind: str, piece: Evidence, graph: Graph | None) -> Cause:
    fact = fact_in(piece)
    shown = piece.fact or "" if fact is None else statement_text(graph, fact)
    return Cause(kind, piece.fact or "", shown, piece.text, piece.title)
