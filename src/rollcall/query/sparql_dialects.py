"""What differs between SPARQL dialects: how entities, classes, relations and ordered values are reached.

In a plain graph a value is a typed literal. On Wikidata an ordered value is a node of its own with amount
and unit, or time and precision, reached through the best-ranked statements; everything else uses the
truthy `wdt:` properties.
"""

import re
from collections.abc import Iterable
from typing import Protocol

from rollcall.errors import RollcallError
from rollcall.query.rdf_terms import EDTF, iri, literal_text, unit_iri
from rollcall.query.units import UNITS
from rollcall.query.values import Date, Number, Value

_XSD_PREFIX = "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"
_NEVER = "1/0"  # an error, which COALESCE and FILTER pass over


class Dialect(Protocol):
    """One way of laying out a graph in RDF; variables are given with their question mark."""

    prefixes: str

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

    prefixes = _XSD_PREFIX + (
        "PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>\n"
        "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n"
    )

    def __init__(self, base: str, type_path: str | None, units: Iterable[str] | None):
        self.base = base
        self.type_path = type_path or "rdf:type/rdfs:subClassOf*"
        self.units = tuple(UNITS if units is None else units)

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
        if isinstance(value, Number) and value.unit is not None:
            rows = _convertible(value.unit)
            table = " ".join(f"(<{unit_iri(unit, self.base)}> {factor})" for unit, factor in rows)
            lines.append(f"VALUES ({variable}_unit {variable}_factor) {{ {table} }}")
            lines.append(f"FILTER(DATATYPE({variable}) = {variable}_unit)")
            low = high = f"xsd:decimal(STR({variable})) * {variable}_factor"
        elif isinstance(value, Number):
            low = high = f"IF(isNumeric({variable}), {variable}, {_NEVER})"
        else:
            low, high = self._date_bounds(variable)
        lines.append(f"FILTER({_condition(comparator, low, high, value)})")
        return "\n".join(lines)

    def order(self, variable: str) -> str:
        low, high = self._date_bounds(variable)
        numeric = f"IF(isNumeric({variable}), {variable}, {_NEVER})"
        unit = f"STR(DATATYPE({variable}))"
        is_quantity = f'STRSTARTS({unit}, "{unit_iri("", self.base)}")'
        quantity = f"IF({is_quantity}, xsd:decimal(STR({variable})) * COALESCE(?factor, 1), {_NEVER})"
        lines = []
        if rows := [UNITS[unit] for unit in self.units if unit in UNITS]:
            table = " ".join(f'(<{unit_iri(u.id, self.base)}> "{u.dimension}" {u.factor})' for u in rows)
            lines.append(
                f"OPTIONAL {{ VALUES (?unit ?measure ?factor) {{ {table} }} "
                f"FILTER(?unit = DATATYPE({variable})) }}"
            )
        lines += [
            f"BIND(COALESCE({low}, {numeric}, {quantity}) AS ?low)",
            f"BIND(COALESCE({high}, {numeric}, {quantity}) AS ?high)",
            f'BIND(IF(isNumeric({variable}), "number", '
            f'IF({is_quantity}, COALESCE(?measure, {unit}), "date")) AS ?dimension)',
            "FILTER(BOUND(?low))",
        ]
        return "\n".join(lines)

    def answer(self, variable: str) -> str:
        return variable

    @staticmethod
    def _date_bounds(variable: str) -> tuple[str, str]:
        """First and last day number of a date of any precision; an error for anything else."""
        whole = f'xsd:integer(REPLACE(STR({variable}), "X", "0"))'
        span = f'IF(STRENDS(STR({variable}), "XXX"), 1000, IF(STRENDS(STR({variable}), "XX"), 100, 10))'
        year, month, day = f"YEAR({variable})", f"MONTH({variable})", f"DAY({variable})"
        coarse = f"IF(DATATYPE({variable}) = <{EDTF}>"
        return (
            f"COALESCE({year} * 372 + (COALESCE({month}, 1) - 1) * 31 + COALESCE({day}, 1) - 1, "
            f"{coarse}, {whole} * 372, {_NEVER}))",
            f"COALESCE({year} * 372 + (COALESCE({month}, 12) - 1) * 31 + COALESCE({day}, 31) - 1, "
            f"{coarse}, ({whole} + {span}) * 372 - 1, {_NEVER}))",
        )


