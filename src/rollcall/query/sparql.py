"""A query as SPARQL 1.1, for an RDF graph of typed literals (`plain`) or for Wikidata (`wikidata`).

Both dialects order values exactly as `rollcall.query.values` does: dates as far as their precision allows,
quantities after conversion, each dimension separately. Dates become day numbers with 31 days in every month,
because every engine can compute these from year, month and day.
"""

import re
from collections.abc import Sequence
from itertools import combinations
from textwrap import indent
from typing import Protocol

from rollcall._core.errors import RollcallError
from rollcall.query.pattern import Pattern
from rollcall.query.query import Query
from rollcall.query.rdf_terms import (
    BASE,
    has_schema_type,
    iri,
    is_plain_decimal,
    is_rdf_language,
    literal_text,
    number_type,
    quantity_type,
)
from rollcall.query.sparql_order import (
    NEVER,
    Occurring,
    amount_limit,
    convertible,
    double,
    plain_date_bounds,
    plain_date_condition,
    unit_table,
    wikidata_date_bounds,
    wikidata_date_condition,
)
from rollcall.query.statements import (
    QUESTION,
    TARGET,
    Entity,
    Literal,
    Node,
    Statement,
    Typing,
    Variable,
    variables_of,
)
from rollcall.query.values import UNITS, Date, Number, Text, Value, shortened

# The differences between SPARQL dialects: how entities, classes, relations and values are written.


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


# SPARQL for a graph of typed literals, as `rdf_terms` writes them: equal values are equal terms.


class PlainSparql:
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


# SPARQL for Wikidata's RDF, in the form that its query service uses. A truthy `wdt:` value has neither
# unit nor precision: five metres and five feet are both 5. So where the exact value of a variable
# matters, numbers and dates are read from the value nodes of the best-ranked statements, and the
# variable becomes a literal that is the same for equal values only. Everything else uses the truthy
# properties.

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
            raise RollcallError(f"{value.language!r} is not a language tag in SPARQL; use the plain dialect")
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


def to_sparql(
    query: Query,
    *,
    dialect: str = "plain",
    base: str = BASE,
    type_path: str | None = None,
    occurring: Occurring | None = None,
) -> str:
    """The query as SPARQL.

    `base` is the IRI prefix of ids that are not IRIs in a plain graph. `type_path` is the property path from
    an entity to its classes. `occurring` gives the kinds of values that may have to be ordered (default:
    all).
    """
    if dialect == "plain":
        return _Renderer(query, PlainSparql(base, type_path, occurring or Occurring())).render()
    if dialect == "wikidata":
        return _Renderer(query, Wikidata(type_path, occurring or Occurring())).render()
    raise RollcallError(f"{dialect!r} is not a SPARQL dialect; there are plain and wikidata")


