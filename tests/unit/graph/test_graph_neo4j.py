"""Graphs as Neo4j exports them: rows for neo4j-admin, rows and JSON of APOC."""

import json
from pathlib import Path

from graph_dumps import rows
from rollcall.graph import Graph, make_graph

NODES = [
    {"id": "0", "labels": ["Pump", "Product"], "name": "Falcon Pump", "weight": 12, "tags": ["old", "red"]},
    {"id": "1", "labels": ["Company"], "name": "Nordwerk", "aliases": ["NW"], "founded": 1951},
]


def made(folder: Path, **files: str) -> Graph:
    paths = []
    for name, content in files.items():
        paths.append(folder / name.replace("_", "."))
        paths[-1].write_text(content, encoding="utf-8")
    return make_graph(paths, folder / "graph", jobs=1)


def expect(graph: Graph, falcon: str, nordwerk: str) -> None:
    assert rows(graph, "facts") == [(falcon, "MADE_BY", nordwerk)]
    assert graph.entity(falcon).label == "Falcon Pump"
    assert set(graph.entity(falcon).types) == {"Pump", "Product"}
    assert graph.entity(nordwerk).aliases == ("NW",)
    assert graph.relation_label("MADE_BY") == "made by"
    assert rows(graph, "values", "subject", "relation", "value") == [
        (nordwerk, "founded", "@1951"),
        (falcon, "tags", '"old"'),
        (falcon, "tags", '"red"'),
        (falcon, "weight", "12"),
    ]
    skipped = [source["skipped"] for source in graph.manifest["sources"]]
    assert {"properties of relationships": 1} in skipped
    assert all(source["bad"] == {} for source in graph.manifest["sources"])


def test_rows_for_neo4j_admin_with_spaces_of_ids(tmp_path: Path) -> None:
    graph = made(
        tmp_path,
        pumps_csv="pumpId:ID(Pump),name,weight:int,tags:string[],old:IGNORE,:LABEL\n"
        "0,Falcon Pump,12,old;red,x,Pump;Product\n",
        firms_csv=':ID(Firm);name;founded:int;aliases:string[];:LABEL\n0;"Nordwerk";1951;NW;Company\n',
        made_csv=":START_ID(Pump),since:int,:END_ID(Firm),:TYPE\n0,1999,0,MADE_BY\n",
    )
    expect(graph, "Pump/0", "Firm/0")


def test_json_of_apoc_as_lines_and_as_an_array(tmp_path: Path) -> None:
    records: list[dict[str, object]] = [
        {"type": "node", "id": node.pop("id"), "labels": node.pop("labels"), "properties": node}
        for node in map(dict, NODES)
    ]
    records.append(
        {
            **{"id": "7", "type": "relationship", "label": "MADE_BY", "properties": {"since": 1999}},
            **{"start": {"id": "0", "labels": ["Pump"]}, "end": {"id": "1", "labels": ["Company"]}},
        }
    )
    for name, text in (
        ("lines", "\n".join(map(json.dumps, records))),
        ("array", json.dumps(records, indent=2)),
    ):
        (tmp_path / name).mkdir()
        expect(made(tmp_path / name, all_json=text), "0", "1")


def test_rows_of_apoc_hold_nodes_and_relationships(tmp_path: Path) -> None:
    graph = made(
        tmp_path,
        all_csv='"_id","_labels","name","weight","founded","aliases","_start","_end","_type","since"\n'
        '"0",":Pump:Product","Falcon Pump","12",,,,,,\n"1",":Company","Nordwerk",,"1951","NW",,,,\n'
        ',,,,,,"0","1","MADE_BY","1999"\n',
    )
    assert rows(graph, "facts") == [("0", "MADE_BY", "1")]
    assert set(graph.entity("0").types) == {"Pump", "Product"}
    assert rows(graph, "values", "subject", "value") == [("1", "@1951"), ("0", "12")]


def test_a_row_that_is_neither_is_a_bad_entry(tmp_path: Path) -> None:
    graph = made(
        tmp_path, all_csv="_id,_labels,name,_start,_end,_type\n0,:Pump,Falcon,,,\n,,x,,,\n,,,0,,MADE_BY\n"
    )
    assert graph.manifest["sources"][0]["bad"] == {"malformed": 2}