_PRECISION_NUMBERS = {"millennium": 6, "century": 7, "decade": 8, "year": 9, "month": 10, "day": 11}


class Wikidata:
    """Wikidata's RDF, as its query service holds it."""

    prefixes = _XSD_PREFIX + (
        "PREFIX wd: <http://www.wikidata.org/entity/>\n"
        "PREFIX wdt: <http://www.wikidata.org/prop/direct/>\n"
        "PREFIX p: <http://www.wikidata.org/prop/>\n"
        "PREFIX psv: <http://www.wikidata.org/prop/statement/value/>\n"
        "PREFIX wikibase: <http://wikiba.se/ontology#>\n"
    )

    def __init__(self, type_path: str | None, units: Iterable[str] | None):
        self.type_path = type_path or "wdt:P31/wdt:P279*"
        self.units = tuple(UNITS if units is None else units)

    def entity(self, id_: str) -> str:
        if not re.fullmatch(r"[QPL]\d+", id_):
            raise RollcallError(f"{id_!r} is not a Wikidata id; use the plain dialect for this graph")
        return f"wd:{id_}"

    def typing(self, node: str, class_id: str) -> str:
        return f"{node} {self.type_path} {self.entity(class_id)} ."

    def edge(self, subject: str, relation: str, object_: str) -> str:
        return f"{subject} wdt:{self._property(relation)} {object_} ."

    def value_edge(self, subject: str, relation: str, variable: str) -> str:
        property_ = self._property(relation)
        return f"{subject} p:{property_} [ a wikibase:BestRank ; psv:{property_} {variable} ] ."

    def equal(self, subject: str, relation: str, variable: str, value: Value) -> str:
        if isinstance(value, Number):
            unit = self.entity(value.unit or "Q199")
            return (
                f"{self.value_edge(subject, relation, variable)}\n"
                f"{variable} wikibase:quantityAmount {variable}_amount ; wikibase:quantityUnit {unit} .\n"
                f"FILTER({variable}_amount = {value.amount:f})"
            )
        if isinstance(value, Date):
            low, high = _exact_bounds(value)
            precision = _PRECISION_NUMBERS[value.precision]
            return (
                f"{self.value_edge(subject, relation, variable)}\n{self._time(variable)}\n"
                f"FILTER({variable}_precision = {precision} && {_wikidata_low(variable)} = {low} "
                f"&& {_wikidata_high(variable)} = {high})"
            )
        return self.edge(subject, relation, literal_text(value))

    def compare(self, subject: str, relation: str, variable: str, comparator: str, value: Value) -> str:
        lines = [self.value_edge(subject, relation, variable)]
        if isinstance(value, Number):
            rows = _convertible(value.unit) if value.unit is not None else [("Q199", "1")]
            table = " ".join(f"({self.entity(unit)} {factor})" for unit, factor in rows)
            lines.append(f"VALUES ({variable}_unit {variable}_factor) {{ {table} }}")
            lines.append(self._quantity(variable))
            low = high = f"{variable}_amount * {variable}_factor"
        else:
            lines.append(self._time(variable))
            low, high = _wikidata_low(variable), _wikidata_high(variable)
        lines.append(f"FILTER({_condition(comparator, low, high, value)})")
        return "\n".join(lines)

    def order(self, variable: str) -> str:
        units = [UNITS[unit] for unit in self.units if unit in UNITS]
        table = " ".join(f'(wd:{u.id} "{u.dimension}" {u.factor})' for u in units)
        amount = f"{variable}_amount * COALESCE(?factor, 1)"
        return "\n".join(
            [
                f"OPTIONAL {{ {self._time(variable)} }}",
                f"OPTIONAL {{ {self._quantity(variable)}\n"
                f"  OPTIONAL {{ VALUES ({variable}_unit ?measure ?factor) {{ {table} }} }} }}",
                f"BIND(COALESCE({_wikidata_low(variable)}, {amount}) AS ?low)",
                f"BIND(COALESCE({_wikidata_high(variable)}, {amount}) AS ?high)",
                f'BIND(IF(BOUND({variable}_time), "date", COALESCE(?measure, STR({variable}_unit))) '
                "AS ?dimension)",
                "FILTER(BOUND(?low))",
            ]
        )

    def answer(self, variable: str) -> str:
        return f"COALESCE({variable}_time, {variable}_amount)"

    @staticmethod
    def _property(relation: str) -> str:
        if not re.fullmatch(r"P\d+", relation):
            raise RollcallError(f"{relation!r} is not a Wikidata property; use the plain dialect")
        return relation

    @staticmethod
    def _time(variable: str) -> str:
        return (
            f"{variable} wikibase:timeValue {variable}_time ; wikibase:timePrecision {variable}_precision ."
        )

    @staticmethod
    def _quantity(variable: str) -> str:
        return (
            f"{variable} wikibase:quantityAmount {variable}_amount ; wikibase:quantityUnit {variable}_unit ."
        )


