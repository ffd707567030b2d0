"""What differs between SPARQL dialects: how entities, classes, relations and ordered values are reached.

In a plain graph a value is a typed literal. On Wikidata an ordered value is a node of its own with amount
and unit, or time and precision, reached through the best-ranked statements; everything else uses the
truthy `wdt:` properties.
"""

import re
from typing import Protocol

from rollcall.errors import RollcallError
from rollcall.query.rdf_terms import iri, literal_text, unit_iri
from rollcall.query.sparql_order import (
    NEVER,
    Occurring,
    convertible,
    number_condition,
    plain_date_bounds,
    plain_date_condition,
    unit_table,
    wikidata_date_bounds,
    wikidata_date_condition,
)
from rollcall.query.values import Date, Number, Value


class Dialect(Protocol):
    """One way of laying out a graph in RDF; variables are given with their question mark."""

    prefixes: str
    occurring: Occurring

    def entity(self, id_: str) -> str: ...
    def typing(self, node: str, class_id: str) -> str: ...
    def edge(self, subject: str, relation: str, object_: str) -> str: ...
    def value_edge(self, subject: str, relation: str, variable: str) -> str: ...
    def equal(self, subject: str, relation: str, variable: str, value: Value) -> str: ...
    def compare(self, subject: str, relation: str, variable: str, comparator: str, value: Value) -> str: ...
    def order(self, variable: str) -> str: ...
    def answer(self, variable: str) -> str: ...


class Plain:
    """Typed literals; classes by `rdf:type` and `rdfs:subClassOf`."""

    prefixes = (
        "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"
        "PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>\n"
        "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n"
    )

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

    value_edge = edge

    def equal(self, subject: str, relation: str, variable: str, value: Value) -> str:
        if isinstance(value, Number) and value.unit is None:  # xsd:integer, xsd:double and others match too
            return self.edge(subject, relation, variable) + f"\nFILTER({variable} = {value.amount:f})"
        return self.edge(subject, relation, literal_text(value, self.base))

    def compare(self, subject: str, relation: str, variable: str, comparator: str, value: Value) -> str:
        lines = [self.edge(subject, relation, variable)]
        if isinstance(value, Date):
            coarse = self.occurring.coarse_dates
            condition = plain_date_condition(comparator, variable, value, coarse=coarse)
        elif isinstance(value, Number) and value.unit is not None:
            lines.append(self._units(variable, convertible(value.unit)))
            amount = f"xsd:decimal(STR({variable})) * {variable}_factor"
            condition = number_condition(comparator, amount, value)
        else:
            condition = f"isNumeric({variable}) && {number_condition(comparator, variable, value)}"
        return "\n".join([*lines, f"FILTER({condition})"])

    def _units(self, variable: str, rows: list[tuple[str, str]]) -> str:
        table = " ".join(f"(<{unit_iri(unit, self.base)}> {factor})" for unit, factor in rows)
        return (
            f"VALUES ({variable}_unit {variable}_factor) {{ {table} }}\n"
            f"FILTER(DATATYPE({variable}) = {variable}_unit)"
        )

    def order(self, variable: str) -> str:
        lines, lows, highs, dimension = [], [], [], "?none"
        if self.occurring.units or self.occurring.unlisted_units:
            rows = " ".join(
                f'(<{unit_iri(unit, self.base)}> "{measure}" {factor})'
                for unit, measure, factor in unit_table(self.occurring.units)
            )
            of_unit = f"FILTER(?unit = DATATYPE({variable}))"
            lines.append(f"OPTIONAL {{ VALUES (?unit ?measure ?factor) {{ {rows} }} {of_unit} }}")
            lows.append(f"xsd:decimal(STR({variable})) * ?factor")
            dimension = "?measure"
        if self.occurring.unlisted_units:
            unit = f"STR(DATATYPE({variable}))"
            is_unit = f'STRSTARTS({unit}, "{unit_iri("", self.base)}")'
            lows.append(f"IF({is_unit}, xsd:decimal(STR({variable})), {NEVER})")
            dimension = f"COALESCE({dimension}, IF({is_unit}, {unit}, {NEVER}))"
        if self.occurring.numbers:
            lows.append(f"IF(isNumeric({variable}), {variable}, {NEVER})")
            dimension = f'COALESCE({dimension}, IF(isNumeric({variable}), "number", {NEVER}))'
        highs = list(lows)
        if self.occurring.dates:
            low, high = plain_date_bounds(variable, coarse=self.occurring.coarse_dates)
            lows.append(low)
            highs.append(high)
            dimension = f'COALESCE({dimension}, "date")'
        return "\n".join([*lines, *bind_order(lows, highs, dimension, self.occurring)])

    def answer(self, variable: str) -> str:
        return variable


_PRECISION_NUMBERS = {"millennium": 6, "century": 7, "decade": 8, "year": 9, "month": 10, "day": 11}


