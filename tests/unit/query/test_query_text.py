"""The query's text: what can be written, what comes back, and what a mistake is answered with."""

import random
import re
import sys
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcall import RollcallError
from rollcall.query import (
    QUESTION,
    Date,
    Number,
    Pattern,
    Point,
    Query,
    Text,
    Variable,
    entity,
    instances,
    parse_value,
)
from rollcall.query.parse import to_text_tree
from rollcall.query.statements import TARGET, renamed
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
        ("?x P1 -0e400", "{?x P1 0}"),
        ("?x P1 @" + "0" * 5000 + "1960", "{?x P1 @1960}"),
        ("?x P1 @(-0,1)", "{?x P1 @(0.0,1.0)}"),
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
        ("?x P1 @" + "1" * 5000, "cannot be kept"),
        ("?x P1 < @-" + "9" * 13, "cannot be kept"),
        ("?x P1 " + "1" * 400, "can be kept"),
        ("?x P1 0." + "1" * 2001, "more than 2,000 digits"),
        ("?x P1 [\udcff]", "character 8: '\\udcff' is not a character"),
        ("?x P1 Q2; ?y P1 " + "Q" * 5000, "connected to ?x; this is not: ?y P1 QQQ"),
        ('?x P1 < "' + "a" * 5000 + '"', "has no order"),
        ("; ".join(["?x P1 < 3"] + [f"?x P1 > {n}" for n in range(500)]), "at most one function"),
    ],
)
def test_a_mistake_in_a_query_is_answered_with_one_clear_line(written, complaint):
    with pytest.raises(RollcallError) as caught:
        Query.parse(written)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def cycle(names: list[str]) -> list[str]:
    return [f"?{one} r ?{two}" for one, two in zip(names, [*names[1:], names[0]], strict=True)]


def around(name: str, count: int) -> list[str]:
    return [f"?x s ?{name}{number}" for number in range(count)]


def identical_trees(width: int, depth: int, parent: str = "x") -> list[str]:
    """A tree in which every node has as many children as any other."""
    children = [f"{parent}_{number}" for number in range(width)] if depth else []
    below = [s for child in children for s in identical_trees(width, depth - 1, child)]
    return [f"?{parent} r ?{child}" for child in children] + below


