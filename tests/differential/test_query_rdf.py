"""Ids and values in RDF, and what SPARQL must tell apart: on a store filled with a graph's N-Triples."""

import json

import pyoxigraph as ox
import pytest

from brute_force import SmallGraph
from rdf_stores import WikidataStore, occurring_in
from rollcall import RollcallError
from rollcall.graph import Graph, make_graph, write_graph
from rollcall.graph.graph import values_in
from rollcall.graph.make import write_ntriples
from rollcall.query import Query, Text, parse_value
from rollcall.query.notations import from_graph_json
from rollcall.query.rdf_terms import id_of, iri, typed_literal, value_of
from rollcall.query.values import COMPARATORS, holds

RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
VALUES = {
    "exact": "9007199254740993",
    "rounded": "9007199254740992",
    "huge": "1e40",
    "other huge": "1e41",
    "tiny": "1e-40",
    "long": "0." + "1" * 40,
    "feet": "3[foot]",
    "metres": "0.9144[metre]",
    "long feet": "0.1234567890123456789[foot]",
    "speed": "36[kilometre per hour]",
    "same speed": "10[metre per second]",
    "odd unit": "5[length]",
    "julian": "@1900-02-29",
    "day before": "@1900-02-28",
    "day after": "@1900-03-01",
    "far": "@999999999999-12-31",
    "year 0": "@0000",
    "tagged": '"x"@EN',
    "tagged oddly": '"x"@zh-classical',
    "control": '"a\x00b\x85c\u2028d\\u0041"',
}
ODD_IDS = [
    "A",
    "urn:rollcall:A",
    "urn%3Arollcall%3AA",
    "http://[",
    "http://e.org/%zz",
    "http://e.org/a b",
    RDF_TYPE,
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    """Each value belongs to an entity named after it; odd ids have facts, classes and a relation."""
    folder = tmp_path_factory.mktemp("rdf")
    write_graph(
        folder / "graph",
        values=[(name, "r", parse_value(text)) for name, text in VALUES.items()],
        facts=[(id_, relation, id_) for id_ in ODD_IDS for relation in ("s", RDF_TYPE)],
        types=[(id_, id_) for id_ in ODD_IDS],
    )
    with Graph.open(folder / "graph") as opened:
        yield opened


@pytest.fixture(scope="module")
def store(graph, tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "graph.nt"
    write_ntriples(graph, path)
    store = ox.Store()
    store.load(path=str(path), format=ox.RdfFormat.N_TRIPLES)
    return store


def answers(store, query, **options):
    found = set()
    for (term,) in store.query(query.to_sparql(**options)):
        if isinstance(term, ox.NamedNode):
            found.add(id_of(term.value))
        else:
            found.add(value_of(term.value, None if term.language else term.datatype.value, term.language))
    return found


EVERY_VALUE = [f"?x r {text}" for text in VALUES.values()]
IN_ORDER = [
    f"?x r {comparator} {text}"
    for text in VALUES.values()
    if parse_value(text).bounds is not None
    for comparator in ("<", "<=", ">", ">=")
]
OF_IDS = [
    text
    for id_ in ODD_IDS
    for text in (
        f"?x s [{id_}]",
        f"[{id_}] s ?x",
        f"?x a [{id_}]",
        f"?x [{id_}] ?y",
        f"distinct {{?x s ?y; [{id_}] s ?y}}",
    )
]
FUNCTIONS = [
    "count ?y r ?x",
    "max ?y r ?x",
    "min ?y r ?x",
    "argmax ?v ?x r ?v",
    "argmin ?v ?x r ?v",
    "?y r ?x",
]


@pytest.mark.parametrize("text", [*EVERY_VALUE, *OF_IDS, *FUNCTIONS])
def test_a_plain_store_answers_as_the_graph_does(graph, store, text):
    query = Query.parse(text)
    assert answers(store, query) == graph.answers(query)
    assert answers(store, query, occurring=values_in(query, graph)) == graph.answers(query)


def test_a_plain_store_compares_as_the_graph_does(graph, store):
    differing = [
        text for text in IN_ORDER if answers(store, Query.parse(text)) != graph.answers(Query.parse(text))
    ]
    assert not differing


def test_different_ids_and_values_are_different_terms():
    assert len({iri(id_) for id_ in ODD_IDS}) == len(ODD_IDS)
    assert [id_of(iri(id_)) for id_ in ODD_IDS] == ODD_IDS
    values = [parse_value(text) for text in VALUES.values()]
    assert len({typed_literal(value) for value in values}) == len(values)
    assert [value_of(*typed_literal(value)) for value in values] == values


def test_a_relation_that_is_an_iri_of_the_layout_is_not_the_layout(graph, store):
    """The facts of a relation called rdf:type are no types, and the types no facts."""
    assert answers(store, Query.parse(f"?x [{RDF_TYPE}] A")) == {"A"}
    assert answers(store, Query.parse("?x a A")) == {"A"}


def test_the_case_of_a_language_tag_does_not_matter():
    assert Text("x", "en-GB") == Text("x", "EN-gb")
    assert Query.parse('?x r "x"@EN').text == '{?x r "x"@en}'


def test_a_graphs_own_ntriples_are_read_back(graph, tmp_path):
    write_ntriples(graph, tmp_path / "graph.nt")
    again = make_graph([tmp_path / "graph.nt"], tmp_path / "again", jobs=1)
    stored = {row["value"] for row in again.tables.values.select("value").to_pyarrow().to_pylist()}
    assert stored == {parse_value(text).text for text in VALUES.values()}


# -- Wikidata ---------------------------------------------------------------------------------------


def wikidata(**entities: str) -> SmallGraph:
    """Entities with values of P1, and with the same in P2."""
    pairs = [(id_, parse_value(text)) for id_, texts in entities.items() for text in texts.split(", ")]
    return SmallGraph(list(entities), values={(id_, p, value) for id_, value in pairs for p in ("P1", "P2")})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5[metre]", "5[foot]"),
        ("5[metre]", "5"),
        ("@1960", "@1960-01"),
        ("@1960", "@1960-01-01"),
        ("@1960", "@196X"),
        ("@190X", "@19XX"),
        ("9007199254740992", "9007199254740993"),
        ("1e40", "1e40[metre]"),
    ],
)
def test_wikidata_tells_units_and_precisions_apart(one, other):
    store = WikidataStore(wikidata(Q1=one, Q2=other, Q3=one))
    assert store.answers(Query.parse("?x P1 ?y; Q1 P2 ?y")) == {"Q1", "Q3"}
    assert store.answers(Query.parse("?x P1 ?y; not Q2 P2 ?y")) == {"Q1", "Q3"}
    assert store.answers(Query.parse("count ?y P1 ?x")) == {parse_value("2")}
    assert store.answers(Query.parse("?y P1 ?x")) == {parse_value(one), parse_value(other)}
    assert store.answers(Query.parse(f"?x P1 {one}")) == {"Q1", "Q3"}