class Wikidata:
    """Wikidata's RDF, as its query service holds it."""

    prefixes = (
        "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"
        "PREFIX wd: <http://www.wikidata.org/entity/>\n"
        "PREFIX wdt: <http://www.wikidata.org/prop/direct/>\n"
        "PREFIX p: <http://www.wikidata.org/prop/>\n"
        "PREFIX psv: <http://www.wikidata.org/prop/statement/value/>\n"
        "PREFIX wikibase: <http://wikiba.se/ontology#>\n"
    )

    def __init__(self, type_path: str | None, occurring: Occurring):
        self.type_path = type_path or "wdt:P31/wdt:P279*"
        self.occurring = occurring

    def entity(self, id_: str) -> str:
        if not re.fullmatch(r"[QPL]\d+", id_):
            raise RollcallError(f"{id_!r} is not a Wikidata id; use the plain dialect for this graph")
        return f"wd:{id_}"

    def typing(self, node: str, class_id: str) -> str:
        return f"{node} {self.type_path} {self.entity(class_id)} ."

    def edge(self, subject: str, relation: str, object_: str) -> str:
        return f"{subject} wdt:{_property(relation)} {object_} ."

    def value_edge(self, subject: str, relation: str, variable: str) -> str:
        property_ = _property(relation)
        return f"{subject} p:{property_} [ a wikibase:BestRank ; psv:{property_} {variable} ] ."

    def equal(self, subject: str, relation: str, variable: str, value: Value) -> str:
        lines = [self.value_edge(subject, relation, variable)]
        if isinstance(value, Number):
            unit = self.entity(value.unit or "Q199")
            amount = f"wikibase:quantityAmount {variable}_amount ; wikibase:quantityUnit {unit}"
            lines += [f"{variable} {amount} .", f"FILTER({variable}_amount = {value.amount:f})"]
        elif isinstance(value, Date):
            low, _ = wikidata_date_bounds(variable, coarse=value.precision not in ("year", "month", "day"))
            same = f"{variable}_precision = {_PRECISION_NUMBERS[value.precision]}"
            lines += [_time(variable), f"FILTER({same} && {low} = {int(value.bounds.low)})"]
        else:
            return self.edge(subject, relation, literal_text(value))
        return "\n".join(lines)

    def compare(self, subject: str, relation: str, variable: str, comparator: str, value: Value) -> str:
        lines = [self.value_edge(subject, relation, variable)]
        if isinstance(value, Number):
            rows = convertible(value.unit) if value.unit is not None else [("Q199", "1")]
            table = " ".join(f"({self.entity(unit)} {factor})" for unit, factor in rows)
            lines += [f"VALUES ({variable}_unit {variable}_factor) {{ {table} }}", _quantity(variable)]
            condition = number_condition(comparator, f"{variable}_amount * {variable}_factor", value)
        else:
            assert isinstance(value, Date)
            coarse = self.occurring.coarse_dates
            lines.append(_time(variable))
            condition = wikidata_date_condition(comparator, variable, value, coarse=coarse)
        return "\n".join([*lines, f"FILTER({condition})"])

    def order(self, variable: str) -> str:
        lines, lows, highs, dimension = [], [], [], "?none"
        amounts = self.occurring.units or self.occurring.unlisted_units or self.occurring.numbers
        if amounts:
            rows = " ".join(
                f'({self.entity(unit)} "{measure}" {factor})'
                for unit, measure, factor in unit_table(self.occurring.units)
            )
            listed = f"OPTIONAL {{ VALUES ({variable}_unit ?measure ?factor) {{ {rows} }} }}"
            quantity = f"{_quantity(variable)} {listed}" if rows else _quantity(variable)
            lines.append(f"OPTIONAL {{ {quantity} }}" if self.occurring.dates else quantity)
            lows.append(f"{variable}_amount * COALESCE(?factor, 1)" if rows else f"{variable}_amount")
            dimension = f"COALESCE(?measure, STR({variable}_unit))"
        highs = list(lows)
        if self.occurring.dates:
            lines.append(f"OPTIONAL {{ {_time(variable)} }}" if amounts else _time(variable))
            low, high = wikidata_date_bounds(variable, coarse=self.occurring.coarse_dates)
            lows.append(low)
            highs.append(high)
            dimension = f'COALESCE({dimension}, "date")'
        return "\n".join([*lines, *bind_order(lows, highs, dimension, self.occurring)])

    def answer(self, variable: str) -> str:
        amounts = self.occurring.units or self.occurring.unlisted_units or self.occurring.numbers
        found = [f"{variable}_amount"] if amounts else []
        found += [f"{variable}_time"] if self.occurring.dates else []
        return f"COALESCE({', '.join(found)})"


def bind_order(lows: list[str], highs: list[str], dimension: str, occurring: Occurring) -> list[str]:
    """Bind where a value begins and ends; its dimension too, where there may be several."""

    def first(expressions: list[str]) -> str:
        return expressions[0] if len(expressions) == 1 else f"COALESCE({', '.join(expressions)})"

    if not lows:
        return ["FILTER(false)"]
    lines = [f"BIND({first(lows)} AS ?low)", f"BIND({'?low' if lows == highs else first(highs)} AS ?high)"]
    if occurring.dimensions > 1:
        lines.append(f"BIND({dimension} AS ?dimension)")
    return [*lines, "FILTER(BOUND(?low))"]


def _property(relation: str) -> str:
    if not re.fullmatch(r"P\d+", relation):
        raise RollcallError(f"{relation!r} is not a Wikidata property; use the plain dialect")
    return relation


def _time(variable: str) -> str:
    return f"{variable} wikibase:timeValue {variable}_time ; wikibase:timePrecision {variable}_precision ."


def _quantity(variable: str) -> str:
    return f"{variable} wikibase:quantityAmount {variable}_amount ; wikibase:quantityUnit {variable}_unit ."
