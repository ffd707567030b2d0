"""Combining shards: the engine's queries against the plain definition, and the closure of the hierarchy."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from graph_dumps import folder_bytes, rows
from rollcall.graph import Graph, GraphShard, value_row, write_graph
from rollcall.graph.assemble.finish import finish_graph, finish_in_memory
from rollcall.graph.assemble.index_files import ancestor_pairs
from rollcall.query import Date, Text, number
from rollcall.tables.engine import opened

CLASSES = 6


@given(st.sets(st.tuples(st.integers(0, CLASSES - 1), st.integers(0, CLASSES - 1))), st.integers(1, 20))
def test_the_hierarchy_is_closed(edges: set[tuple[int, int]], rows_per_piece: int) -> None:
    """Cycles, diamonds and all, against repeated composition of the relation with itself."""
    closed = {(c, c) for c in range(CLASSES)} | edges
    while True:
        more = closed | {(a, d) for a, b in closed for c, d in closed if b == c}
        if more == closed:
            break
        closed = more
    pairs = np.array(sorted(edges), dtype=np.int64).reshape(-1, 2)
    pieces = list(ancestor_pairs(CLASSES, pairs[:, 0], pairs[:, 1], rows_per_piece))
    found = [pair for classes, above in pieces for pair in zip(classes.tolist(), above.tolist(), strict=True)]
    assert len(found) == len(set(found))
    assert set(found) == closed


def test_types_in_a_graph_with_a_cycle_and_a_diamond(tmp_path: Path) -> None:
    graph = Graph.open(
        write_graph(
            tmp_path / "g",
            types=[("rex", "dog"), ("rex", "pet"), ("tom", "cat")],
            subclasses=[
                ("dog", "mammal"),
                ("dog", "pet"),
                ("cat", "mammal"),
                ("mammal", "animal"),
                ("pet", "animal"),
                ("animal", "mammal"),
                ("unused", "animal"),
            ],
        )
    )
    assert rows(graph, "types") == [
        ("rex", "animal", False),
        ("rex", "dog", True),
        ("rex", "mammal", False),
        ("rex", "pet", True),
        ("tom", "animal", False),
        ("tom", "cat", True),
        ("tom", "mammal", False),
    ]
    assert rows(graph, "classes", "id", "parents", "entities") == [
        ("animal", ["mammal"], 2),
        ("cat", ["mammal"], 1),
        ("dog", ["mammal", "pet"], 1),
        ("mammal", ["animal"], 2),
        ("pet", ["animal"], 1),
        ("unused", ["animal"], 0),
    ]


ids = st.sampled_from(["a", "b", "ü", "Q1", "😀"])
names = st.none() | st.sampled_from(["Anna", "anna", "Ünal", "ﬁn", "x"])
ranks = st.integers(0, 2)
literals = st.sampled_from([number(3), number(3, "metre"), Date(1999, 5), Text("t"), Text("é", "en")])
counts = st.none() | st.integers(0, 3)


@st.composite
def shards(draw: st.DrawFn) -> list[GraphShard]:
    """Two shards with rows in every table, many of them repeated or in conflict."""
    made = [GraphShard(), GraphShard(rank=1000)]
    pick = st.sampled_from(made)
    for _ in range(draw(st.integers(0, 8))):
        draw(pick).fact(draw(ids), draw(ids), draw(ids))
        draw(pick).entity(draw(ids), draw(names), draw(names), draw(names), preference=draw(ranks))
        draw(pick).alias(draw(ids), draw(names) or "alias", draw(st.sampled_from("st")), draw(counts))
        draw(pick).type(draw(ids), draw(ids))
        draw(pick).subclass(draw(ids), draw(ids))
        draw(pick).relation(draw(ids), draw(names), draw(names), preference=draw(ranks))
        draw(pick).relation_alias(draw(ids), draw(names) or "called")
        draw(pick).value(draw(ids), draw(ids), value_row(draw(literals)))
    return made


@settings(deadline=None, max_examples=12, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(shards())
def test_the_engine_agrees_with_the_definition(made: list[GraphShard]) -> None:
    together = GraphShard()
    for shard in made:
        for table, columns in together.columns.items():
            for column, more in zip(columns, shard.columns[table], strict=True):
                column += more
    with TemporaryDirectory() as folder:
        parts = Path(folder) / "shards"
        for number_, shard in enumerate(made):
            (parts / "source" / "0" / str(number_)).mkdir(parents=True)
            shard.write(parts / "source" / "0" / str(number_))
        with opened() as engine:
            by_engine = finish_graph(Path(folder) / "engine", parts, engine)
        in_memory = finish_in_memory(Path(folder) / "memory", together)
        assert folder_bytes(by_engine) == folder_bytes(in_memory)
