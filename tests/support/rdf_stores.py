"""Small graphs as RDF in a SPARQL engine: in the plain layout and in Wikidata's."""

import re
from hashlib import sha1

import pyoxigraph as ox

from brute_force import SmallGraph, Term
from rollcall.graph.sources.wikidata import time_row
from rollcall.query import Date, Number, Query, Value, number, parse_value
from rollcall.query.rdf_terms import has_schema_type, id_of, iri, typed_literal, value_of
from rollcall.query.sparql_order import Occurring
from rollcall.query.values import UNITS, YEARS_COVERED

RDFS = "http://www.w3.org/2000/01/rdf-schema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


class PlainStore:
    """Typed literals, `rdf:type` and `rdfs:subClassOf`."""

    def __init__(self, graph: SmallGraph):
        self.store = ox.Store()
        for subject, relation, object_ in graph.facts:
            self._add(subject, named(relation), named(object_))
        for subject, relation, value in graph.values:
            self._add(subject, named(relation), literal(value))
        for entity, class_id in graph.types:
            self._add(entity, ox.NamedNode(RDF + "type"), named(class_id))
        for class_id, parent in graph.subclasses:
            self._add(class_id, ox.NamedNode(RDFS + "subClassOf"), named(parent))

    def _add(self, subject: str, predicate: ox.NamedNode, object_) -> None:
        self.store.add(ox.Quad(named(subject), predicate, object_))

    def answers(self, query: Query, occurring: Occurring | None = None) -> frozenset[Term]:
        found = set()
        for row in self.store.query(query.to_sparql(occurring=occurring)):
            term = row["answer"]
            if isinstance(term, ox.NamedNode):
                found.add(id_of(term.value))
            else:
                language = term.language
                found.add(value_of(term.value, None if language else term.datatype.value, language))
        return frozenset(found)


def named(id_: str) -> ox.NamedNode:
    return ox.NamedNode(iri(id_))


def literal(value: Value) -> ox.Literal:
    lexical, datatype, language = typed_literal(value)
    if language is not None:
        return ox.Literal(lexical, language=language)
    return ox.Literal(lexical, datatype=ox.NamedNode(datatype) if datatype else None)


WD, WDT, P, PSV = (
    f"http://www.wikidata.org/{path}/" for path in ("entity", "prop/direct", "prop", "prop/statement/value")
)
WIKIBASE = "http://wikiba.se/ontology#"
XSD = "http://www.w3.org/2001/XMLSchema#"
PRECISION = {"millennium": 6, "century": 7, "decade": 8, "year": 9, "month": 10, "day": 11}


class WikidataStore:
    """Truthy properties, and statements with value nodes as Wikidata's RDF dump has them.

    Every statement has a value node of its own, because nodes of equal amounts differ in what they say of
    accuracy; and a date of less than a day's precision is written as any day that it may be.
    """

    def __init__(self, graph: SmallGraph):
        self.store = ox.Store()
        for subject, relation, object_ in graph.facts:
            self._add(WD + subject, WDT + relation, ox.NamedNode(WD + object_))
        for subject, relation, value in graph.values:
            self._add_value(subject, relation, value)
        for entity, class_id in graph.types:
            self._add(WD + entity, WDT + "P31", ox.NamedNode(WD + class_id))
        for class_id, parent in graph.subclasses:
            self._add(WD + class_id, WDT + "P279", ox.NamedNode(WD + parent))

    def _add(self, subject: str, predicate: str, object_) -> None:
        self.store.add(ox.Quad(ox.NamedNode(subject), ox.NamedNode(predicate), object_))

    def _add_value(self, subject: str, relation: str, value: Value) -> None:
        digest = sha1(f"{subject} {relation} {value.text}".encode()).hexdigest()
        simple, details = wikidata_value(value, int(digest, 16))
        self._add(WD + subject, WDT + relation, simple)
        statement = f"urn:statement:{digest}"
        self._add(WD + subject, P + relation, ox.NamedNode(statement))
        self._add(statement, RDF + "type", ox.NamedNode(WIKIBASE + "BestRank"))
        if details:
            node = f"urn:value:{digest}"
            self._add(statement, PSV + relation, ox.NamedNode(node))
            for name, detail in details.items():
                self._add(node, WIKIBASE + name, detail)

    def answers(self, query: Query, occurring: Occurring | None = None) -> frozenset[Term]:
        solutions = self.store.query(query.to_sparql(dialect="wikidata", occurring=occurring))
        columns = [variable.value for variable in solutions.variables]
        return frozenset(wikidata_term(dict(zip(columns, row, strict=True))) for row in solutions)


