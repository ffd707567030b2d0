"""The query's text: what can be written, what comes back, and what a mistake is answered with."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcall.errors import RollcallError
from rollcall.query import Date, Number, Point, Query, Text, parse_value
from rollcall.query.canonical import renamed
from rollcall.query.pattern import Pattern
from rollcall.query.statements import QUESTION, TARGET, Variable
from small_queries import ALL_VALUES, AWKWARD, queries


@given(queries(AWKWARD, ALL_VALUES))
def test_the_canonical_text_parses_back_to_an_equal_query(query):
    again = Query.parse(query.text)
    assert again == query
    assert hash(again) == hash(query)
    assert again.id == query.id


@given(queries(AWKWARD, ALL_VALUES), st.randoms(use_true_random=False))
def test_names_of_variables_and_order_of_statements_do_not_matter(query, random):
    def shuffled(pattern: Pattern) -> Pattern:
        others = [variable for variable in pattern.variables if variable not in (QUESTION, TARGET)]
        names = [Variable(f"other{number}") for number in range(len(others))]
        random.shuffle(names)
        statements = [renamed(s, dict(zip(others, names, strict=True))) for s in pattern.statements]
        random.shuffle(statements)
        return Pattern((*statements, statements[0]), pattern.distinct)

    again = replace(query, patterns=tuple(shuffled(pattern) for pattern in reversed(query.patterns)))
    assert again == query
    assert again.text == query.text


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("?x P57 Q8877", "{?x P57 Q8877}"),
        ("?x   a film ;\n ?x P57 Q8877;", "{?x a film; ?x P57 Q8877}"),
        ("{?x director [Clint Eastwood]}", "{?x director [Clint Eastwood]}"),
        ("?x P19 ?city; ?city P17 Q30", "{?x P19 ?1; ?1 P17 Q30}"),
        ("not ?x P26 ?s; ?x P31 Q5", "{?x P31 Q5; not ?x P26 ?1}"),
        ("argmax ?h {?x a Q8502; ?x P2044 ?h}", "argmax ?v {?x a Q8502; ?x P2044 ?v}"),
        ("?v P1 ?x", "{?1 P1 ?x}"),
        ("?x P1 ?v; ?x P2 ?v_", "{?x P1 ?1; ?x P2 ?2}"),
        ("?x P1 123456789012345678901234567890123", "{?x P1 123456789012345678901234567890123}"),
        ("?x P1 @2000-02-29", "{?x P1 @2000-02-29}"),
        ("?x P2044 >= 8000[metre]", "{?x P2044 >= 8000[Q11573]}"),
        ("?x P2044 ≥ 8000[m]", "{?x P2044 >= 8000[Q11573]}"),
        ("?x P569 <@1960", "{?x P569 < @1960}"),
        ("?x P1 +07.50", "{?x P1 7.5}"),
        ("?x [count] Q1", "{?x [count] Q1}"),
        ("count distinct {?x P7 Q} | distinct {?x P2 Q}", "count distinct {?x P2 Q} | distinct {?x P7 Q}"),
        (r'?x P1 "say \"hi\"\n"@en-gb', r'{?x P1 "say \"hi\"\n"@en-gb}'),
        ("?x /people/person/parents m.02mjmr", "?"),
        ("?x http://dbpedia.org/ontology/birthPlace http://dbpedia.org/resource/Paris",
         "{?x http://dbpedia.org/ontology/birthPlace http://dbpedia.org/resource/Paris}"),
        ("?x 出生地 東京", "{?x 出生地 東京}"),
    ],
)  # fmt: skip
def test_writing_a_query(written, canonical):
    if canonical == "?":
        with pytest.raises(RollcallError):
            Query.parse(written)
    else:
        assert Query.parse(written).text == canonical


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        ("", "say something positive"),
        ("?x P57", "character 7: expected an entity, a value or a variable, but the text ends"),
        ("?x a", "expected a class"),
        ("{?x P57 Q1", "expected ';' or '}'"),
        ("?x P57 Q1 }", "expected the end"),
        ("?y P57 Q1", "say something positive about its question node"),
        ("not ?x P57 Q1", "say something positive"),
        ("?x P57 Q1; ?z P1 Q2", "connected to ?x; this is not: ?z P1 Q2"),
        ("argmax {?x P1 Q2}", "expected a variable such as ?x"),
        ("argmax ?h {?x P1 Q2}", "must occur in every pattern"),
        ("argmax ?h {?x P1 Q2; not ?x P2 ?h}", "must occur in a positive statement"),
        ("?x P1 < 3; ?x P2 > 4", "at most one function"),
        ("count ?x P1 < 3", "at most one function"),
        ("?x P1 < Q4", "expected a value"),
        ('?x P1 < "abc"', "has no order"),
        ("42 P1 ?x", "before the relation, not a value"),
        ("?x P1 @1960-13", "is not a date"),
        ("?x P1 @1901-02-29", "is not a date"),
        ("?x P1 > 1e9999999999999999999", "is not a number"),
        ("?x P1 > 1e999", "is not a number"),
        ("?x P1 [unclosed", "expected an entity"),
    ],
)
def test_a_mistake_in_a_query_is_answered_with_one_clear_line(written, complaint):
    with pytest.raises(RollcallError) as caught:
        Query.parse(written)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_star_of_many_equal_leaves_is_canonical_at_once():
    text = "; ".join(f"?x P40 ?child{number}" for number in range(12))
    assert Query.parse(text).text.count("P40") == 12


def test_the_id_is_stable():
    """Ids are kept in published question sets: this one must never change."""
    assert Query.parse("?x P57 Q8877; ?x P162 Q8877").id == Query.parse("?x P162 Q8877; ?x P57 Q8877").id
    assert Query.parse("?x P57 Q8877; ?x P162 Q8877").id == "iatllxrjcmfaq"


dates = st.builds(
    Date,
    st.integers(-3000, 12000),
    st.none() | st.integers(1, 12),
    st.none(),
) | st.builds(Date, st.integers(-3000, 12000), st.integers(1, 12), st.integers(1, 28))
coarse = st.builds(
    Date, st.integers(-3000, 9000), st.none(), st.none(), st.sampled_from(["decade", "century", "millennium"])
)
numbers = st.builds(
    Number,
    st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**12), max_value=10**12),
    st.none() | st.sampled_from(["metre", "ft", "Q4917", "odd ] \\ unit"]),
)
texts = st.builds(Text, st.text(), st.none() | st.sampled_from(["en", "zh-Hans"]))
points = st.builds(Point, st.floats(-90, 90), st.floats(-180, 180))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Number(Decimal(5), ""),
        lambda: Number(Decimal("inf")),
        lambda: Text("x", "en_US"),
        lambda: Text("x", ""),
        lambda: Point(float("nan"), 1.0),
        lambda: Date(1960, 2, 30),
        lambda: Date(1960, 13),
    ],
)
def test_a_value_that_could_not_be_written_back_is_refused(make):
    with pytest.raises(RollcallError):
        make()


@given(dates | coarse | numbers | texts | points)
def test_every_value_has_a_text_that_parses_back(value):
    assert parse_value(value.text) == value
    query = Query.parse(f"?x P1 {value.text}; ?x P2 Q1")
    assert query.edges[0].object.value == value
