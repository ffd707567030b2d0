"""Both SPARQL dialects against the definition, on graphs of odd ids and values.

A case is a small graph and queries over it. A dialect may refuse a query (Wikidata's has no room for every
id and value); what it renders must give exactly the defined answers, and so must the graph's N-Triples.
"""

import random
from typing import Any

import pyoxigraph as ox

from brute_force import SmallGraph, denotation
from fuzzing.odd_values import IDS, ODD_UNITS, UNITS, family, text
from fuzzing.target import Target
from rdf_stores import PlainStore, WikidataStore, named, occurring_in
from rollcall.errors import RollcallError
from rollcall.query import (
    QUESTION,
    Date,
    Edge,
    Entity,
    Literal,
    Query,
    Text,
    Typing,
    Value,
    Variable,
    parse_value,
)
from rollcall.query.rdf_terms import has_schema_type, is_rdf_language, literal_text
from rollcall.query.statements import TARGET, Statement
from rollcall.query.values import COMPARATORS

QUERIES = 4


def draw_plain(chance: random.Random) -> Any:
    ids = list(dict.fromkeys([*chance.sample(IDS, 9), text(chance), text(chance)]))
    chance.shuffle(ids)
    relations = chance.sample(ids, 3)
    return _draw(chance, ids[:4], relations, ids[4:7], family(chance, UNITS + ODD_UNITS, 8))


def draw_wikidata(chance: random.Random) -> Any:
    values = [value for value in family(chance, UNITS, 20) if held_by_wikidata(value)]
    return _draw(chance, ["Q1", "Q2", "Q3", "Q4"], ["P1", "P2", "P3"], ["Q11", "Q12", "Q13"], values[:8])


def held_by_wikidata(value: Value) -> bool:
    """Its RDF has days of the Gregorian calendar and tags that RDF admits."""
    if isinstance(value, Date):
        coarse = value.precision not in ("year", "month", "day")
        return coarse or has_schema_type(value)
    return not isinstance(value, Text) or value.language is None or is_rdf_language(value.language)


def _draw(
    chance: random.Random, entities: list[str], relations: list[str], classes: list[str], values: list[Value]
) -> Any:
    values = values or [parse_value("5")]

    def some(most: int, *choices: list[Any]) -> list[list[Any]]:
        return [[chance.choice(choice) for choice in choices] for _ in range(chance.randint(0, most))]

    texts = [value.text for value in values]
    queries = []
    while len(queries) < QUERIES:
        try:
            queries.append(_query(chance, entities, relations, classes, values).text)
        except RollcallError:  # it says nothing positive about ?x, or a part of it hangs loose
            continue
    return {
        "entities": entities,
        "facts": some(12, entities, relations, entities),
        "values": some(20, entities, relations, texts),
        "types": some(6, entities, classes),
        "subclasses": some(3, classes, classes),
        "queries": queries,
    }


def _query(
    chance: random.Random, entities: list[str], relations: list[str], classes: list[str], values: list[Value]
) -> Query:
    aggregate = chance.choice([None, None, None, "count", "count", "max", "min", "argmax", "argmin"])
    distinct = chance.random() < 0.3
    ordered = [value for value in values if value.bounds is not None]
    patterns = []
    for _ in range(chance.choice([1, 1, 2])):
        variables, statements = [QUESTION], list[Statement]()
        may_compare = aggregate is None and bool(ordered)
        for number in range(chance.randint(1, 4)):
            start: Any = chance.choice(variables)
            kind = chance.choice(["new", "new", "old", "entity", "literal", "comparison"])
            end: Any = Entity(chance.choice(entities))
            if kind == "new":
                end = Variable(f"n{number}")
                variables.append(end)
            elif kind == "old":
                end = chance.choice(variables)
            elif kind == "comparison" and may_compare:
                end = Literal(chance.choice(ordered), chance.choice(COMPARATORS))
                may_compare = False
            elif kind != "entity":
                end = Literal(chance.choice(values))
            if not isinstance(end, Literal) and chance.random() < 0.6:  # backwards: ?x may be a value
                start, end = end, start
            statements.append(Edge(start, chance.choice(relations), end, chance.random() < 0.2))
        if chance.random() < 0.3:
            statements.append(Typing(chance.choice(variables), chance.choice(classes), chance.random() < 0.3))
        if aggregate in ("argmax", "argmin"):
            statements.append(Edge(chance.choice(variables), chance.choice(relations), TARGET))
            if chance.random() < 0.3:
                statements.append(Edge(chance.choice(variables), chance.choice(relations), TARGET))
        patterns += Query.of(statements, distinct=distinct, aggregate=aggregate).patterns
    return Query(tuple(patterns), aggregate)


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
    read = {str(quad.object) for quad in ox.parse(lines, format=ox.RdfFormat.N_TRIPLES)}
    assert read == {str(quad.object) for quad in store.store if isinstance(quad.object, ox.Literal)}
    assert all(named(id_).value == str(ox.NamedNode(named(id_).value))[1:-1] for id_ in graph.entities)
    _check_answers(store, graph, case["queries"])


def check_wikidata(case: Any) -> None:
    graph = graph_of(case)
    _check_answers(WikidataStore(graph), graph, case["queries"])


def _check_answers(store: Any, graph: SmallGraph, queries: list[str]) -> None:
    for written in queries:
        query = Query.parse(written)
        defined = denotation(graph, query)
        for occurring in (None, occurring_in(graph)):
            answers = store.answers(query, occurring)
            assert answers == defined, f"{written}: {answers} is not {defined}"


TARGETS = [
    Target("sparql-plain", draw_plain, check_plain, share=150),
    Target("sparql-wikidata", draw_wikidata, check_wikidata, share=150),
]
