"""The operators mean set operations, and minimising keeps the answer."""

from contextlib import contextmanager

import pytest
from hypothesis import given, settings

from brute_force import denotation
from rollcall import RollcallError
from rollcall.query import (
    Query,
    argmax,
    argmin,
    count,
    distinct,
    entity,
    instances,
    maximum,
    minimise,
    number,
    parse_value,
)
from rollcall.query.query import reductions
from small_queries import ALL_VALUES, AWKWARD, graphs, queries


class Defined:
    """A graph that answers by the definition."""

    def __init__(self, graph):
        self.graph = graph

    def answers(self, query):
        return denotation(self.graph, query)


plain_queries = queries(AWKWARD, ALL_VALUES, plain=True)


@settings(deadline=None, max_examples=25)
@given(graphs(AWKWARD, ALL_VALUES), plain_queries, plain_queries)
def test_operators_are_set_operations(graph, left, right):
    a, b = denotation(graph, left), denotation(graph, right)
    assert denotation(graph, left | right) == a | b
    with refusing("at most one function"):
        assert denotation(graph, left & right) == a & b
    with refusing("at most one function", "itself denies"):
        assert denotation(graph, left - right) == a - b


@contextmanager
def refusing(*complaints):
    """Some combinations are refused; then the reason must be one of these."""
    try:
        yield
    except RollcallError as error:
        if not any(complaint in str(error) for complaint in complaints):
            raise


@settings(deadline=None, max_examples=20)
@given(graphs(AWKWARD, ALL_VALUES), plain_queries)
def test_following_a_relation_and_counting(graph, query):
    answers = denotation(graph, query)
    everything = graph.facts | graph.values
    reached = {object_ for subject, relation, object_ in everything if relation == "r" and subject in answers}
    assert denotation(graph, query >> "r") == reached
    reaching = {
        subject for subject, relation, object_ in everything if relation == "r" and object_ in answers
    }
    assert denotation(graph, query << "r") == reaching
    if query.function is None:
        assert denotation(graph, count(query)) == {number(len(answers))}


@settings(deadline=None, max_examples=25)
@given(graphs(AWKWARD, ALL_VALUES), queries(AWKWARD, ALL_VALUES))
def test_a_minimised_query_has_the_same_answer_and_nothing_to_remove(graph, query):
    known = Defined(graph)
    smaller = minimise(query, known)
    assert known.answers(smaller) == known.answers(query)
    assert len(smaller.edges) <= len(query.edges)
    for reduced in reductions(smaller):
        assert known.answers(reduced) != known.answers(smaller)


def test_minimising_removes_a_pattern_that_adds_nothing():
    from brute_force import SmallGraph

    graph = SmallGraph(["A", "B", "E"], facts={("A", "p", "E"), ("A", "q", "E"), ("B", "p", "E")})
    query = Query.parse("{?x p E} | {?x q E}")
    assert minimise(query, Defined(graph)).text == "{?x p E}"


def test_minimising_removes_the_papers_redundant_date():
    """The presidents whose child is N, where N was born on a day: the day does not matter."""
    from brute_force import SmallGraph

    graph = SmallGraph(
        ["B", "N", "G"],
        facts={("B", "child", "N"), ("B", "office", "G")},
        values={("N", "born", parse_value("@2001-06-10"))},
    )
    query = Query.parse("?x child N; N born @2001-06-10")
    assert minimise(query, Defined(graph)).text == "{?x child N}"


@pytest.mark.parametrize(
    ("built", "text"),
    [
        (entity("E") << "P57", "{?x P57 E}"),
        (entity("E") >> "P57", "{E P57 ?x}"),
        ((entity("E") << "P57") & (entity("E") << "P162"), "{?x P162 E; ?x P57 E}"),
        (instances("film") & (entity("E") << "P57"), "{?x a film; ?x P57 E}"),
        ((entity("E") << "P57") >> "P19", "{?1 P19 ?x; ?1 P57 E}"),
        ((entity("E") << "P57") - (entity("E") << "P162"), "{?x P57 E; not ?x P162 E}"),
        # What is taken away shares a class: only the edge can be missing.
        (
            (instances("film") & (entity("E") << "P57")) - (instances("film") & (entity("E") << "P162")),
            "{?x a film; ?x P57 E; not ?x P162 E}",
        ),
        ((entity("E") << "P57") - ((entity("C") << "P17") << "P19"),
         "{?x P57 E; not ?1 P17 C; not ?x P19 ?1}"),
        (argmax(instances("mountain"), "P2044"), "argmax ?v {?x a mountain; ?x P2044 ?v}"),
        (argmin(instances("mountain") | instances("hill"), "P2044"),
         "argmin ?v {?x a hill; ?x P2044 ?v} | {?x a mountain; ?x P2044 ?v}"),
        (maximum(instances("mountain") >> "P2044"), "max {?1 a mountain; ?1 P2044 ?x}"),
        (instances("human").where("P569", parse_value("@1960"), "<"), "{?x a human; ?x P569 < @1960}"),
        (instances("human").where("P27", "C"), "{?x a human; ?x P27 C}"),
        (distinct((entity("N") >> "P22") << "P22"), "distinct {?x P22 ?1; N P22 ?1}"),
    ],
)  # fmt: skip
def test_building_queries_in_python(built, text):
    assert Query.parse(text) == built


@pytest.mark.parametrize(
    ("mistake", "complaint"),
    [
        (lambda q: count(q) & q, "apply count after &"),
        (lambda q: q - distinct(q), "apply distinct after -"),
        (lambda q: argmax(q, "P1") >> "P2", "apply argmax after >>"),
        (lambda q: q.where("P1", "E", "<"), "compares values"),
        (lambda q: q.where("P1", number(3), "~"), "is not a comparator"),
        (lambda q: q - Query.parse("?x P1 ?y; not ?y P2 E"), "itself denies something"),
    ],
)
def test_what_cannot_be_built_is_explained(mistake, complaint):
    with pytest.raises(RollcallError) as caught:
        mistake(entity("E") << "P57")
    assert complaint in str(caught.value)
