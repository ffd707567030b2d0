"""Templates give queries that are answered, minimal, have one function at most, and meet their quotas."""

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brute_force import denotation
from engines import ENGINE
from mined_graphs import mined_graph
from rollcall import RollcallError
from rollcall.graph import EntityRecord, Graph, write_graph
from rollcall.mine.commonness import Commonness
from rollcall.mine.proving import proof_rows
from rollcall.mine.relations import Ontology, askable_relations
from rollcall.mine.templates import mine_templates, write_templates
from rollcall.mine.templates.attempt import Goal, Grown, Preparation, attempt, threshold
from rollcall.mine.templates.paraphrase import LexicalForm, Paraphraser
from rollcall.mine.templates.quotas import TemplateOptions
from rollcall.mine.templates.sketch import template_text
from rollcall.query import Query, parse_value
from rollcall.query.query import FUNCTIONS, reductions, without_distinct
from rollcall.tables.build import Proofs, QueryAnswers, TemplateQueries
from rollcall.tables.engines.duckdb import DuckDB
from rollcall.tables.files import records
from rollcall.wording import Lexicon, Realiser

OPTIONS = TemplateOptions(least_instances=1, queries=30, round_size=64, excluded=())


def stored(seed: int, folder: Path, size: int = 8) -> tuple[Path, object]:
    small = mined_graph(seed, size)
    write_graph(folder, facts=small.facts, values=small.values, types=small.types)
    return folder, small


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return stored(1, tmp_path_factory.mktemp("mined") / "graph", 20)


def grown_queries(folder, seed, count=40):
    ontology = Ontology.of(folder, ENGINE, folder.parent / "scratch")
    with Graph.open(folder) as graph:
        relations = askable_relations(graph, OPTIONS.excluded)
    prepared = Preparation(folder, None, ontology, relations, OPTIONS, seed)()
    chance = Random(seed)
    for number in range(count):
        goal = Goal(number, chance.randint(1, 3), chance.choice(list(FUNCTIONS)))
        outcome = attempt(prepared, goal)
        if isinstance(outcome, Grown):
            yield outcome


@settings(max_examples=8)
@given(st.integers(0, 10_000))
def test_every_query_is_answered_minimal_and_what_it_says_it_is(tmp_path_factory, seed):
    folder, small = stored(seed, tmp_path_factory.mktemp("one") / "graph", 6)
    found = list(grown_queries(folder, seed))
    assert found, "forty attempts on such a graph give something"
    for grown in found:
        query = Query.parse(grown.query)
        answers = denotation(small, query)
        assert answers, grown.query
        assert len(answers) == grown.answers
        assert all(denotation(small, less) != answers for less in reductions(query)), grown.query
        assert grown.function == (query.function or "none")
        assert 1 <= grown.edges == len(query.edges) <= 3
        assert query.patterns[0].distinct


def test_counts_leave_out_nobody_who_is_named(tmp_path):
    """How many play the same sport as p0? Nobody would say whether p0 is one of them."""
    facts = [(f"p{number}", "sport", f"s{number % 2}") for number in range(12)]
    write_graph(tmp_path / "graph", facts=facts, types=[(f"p{number}", "person") for number in range(12)])
    with Graph.open(tmp_path / "graph") as graph:
        queries = [Query.parse(grown.query) for grown in grown_queries(tmp_path / "graph", 1, 300)]
        counts = [query for query in queries if query.aggregate == "count"]
        assert counts
        assert any(graph.answers(query) != graph.answers(without_distinct(query)) for query in queries)
        for query in counts:
            assert graph.answers(query) == graph.answers(without_distinct(query)), query.text


def test_quotas_are_met_whatever_the_number_of_jobs(made, monkeypatch):
    folder, _ = made
    quotas = {
        "edges": {"1": 6, "2": 4},
        "function": {"none": 5, "count": 2, "superlative": 2, "comparative": 1},
    }
    options = TemplateOptions(least_instances=1, queries=20, quotas=quotas, round_size=64, excluded=())
    mined = mine_templates(folder, None, options, ENGINE, folder.parent / "scratch")
    assert Counter(grown.edges for grown in mined.chosen) == {1: 12, 2: 8}
    wanted = {"none": 10, "count": 4, "superlative": 4, "comparative": 2}
    assert Counter(grown.category for grown in mined.chosen) == wanted
    assert not mined.unfilled
    assert len({grown.template for grown in mined.chosen}) == 20
    monkeypatch.setattr("rollcall.mine.attempts.ALONE_SECONDS", 0.0)
    with DuckDB(jobs=2) as processes:
        again = mine_templates(folder, None, options, processes, folder.parent / "scratch")
    assert again.chosen == mined.chosen


