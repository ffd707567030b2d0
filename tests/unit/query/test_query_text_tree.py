"""The tree of a query for a terminal."""

import pytest

from rollcall.query import Query
from rollcall.query.parse import to_text_tree


@pytest.mark.parametrize(
    ("query", "tree"),
    [
        ("?x a film; ?x director Q9", ["?x: film", "└─ director → Q9"]),
        (
            "?x director Q9; not ?x producer Q9",
            ["?x", "├─ director → Q9", "└─ not producer → Q9"],
        ),
        (
            "?f director Q9; ?f a film; ?f cast ?x",
            ["?x", "└← cast ─ ?1: film", "  └─ director → Q9"],
        ),
        ("count {?x r Q9}", ["how many different ?x:", "?x", "└─ r → Q9"]),
        ("?x date < @1960", ["?x", "└─ date → < 1960"]),
        ("{?x a b} | {?x c d}", ["?x: b", "or", "?x", "└─ c → d"]),
        ("argmax ?h {?x a m; ?x height ?h}", ["the ?x with the greatest ?v:", "?x: m", "└─ height → ?v"]),
        ("distinct {?x r ?y; ?y r ?x}", ["?x  (all different)", "├← r ─ ?1", "└─ r → ?1"]),
    ],
)
def test_every_statement_is_shown_once(query, tree):
    assert to_text_tree(Query.parse(query)).splitlines() == tree


def test_names_are_shown_instead_of_ids():
    names = {"P57": "director", "Q9": "Orla Venn"}
    assert to_text_tree(Query.parse("?x P57 Q9"), lambda id_: names[id_]) == "?x\n└─ director → Orla Venn"


def test_a_query_deeper_than_the_recursion_of_python_is_shown():
    links = [f"Q{number} r Q{number + 1}" for number in range(2000)]
    lines = to_text_tree(Query.parse("; ".join(["?x r Q0", *links]))).splitlines()
    assert len(lines) == 2002
    assert lines[-1].strip() == "└─ r → Q2000"
