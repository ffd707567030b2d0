"""The differences between SPARQL dialects: how entities, classes, relations and values are written."""

from typing import Protocol

from rollcall.query.sparql_order import Occurring
from rollcall.query.values import Value


class Dialect(Protocol):
    """One way of laying out a graph in RDF; variables are given with their question mark."""

    prefixes: str
    occurring: Occurring
    terms_are_values: bool
    """Whether equal values are one RDF term, so that a variable in two places joins them."""

    def entity(self, id_: str) -> str: ...
    def typing(self, node: str, class_id: str) -> str: ...
    def edge(self, subject: str, relation: str, object_: str) -> str: ...
    def value_edge(self, subject: str, relation: str, variable: str, details: str) -> str: ...
    def ordered_edge(self, subject: str, relation: str, variable: str) -> str: ...
    def equal(self, subject: str, relation: str, variable: str, value: Value) -> str: ...
    def compare(self, subject: str, relation: str, variable: str, comparator: str, value: Value) -> str: ...
    def order(self, variable: str) -> str: ...
    def answer(self, variable: str) -> str: ...


def bind_order(lows: list[str], highs: list[str], dimensions: list[str], occurring: Occurring) -> list[str]:
    """Bind the start and the end of a value, and its dimension if there may be several."""

    def first(expressions: list[str]) -> str:
        return expressions[0] if len(expressions) == 1 else f"COALESCE({', '.join(expressions)})"

    if not lows:
        return ["FILTER(false)"]
    lines = [f"BIND({first(lows)} AS ?low)", f"BIND({'?low' if lows == highs else first(highs)} AS ?high)"]
    if occurring.dimensions > 1:
        lines.append(f"BIND({first(dimensions)} AS ?dimension)")
    return [*lines, "FILTER(BOUND(?low))"]