def test_wikidata_converts_units_as_the_graph_does():
    store = WikidataStore(wikidata(Q1="3[foot]", Q2="0.9144[metre]", Q3="36[Q180154]", Q4="10[Q182429]"))
    assert store.answers(Query.parse("argmax ?v ?x P1 ?v")) == {"Q1", "Q2", "Q3", "Q4"}
    assert store.answers(Query.parse("?x P1 < 0.9144[metre]")) == set()
    assert store.answers(Query.parse("?x P1 <= 1[yard]")) == {"Q1", "Q2"}
    assert store.answers(Query.parse("?x P1 >= 36[Q180154]")) == {"Q3", "Q4"}


def test_wikidata_stays_truthy_where_a_relation_leads_to_entities():
    occurring = occurring_in(wikidata(Q1="5[metre]"))
    assert "psv:" not in Query.parse("?f P57 Q1; ?f P58 ?x").to_sparql(
        dialect="wikidata", occurring=occurring
    )


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        ("?x P1 @1900-02-29", "Julian calendar alone"),
        ('?x P1 "x"@zh-classical', "is not a language tag"),
        ("?x P1 5[Q199]", "without it"),
        ("?x P1 5[shoe size]", "not a Wikidata id"),
        ("?x [P१] Q1", "not a Wikidata property"),
    ],
)
def test_what_wikidata_cannot_hold_is_refused(query, complaint):
    with pytest.raises(RollcallError, match=complaint):
        Query.parse(query).to_sparql(dialect="wikidata")


DATES = [
    *(
        "@1900",
        "@1901",
        "@1900-02",
        "@1900-02-28",
        "@1900-03-01",
        "@1900-06-30",
        "@1900-06",
        "@190X",
        "@191X",
    ),
    *("@18XX", "@19XX", "@1XXX", "@2000-12-31", "@2001-01-01", "@0000", "@-0001-12-31", "@-00XX", "@-000X"),
]


def test_wikidata_compares_dates_as_the_graph_does():
    """Also with a 29 February that only the Julian calendar has, which Wikidata's RDF never holds itself."""
    values = {f"Q{number}": parse_value(text) for number, text in enumerate(DATES)}
    store = WikidataStore(wikidata(**dict(zip(values, DATES, strict=True))))
    for text in [*DATES, "@1900-02-29"]:
        for comparator in COMPARATORS:
            limit = parse_value(text).bounds
            certain = {id_ for id_, value in values.items() if holds(value.bounds, comparator, limit)}
            assert store.answers(Query.parse(f"?x P1 {comparator} {text}")) == certain, (comparator, text)


# -- sources ----------------------------------------------------------------------------------------


def test_numbers_of_any_length_are_read_exactly_or_left_out(tmp_path):
    long = "123456789012345678901234567890.12345678901234567890"
    records = [long, "1e400", "1e99999999999999999999", "1" * 400, f"-{long}"]
    lines = [f'{{"subject": "s{n}", "relation": "r", "value": {text}}}' for n, text in enumerate(records)]
    (tmp_path / "values.jsonl").write_text("\n".join(lines))
    cells = ["subject\trelation\tvalue", f"c0\tr\t-{long}", f"c1\tr\t{long} million"]
    (tmp_path / "cells.tsv").write_text("\n".join(cells))
    graph = make_graph([tmp_path / "values.jsonl", tmp_path / "cells.tsv"], tmp_path / "graph", jobs=1)
    assert graph.answers(Query.parse(f"?x r {long}")) == {"s0"}
    assert graph.answers(Query.parse(f"?x r -{long}")) == {"s4", "c0"}
    assert graph.answers(Query.parse("?x r 123456789012345678901234567890123456.7890123456789")) == {"c1"}
    assert graph.manifest["sources"][0]["bad"] == {"malformed": 3}


# -- graph JSON -------------------------------------------------------------------------------------


@pytest.mark.parametrize("class_id", ["type.int", "type.text", "type.datetime", "", "film", "^^"])
def test_graph_json_keeps_every_class(class_id):
    for text in (
        f"?x a [{class_id}]; ?x r ?y",
        f"?x r E; E a [{class_id}]",
        f"?x r ?y; not ?y a [{class_id}]",
    ):
        query = Query.parse(text)
        assert from_graph_json(json.loads(json.dumps(query.to_graph_json()))) == query