class _Renderer:
    """Writes one query in one dialect."""

    def __init__(self, query: Query, dialect: Dialect):
        self.query = query
        self.dialect = dialect
        aggregate = query.aggregate
        self.ordered = (
            QUESTION if aggregate in ("max", "min") else TARGET if aggregate in ("argmax", "argmin") else None
        )
        self.fresh = 0

    def render(self) -> str:
        body = self._select()
        prefixes = self.dialect.prefixes.splitlines(keepends=True)
        return "".join(line for line in prefixes if line.split()[1] in body) + body

    def _select(self) -> str:
        body = self._body()
        if self.query.aggregate == "count":
            return f"SELECT (COUNT(DISTINCT ?x) AS ?answer) WHERE {{\n{indent(body, '  ')}\n}}\n"
        entities = all(pattern.is_entity_variable(QUESTION) for pattern in self.query.patterns)
        answer = f"({QUESTION.text} AS ?answer)" if entities else self.dialect.answer(QUESTION.text)
        if self.ordered is None:
            return f"SELECT DISTINCT {answer} WHERE {{\n{indent(body, '  ')}\n}}\n"
        least = self.query.aggregate in ("min", "argmin")
        best = "MIN(?high)" if least else "MAX(?low)"
        condition = "?low <= ?best" if least else "?high >= ?best"
        grouped = "?dimension " if self.dialect.occurring.dimensions > 1 else ""
        ordered = body + "\n" + self.dialect.order(self.ordered.text)
        return (
            f"SELECT DISTINCT {answer} WHERE {{\n"
            f"  {{\n{indent(ordered, '    ')}\n  }}\n"
            f"  {{\n    SELECT {grouped}({best} AS ?best) WHERE {{\n{indent(ordered, '      ')}\n"
            f"    }}{' GROUP BY ?dimension' if grouped else ''}\n  }}\n"
            f"  FILTER({condition})\n}}\n"
        )

    def _body(self) -> str:
        parts = [self._pattern(pattern) for pattern in self.query.patterns]
        if len(parts) == 1:
            return parts[0]
        return " UNION ".join(f"{{\n{indent(part, '  ')}\n}}" for part in parts)

    def _pattern(self, pattern: Pattern) -> str:
        bound = set[Variable]()
        lines = [self._statement(pattern, statement, bound, set()) for statement in pattern.positive]
        if pattern.distinct:
            lines += _different(pattern, list(pattern.positive_variables), [], self.dialect)
        for group in pattern.negative_groups:
            inside = set[Variable]()
            inner = [self._statement(pattern, statement, inside, bound) for statement in group]
            if pattern.distinct:
                own_variables = dict.fromkeys(
                    variable
                    for statement in group
                    for variable in variables_of(statement)
                    if variable not in pattern.positive_variables
                )
                inner += _different(
                    pattern, list(own_variables), list(pattern.positive_variables), self.dialect
                )
            lines.append("FILTER NOT EXISTS {\n" + indent("\n".join(inner), "  ") + "\n}")
        return "\n".join(lines)

    def _statement(
        self, pattern: Pattern, statement: Statement, bound: set[Variable], outside: set[Variable]
    ) -> str:
        """One statement; `bound` are the variables whose values were bound before it, here or outside."""
        if isinstance(statement, Typing):
            return self.dialect.typing(self._node(statement.node), statement.class_id)
        subject, relation = self._node(statement.subject), statement.relation
        object_ = statement.object
        if isinstance(object_, Variable) and self._value_matters(pattern, object_):
            return self._value_edge(subject, relation, object_, bound, outside)
        if not isinstance(object_, Literal):
            return self.dialect.edge(subject, relation, self._node(object_))
        value = self._fresh("?value")
        if object_.comparator == "=":
            return self.dialect.equal(subject, relation, value, object_.value)
        return self.dialect.compare(subject, relation, value, object_.comparator, object_.value)

    def _value_matters(self, pattern: Pattern, variable: Variable) -> bool:
        """Whether the exact value of a variable matters, in a layout where the term does not determine it."""
        if self.dialect.terms_are_values or pattern.is_entity_variable(variable):
            return False
        count = sum(edge.object == variable for edge in pattern.edges)
        return variable in (QUESTION, self.ordered) or count > 1

    def _value_edge(
        self, subject: str, relation: str, variable: Variable, bound: set[Variable], outside: set[Variable]
    ) -> str:
        name = variable.text
        if variable in outside:  # bound again in a negation: compared, since engines join it differently
            again = self._fresh(f"{name}_")
            edge = self.dialect.value_edge(subject, relation, again, again)
            return f"{edge}\nFILTER(sameTerm({again}, {name}))"
        if variable in bound:
            return self.dialect.value_edge(subject, relation, name, self._fresh(f"{name}_"))
        bound.add(variable)
        if variable == self.ordered:
            return self.dialect.ordered_edge(subject, relation, name)
        return self.dialect.value_edge(subject, relation, name, name)

    def _fresh(self, beginning: str) -> str:
        self.fresh += 1
        return f"{beginning}{self.fresh}"

    def _node(self, node: Node) -> str:
        if isinstance(node, Entity):
            return self.dialect.entity(node.id)
        return node.text


def _different(
    pattern: Pattern, own: Sequence[Variable], others: Sequence[Variable], dialect: Dialect
) -> list[str]:
    """Filters for mutual exclusivity: entities differ; two literals may be equal."""
    pairs = [*combinations(own, 2), *((mine, other) for mine in own for other in others)]
    lines = []
    for left, right in pairs:
        literal = "" if _is_entity(pattern, left, right) else f" || isLiteral({left.text})"
        lines.append(f"FILTER(!sameTerm({left.text}, {right.text}){literal})")
    for variable in own:
        ids = ", ".join(dialect.entity(entity.id) for entity in pattern.entities)
        if ids:
            lines.append(f"FILTER({variable.text} NOT IN ({ids}))")
    return lines


def _is_entity(pattern: Pattern, *variables: Variable) -> bool:
    return any(pattern.is_entity_variable(variable) for variable in variables)
