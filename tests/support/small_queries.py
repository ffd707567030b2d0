"""Random small graphs and random queries over them, for property tests.

Ids are chosen to be awkward: one looks like a number, one has spaces and a bracket. Relations mix entities
and values, classes form cycles, and values differ in unit and precision.
"""

from hypothesis import strategies as st

from brute_force import SmallGraph
from rollcall import RollcallError
from rollcall.query import QUESTION, Edge, Entity, Literal, Query, Typing, Variable, parse_value
from rollcall.query.statements import TARGET
from rollcall.query.values import COMPARATORS

AWKWARD = {
    "entities": ["1960", "a b]", "E3", "urn:rollcall:E3"],
    "relations": ["r", "place of birth", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"],
    "classes": ["A", "type.int", ""],
}
WIKIDATA = {
    "entities": ["Q1", "Q2", "Q3", "Q4"],
    "relations": ["P1", "P2", "P3"],
    "classes": ["Q11", "Q12", "Q13"],
}

ALL_VALUES = [
    parse_value(text)
    for text in (
        "1960", "2", "-3.5", "1[Q11573]", "3[Q3710]", "1000[Q174789]", "0.9144[metre]", "5[Q4917]", "7[hour]",
        "@1960", "@1960-05", "@1960-05-17", "@1961", "@196X", "@19XX", "@1XXX", "@-0043", "@-0043-03-15",
        "@1900-02-29", "@1900-02", "@12345", "9007199254740992", "9007199254740993", "1e40", "1e-40[mile]",
        '"1960"', '"x"@en', '"x"@EN-gb', '"x"@zh-classical', '"a\\"\\n\x00"', "@(1,-2.25)",
    )
]  # fmt: skip
# What Wikidata can hold: every unit is an item. Many of these are the same but for unit or precision.
WIKIDATA_VALUES = [
    parse_value(text)
    for text in (
        "1960", "2", "5", "5[Q11573]", "5[Q3710]", "5[Q4917]", "3[Q3710]", "0.9144[Q11573]", "36[Q180154]",
        "10[Q182429]", "1e40", "1e40[Q11573]", "9007199254740992", "9007199254740993", "@1960", "@1960-01",
        "@1960-01-01", "@1960-06-17", "@196X", "@197X", "@19XX", "@18XX", "@1XXX", "@0000", "@-0043-03-15",
        "@123456-01", '"x"@en', '"1960"', "@(1,-2.25)",
    )
]  # fmt: skip


@st.composite
def graphs(draw, names, values):
    entities = names["entities"]
    entity, relation = st.sampled_from(entities), st.sampled_from(names["relations"])
    class_id = st.sampled_from(names["classes"])
    return SmallGraph(
        entities,
        draw(st.sets(st.tuples(entity, relation, entity), min_size=8, max_size=24)),
        draw(st.sets(st.tuples(entity, relation, st.sampled_from(values)), min_size=8, max_size=20)),
        draw(st.sets(st.tuples(entity, class_id), min_size=2, max_size=8)),
        draw(st.sets(st.tuples(class_id, class_id), max_size=3)),
    )


@st.composite
def patterns(draw, names, values, aggregate, max_edges=4):
    """Statements grown from the question node, edge by edge, to new or existing nodes or constants."""
    variables = [QUESTION]
    statements = []
    compared = aggregate is not None
    for number in range(draw(st.integers(1, max_edges))):
        start = draw(st.sampled_from(variables))
        kind = draw(st.sampled_from(["new", "new", "old", "entity", "entity", "literal", "comparison"]))
        if kind == "new":
            end = Variable(f"n{number}")
            variables.append(end)
        elif kind == "old":
            end = draw(st.sampled_from(variables))
        elif kind == "entity":
            end = Entity(draw(st.sampled_from(names["entities"])))
        elif kind == "literal" or compared:
            end = Literal(draw(st.sampled_from(values)))
        else:
            ordered = [value for value in values if value.bounds is not None]
            end = Literal(draw(st.sampled_from(ordered)), draw(st.sampled_from(COMPARATORS)))
            compared = True
        value_asked = aggregate in ("max", "min") and start == QUESTION
        if not isinstance(end, Literal) and (value_asked or draw(st.booleans())):
            start, end = end, start
        statements.append(
            Edge(start, draw(st.sampled_from(names["relations"])), end, draw(st.integers(0, 3)) == 0)
        )
    for variable in variables:
        if draw(st.integers(0, 4)) == 0:
            statements.append(
                Typing(variable, draw(st.sampled_from(names["classes"])), draw(st.integers(0, 2)) == 0)
            )
    if aggregate in ("argmax", "argmin"):
        relation = draw(st.sampled_from(names["relations"]))
        statements.append(Edge(draw(st.sampled_from(variables)), relation, TARGET))
    return statements


@st.composite
def queries(draw, names, values, plain=False):
    """Any query; a plain one has no function over its answers and no mutual exclusivity."""
    functions = [None, None, None, "count", "max", "min", "argmax", "argmin"]
    aggregate = None if plain else draw(st.sampled_from(functions))
    distinct = False if plain else draw(st.booleans())
    members = draw(st.lists(patterns(names, values, aggregate), min_size=1, max_size=2))
    try:
        built = [Query.of(statements, distinct=distinct, aggregate=aggregate) for statements in members]
    except RollcallError:  # nothing positive about the question node, or a part hangs loose
        statements = [Edge(QUESTION, names["relations"][0], Variable("y"))]
        if aggregate in ("argmax", "argmin"):
            statements.append(Edge(QUESTION, names["relations"][1], TARGET))
        built = [Query.of(statements, distinct=distinct, aggregate=aggregate)]
    return Query(tuple(pattern for query in built for pattern in query.patterns), aggregate)
