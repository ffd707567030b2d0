"""Finds the facts that made an answer come, go or change its name.

An answer rests on the statements of its derivations. It went from the graph because some of them no longer
hold, or because a statement holds now that the query denies; it came for the opposite reason. If it is in the
graph before and after, its text changed. Of an extreme or a count, the statements of all answers of both
graphs are looked at, because one answer goes when another overtakes it.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rollcall.audit.drift.changes import (
    ADDED,
    CAME,
    GONE,
    JUDGED,
    LABEL,
    LISTED,
    NAMES,
    RENAMED,
    STATED,
    UNKNOWN,
    UNSTATED,
    AnswerChange,
    Cause,
)
from rollcall.audit.drift.derivations import (
    Derivation,
    denials,
    denotation,
    derivations,
    holds,
    statements_of,
)
from rollcall.audit.drift.texts import Place, fact_in, place_of
from rollcall.audit.parts import query_of
from rollcall.graph import Graph
from rollcall.query import Entity, Query, Value
from rollcall.query.statements import Statement, Typing
from rollcall.query.values import Number
from rollcall.questions.record import Answer, Evidence, Question
from rollcall.questions.splits import TABLES
from rollcall.questions.value_names import value_names

MOST_CAUSES = 4


class Side(NamedTuple):
    """One of two sides: its graph, and which sentences its corpus has; None if that is not known."""

    graph: Graph | None = None
    has_sentence: Callable[[Place], bool] | None = None


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
            answer = _answer(after if change.kind == CAME else before, change)
            causes: list[Cause] = []
            if graphs is not None and query is not None:
                causes = self._statements(query, graphs, change, answer)
                causes = causes or self._rested_on(graphs, change, answer)
            elif before.kind in TABLES:
                causes = self._rows(change, answer)
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
        had, has = graphs if change.kind != CAME else (graphs[1], graphs[0])
        kind = ADDED if change.kind == CAME else GONE
        if query.aggregate is not None:
            return self._overtaken(query, graphs)
        text = answer_text(had, query, answer)
        if text is None:
            return []
        lost = _lost(derivations(had.index, query, [text])[text], has)
        found = [self._cause(kind, statement, graphs) for statement in lost]
        denied = denials(has.index, query, [text])[text]
        opposite = GONE if kind == ADDED else ADDED
        return found or [
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

    def _rows(self, change: AnswerChange, answer: Answer) -> list[Cause]:
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
            for found in derivations(had.index, query, answers).values():
                causes += [self._cause(kind, one, graphs) for one in _lost(found, has)]
        return list(dict.fromkeys(causes))

    def _cause(self, kind: str, statement: Statement, graphs: tuple[Graph, Graph]) -> Cause:
        graph = graphs[1] if kind == ADDED else graphs[0]
        return Cause(kind, statement.text, said(graph, statement))

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


def said(graph: Graph | None, statement: Statement) -> str:
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


def _lost(found: Sequence[Derivation], graph: Graph, every: bool = False) -> list[Statement]:
    """The statements of the derivation that lacks the fewest in a graph; none if one lacks none.

    With `every`, those of all derivations.
    """
    lacks = [[one for one in derivation if not holds(graph.index, one)] for derivation in found]
    if every:
        return list(dict.fromkeys(one for missing in lacks for one in missing))
    return min(lacks, key=len, default=[])


def _answer(question: Question, change: AnswerChange) -> Answer:
    """The answer of a question that a change is about."""
    return next(
        one
        for one in question.answers
        if (one.id == change.id if change.id is not None else one.label == change.label)
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
    shown = piece.fact or "" if fact is None else said(graph, fact)
    return Cause(kind, piece.fact or "", shown, piece.text, piece.title)
