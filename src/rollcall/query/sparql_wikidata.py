"""SPARQL for Wikidata's RDF, in the form that its query service uses.

A truthy `wdt:` value has neither unit nor precision: five metres and five feet are both 5. So where the exact
value of a variable matters, numbers and dates are read from the value nodes of the best-ranked statements,
and the variable becomes a literal that is the same for equal values only. Everything else uses the truthy
properties.
"""

import re

from rollcall.errors import RollcallError
from rollcall.query.rdf_terms import has_schema_type, is_plain_decimal, is_rdf_language, literal_text
from rollcall.query.sparql_dialects import bind_order
from rollcall.query.sparql_order import (
    Occurring,
    amount_limit,
    convertible,
    double,
    unit_table,
    wikidata_date_bounds,
    wikidata_date_condition,
)
from rollcall.query.units import UNITS
from rollcall.query.values import Date, Number, Text, Value, shortened

_PRECISION_NUMBERS = {"millennium": 6, "century": 7, "decade": 8, "year": 9, "month": 10, "day": 11}
_NO_UNIT = "Q199"
"""The item of the number 1, which Wikidata's RDF gives as the unit of a number without a unit."""
_AMOUNT_ENDS = r"^\\+|\\.0*$|(\\.[0-9]*[1-9])0+$"
"""Matches a plus sign and zeros after the point, in SPARQL: +5.0 and 5 are the same number."""