def wikidata_term(row) -> Term:
    """The answer of a row: an entity, or a value with the unit or precision that the row gives."""
    term = row["answer"]
    if isinstance(term, ox.NamedNode):
        return term.value.removeprefix(WD)
    if (unit := row.get("unit")) is not None:
        unit_id = unit.value.removeprefix(WD)
        return number(term.value, None if unit_id == "Q199" else unit_id)
    if (precision := row.get("precision")) is not None:
        row_ = time_row_of_rdf(term.value, int(precision.value))
        return parse_value(row_)
    return value_of(term.value, None if term.language else term.datatype.value, term.language)


def time_row_of_rdf(time: str, precision: int) -> str:
    """The canonical text of a time of Wikidata's RDF, through the reader of its dump."""
    year, month, day = re.fullmatch(r"(-?\d+)-(\d\d)-(\d\d)T.*", time).groups()
    historical = int(year) if int(year) > 0 else int(year) - 1  # the dump has no year 0
    row = time_row(
        f"{'-' if historical < 0 else '+'}{abs(historical):04d}-{month}-{day}T00:00:00Z", precision
    )
    assert not isinstance(row, str), row
    return row[0]


def occurring_in(graph: SmallGraph) -> Occurring:
    """The kinds of values that the graph really has."""
    values = [value for _, _, value in graph.values]
    units = {value.unit for value in values if isinstance(value, Number)}
    return Occurring(
        numbers=None in units,
        dates=any(isinstance(value, Date) for value in values),
        coarse_dates=any(isinstance(value, Date) and not has_schema_type(value) for value in values),
        units=tuple(unit for unit in UNITS if unit in units),
        unlisted_units=bool(units - set(UNITS) - {None}),
        valued=frozenset(relation for _, relation, value in graph.values if value.bounds),
    )


def wikidata_value(value: Value, chance: int) -> tuple[ox.Literal, dict[str, ox.Literal | ox.NamedNode]]:
    """The simple value and what its value node says; `chance` picks the day that stands for a span."""
    if isinstance(value, Number):
        digits = f"{value.amount:f}"
        if chance % 2:  # as the dump writes it: with a sign, and with the zeros that were measured
            digits = ("" if value.amount < 0 else "+") + digits + ("0" if "." in digits else ".00")
        amount = ox.Literal(digits, datatype=ox.NamedNode(XSD + "decimal"))
        return amount, {"quantityAmount": amount, "quantityUnit": ox.NamedNode(WD + (value.unit or "Q199"))}
    if isinstance(value, Date):
        # Wikidata names centuries and millennia by their years from the second to the round one.
        covered = YEARS_COVERED.get(value.precision, 1)
        year = value.year + chance % covered + (covered > 10)
        month = value.month or chance // 1000 % 12 + 1
        day = value.day or chance // 12000 % 28 + 1
        text = f"{'-' if year < 0 else ''}{abs(year):04d}-{month:02d}-{day:02d}T00:00:00Z"
        time = ox.Literal(text, datatype=ox.NamedNode(XSD + "dateTime"))
        number_ = PRECISION[value.precision] + (chance // 400000 % 4 if value.precision == "day" else 0)
        precision = ox.Literal(str(number_), datatype=ox.NamedNode(XSD + "integer"))
        return time, {"timeValue": time, "timePrecision": precision}
    return literal(value), {}
