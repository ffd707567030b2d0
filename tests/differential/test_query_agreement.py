"""The evaluators and renderings agree with the definition on random queries over random graphs."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from backtracking import Reference
from brute_force import SmallGraph, denotation
from rdf_stores import PlainStore, WikidataStore, occurring_in
from rollcall import RollcallError
from rollcall.graph import EntityRecord, Graph, write_graph
from rollcall.graph.rows import unique_rows
from rollcall.query import Query, entity, minimise, parse_value
from small_queries import ALL_VALUES, AWKWARD, WIKIDATA, WIKIDATA_VALUES, graphs, queries

# Shrinking is left out: each example writes a whole graph, and the failing query's text says enough.
# Examples are few, because the fuzzing targets `queries` and `sparql` try the same on many more.
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
some_queries = settings(max_examples=25, deadline=None, phases=PHASES)


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


@settings(max_examples=6, deadline=None, phases=PHASES)
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


@settings(max_examples=15, deadline=None, phases=PHASES)
@given(graphs(AWKWARD, ALL_VALUES), st.lists(queries(AWKWARD, ALL_VALUES), min_size=16, max_size=16))
def test_the_second_definition_gives_the_answers_of_the_first(graph, asked):
    """Backtracking is quick enough for larger graphs; that it means the same is shown on small ones."""
    reference = Reference(graph)
    for query in asked:
        assert reference.denotation(query) == denotation(graph, query), query.text


def test_a_query_that_would_unfold_without_bound_is_refused(tmp_path, monkeypatch):
    """Parts that only a denial connects are paired; too many pairs are an error, not a crash."""
    many = [(f"e{number}", "C") for number in range(1200)]
    facts = [(entity, "s", "hub") for entity, _ in many]
    write_graph(tmp_path / "graph", types=many, facts=[("e1", "r", "e2"), *facts])
    monkeypatch.setattr("rollcall.graph.evaluate._MOST_VISITED", 1_000_000)
    with Graph.open(tmp_path / "graph") as graph:
        with pytest.raises(RollcallError, match="partial solutions"):
            graph.answers(Query.parse("?x a C; ?y a C; not ?x s ?z; not ?y s ?z"))
        assert len(graph.answers(Query.parse("?x a C; not ?x r ?y; not ?y a C"))) == 1199


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("?x a C; ?y a C; not ?x r ?y", 60),
        ("distinct {?x a C; ?y a C; ?z a C; not ?x r ?y; not ?y r ?z}", 60),
        ("distinct {?x a C; ?x s ?h; ?y s ?h; ?z s ?h; not ?z r ?w}", 60),
        ("?x a C; ?y a C; not ?x s ?z; not ?y s ?z", 0),
        ("argmax ?v {?x a C; ?y a C; ?x n ?v; not ?x r ?y}", 1),
        ("distinct {hub n ?x; ?y s hub; ?z s hub; not ?y r ?z}", 0),
    ],
)
def test_many_partial_solutions_are_searched_piece_by_piece(tmp_path, monkeypatch, text, answers):
    """As soon as there is a solution for an answer, no other is sought for it."""
    monkeypatch.setattr("rollcall.graph.evaluate._ROWS_AT_ONCE", 100)
    monkeypatch.setattr("rollcall.graph.evaluate._WORTH_A_SAMPLE", 50)
    ids = [f"e{number}" for number in range(60)]
    graph = SmallGraph([*ids, "hub"], {("e1", "r", "e2"), *((one, "s", "hub") for one in ids)})
    graph.values |= {(one, "n", parse_value(str(number))) for number, one in enumerate(ids)}
    graph.types |= {(one, "C") for one in ids}
    query = Query.parse(text)
    with stored(graph) as opened:
        found = opened.answers(query)
    assert len(found) == answers
    assert found == Reference(graph).denotation(query)


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("distinct {?x s hub; ?y s hub; ?z s hub; ?w s hub; not ?x t ?u}", {"e9"}),
        ("distinct {?x s hub; ?y s hub; ?z s hub; ?w s hub; not ?x t ?u; not ?u t ?q}", {"e9"}),
        (
            "distinct {?x s hub; ?y s hub; ?z s hub; ?w s hub; not ?x t ?u; not ?y t ?u}",
            {"e0", "e1", "e2", "e9"},
        ),
    ],
)
def test_a_witness_may_stand_on_no_other_node(monkeypatch, text, answers):
    """Most have so many witnesses that the other nodes cannot take all of them; one has three."""
    monkeypatch.setattr("rollcall.graph.evaluate._WORTH_A_SAMPLE", 50)
    ids = [f"e{number}" for number in range(10)]
    graph = SmallGraph([*ids, "hub"], {(one, "s", "hub") for one in ids})
    graph.facts |= {(one, "t", other) for one in ids for other in ids[: 3 if one == "e9" else 10]}
    query = Query.parse(text)
    with stored(graph) as opened:
        found = opened.answers(query)
    assert found == Reference(graph, most_steps=3_000_000).denotation(query)
    assert found == answers


def dense_graph(chance: random.Random, entities: int, share: float) -> SmallGraph:
    """Every relation between any two entities, with this chance."""
    ids = [f"e{number}" for number in range(entities)]
    facts = {(s, r, o) for s in ids for r in "rst" for o in ids if chance.random() < share}
    return SmallGraph(ids, facts)


@pytest.mark.parametrize("share", [0.4, 0.8])
@pytest.mark.parametrize(
    "text",
    [
        "?y r ?x; not ?x s ?z; not ?y t ?z",
        "?y r ?x; not ?y s ?x; not ?x s ?z; not ?z t ?x; not ?y t ?z",
        "count {?y r ?x; ?y t ?w; not ?x s ?z; not ?w t ?z}",
    ],
)
def test_a_denial_is_heeded_where_there_are_more_partial_solutions_than_terms(text, share):
    """The number of a partial solution was packed into a key as if it were a term."""
    graph = dense_graph(random.Random(f"{text} {share}"), 30, share)
    with stored(graph) as opened:
        query = Query.parse(text)
        assert opened.answers(query) == Reference(graph).denotation(query)


@pytest.mark.parametrize("largest", [0, 5, 2**31 - 1, 2**40, 2**62])
def test_rows_are_told_apart_whatever_their_numbers(largest):
    """Keys of several columns never run into each other, nor beyond 64 bits."""
    chance = random.Random(largest)
    some = [0, largest // 2, largest]
    rows = [tuple(chance.choice(some) for _ in range(5)) for _ in range(200)]
    first = unique_rows([np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)])
    assert sorted(rows[place] for place in first) == sorted(set(rows))


@pytest.mark.parametrize(
    "text",
    [
        "?x r ?y; ?x s ?y; B r ?n; ?x p B",  # a cycle, and a part that only a constant connects
        "?x r ?y; ?y r ?x; B r ?n; ?n s ?m; ?x p B",
        "?x r ?y; ?y s ?z; ?z r ?x; ?x p B; B r ?n",
        "?x r ?x; ?x p B; B r ?n; ?n r ?n",
        "?x p B; B r ?n; B s ?m; ?n r ?m; ?m s ?n",
        "?x p B; ?y p B; ?z p B",
        '?x q "t"; ?y q "t"; ?y r ?z; ?y s ?z',  # a literal connects
        "?x p B; B p C; C r ?n; ?n r ?m; ?n s ?m",
        "?x p B; not B a K; B p C; not C p B; not ?x a K",
        "?x r ?y; ?x s ?y; B q < 5; ?x p B; ?n p B",
        "argmax ?v {?x r ?y; ?x s ?y; ?x p B; B q ?v}",
        "argmin ?v {?x p B; ?x q ?v; ?n p B; ?n r ?m; ?n s ?m}",
        "?x p B; not ?n p B; not ?n r ?m",
        "?x r ?y; ?x s ?y; ?x p B; not ?n s B; ?m p B",
    ],
)  # fmt: skip
@pytest.mark.parametrize("share", [0.15, 0.6])
def test_parts_that_constants_alone_connect(text, share):
    graph = dense_graph(random.Random(share), 6, share)
    graph.entities += ["A", "B", "C"]
    graph.facts |= {(f"e{number}", "p", "B") for number in range(5)} | {("B", "p", "C")}
    graph.facts |= {(one, relation, f"e{number}") for one in "BC" for relation in "rs" for number in (1, 2)}
    graph.values |= {("B", "q", parse_value("3")), ("B", "q", parse_value("7"))}
    graph.values |= {(f"e{number}", "q", parse_value(text)) for number in (1, 3) for text in ('"t"', "4")}
    graph.types |= {("A", "K")}
    query = Query.parse(text)
    with stored(graph) as opened:
        assert opened.answers(query) == denotation(graph, query)
        assert opened.answers(minimise(query, opened)) == denotation(graph, query)


def test_parts_that_constants_alone_connect_are_not_paired(tmp_path):
    """Six thousand entities on either side of a constant: their pairs would be too many to list."""
    many = [(f"e{number}", "r", "B") for number in range(6000)]
    write_graph(tmp_path / "graph", facts=many)
    with Graph.open(tmp_path / "graph") as graph:
        assert len(graph.answers(Query.parse("?x r B; ?y r B; not ?y s B; not ?x s ?x"))) == 6000
        assert len(graph.answers(Query.parse("?x r B; not ?x s ?x; not ?y s B"))) == 6000
        assert len(graph.answers(Query.parse("?x r B; not ?x s ?x; not ?y r B"))) == 0


def test_a_long_chain_is_no_deeper_than_python_allows(tmp_path):
    write_graph(tmp_path / "graph", facts=[("A", "r", "A"), ("B", "r", "A")])
    chain = "; ".join(["?x r ?n0", *(f"?n{number} r ?n{number + 1}" for number in range(600))])
    with Graph.open(tmp_path / "graph") as graph:
        assert graph.answers(Query.parse(chain)) == {"A", "B"}


def test_what_is_no_text_is_no_entity(tmp_path):
    """Python makes lone surrogates of bytes that are not UTF-8."""
    write_graph(tmp_path / "graph", facts=[("A", "r", "B")])
    with Graph.open(tmp_path / "graph") as graph:
        assert graph.find("\udcff") == []
        with pytest.raises(RollcallError, match="not Unicode text"):  # such a query would have no id
            graph.answers(entity("\udcff") << "r")
