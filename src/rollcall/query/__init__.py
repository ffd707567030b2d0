"""The graph query: one immutable value for every kind of question, its text, operators and renderings."""

from rollcall.query.pattern import Pattern
from rollcall.query.query import (
    Anchor,
    Query,
    argmax,
    argmin,
    count,
    distinct,
    entity,
    instances,
    maximum,
    minimise,
    minimum,
)
from rollcall.query.statements import QUESTION, Edge, Entity, Literal, Typing, Variable
from rollcall.query.values import Date, Number, Point, Text, Value, number, parse_value

__all__ = [
    "QUESTION",
    "Anchor",
    "Date",
    "Edge",
    "Entity",
    "Literal",
    "Number",
    "Pattern",
    "Point",
    "Query",
    "Text",
    "Typing",
    "Value",
    "Variable",
    "argmax",
    "argmin",
    "count",
    "distinct",
    "entity",
    "instances",
    "maximum",
    "minimise",
    "minimum",
    "number",
    "parse_value",
]
