"""The evaluator's array steps, also on sizes that small random graphs never reach."""

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rollcall.graph import Graph, write_graph
from rollcall.graph.rows import contained, expand, ranges, unique_sorted
from rollcall.query import Query, number, parse_value

numbers = st.lists(st.integers(0, 120), max_size=200).map(lambda n: np.array(sorted(n), dtype=np.int32))


@given(numbers, numbers)
def test_ranges_and_what_is_in_them(keys, wanted):
    starts, ends = ranges(keys, wanted)
    assert starts.tolist() == np.searchsorted(keys, wanted, "left").tolist()
    assert ends.tolist() == np.searchsorted(keys, wanted, "right").tolist()
    rows, places = expand(starts, ends)
    pairs = [(row, place) for row, key in enumerate(wanted) for place in np.flatnonzero(keys == key)]
    assert list(zip(rows.tolist(), places.tolist(), strict=True)) == pairs
    assert contained(wanted, keys).tolist() == [key in keys for key in wanted]
    assert unique_sorted(keys).tolist() == sorted(set(keys.tolist()))


SHAPES = [
    "?x r e1; ?x s ?y; ?y r e2",
    "?x a C; ?x r ?y; ?y a D",
    "?x r ?y; ?y s ?z; ?z a C",
    "argmax ?v {?x a C; ?x r ?y; ?y a D; ?x h ?v}",
    "argmin ?v {?x r ?y; ?y h ?v}",
    "max {?y a C; ?y r e1; ?y h ?x}",
    "?x a C; ?x h > 40; ?x r ?y",
    "count {?x r ?y; ?x s ?y}",
    "?x a C; not ?x r ?y; not ?y a D",
    "distinct {?x r ?y; ?y r ?z; ?z a C}",
    "{?x h < 5; ?x a C} | {?x r e3; ?x h >= 90}",
    "?x born < @1950; ?x r ?y; ?y a D",
]


def test_large_sets_give_the_same_answers_as_the_tables(tmp_path):
    """On hundreds of entities the evaluator takes its ways for many; Ibis on DuckDB is the witness."""
    chance = random.Random(5)
    names = [f"e{place}" for place in range(400)]
    facts = [(chance.choice(names), chance.choice("rs"), chance.choice(names[:80])) for _ in range(3000)]
    values = [(name, "h", number(chance.randrange(100))) for name in names if chance.random() < 0.6]
    values += [(name, "born", parse_value(f"@{chance.randrange(1900, 2000)}")) for name in names[::2]]
    types = [(name, chance.choice("CD")) for name in names]
    write_graph(tmp_path / "graph", facts=facts, values=values, types=types)
    with Graph.open(tmp_path / "graph") as graph:
        for text in SHAPES:
            query = Query.parse(text)
            rows = query.to_ibis(graph.tables).to_pyarrow().to_pylist()
            expected = {parse_value(row["answer"]) if row["literal"] else row["answer"] for row in rows}
            assert graph.answers(query) == expected, text
            assert expected, text