def _wikidata_first_year(variable: str) -> str:
    """Wikidata counts centuries and millennia from their last year, decades from their first."""
    year, precision = f"YEAR({variable}_time)", f"{variable}_precision"
    return (
        f"IF({precision} >= 9, {year}, IF({precision} = 8, FLOOR({year} / 10) * 10, "
        f"IF({precision} = 7, (CEIL({year} / 100) - 1) * 100, (CEIL({year} / 1000) - 1) * 1000)))"
    )


def _wikidata_low(variable: str) -> str:
    time, precision = f"{variable}_time", f"{variable}_precision"
    return (
        f"({_wikidata_first_year(variable)} * 372 + IF({precision} >= 10, MONTH({time}) - 1, 0) * 31 "
        f"+ IF({precision} >= 11, DAY({time}) - 1, 0))"
    )


def _wikidata_high(variable: str) -> str:
    time, precision = f"{variable}_time", f"{variable}_precision"
    more = f"IF({precision} >= 9, 0, IF({precision} = 8, 9, IF({precision} = 7, 99, 999)))"
    return (
        f"(({_wikidata_first_year(variable)} + {more}) * 372 "
        f"+ IF({precision} >= 10, MONTH({time}) - 1, 11) * 31 + IF({precision} >= 11, DAY({time}) - 1, 30))"
    )


def _exact_bounds(value: Value) -> tuple[str, str]:
    """The bounds of an ordered value as SPARQL numbers, without the rounding of floats."""
    if isinstance(value, Number):
        unit = UNITS.get(value.unit or "")
        exact = f"{value.amount * unit.factor if unit else value.amount:f}"
        return exact, exact
    if value.bounds is None:
        raise RollcallError(f"{value.text} has no order, so it cannot be compared")
    return str(int(value.bounds.low)), str(int(value.bounds.high))


def _condition(comparator: str, low: str, high: str, value: Value) -> str:
    """`value comparator bounds`, where the found value's own bounds are given as expressions."""
    least, greatest = _exact_bounds(value)
    return {
        "<": f"{high} < {least}",
        "<=": f"{high} <= {greatest}",
        ">": f"{low} > {greatest}",
        ">=": f"{low} >= {least}",
    }[comparator]


def _convertible(unit: str) -> list[tuple[str, str]]:
    """The units of the same dimension with their factors; an unlisted unit is alone."""
    if unit not in UNITS:
        return [(unit, "1")]
    return [(u.id, str(u.factor)) for u in UNITS.values() if u.dimension == UNITS[unit].dimension]