def test_a_quota_that_cannot_be_met_says_so(made):
    folder, _ = made
    quotas = {"answers": {"1": 1, ">1": 1}, "function": {"count": 1}}
    options = TemplateOptions(least_instances=1, queries=10, quotas=quotas, round_size=64, excluded=())
    mined = mine_templates(folder, None, options, ENGINE, folder.parent / "scratch")
    assert len(mined.chosen) == 5
    several = next(short for short in mined.unfilled if short.dimension == "answers")
    assert (several.bin, several.wanted, several.chosen, several.available) == (">1", 5, 0, 0)
    assert str(several) == "answers >1: 0 of 5: 0 candidates fell into it"
    counted = next(short for short in mined.unfilled if short.dimension == "function")
    assert f"{counted.available - 5} left over" in str(counted)
    assert "full were answers 1 (" in str(counted)


def test_no_query_is_answered_by_what_it_names(made):
    folder, small = made
    quotas = {"edges": {"2": 1, "3": 1}, "function": {"none": 1}}
    options = TemplateOptions(
        least_instances=1, queries=60, distinct=False, quotas=quotas, round_size=64, excluded=()
    )
    mined = mine_templates(folder, None, options, ENGINE, folder.parent / "scratch")
    assert len(mined.chosen) == 60
    for grown in mined.chosen:
        query = Query.parse(grown.query)
        assert denotation(small, query).isdisjoint(query.entities), grown.query


def test_classes_can_be_asked_for(made):
    folder, _ = made
    options = TemplateOptions(
        least_instances=1, queries=8, quotas={"class": {"film": 3, "town": 1}}, round_size=64, excluded=()
    )
    mined = mine_templates(folder, None, options, ENGINE, folder.parent / "scratch")
    assert Counter(grown.class_id for grown in mined.chosen) == {"film": 6, "town": 2}


def test_redundant_queries_are_marked_and_have_the_same_answers(made):
    folder, small = made
    options = TemplateOptions(
        least_instances=1, queries=40, redundant=1.0, quotas={}, round_size=64, excluded=()
    )
    mined = mine_templates(folder, None, options, ENGINE, folder.parent / "scratch")
    marked = [Query.parse(grown.query) for grown in mined.chosen if grown.redundant]
    assert marked
    for query in marked:
        answers = denotation(small, query)
        assert any(denotation(small, less) == answers for less in reductions(query))
    unmarked = [Query.parse(grown.query) for grown in mined.chosen if not grown.redundant]
    assert all(denotation(small, less) != denotation(small, q) for q in unmarked for less in reductions(q))


@pytest.mark.parametrize(
    ("quotas", "told"),
    [
        ({"colour": {"red": 1}}, "'colour' is not a characteristic; choose one of answers, class"),
        ({"edgs": {"1": 1}}, "'edgs' is not a characteristic; did you mean edges?"),
        ({"answers": {"5-2": 1}}, "the bin '5-2' for answers holds nothing"),
        ({"commonness": {"[-10,-20)": 1}}, "the bin '[-10,-20)' for commonness holds nothing"),
        ({"edges": {"7": 1}}, "no query can be in the bin '7' of edges; these options allow 1 to 3"),
        ({"function": {"superlativ": 1}}, "'superlativ' is not a function; did you mean superlative?"),
        ({"edges": {"1": -1, "2": 2}}, "the quota for edges needs bins with shares above 0"),
    ],
)
def test_mistaken_quotas_are_refused_before_anything_is_mined(quotas, told):
    with pytest.raises(RollcallError, match=re.escape(told)) as error:
        TemplateOptions(quotas=quotas)
    assert "\n" not in str(error.value)


def test_a_class_the_graph_does_not_have_is_refused(made):
    with pytest.raises(RollcallError, match="'flim' is not a class of the graph; did you mean film"):
        mine_templates(
            made[0],
            None,
            TemplateOptions(quotas={"class": {"flim": 1, "other": 1}}),
            ENGINE,
            made[0].parent / "scratch",
        )


def test_tables_hold_the_answers_and_facts_that_prove_them(made, tmp_path):
    folder, small = made
    mined = mine_templates(folder, None, OPTIONS, ENGINE, folder.parent / "scratch")
    with Graph.open(folder) as graph:
        assert write_templates(graph, mined.chosen, tmp_path) == len(mined.chosen)
        rows = list(records(TemplateQueries, tmp_path / "queries.parquet"))
        assert [row["key"] for row in rows] == sorted(row["key"] for row in rows)
        proofs = list(records(Proofs, tmp_path / "proofs.parquet"))
        answers = {
            (row["key"], row["answer"]) for row in list(records(QueryAnswers, tmp_path / "answers.parquet"))
        }
        assert answers == {(row["key"], row["answer"]) for row in proofs}
        known = {*small.facts, *((s, r, value.text) for s, r, value in small.values)}
        for proof in proofs:
            assert (proof["subject"], proof["relation"], proof["object"]) in known
        edges = {row["key"]: row["edges"] for row in rows}
        ways = Counter((proof["key"], proof["answer"], proof["via"]) for proof in proofs)
        # Edges that come to the same fact are proved once.
        assert all(1 <= count <= edges[key] for (key, _, _), count in ways.items())