class Wikidata:
    """Wikidata's prefixes, statements and value nodes."""

    prefixes = (
        "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"
        "PREFIX wd: <http://www.wikidata.org/entity/>\n"
        "PREFIX wdt: <http://www.wikidata.org/prop/direct/>\n"
        "PREFIX p: <http://www.wikidata.org/prop/>\n"
        "PREFIX psv: <http://www.wikidata.org/prop/statement/value/>\n"
        "PREFIX wikibase: <http://wikiba.se/ontology#>\n"
    )
    terms_are_values = False

    def __init__(self, type_path: str | None, occurring: Occurring):
        self.type_path = type_path or "wdt:P31/wdt:P279*"
        self.occurring = occurring

    def entity(self, id_: str) -> str:
        if not re.fullmatch(r"[QPL][0-9]+", id_):
            raise RollcallError(
                f"{shortened(id_)!r} is not a Wikidata id; use the plain dialect for this graph"
            )
        return f"wd:{id_}"

    def typing(self, node: str, class_id: str) -> str:
        return f"{node} {self.type_path} {self.entity(class_id)} ."

    def edge(self, subject: str, relation: str, object_: str) -> str:
        return f"{subject} wdt:{_property(relation)} {object_} ."

    def value_edge(self, subject: str, relation: str, variable: str, details: str) -> str:
        """Bind the variable to the term of a value; `details` is the prefix of the variables of its parts."""
        simple = self.edge(subject, relation, variable)
        if self.occurring.valued is not None and relation not in self.occurring.valued:
            return simple
        kinds = f"!isLiteral({variable}) || DATATYPE({variable}) NOT IN (xsd:decimal, xsd:dateTime)"
        branches = [
            f"{simple} FILTER({kinds})",
            self._amounts(subject, relation, variable, details),
            self._times(subject, relation, variable, details, coarse=True),
        ]
        return " UNION\n".join(f"{{ {branch} }}" for branch in branches)

    def ordered_edge(self, subject: str, relation: str, variable: str) -> str:
        branches = []
        if self._orders_amounts:
            rows = " ".join(
                f'({self.entity(unit)} "{dimension}" {factor})'
                for unit, dimension, factor in unit_table(self.occurring.units)
            )
            listed = f" OPTIONAL {{ VALUES ({variable}_unit ?measure ?factor) {{ {rows} }} }}" if rows else ""
            branches.append(self._amounts(subject, relation, variable, variable) + listed)
        if self.occurring.dates:
            coarse = self.occurring.coarse_dates
            branches.append(self._times(subject, relation, variable, variable, coarse=coarse))
        return " UNION\n".join(f"{{ {branch} }}" for branch in branches)

    @property
    def _orders_amounts(self) -> bool:
        return bool(self.occurring.units) or self.occurring.unlisted_units or self.occurring.numbers

    def _amounts(self, subject: str, relation: str, variable: str, details: str) -> str:
        edge = _node_edge(subject, relation, _quantity(details, f"{details}_unit"))
        return f"{edge} BIND(STRDT({_digits(details)}, {details}_unit) AS {variable})"

    def _times(self, subject: str, relation: str, variable: str, details: str, *, coarse: bool) -> str:
        first, _ = wikidata_date_bounds(details, coarse=coarse)
        precision = f"IF({details}_precision > 11, 11, {details}_precision)"
        term = f'STRDT(CONCAT(STR({first}), "/", STR({precision})), wikibase:Time)'
        return (
            f"{_node_edge(subject, relation, _time(details))} "
            f"FILTER({details}_precision > 5) BIND({term} AS {variable})"
        )

    def equal(self, subject: str, relation: str, variable: str, value: Value) -> str:
        if isinstance(value, Number):
            if value.unit == _NO_UNIT:
                raise RollcallError(
                    f"{shortened(value.text)}: Wikidata's RDF does not tell the unit {_NO_UNIT} from none; "
                    "write the number without it"
                )
            quantity = _quantity(variable, self.entity(value.unit or _NO_UNIT))
            same = f"{variable}_amount = {value.amount:f}"
            if not is_plain_decimal(value):  # more digits than some engines can compute with
                same = f'{_digits(variable)} = "{value.amount:f}"'
            return f"{_node_edge(subject, relation, quantity)}\nFILTER({same})"
        if isinstance(value, Date):
            return self._equal_date(subject, relation, variable, value)
        if isinstance(value, Text) and value.language is not None and not is_rdf_language(value.language):
            raise RollcallError(f"{value.language!r} is no language tag in SPARQL; use the plain dialect")
        return self.edge(subject, relation, literal_text(value))

    def _equal_date(self, subject: str, relation: str, variable: str, value: Date) -> str:
        coarse = value.precision not in ("year", "month", "day")
        if not coarse and not has_schema_type(value):
            raise RollcallError(
                f"{value.text} is a day of the Julian calendar alone, and Wikidata's RDF holds days in the "
                "Gregorian one; ask for that day, for the month, or use the plain dialect"
            )
        low, _ = wikidata_date_bounds(variable, coarse=coarse)
        number = _PRECISION_NUMBERS[value.precision]
        same = f"{variable}_precision {'>=' if value.precision == 'day' else '='} {number}"
        condition = f"FILTER({same} && {low} = {int(value.bounds.low)})"
        return f"{_node_edge(subject, relation, _time(variable))}\n{condition}"

    def compare(self, subject: str, relation: str, variable: str, comparator: str, value: Value) -> str:
        if isinstance(value, Date):
            condition = wikidata_date_condition(
                comparator, variable, value, coarse=self.occurring.coarse_dates
            )
            return f"{_node_edge(subject, relation, _time(variable))}\nFILTER({condition})"
        assert isinstance(value, Number)
        unit, limit = value.unit or _NO_UNIT, double(value.bounds.low)
        amount = f"xsd:double(STR({variable}_amount)) {comparator}"
        if unit not in UNITS:
            edge = _node_edge(subject, relation, _quantity(variable, self.entity(unit)))
            return f"{edge}\nFILTER({amount} {limit})"
        rows = [
            f"({self.entity(id_)} {factor} {double(amount_limit(comparator, value, factor))})"
            for id_, factor in convertible(unit)
        ]
        # Where the engine's decimals have too few digits to convert the amount, the limit is converted.
        converted = f"xsd:double(STR({variable}_amount * {variable}_factor)) {comparator} {limit}"
        return (
            f"VALUES ({variable}_unit {variable}_factor {variable}_limit) {{ {' '.join(rows)} }}\n"
            f"{_node_edge(subject, relation, _quantity(variable, f'{variable}_unit'))}\n"
            f"FILTER(COALESCE({converted}, {amount} {variable}_limit))"
        )

    def order(self, variable: str) -> str:
        lows, dimensions = [], []
        if self._orders_amounts:
            amount = f"{variable}_amount"
            lows.append(f"xsd:double(STR({amount}))")
            dimensions.append(f"STR({variable}_unit)")
            if self.occurring.units:
                # Where the engine's decimals have too few digits, double precision is used.
                rounded = f"xsd:double(STR({amount})) * xsd:double(STR(?factor))"
                lows[:0] = [f"xsd:double(STR({amount} * ?factor))", rounded]
                dimensions.insert(0, "?measure")
        highs = list(lows)
        if self.occurring.dates:
            low, high = wikidata_date_bounds(variable, coarse=self.occurring.coarse_dates)
            lows.append(low)
            highs.append(high)
            dimensions.append('"date"')
        return "\n".join(bind_order(lows, highs, dimensions, self.occurring))

    def answer(self, variable: str) -> str:
        value = f"COALESCE({variable}_amount, {variable}_time, {variable})"
        return f"({value} AS ?answer) ({variable}_unit AS ?unit) ({variable}_precision AS ?precision)"


def _property(relation: str) -> str:
    if not re.fullmatch(r"P[0-9]+", relation):
        raise RollcallError(f"{shortened(relation)!r} is not a Wikidata property; use the plain dialect")
    return relation


def _node_edge(subject: str, relation: str, node: str) -> str:
    """The path from a subject through its best-ranked statements to the content of a value node."""
    property_ = _property(relation)
    return f"{subject} p:{property_} [ a wikibase:BestRank ; psv:{property_} [ {node} ] ] ."


def _time(variable: str) -> str:
    return f"wikibase:timeValue {variable}_time ; wikibase:timePrecision {variable}_precision"


def _digits(variable: str) -> str:
    """The digits of an amount, the same for equal amounts."""
    return f'REPLACE(STR({variable}_amount), "{_AMOUNT_ENDS}", "$1")'


def _quantity(variable: str, unit: str) -> str:
    return f"wikibase:quantityAmount {variable}_amount ; wikibase:quantityUnit {unit}"