ROOK = [(a, b) for a in range(16) for b in range(16) if a != b and (a // 4 == b // 4 or a % 4 == b % 4)]
STEPS = {(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)}
SHRIKHANDE = [
    (a, b) for a in range(16) for b in range(16) if ((b // 4 - a // 4) % 4, (b % 4 - a % 4) % 4) in STEPS
]
SYMMETRICAL = {
    "20 branches": [s for n in range(20) for s in (f"?x r ?a{n}", f"?a{n} s ?b{n}")],
    "20 denied branches": [
        s for n in range(20) for s in (f"?x r ?a{n}", f"not ?a{n} s ?b{n}", f"not ?b{n} t ?c{n}")
    ],
    "60 leaves": around("a", 60),
    "identical trees": identical_trees(3, 3),
    "a cycle of 20": cycle(["x", *(f"a{n}" for n in range(19))]),
    "a cycle of 20 around ?x": cycle([f"a{n}" for n in range(20)]) + around("a", 20),
    "6 cycles of 4": [s for c in "abcdef" for s in cycle([f"{c}{n}" for n in range(4)]) + around(c, 4)],
    "cycles of 3, 4 and 5": [
        s for n in (3, 4, 5) for s in cycle([f"a{n}_{m}" for m in range(n)]) + around(f"a{n}_", n)
    ],
    "all of 7 linked": [f"?a{n} r ?a{m}" for n in range(7) for m in range(7) if n != m] + around("a", 7),
    "strongly regular": [f"?a{n} r ?a{m}" for n, m in ROOK] + around("a", 16),
    "strongly regular in another way": [f"?a{n} r ?a{m}" for n, m in SHRIKHANDE] + around("a", 16),
    "20 pairs": [
        s for n in range(20) for s in (f"?x r ?a{n}", f"?x r ?b{n}", f"?a{n} s ?b{n}", f"?b{n} s ?a{n}")
    ],
}


@pytest.mark.parametrize("shape", SYMMETRICAL)
def test_a_symmetrical_query_has_one_text_and_takes_no_factorial(shape):
    """Trying all orders of what is alike would take years; the texts must still agree."""
    statements = SYMMETRICAL[shape]
    text = Query.parse("; ".join(statements)).text
    chance = random.Random(shape)
    names = sorted(set(re.findall(r"\?\w+", " ".join(statements))) - {"?x"})
    others = dict(zip(names, chance.sample(names, len(names)), strict=True))
    again = [" ".join(others.get(word, word) for word in statement.split()) for statement in statements]
    chance.shuffle(again)
    assert Query.parse("; ".join(again)).text == text
    assert Query.parse(text).text == text


def test_what_no_refinement_tells_apart_is_still_told_apart():
    shapes = ("strongly regular", "strongly regular in another way")
    assert len({Query.parse("; ".join(SYMMETRICAL[shape])).text for shape in shapes}) == 2
    hexagon = cycle([f"a{n}" for n in range(6)]) + around("a", 6)
    triangles = [s for c in "ab" for s in cycle([f"{c}{n}" for n in range(3)]) + around(c, 3)]
    assert Query.parse("; ".join(hexagon)) != Query.parse("; ".join(triangles))


def test_a_union_of_isomorphic_patterns_is_one_pattern():
    branches = ["; ".join(f"?x r ?a{k}_{n}; ?a{k}_{n} s ?b{k}_{n}" for n in range(8)) for k in range(20)]
    assert len(Query.parse(" | ".join(f"{{{branch}}}" for branch in branches)).patterns) == 1


def test_a_query_that_cannot_be_put_in_order_is_refused(monkeypatch):
    monkeypatch.setattr("rollcall.query.pattern._MOST_WORK", 1000)
    with pytest.raises(RollcallError, match="too many variables of the query are alike"):
        Query.parse("; ".join(SYMMETRICAL["20 branches"]))


LONG = {
    "conjunctions": lambda count: "; ".join(f"?x r Q{n}" for n in range(count)),
    "classes": lambda count: "; ".join(f"?x a Q{n}" for n in range(count)),
    "variables": lambda count: "; ".join(f"?x r ?a{n}" for n in range(count)),
    "a chain of entities": lambda count: "; ".join(f"Q{n + 1} r Q{n}" for n in range(count)) + "; ?x r Q0",
    "unions": lambda count: " | ".join(f"{{?x r Q{n}}}" for n in range(count)),
    "negated groups": lambda count: "; ".join(
        ["?x r Q1", *(f"not ?x r ?a{n}; not ?a{n} s Q{n}" for n in range(count // 2))]
    ),
    "a long name": lambda count: f"?x r [{'a b' * count}]",
}


def calls_of(function) -> int:
    """How many functions are called, in Python or in C: a measure of work that is always the same."""
    calls = 0

    def count(frame, event, argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("shape", LONG)
@pytest.mark.parametrize(
    "use",
    [Query.parse, lambda text: to_text_tree(Query.parse(text)), lambda text: Query.parse(text).to_svg()],
)
def test_the_work_for_a_long_query_grows_as_its_length(shape, use):
    use("?x r Q1")
    short, long = (calls_of(lambda count=count: use(LONG[shape](count))) for count in (100, 800))
    assert long < 8 * 1.5 * short


@pytest.mark.parametrize("mark", ["[", "{", "(", "not ", "distinct ", "count ", "|", "<"])
def test_a_mark_repeated_many_times_is_refused_in_one_line(mark):
    with pytest.raises(RollcallError, match="query") as caught:
        Query.parse(mark * 5000)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("?x r ?a; ?x r ?b; ?a s ?c; ?b s ?d", "{?x r ?1; ?x r ?2; ?1 s ?3; ?2 s ?4}"),
        ("?a r ?b; ?b r ?c; ?c r ?a; ?x s ?b", "{?x s ?1; ?1 r ?3; ?2 r ?1; ?3 r ?2}"),
        (
            "?x r ?b; ?x r ?a; ?a r ?b; ?b r ?a; not ?a s ?c; not ?b s ?d",
            "{?x r ?1; ?x r ?2; ?1 r ?2; ?2 r ?1; not ?1 s ?3; not ?2 s ?4}",
        ),
        (
            "?x r ?a; ?x r ?b; ?x r ?c; ?a s ?b; ?b s ?c; ?c s ?a; ?a t ?d; ?b t ?e; ?c t ?f",
            "{?x r ?1; ?x r ?2; ?x r ?3; ?1 s ?3; ?1 t ?4; ?2 s ?1; ?2 t ?5; ?3 s ?2; ?3 t ?6}",
        ),
    ],
)
def test_the_text_of_a_symmetrical_query_never_changes(written, canonical):
    """Such texts are keys in published question sets."""
    assert Query.parse(written).text == canonical


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
        lambda: Text("half a pair \ud800"),
        lambda: Number(Decimal(5), "\ud800"),
        lambda: Number(Decimal("0." + "1" * 2001)),
        lambda: Date(10**12 + 1),
        lambda: instances("\ud800"),
        lambda: entity("\ud800") << "P1",
        lambda: entity("Q1") << "\ud800",
        lambda: Point(float("nan"), 1.0),
        lambda: Date(1960, 2, 30),
        lambda: Date(1960, 13),
    ],
)
def test_a_value_that_could_not_be_written_back_is_refused(make):
    with pytest.raises(RollcallError):
        make()


def test_minus_zero_is_written_like_the_zero_it_equals():
    assert Point(-0.0, 5.0) == Point(0.0, 5.0)
    assert Point(-0.0, 5.0).text == Point(0.0, 5.0).text == "@(0.0,5.0)"


@given(dates | coarse | numbers | texts | points)
def test_every_value_has_a_text_that_parses_back(value):
    assert parse_value(value.text) == value
    query = Query.parse(f"?x P1 {value.text}; ?x P2 Q1")
    assert query.edges[0].object.value == value
