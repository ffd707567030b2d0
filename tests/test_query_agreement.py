"""The evaluators and renderings agree with the definition on random queries over random graphs."""

from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from brute_force import SmallGraph, denotation
from rdf_stores import PlainStore, WikidataStore, occurring_in
from rollcall.graph import Graph, write_graph
from rollcall.graph.graph import EntityRecord
from rollcall.query import parse_value
from small_queries import ALL_VALUES, AWKWARD, WIKIDATA, WIKIDATA_VALUES, graphs, queries

# Shrinking is left out: each example writes a whole graph, and the failing query's text says enough.
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
some_queries = settings(max_examples=60, deadline=None, phases=PHASES)


@some_queries
@given(graphs(AWKWARD, ALL_VALUES), st.lists(queries(AWKWARD, ALL_VALUES), min_size=6, max_size=6))
def test_plain_sparql_gives_the_defined_answers(graph, asked):
    store = PlainStore(graph)
    for query in asked:
        defined = denotation(graph, query)
        assert store.answers(query) == defined, query.text
        assert store.answers(query, occurring_in(graph)) == defined, query.text


@some_queries
@given(
    graphs(WIKIDATA, WIKIDATA_VALUES), st.lists(queries(WIKIDATA, WIKIDATA_VALUES), min_size=6, max_size=6)
)
def test_wikidata_sparql_gives_the_defined_answers(graph, asked):
    store = WikidataStore(graph)
    for query in asked:
        defined = denotation(graph, query)
        assert store.answers(query) == defined, query.text
        assert store.answers(query, occurring_in(graph)) == defined, query.text


@some_queries
@given(graphs(AWKWARD, ALL_VALUES), st.lists(queries(AWKWARD, ALL_VALUES), min_size=16, max_size=16))
def test_the_point_evaluator_gives_the_defined_answers(graph, asked):
    with stored(graph) as opened:
        for query in asked:
            assert opened.answers(query) == denotation(graph, query), query.text


@settings(max_examples=20, deadline=None, phases=PHASES)
@given(graphs(AWKWARD, ALL_VALUES), st.lists(queries(AWKWARD, ALL_VALUES), min_size=8, max_size=8))
def test_ibis_on_duckdb_gives_the_defined_answers(graph, asked):
    with stored(graph) as opened:
        for query in asked:
            rows = query.to_ibis(opened.tables).to_pyarrow().to_pylist()
            answers = [parse_value(row["answer"]) if row["literal"] else row["answer"] for row in rows]
            assert len(answers) == len(set(answers)), query.text
            assert frozenset(answers) == denotation(graph, query), query.text


@contextmanager
def stored(graph: SmallGraph) -> Iterator[Graph]:
    with TemporaryDirectory() as folder:
        write_graph(
            f"{folder}/graph",
            facts=graph.facts,
            values=graph.values,
            types=graph.types,
            subclasses=graph.subclasses,
            entities=[EntityRecord(entity) for entity in graph.entities],
        )
        with Graph.open(f"{folder}/graph") as opened:
            yield opened
