"""The forms that a candidate query is grown from, and the query that each stands for.

Forms are light: thousands are made for a question, and only the best few become queries.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from rollcall.graph.index import GraphIndex, Numbers
from rollcall.mine.neighbourhood import FORWARD
from rollcall.query import Query
from rollcall.query.query import argmax, argmin, count, distinct, entity, instances, maximum, minimum
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
class ComparisonForm:
    """Everything with a value of a relation that compares with the given one in this way."""

    relation: int
    comparator: str
    value: Value


@dataclass(frozen=True, slots=True)
class JoinedForms:
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


Form: TypeAlias = Apart | Constant | Hop | Members | ComparisonForm | JoinedForms | Function

_JOINS = {"and": Query.__and__, "or": Query.__or__, "but not": Query.__sub__}
_FUNCTIONS = {"count": count, "max": maximum, "min": minimum}
_EXTREMES = {"argmax": argmax, "argmin": argmin}


def query_of(form: Form, index: GraphIndex) -> Query:
    """The query of a form other than a constant; an error if the language cannot express it."""
    query = _plain(form, index)
    return distinct(query) if _keeps_apart(form) else query


def _keeps_apart(form: Form) -> bool:
    """Whether some part of a form keeps its entities apart; a query does so as a whole or not at all."""
    match form:
        case Apart():
            return True
        case Hop(source, _, _) | Function(_, source, _):
            return _keeps_apart(source)
        case JoinedForms(_, left, right):
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
        case ComparisonForm(relation, comparator, value):
            return Query.of([Edge(QUESTION, index.relation_ids[relation], Literal(value, comparator))])
        case JoinedForms(how, left, right):
            return _JOINS[how](_plain(left, index), _plain(right, index))
        case Function(name, source, relation):
            if name in _EXTREMES:
                return _EXTREMES[name](_plain(source, index), index.relation_ids[relation])
            return _FUNCTIONS[name](_plain(source, index))
    raise AssertionError(f"{form} is not a set")


# The features of a candidate query, by name, for every model that ranks candidates. The local features
# are costs that grow with a candidate: each step adds its own. The final ones say how well the whole
# fits the question: which words are left over, whether the answers are of the kind asked for. What a
# step gains is the words that it explains, so that a longer query is better only where it explains more.

LOCAL = (
    "unsure name",  # how far the names are from whole and certain ones
    "loose match",  # how far the words of the question are from those of the relations
    "wrong side",  # how far the words stand from where the grammar expects them, 2 if on the other side
    "unnamed relation",  # relations that no word names
    "silent relation",  # relations that no word names and that need none: French films, towns in Ostrell
    "hop",  # edges
    "there and back",  # a relation followed to its other end and back
    "class",  # classes that the question names
    "join",  # conditions
    "idle denial",  # denials that take nothing away
)
FINAL = (
    "left over",  # the weight of the words that nothing explains
    "kind",  # whether the answers are of the kind asked for, from -1 to 1
    "ignored sign",  # words that ask for a function, a union or a denial, and are not used
    "many answers",  # the logarithm of the number of answers
    "class alone",  # a query for all members of a class
    "unlike",  # how unlike question and relation are as vectors; 0 without a model
)
FEATURES = (*LOCAL, *FINAL)

Local: TypeAlias = tuple[float, ...]
NONE: Local = (0.0,) * len(LOCAL)
_INDEX = {name: index for index, name in enumerate(LOCAL)}


def adding(features: Local, changes: Mapping[str, float]) -> Local:
    """Local features with more of some."""
    listed = list(features)
    for name, value in changes.items():
        listed[_INDEX[name]] += value
    return tuple(listed)


def summed(first: Local, second: Local) -> Local:
    """The local features of two parts together."""
    return tuple(left + right for left, right in zip(first, second, strict=True))


def named(local: Local, final: Sequence[float]) -> dict[str, float]:
    """All features of a candidate by name."""
    return dict(zip(FEATURES, (*local, *final), strict=True))


# Pieces of candidate queries: a form with its answers in the graph and the words that it explains. A
# piece without answers is never made. Two pieces may be joined if they explain different words, or the
# same words in the same way, as "directed" in "directed by A and B".


class Piece(NamedTuple):
    """A part of a query with its answers."""

    form: Form
    terms: Numbers
    """Its answers, sorted."""
    mask: int
    """The words it explains."""
    uses: frozenset[tuple[int, object]]
    """For each mention its words and its meaning."""
    features: Local
    score: float
    first: int
    last: int
    """Its first and last explained word."""
    hops: tuple[tuple[int, int], ...] = ()
    """The relations and directions it was grown along; the last one leads to its answers."""
    nouns: frozenset[str] = frozenset()
    """Roots of the nouns for what it went through, which explain words at no cost."""
    typed: int = 0
    """The words that name classes of its answers."""
    about: int = 0
    """Further words about its relations."""

    @property
    def explained(self) -> int:
        return self.mask | self.about


def may_be_joined(piece: Piece, other: Piece) -> bool:
    """Whether both pieces explain words of their own, and words of both in the same way."""
    shared = piece.mask & other.mask
    if shared in (piece.mask, other.mask):
        return False
    if not shared:
        return True
    alike = 0
    for mask, _ in piece.uses & other.uses:
        alike |= mask
    return not shared & ~alike


# What a question was understood to ask: candidate queries, how sure the first one is, and what is left.

_LEAST_SURE = 0.5


@dataclass(frozen=True)
class QueryCandidate:
    """A query that a question may ask for."""

    query: Query
    score: float
    features: dict[str, float]
    piece: Piece

    def agrees_with(self, other: "QueryCandidate") -> bool:
        """Whether both give the same answers."""
        return _is_count(self.piece) == _is_count(other.piece) and np.array_equal(
            self.piece.terms, other.piece.terms
        )


def _is_count(piece: Piece) -> bool:
    return isinstance(piece.form, Function) and piece.form.name == "count"


@dataclass(frozen=True)
class Understanding:
    """All that was understood of a question."""

    question: str
    candidates: tuple[QueryCandidate, ...]
    """The queries it may ask for, best first; none if no name in it is known."""
    surety: float
    """How likely the answers of the first one are right; below a half if a word is not explained."""
    not_understood: tuple[str, ...]
    """The words that the first query does not explain; without a query, the words that name nothing."""
    comparable: tuple[str, ...] = ()
    """What the graph can compare things by, if a superlative is among these words."""
    only_class: bool = False
    """Whether there is no query because the words that are understood name a class and nothing else."""
    signals: tuple[float, ...] = ()
    """What the surety follows from, as `ranking.SURETY` names it; none without a query."""
    most_sure: float = 1.0
    """The greatest surety that what is not understood allows."""

    @property
    def query(self) -> Query | None:
        return self.candidates[0].query if self.candidates else None


@dataclass(frozen=True)
class Understood:
    """A question that was understood, as it is shown to people."""

    query: Query
    words: str
    surety: float
    not_understood: tuple[str, ...]
    others: tuple[str, ...]
    """Other readings in words, best first."""
    comparable: tuple[str, ...] = ()
    """What the graph can compare things by, if a superlative was not understood."""

    @property
    def is_certain(self) -> bool:
        """Whether every word is explained, and no other reading comes near."""
        return not self.not_understood and self.surety >= _LEAST_SURE

    def record(self) -> dict[str, object]:
        """Its JSON form."""
        return {
            "words": self.words,
            "score": round(self.surety, 4),
            "certain": self.is_certain,
            "not_understood": list(self.not_understood),
        }
