"""Renderings that no engine checks: λ-calculus, JSON, the picture; and the order of values."""

from xml.etree import ElementTree

import pytest
from hypothesis import given

from rollcall import RollcallError
from rollcall.query import Query, parse_value
from rollcall.query.notations import camel_case, from_graph_json
from rollcall.query.values import holds
from small_queries import ALL_VALUES, AWKWARD, queries


@given(queries(AWKWARD, ALL_VALUES))
def test_graph_json_comes_back_as_the_same_query(query):
    assert from_graph_json(query.to_graph_json()) == query


def test_graph_json_has_the_published_keys():
    graph = Query.parse("argmax ?h {?x a mountain; ?x height ?h; ?x country N}").to_graph_json(str.upper)
    question, country, height = graph["nodes"]
    assert question == {
        "nid": 0, "node_type": "class", "id": "mountain", "class": "mountain", "friendly_name": "MOUNTAIN",
        "question_node": 1, "function": "none",
    }  # fmt: skip
    assert (country["node_type"], country["id"]) == ("entity", "N")
    assert height["function"] == "argmax"
    assert {"start": 0, "end": height["nid"], "relation": "height", "friendly_name": "HEIGHT"} in graph[
        "edges"
    ]


def test_a_published_graph_query_is_read():
    published = {
        "nodes": [
            {"nid": 0, "node_type": "class", "id": "dead_person", "class": "dead_person",
             "friendly_name": "Deceased Person", "question_node": 1, "function": "none"},
            {"nid": 1, "node_type": "entity", "id": "en.lung_cancer", "class": "people.cause_of_death",
             "friendly_name": "Lung cancer", "question_node": 0, "function": "none"},
            {"nid": 2, "node_type": "literal", "id": "1960-01-01^^http://www.w3.org/2001/XMLSchema#datetime",
             "class": "type.datetime", "friendly_name": "1960", "question_node": 0, "function": "<"},
        ],
        "edges": [
            {"start": 0, "end": 1, "relation": "dead_person.cause_of_death", "friendly_name": "Cause"},
            {"start": 0, "end": 2, "relation": "dead_person.date_of_death", "friendly_name": "Date"},
        ],
    }  # fmt: skip
    assert from_graph_json(published).text == (
        "distinct {?x a dead_person; ?x dead_person.cause_of_death en.lung_cancer; "
        "?x dead_person.date_of_death < @1960-01-01}"
    )


@pytest.mark.parametrize("broken", [{}, {"nodes": [{}], "edges": []}, {"nodes": [], "edges": [{"start": 0}]}])
def test_a_broken_graph_query_is_explained(broken):
    with pytest.raises(RollcallError):
        from_graph_json(broken)


@pytest.mark.parametrize(
    ("query", "form"),
    [
        (
            "?x a DeceasedPerson; ?x parents ?y; ?x causeOfDeath LungCancer; ?y causeOfDeath LungCancer; "
            "?x dateOfDeath < @1960",
            "λx.∃y.∃z.type(x, DeceasedPerson) ∧ causeOfDeath(x, LungCancer) ∧ dateOfDeath(x, y) ∧ <(y, 1960) "
            "∧ parents(x, z) ∧ causeOfDeath(z, LungCancer)",
        ),
        ("count {?x P57 E} | {?x P58 E}", "count(λx.(P57(x, E)) ∨ (P58(x, E)))"),
        ("argmax ?h {?x a mountain; ?x height ?h}", "argmax(λx.λv.type(x, mountain) ∧ height(x, v))"),
        ("?x P57 E; not ?x P26 ?s; not ?s P27 C", "λx.P57(x, E) ∧ ¬∃y.(P26(x, y) ∧ P27(y, C))"),
        ("distinct {?x parent ?p; N parent ?p}",
         "λx.∃y.parent(x, y) ∧ parent(N, y) ∧ x ≠ y ∧ x ≠ N ∧ y ≠ N"),
        ("?x born @1960-05", "λx.born(x, May 1960)"),
        ("?x height <= 5[metre]", "λx.∃y.height(x, y) ∧ ≤(y, 5 m)"),
    ],
)  # fmt: skip
def test_lambda_form(query, form):
    assert Query.parse(query).to_lambda() == form


def test_labels_become_names_as_the_papers_write_them():
    assert camel_case("cause of death") == "causeOfDeath"
    assert camel_case("lung cancer", upper=True) == "LungCancer"


@given(queries(AWKWARD, ALL_VALUES))
def test_the_picture_is_well_formed_and_shows_every_node_and_edge(query):
    picture = ElementTree.fromstring(query.to_svg())
    words = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    for pattern in query.patterns:
        for edge in pattern.edges:
            assert ("not " if edge.negated else "") + edge.relation in words
        for constant in pattern.entities:
            assert constant.id in words
    assert not any("nan" in value for element in picture.iter() for value in element.attrib.values())


def test_the_picture_is_well_formed_whatever_characters_a_text_has():
    picture = ElementTree.fromstring(Query.parse('?x [r\x01] "a\x00<\ufffe&"').to_svg())
    assert any("a" in (element.text or "") and "<" in element.text for element in picture.iter())


@pytest.mark.parametrize(
    ("left", "comparator", "right", "holds_"),
    [
        ("2", "<", "10", True),
        ("10", "<", "10", False),
        ("10", "<=", "10", True),
        ("@1960-05-17", "<", "@1961", True),
        ("@1960-05-17", "<", "@1960", False),  # not certainly before the year it lies in
        ("@1960-05-17", "<=", "@1960", True),  # until the end of 1960
        ("@1960-05-17", ">=", "@1960", True),  # since the start of 1960
        ("@1960-05-17", ">", "@1960", False),
        ("@1960", "<=", "@1960-05-17", False),  # the year goes on after that day
        ("@1960", ">=", "@1960-05-17", False),
        ("@1960", "<=", "@1960", True),
        ("@196X", "<", "@1970", True),
        ("@-0043-03-15", "<", "@0001", True),
        ("3[foot]", "<", "1[metre]", True),
        ("1[kilometre]", ">", "999[metre]", True),
        ("3[foot]", ">=", "0.9144[metre]", True),
        ("3[foot]", "<=", "0.9144[metre]", True),
        ("1[hour]", "<", "5[metre]", False),  # different dimensions are never ordered
        ("1[hour]", ">", "5[metre]", False),
        ("5", "<", "6[metre]", False),
        ("5[Q4917]", "<", "6[Q4917]", True),  # an unlisted unit is comparable with itself
        ("5[Q4917]", "<", "6[Q25224]", False),
        ("5[length]", "<", "6[metre]", False),  # a unit of that name is not the dimension
        ("5[number]", "<", "6", False),
        ("1960", "<", "@1961", False),  # a number is not a year
        ('"a"', "<", '"b"', False),
    ],
)
def test_the_order_of_values(left, comparator, right, holds_):
    assert holds(parse_value(left).bounds, comparator, parse_value(right).bounds) is holds_
