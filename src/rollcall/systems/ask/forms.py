"""The forms that a candidate query is grown from, and the query that each stands for.

Forms are light: thousands are made for a question, and only the best few become queries.
"""

from dataclasses import dataclass
from typing import TypeAlias

from rollcall.graph.index import GraphIndex
from rollcall.mine.neighbourhood import FORWARD
from rollcall.query import Query
from rollcall.query.operators import argmax, argmin, count, distinct, entity, instances, maximum, minimum
from rollcall.query.statements import QUESTION, Edge, Literal
from rollcall.query.values import Value


@dataclass(frozen=True, slots=True)
class Constant:
    """An entity that the question names."""

    entity: int


@dataclass(frozen=True, slots=True)
class Hop:
    """What is reached from a form along a relation."""

    source: "Form"
    relation: int
    direction: int


@dataclass(frozen=True, slots=True)
class Members:
    """All members of a class."""

    class_: int


@dataclass(frozen=True, slots=True)
class Compared:
    """Everything with a value of a relation that stands in an order to the given one."""

    relation: int
    comparator: str
    value: Value


@dataclass(frozen=True, slots=True)
class Joined:
    """Two forms: `and`, `or`, or `but not`."""

    how: str
    left: "Form"
    right: "Form"


@dataclass(frozen=True, slots=True)
class Function:
    """`count`; `argmax` and `argmin` by a relation; `max` and `min` of values."""

    name: str
    source: "Form"
    relation: int = -1


@dataclass(frozen=True, slots=True)
class Apart:
    """A form whose entities must all differ: what has the same director as Dune, but not Dune."""

    source: "Form"


Form: TypeAlias = Apart | Constant | Hop | Members | Compared | Joined | Function

_JOINS = {"and": Query.__and__, "or": Query.__or__, "but not": Query.__sub__}
_FUNCTIONS = {"count": count, "max": maximum, "min": minimum}
_EXTREMES = {"argmax": argmax, "argmin": argmin}


def query_of(form: Form, index: GraphIndex) -> Query:
    """The query of a form, which is no constant; an error if the language cannot say it."""
    query = _plain(form, index)
    return distinct(query) if _keeps_apart(form) else query


def _keeps_apart(form: Form) -> bool:
    """Whether some part of a form keeps its entities apart; a query does so as a whole or not at all."""
    match form:
        case Apart():
            return True
        case Hop(source, _, _) | Function(_, source, _):
            return _keeps_apart(source)
        case Joined(_, left, right):
            return _keeps_apart(left) or _keeps_apart(right)
    return False


def _plain(form: Form, index: GraphIndex) -> Query:
    match form:
        case Hop(source, relation, direction):
            along = index.relation_ids[relation]
            if isinstance(source, Constant):
                start = entity(index.entity_ids[source.entity])
                return start >> along if direction == FORWARD else start << along
            reached = _plain(source, index)
            return reached >> along if direction == FORWARD else reached << along
        case Apart(source):
            return _plain(source, index)
        case Members(class_):
            return instances(index.class_ids[class_])
        case Compared(relation, comparator, value):
            return Query.of([Edge(QUESTION, index.relation_ids[relation], Literal(value, comparator))])
        case Joined(how, left, right):
            return _JOINS[how](_plain(left, index), _plain(right, index))
        case Function(name, source, relation):
            if name in _EXTREMES:
                return _EXTREMES[name](_plain(source, index), index.relation_ids[relation])
            return _FUNCTIONS[name](_plain(source, index))
    raise AssertionError(f"{form} is no set")
