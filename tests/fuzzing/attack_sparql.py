"""Both SPARQL dialects against the definition, on graphs of odd ids and values.

A case is a small graph and queries over it. A dialect may refuse a query (Wikidata's has no room for every
id and value); what it renders must give exactly the defined answers, and so must the graph's N-Triples.
"""

import random
import re
from typing import Any

import pyoxigraph as ox

from backtracking import Reference, TooHardError
from brute_force import SmallGraph, Term
from fuzzing.odd_values import IDS, ODD_UNITS, UNITS, family, text
from fuzzing.random_queries import QueryDrawer, built
from fuzzing.target import Target
from rdf_stores import PlainStore, WikidataStore, occurring_in
from rollcall import RollcallError
from rollcall.query import Date, Query, Text, Value, parse_value
from rollcall.query.rdf_terms import has_schema_type, is_rdf_language, literal_text
from rollcall.query.sparql_order import Occurring

QUERIES = 5
MOST_STEPS = 20_000
"""What takes the reference longer may take a SPARQL engine, which cannot be stopped, very long."""


def draw_plain(chance: random.Random) -> Any:
    ids = list(dict.fromkeys([*chance.sample(IDS, 9), text(chance), text(chance)]))
    chance.shuffle(ids)
    return _draw(chance, ids[:4], chance.sample(ids, 3), ids[4:7], family(chance, UNITS + ODD_UNITS, 8))


def draw_wikidata(chance: random.Random) -> Any:
    values = [value for value in family(chance, UNITS, 20) if held_by_wikidata(value)]
    return _draw(chance, ["Q1", "Q2", "Q3", "Q4"], ["P1", "P2", "P3"], ["Q11", "Q12", "Q13"], values[:8])


def held_by_wikidata(value: Value) -> bool:
    """Its RDF has days of the Gregorian calendar and tags that RDF admits."""
    if isinstance(value, Date):
        return value.precision not in ("year", "month", "day") or has_schema_type(value)
    return not isinstance(value, Text) or value.language is None or is_rdf_language(value.language)


def _draw(
    chance: random.Random, entities: list[str], relations: list[str], classes: list[str], values: list[Value]
) -> Any:
    def some(most: int, *choices: list[str]) -> list[list[str]]:
        return [[chance.choice(choice) for choice in choices] for _ in range(chance.randint(0, most))]

    case = {
        "entities": entities,
        "facts": some(12, entities, relations, entities),
        "values": some(20, entities, relations, [value.text for value in values] or ["5"]),
        "types": some(6, entities, classes),
        "subclasses": some(3, classes, classes),
    }
    drawer = QueryDrawer(chance, graph_of(case))
    return case | {"queries": [built(drawer.draw()).text for _ in range(QUERIES)]}


def graph_of(case: Any) -> SmallGraph:
    return SmallGraph(
        case["entities"],
        {(s, r, o) for s, r, o in case["facts"]},
        {(s, r, parse_value(value)) for s, r, value in case["values"]},
        {(e, c) for e, c in case["types"]},
        {(one, other) for one, other in case["subclasses"]},
    )


def check_plain(case: Any) -> None:
    graph = graph_of(case)
    store = PlainStore(graph)
    assert len(store.store) == len(graph.facts) + len(graph.values) + len(graph.types) + len(graph.subclasses)
    lines = "".join(f"<urn:s> <urn:p> {literal_text(value)} .\n" for _, _, value in graph.values)
    read = {str(triple.object) for triple in ox.parse(lines, format=ox.RdfFormat.N_TRIPLES)}
    assert read == {str(quad.object) for quad in store.store if isinstance(quad.object, ox.Literal)}
    _check_answers(store, graph, case["queries"])


def check_wikidata(case: Any) -> None:
    graph = graph_of(case)
    _check_answers(WikidataStore(graph), graph, case["queries"])


def _check_answers(store: PlainStore | WikidataStore, graph: SmallGraph, queries: list[str]) -> None:
    reference = Reference(graph, MOST_STEPS)
    for written in queries:
        query = Query.parse(written)
        try:
            defined = reference.denotation(query)
        except TooHardError:
            continue
        for occurring in (None, occurring_in(graph)):
            answers = _answers(store, query, occurring)
            assert answers in (None, defined), f"{written}: {answers} is not {defined}"


def _answers(
    store: PlainStore | WikidataStore, query: Query, occurring: Occurring | None
) -> frozenset[Term] | None:
    """The answers, or nothing where the query says what Wikidata's RDF has no room for."""
    try:
        return store.answers(query, occurring)
    except RollcallError as error:
        if isinstance(store, PlainStore) or not re.search("plain dialect|without it", str(error)):
            raise
        return None


TARGETS = [
    Target("sparql-plain", draw_plain, check_plain, share=30),
    Target("sparql-wikidata", draw_wikidata, check_wikidata, share=20),
]
