"""SPARQL for a graph of typed literals, as `rdf_terms` writes them: equal values are equal terms."""

from rollcall.query.rdf_terms import iri, is_plain_decimal, literal_text, number_type, quantity_type
from rollcall.query.sparql_dialects import bind_order
from rollcall.query.sparql_order import (
    NEVER,
    Occurring,
    double,
    plain_date_bounds,
    plain_date_condition,
)
from rollcall.query.values import Date, Number, Value


class Plain:
    """Typed literals as `rdf_terms` writes them; classes by `rdf:type` and `rdfs:subClassOf`."""

    prefixes = (
        "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"
        "PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>\n"
        "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n"
    )
    terms_are_values = True

    def __init__(self, base: str, type_path: str | None, occurring: Occurring):
        self.base = base
        self.type_path = type_path or "rdf:type/rdfs:subClassOf*"
        self.occurring = occurring

    def entity(self, id_: str) -> str:
        return f"<{iri(id_, self.base)}>"

    def typing(self, node: str, class_id: str) -> str:
        return f"{node} {self.type_path} {self.entity(class_id)} ."

    def edge(self, subject: str, relation: str, object_: str) -> str:
        return f"{subject} {self.entity(relation)} {object_} ."

    ordered_edge = edge

    def value_edge(self, subject: str, relation: str, variable: str, details: str) -> str:
        return self.edge(subject, relation, variable)

    def equal(self, subject: str, relation: str, variable: str, value: Value) -> str:
        if isinstance(value, Number) and value.unit is None and is_plain_decimal(value):
            # xsd:integer, xsd:double and others match too
            return self.edge(subject, relation, variable) + f"\nFILTER({variable} = {value.amount:f})"
        return self.edge(subject, relation, literal_text(value, self.base))

    def compare(self, subject: str, relation: str, variable: str, comparator: str, value: Value) -> str:
        if isinstance(value, Date):
            coarse = self.occurring.coarse_dates
            condition = plain_date_condition(comparator, variable, value, coarse=coarse)
        else:
            assert isinstance(value, Number)
            limit = double(value.bounds.low)
            if value.unit is None:
                condition = f"{self._is_number(variable)} && xsd:double(STR({variable})) {comparator} {limit}"
            else:
                of_kind = self._is_quantity(variable, value.bounds.dimension)
                condition = f"{of_kind} && {_place(variable)} {comparator} {limit}"
        return f"{self.edge(subject, relation, variable)}\nFILTER({condition})"

    def _is_number(self, variable: str) -> str:
        return f"(isNumeric({variable}) || DATATYPE({variable}) = <{number_type(self.base)}>)"

    def _is_quantity(self, variable: str, dimension: str | None = None) -> str:
        beginning = quantity_type(dimension, base=self.base)
        return f'STRSTARTS(STR(DATATYPE({variable})), "{beginning}")'

    def order(self, variable: str) -> str:
        lows, dimensions = [], []
        if self.occurring.units or self.occurring.unlisted_units:
            is_quantity = self._is_quantity(variable)
            lows.append(f"IF({is_quantity}, {_place(variable)}, {NEVER})")
            kind = f'REPLACE(STR(DATATYPE({variable})), ":[^:]*$", "")'
            dimensions.append(f"IF({is_quantity}, {kind}, {NEVER})")
        if self.occurring.numbers:
            is_number = self._is_number(variable)
            lows.append(f"IF({is_number}, xsd:double(STR({variable})), {NEVER})")
            dimensions.append(f'IF({is_number}, "number", {NEVER})')
        highs = list(lows)
        if self.occurring.dates:
            low, high = plain_date_bounds(variable, coarse=self.occurring.coarse_dates)
            lows.append(low)
            highs.append(high)
            dimensions.append('"date"')
        return "\n".join(bind_order(lows, highs, dimensions, self.occurring))

    def answer(self, variable: str) -> str:
        return f"({variable} AS ?answer)"


def _place(variable: str) -> str:
    """The position of a quantity in the order of its dimension, which its literal gives after the amount."""
    return f'xsd:double(STRAFTER(STR({variable}), " "))'