def test_a_comparison_is_proved_by_the_value_that_passes(tmp_path):
    values = [
        ("a", "height", parse_value("5")),
        ("a", "height", parse_value("50")),
        ("b", "height", parse_value("2")),
    ]
    graph = Graph.open(write_graph(tmp_path / "g", values=values))
    (row,) = proof_rows(graph.index, Query.parse("?x height > 10"))
    assert (row["subject"], row["object"], row["object_literal"]) == ("a", "50", True)


def test_the_template_of_a_query_forgets_its_individuals_only():
    one = Query.parse("?x a film; ?x director [Orla Venn]; ?x producer [Orla Venn]")
    other = Query.parse("?x a film; ?x director A; ?x producer A")
    apart = Query.parse("?x a film; ?x director A; ?x producer B")
    assert template_text(one) == template_text(other) != template_text(apart)
    assert template_text(Query.parse("?x born < @1960")) == template_text(Query.parse("?x born < @1970"))
    assert template_text(Query.parse("?x born < @1960")) != template_text(Query.parse("?x born > @1960"))
    assert template_text(Query.parse("count {?x director A}")) != template_text(Query.parse("?x director A"))


def test_commonness_is_the_product_of_smoothed_shares(tmp_path):
    facts = [("f1", "director", "p"), ("f2", "director", "p"), ("f3", "director", "q")]
    types = [("f1", "film"), ("f2", "film"), ("f3", "film"), ("p", "person"), ("q", "person")]
    graph = Graph.open(write_graph(tmp_path / "g", facts=facts, types=types))
    import numpy as np

    mentions = np.array([1.0, 0, 0, 8, 1])  # f1, f2, f3, p, q
    common = Commonness(graph, mentions, {"director": 5}, smoothing=0.1)
    p = (8 + 0.1 * 2) / (10 + 0.1 * 6)
    film = (1 + 0.1 * 3) / (10 + 0.1 * 5)
    assert common.of(Query.parse("?x a film; ?x director p")) == pytest.approx(np.log10(p * film * 1.0))
    assert common.of(Query.parse("?x director p")) > common.of(Query.parse("?x director q"))
    assert np.isfinite(common.of(Query.parse("?x director nobody")))


@settings(max_examples=40)
@given(
    st.lists(
        st.one_of(st.integers(1, 5000), st.integers(1900, 1999).map(lambda y: f"@{y}")),
        min_size=2,
        max_size=12,
    ),
    st.sampled_from(FUNCTIONS["comparative"]),
    st.integers(0, 100),
)
def test_a_threshold_lets_some_pass_and_not_all(tmp_path_factory, amounts, comparator, seed):
    values = [(f"e{n}", "size", parse_value(str(amount))) for n, amount in enumerate(amounts)]
    graph = Graph.open(write_graph(tmp_path_factory.mktemp("t") / "g", values=values))
    index = graph.index
    found = threshold(index, Random(seed), index.forward(0)[1], comparator)
    if found is not None:
        passing = graph.answers(Query.parse(f"?x size {comparator} {found.text}"))
        alike = [value for _, _, value in values if value.bounds.dimension == found.bounds.dimension]
        assert 0 < len(passing) < len(alike)


def paraphraser(folder: Path, label: str, names: list[str], **others: str) -> Paraphraser:
    """Of a graph in which E1 has a label and others have theirs; the corpus calls E1 by the names given."""
    named = [EntityRecord(id_, text) for id_, text in {"E1": label, "E2": "Robb", **others}.items()]
    facts = [("E2", "P19", "E1"), ("E2", "P22", "E1"), *((id_, "P19", "E2") for id_ in others)]
    written = write_graph(folder, facts=facts, entities=named)
    forms = {"E1": [LexicalForm(name, 9 - place) for place, name in enumerate(names)]}
    return Paraphraser(Graph.open(written), Lexicon.load(), forms)


def test_entities_are_said_by_their_other_names(tmp_path):
    query = Query.parse("?x P22 E1")
    names = ["Ned Stark", "eddard stark", "Lord Stark", "Ned"]
    made = paraphraser(tmp_path / "g", "Eddard Stark", names)
    with Graph.open(tmp_path / "g") as graph:
        usual = Realiser(graph, Lexicon.load()).word(query).question
    (said,) = made.variants(query, [usual])
    assert "Eddard Stark" in usual
    assert said == [
        usual.replace("Eddard Stark", name) for name in ("Eddard Stark", "Ned Stark", "Lord Stark")
    ]


def test_another_name_has_its_article_and_no_other_bearer(tmp_path):
    query = Query.parse("?x P19 E1")
    made = paraphraser(tmp_path / "g", "Nafanya", ["Republic of Nafanya", "Naf", "Nafa"], E3="naf")
    with Graph.open(tmp_path / "g") as graph:
        usual = Realiser(graph, Lexicon.load()).word(query).question
    (said,) = made.variants(query, [usual])
    assert said == [
        usual,
        usual.replace("Nafanya", "the Republic of Nafanya"),
        usual.replace("Nafanya", "Nafa"),
    ]
