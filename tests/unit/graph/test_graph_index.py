"""The memory-mapped index: string tables, and sorted arrays that say exactly what was put in."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollcall.graph import Graph, write_graph
from rollcall.graph.index import (
    ArrayWriter,
    GraphIndex,
    OffsetsWriter,
    StringTable,
    StringTableWriter,
    open_array,
)
from rollcall.query import Date, Text, Value, number

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@given(st.lists(texts, unique=True), texts)
def test_string_tables_find_what_they_hold(strings: list[str], other: str) -> None:
    ordered = sorted(strings, key=str.encode)
    table = StringTable.of(ordered)
    assert list(table) == ordered
    assert table[:] == ordered
    assert table.arrow().to_pylist() == ordered
    assert [table.find(string) for string in ordered] == list(range(len(ordered)))
    assert (table.find(other) is None) == (other not in ordered)


@given(st.lists(st.lists(st.none() | texts)))
def test_string_tables_are_written_in_pieces(pieces: list[list[str | None]]) -> None:
    with TemporaryDirectory() as folder:
        with StringTableWriter(Path(folder), "names") as writer:
            for piece in pieces:
                writer.append(pa.array([None, *piece], type=pa.string()).slice(1))
        assert list(StringTable.open(Path(folder), "names")) == [s or "" for piece in pieces for s in piece]


def test_string_tables_know_their_ends() -> None:
    table = StringTable.of(["a", "b"])
    assert table[-1] == "b"
    with pytest.raises(IndexError):
        table[2]


@given(st.lists(st.lists(st.integers(0, 9))))
def test_arrays_and_offsets_are_written_in_pieces(pieces: list[list[int]]) -> None:
    keys = sorted(key for piece in pieces for key in piece)
    cuts = np.cumsum([len(piece) for piece in pieces])[:-1] if pieces else []
    with TemporaryDirectory() as folder:
        array, offsets = Path(folder) / "array.npy", Path(folder) / "offsets.npy"
        with ArrayWriter(array, np.int32) as values, OffsetsWriter(offsets, 12) as starts:
            for piece in np.split(np.array(keys, dtype=np.int64), cuts):
                values.append(piece)
                starts.append(piece)
        assert open_array(array).tolist() == keys
        assert open_array(array).dtype == np.int32
        assert open_array(offsets).tolist() == [sum(key < wanted for key in keys) for wanted in range(13)]


names = st.sampled_from(["a", "b", "c", "é", "Z"])
values: st.SearchStrategy[Value] = st.sampled_from(
    [number(1), number(2, "metre"), number(2, "foot"), Date(1980), Date(1980, 5), Text("x"), Text("x", "en")]
)
facts = st.lists(st.tuples(names, st.sampled_from("pq"), names), max_size=12)
literals = st.lists(st.tuples(names, st.sampled_from("pr"), values), max_size=8)


@settings(deadline=None, max_examples=40)
@given(facts, literals, st.lists(st.tuples(names, st.sampled_from("CD")), max_size=6))
def test_the_index_says_what_was_put_in(
    facts: list[tuple[str, str, str]],
    literals: list[tuple[str, str, Value]],
    types: list[tuple[str, str]],
) -> None:
    with TemporaryDirectory() as folder:
        index = Graph.open(write_graph(folder, facts=facts, values=literals, types=types)).index
        expected = set(facts) | {(s, r, value.text) for s, r, value in literals}
        assert read_edges(index, forward=True) == read_edges(index, forward=False) == expected
        check_numbers(index, facts, literals)
        check_types(index, types)
        check_dimensions(index, facts, literals)


def read_edges(index: GraphIndex, *, forward: bool) -> set[tuple[str, str, str]]:
    """The facts and values that one direction of the index holds, having checked their order."""
    found: list[tuple[str, str, str]] = []
    for relation, id_ in enumerate(index.relation_ids):
        assert index.relation_number(id_) == relation
        first, second = index.forward(relation) if forward else index.backward(relation)
        assert first.dtype == second.dtype == index.dtype
        pairs = list(zip(first.tolist(), second.tolist(), strict=True))
        assert pairs == sorted(set(pairs))
        for one, other in pairs:
            subject, object_ = (one, other) if forward else (other, one)
            found.append((index.entity_ids[subject], id_, index.term_text(object_)))
    assert len(found) == len(set(found))
    return set(found)


def check_numbers(
    index: GraphIndex, facts: list[tuple[str, str, str]], literals: list[tuple[str, str, Value]]
) -> None:
    for id_ in {s for s, _, _ in facts} | {o for _, _, o in facts}:
        found = index.entity_number(id_)
        assert found is not None
        assert index.term_text(found) == id_
    assert index.entity_number("nobody") is None
    for _, _, value in literals:
        term = index.literal_number(value.text)
        assert term is not None
        assert index.entity_count <= term < index.entity_count + index.literal_count
        place, bounds = term - index.entity_count, value.bounds
        assert index.value(term) == value
        if bounds is None:
            assert index.literal_dimension[place] == -1
        else:
            assert index.dimensions[index.literal_dimension[place]] == bounds.dimension
            assert (index.literal_low[place], index.literal_high[place]) == (bounds.low, bounds.high)


def check_dimensions(
    index: GraphIndex, facts: list[tuple[str, str, str]], literals: list[tuple[str, str, Value]]
) -> None:
    """A relation has a dimension when all its objects are values that can be compared."""
    for relation, id_ in enumerate(index.relation_ids):
        bounds = [value.bounds for _, r, value in literals if r == id_]
        measured = {None if bound is None else bound.dimension for bound in bounds}
        measured |= {None for _, r, _ in facts if r == id_}
        found = index.value_dimension(relation)
        assert (None if found is None else index.dimensions[found]) == (
            measured.pop() if len(measured) == 1 else None
        )


def check_types(index: GraphIndex, types: list[tuple[str, str]]) -> None:
    entities, classes = index.types_forward()
    forward = [(index.entity_ids[e], index.class_ids[c]) for e, c in zip(entities, classes, strict=True)]
    assert forward == sorted(set(types), key=lambda pair: (pair[0].encode(), pair[1]))
    classes, entities = index.types_backward()
    backward = [(index.class_ids[c], index.entity_ids[e]) for c, e in zip(classes, entities, strict=True)]
    assert backward == sorted({(c, e) for e, c in types}, key=lambda pair: (pair[0], pair[1].encode()))
    for class_ in "CDE":
        members = index.entity_ids.take(index.members(class_))
        assert members == sorted({e for e, c in types if c == class_}, key=str.encode)
    for entity in {entity for entity, _ in types}:
        number_ = index.entity_number(entity)
        assert number_ is not None
        direct = [index.class_ids[c] for c in index.direct_types(number_).tolist()]
        assert direct == sorted({c for e, c in types if e == entity})


@given(st.sets(st.text(alphabet="abé ", max_size=5), max_size=80), st.text(alphabet="abé ", max_size=4))
def test_beginnings_of_sorted_strings_are_found(strings: set[str], beginning: str) -> None:
    table = StringTable.of(sorted(strings, key=str.encode))
    assert table.has_beginning(beginning) == any(one.startswith(beginning) for one in strings)
