"""Small graphs as RDF in a SPARQL engine: in the plain layout and in Wikidata's."""

from hashlib import sha1

import pyoxigraph as ox

from brute_force import SmallGraph, Term
from rollcall.query import Date, Number, Query, Value
from rollcall.query.rdf_terms import id_of, iri, typed_literal, value_of
from rollcall.query.sparql_order import Occurring
from rollcall.query.units import UNITS

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
    """Truthy properties, and statements with value nodes as Wikidata's RDF dump has them."""

    def __init__(self, graph: SmallGraph):
        self.store = ox.Store()
        self.simple: dict[str, Value] = {}
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
        simple, details = wikidata_value(value)
        self.simple[str(simple)] = value
        self._add(WD + subject, WDT + relation, simple)
        statement = f"urn:statement:{subject}-{relation}-{sha1(value.text.encode()).hexdigest()}"
        self._add(WD + subject, P + relation, ox.NamedNode(statement))
        self._add(statement, RDF + "type", ox.NamedNode(WIKIBASE + "BestRank"))
        if details:
            node = f"urn:value:{sha1(value.text.encode()).hexdigest()}"
            self._add(statement, PSV + relation, ox.NamedNode(node))
            for name, detail in details.items():
                self._add(node, WIKIBASE + name, detail)

    def answers(self, query: Query, occurring: Occurring | None = None) -> frozenset[Term]:
        found = set()
        for row in self.store.query(query.to_sparql(dialect="wikidata", occurring=occurring)):
            term = row["answer"]
            if isinstance(term, ox.NamedNode):
                found.add(term.value.removeprefix(WD))
            elif query.aggregate == "count":
                found.add(value_of(term.value, term.datatype.value, None))
            else:
                found.add(self.simple[str(term)])
        return frozenset(found)


def occurring_in(graph: SmallGraph) -> Occurring:
    """The kinds of values that the graph really has."""
    values = [value for _, _, value in graph.values]
    units = {value.unit for value in values if isinstance(value, Number)}
    return Occurring(
        numbers=None in units,
        dates=any(isinstance(value, Date) for value in values),
        coarse_dates=any(isinstance(v, Date) and v.precision not in ("year", "month", "day") for v in values),
        units=tuple(unit for unit in UNITS if unit in units),
        unlisted_units=bool(units - set(UNITS) - {None}),
    )


def wikidata_value(value: Value) -> tuple[ox.Literal, dict[str, ox.Literal | ox.NamedNode]]:
    """The simple value and what its value node says."""
    if isinstance(value, Number):
        amount = ox.Literal(f"{value.amount:f}", datatype=ox.NamedNode(XSD + "decimal"))
        return amount, {"quantityAmount": amount, "quantityUnit": ox.NamedNode(WD + (value.unit or "Q199"))}
    if isinstance(value, Date):
        # Wikidata names centuries and millennia by their last year.
        year = value.year + {"century": 100, "millennium": 1000}.get(value.precision, 0)
        sign = "-" if year < 0 else ""
        text = f"{sign}{abs(year):04d}-{value.month or 1:02d}-{value.day or 1:02d}T00:00:00Z"
        time = ox.Literal(text, datatype=ox.NamedNode(XSD + "dateTime"))
        precision = ox.Literal(str(PRECISION[value.precision]), datatype=ox.NamedNode(XSD + "integer"))
        return time, {"timeValue": time, "timePrecision": precision}
    return literal(value), {}
