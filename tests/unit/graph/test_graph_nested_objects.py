"""Objects inside a row of JSON or Parquet: links to entities, or left out and told."""

import json
from pathlib import Path

from graph_dumps import rows
from own_files import made
from rollcall.graph import make_graph

NESTED = "id=no, label=name, types=kind, object=maker, value=price"


def test_an_object_with_an_id_or_a_name_is_a_link_to_an_entity(tmp_path: Path) -> None:
    content = [
        {"no": "p1", "name": "Pump", "kind": "pump", "maker": {"name": "Nordwerk", "id": "Q1"}, "price": 3},
        {"no": "p2", "kind": {"id": "K1", "label": "seal"}, "maker": [{"name": "Ash"}, "Elm", {"@id": 7}]},
        {"no": "p3", "maker": {"id": "p2", "title": "Another seal", "city": "Lund"}, "price": {"id": "Q9"}},
        {"no": "p4", "name": "Own name", "maker": {}, "price": {"latitude": 1, "longitude": 2}},
        {"no": "p5", "maker": {"id": "p4", "name": "Other name"}},
    ]
    for name, text in (
        ("a.json", json.dumps(content)),
        ("a.jsonl", "".join(json.dumps(one) + "\n" for one in content)),
    ):
        graph = made(tmp_path, name, text, source_options={"columns": NESTED})
        assert rows(graph, "facts") == [
            ("p1", "maker", "Q1"),
            *(("p2", "maker", maker) for maker in ("7", "Ash", "Elm")),
            ("p3", "maker", "p2"),
            ("p5", "maker", "p4"),
            ("p3", "price", "Q9"),
        ]
        assert ("p4", "price", "@(1.0,2.0)") in [row[:3] for row in rows(graph, "values")]
        labels = {row[0]: row[1] for row in rows(graph, "entities")}
        assert (labels["Q1"], labels["Ash"], labels["p2"]) == ("Nordwerk", "Ash", "Another seal")
        assert labels["p4"] == "Own name", "a row of its own is asked first"
        assert ("p2", "K1", True) in rows(graph, "types")
        (source,) = graph.manifest["sources"]
        assert (source["bad"], source["remark"]) == ({}, "")
        assert source["skipped"] == {"further keys of nested objects": 1}


def test_objects_are_links_in_facts_too(tmp_path: Path) -> None:
    content = [
        {"subject": {"id": "A", "label": "Ash"}, "relation": {"id": "P1", "label": "made by"}, "object": "B"},
        {"subject": "A", "relation": "P1", "object": [{"id": "C", "name": "Elm"}, "D"]},
        {"subject": "A", "relation": "height", "value": ["5 m", None, 7]},
    ]
    graph = made(tmp_path, "a.json", json.dumps(content))
    assert rows(graph, "facts") == [("A", "P1", "B"), ("A", "P1", "C"), ("A", "P1", "D")]
    assert {row[0]: row[1] for row in rows(graph, "entities")}["C"] == "Elm"
    assert [row[2] for row in rows(graph, "values")] == ["5[Q11573]", "7"]
    assert ("P1", "made by") in [row[:2] for row in rows(graph, "relations")]


def test_other_objects_are_left_out_and_told_in_one_line(tmp_path: Path) -> None:
    plain = {"no": "p", "name": "Pump" * 10, "kind": "pump", "maker": "Elm", "price": 3}
    odd = {**plain, "name": {"en": "Pump"}, "maker": {"city": "Lund"}, "price": {"amount": 3}}
    content = "".join(
        json.dumps({**(odd if number in (150, 180) else plain), "no": f"p{number}"}) + "\n"
        for number in range(1, 201)
    )
    graph = made(tmp_path, "a.jsonl", content, source_options={"columns": NESTED}, block_bytes=5000)
    (source,) = graph.manifest["sources"]
    assert (source["bad"], source["entries"]) == ({}, 200)
    assert source["remark"] == (
        "left out 2 values under label (the first in line 150), 2 values under maker (the first in line "
        "150), 2 values under price (the first in line 150): objects without an id or a name, or lists where "
        "one text belongs; write what they hold under keys of the row itself"
    )
    assert len(rows(graph, "facts")) == len(rows(graph, "values")) == 198
    assert len(rows(graph, "types")) == 200


def test_aliases_and_classes_without_a_name_leave_the_rest_of_the_row(tmp_path: Path) -> None:
    content = {"id": "a", "label": "A", "aliases": [{"count": 3}, "B"], "types": [{"kind": 1}, "pump"]}
    graph = made(tmp_path, "a.jsonl", json.dumps(content))
    assert rows(graph, "aliases")[0][:2] == ("a", "B")
    assert rows(graph, "types") == [("a", "pump", True)]
    (source,) = graph.manifest["sources"]
    assert source["bad"] == {}
    assert source["remark"].startswith(
        "left out 1 value under aliases (the first in line 1), 1 value under types"
    )


def test_structs_of_parquet_are_links(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    content = [{"id": "p1", "label": "Pump", "maker": {"id": "Q1", "name": "Nordwerk"}}]
    pq.write_table(pa.Table.from_pylist(content), tmp_path / "a.parquet")
    given = {"columns": "id=id, label=label, object=maker"}
    graph = make_graph([tmp_path / "a.parquet"], tmp_path / "graph", jobs=1, source_options=given)
    assert rows(graph, "facts") == [("p1", "maker", "Q1")]
    assert {row[0]: row[1] for row in rows(graph, "entities")} == {"Q1": "Nordwerk", "p1": "Pump"}
