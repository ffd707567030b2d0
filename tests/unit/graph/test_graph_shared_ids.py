"""Equal ids of different tables and columns: when they mean one entity, and what the other one is called."""

import json
import warnings
from pathlib import Path

import pytest

from graph_dumps import rows
from rollcall import RollcallError
from rollcall._core.errors import RollcallWarning
from rollcall.graph import Graph, make_graph

PARTS = "no,name,kind,supplier\n1,Rotor,part,2\n2,Shaft,part,1\n3,Seal,part,2\n4,Ring,part,2\n5,Bolt,part,1\n"
SUPPLIERS = "no,name,kind\n1,Pell,company\n2,Sand,company\n"
OF_PARTS = "parts.csv: id=no,label=name,types=kind,object=supplier"
OF_SUPPLIERS = "suppliers.csv: id=no,label=name,types=kind"


def graph_of(folder: Path, files: dict[str, str], columns: str, **options: object) -> tuple[Graph, list[str]]:
    """The graph of some files, and the warnings."""
    paths = []
    for name, content in files.items():
        path = folder / name
        path.write_text(content)
        paths.append(path)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RollcallWarning)
        graph = make_graph(
            paths,
            folder / f"graph-{len(list(folder.iterdir()))}",
            source_options={"columns": columns},
            **{"jobs": 1, **options},  # type: ignore[arg-type]
        )
    return graph, [str(warning.message) for warning in caught]


def test_equal_ids_of_two_tables_are_two_entities_and_a_column_refers_to_one(tmp_path: Path) -> None:
    files = {"parts.csv": PARTS, "suppliers.csv": SUPPLIERS}
    graph, told = graph_of(tmp_path, files, f"{OF_PARTS}\n{OF_SUPPLIERS}")
    assert graph.label("1") == "Rotor"
    assert graph.label("1 (company)") == "Pell"
    assert ("2", "supplier", "1 (company)") in rows(graph, "facts")
    assert [row[:2] for row in rows(graph, "types")][:2] == [("1", "part"), ("1 (company)", "company")]
    assert rows(graph, "aliases") == []
    assert told == [
        "2 ids of suppliers.csv are also in parts.csv and are taken for something else: '1' is called "
        "'1 (company)'; if they are the same, say so with --columns id=…@parts.csv"
    ]
    assert graph.manifest["kept_apart"] == told
    remark = graph.manifest["sources"][0]["remark"]
    assert remark == "took supplier for ids of suppliers.csv (2 of 2 values)"


def test_a_column_says_to_which_table_it_refers(tmp_path: Path) -> None:
    parts = PARTS.replace("supplier", "from")
    files = {"parts.csv": parts, "suppliers.csv": SUPPLIERS}
    columns = OF_PARTS.replace("supplier", "from@{}") + f"\n{OF_SUPPLIERS}"
    for file, ends in (("suppliers.csv", "1 (company)"), ("parts.csv", "1")):
        graph, _ = graph_of(tmp_path, files, columns.format(file))
        assert ("2", "from", ends) in rows(graph, "facts")
        assert graph.manifest["sources"][0]["remark"] == ""
    with pytest.raises(
        RollcallError, match=r"names firms\.csv, and the files are parts\.csv, suppliers\.csv"
    ):
        graph_of(tmp_path, files, columns.format("firms.csv"))


def test_tables_about_the_same_things_stay_one(tmp_path: Path) -> None:
    files = {"a.csv": "metal,density\niron,7.9\ntin,7.3\n", "b.csv": "name,color\niron,grey\nlead,grey\n"}
    columns = "a.csv: id=metal,value=density\nb.csv: id=name,value=color"
    graph, told = graph_of(tmp_path, files, columns)
    assert [row[0] for row in rows(graph, "entities")] == ["iron", "lead", "tin"]
    assert told == []
    numbered = {name: text.replace("iron", "1").replace("tin", "2") for name, text in files.items()}
    assert graph_of(tmp_path, numbered, columns)[0].index.entity_number("1 (b)") is not None
    one, _ = graph_of(tmp_path, numbered, columns.replace("id=name", "id=name@a.csv"))
    assert one.index.entity_number("1 (b)") is None


def test_the_class_of_a_column_keeps_its_values_apart_from_others(tmp_path: Path) -> None:
    files = {
        "places.csv": "name,kind,country\nAtlanta,city,Georgia\nGeorgia,state,USA\nTbilisi,city,Georgia\n"
    }
    columns = "id=name,types=kind,object=country:country"
    graph, told = graph_of(tmp_path, files, columns)
    assert ("Atlanta", "country", "Georgia (country)") in rows(graph, "facts")
    assert graph.label("Georgia (country)") == "Georgia"
    assert sorted(found.id for found in graph.find("georgia")) == ["Georgia", "Georgia (country)"]
    assert [row[:2] for row in rows(graph, "types") if row[1] == "country"] == [
        ("Georgia (country)", "country"),
        ("USA", "country"),
    ]
    assert len(told) == 1
    assert "'Georgia' is called 'Georgia (country)'" in told[0]
    same = files["places.csv"].replace("state", "country")
    graph, told = graph_of(tmp_path, {"places.csv": same}, columns)
    assert ("Atlanta", "country", "Georgia") in rows(graph, "facts")
    assert told == []


def test_a_class_above_another_agrees_with_it(tmp_path: Path) -> None:
    places = "name,kind,country\nAtlanta,city,Georgia\nGeorgia,republic,Asia\nTbilisi,city,Georgia\n"
    files = {"places.csv": places, "classes.csv": "class,parent\nrepublic,country\n"}
    graph, told = graph_of(tmp_path, files, "places.csv: id=name,types=kind,object=country:country")
    assert graph.index.entity_number("Georgia (country)") is None
    assert told == []


def test_a_column_with_hardly_a_value_among_the_ids_names_other_things(tmp_path: Path) -> None:
    names = [f"tool{n}" for n in range(12)]
    table = "".join(f"{name},suite{n},{names[n // 2]}\n" for n, name in enumerate(names))
    table += "suite3,suite9,tool1\n"
    files, columns = {"t.csv": f"name,suite,needs\n{table}"}, "id=name,object=suite,object=needs"
    graph, told = graph_of(tmp_path, files, columns)
    assert ("tool3", "suite", "suite3") in rows(graph, "facts")
    assert told == []
    graph, told = graph_of(tmp_path, files, f'types="tool",{columns}')
    assert ("tool3", "suite", "suite3 (suite)") in rows(graph, "facts")
    assert ("tool2", "needs", "tool1") in rows(graph, "facts")
    assert "took needs for ids of t.csv (6 of 6 values)" in graph.manifest["sources"][0]["remark"]
    assert "object=suite@t.csv" in told[0]


def test_columns_without_classes_share_what_they_name(tmp_path: Path) -> None:
    table = "film,director,writer\nUp,Ann,Bo\nDown,Bo,Cy\n"
    graph, told = graph_of(tmp_path, {"f.csv": table}, "id=film,object=director,object=writer")
    assert told == []
    assert [row[0] for row in rows(graph, "entities")] == ["Ann", "Bo", "Cy", "Down", "Up"]
    classes = "id=film,object=person:director,object=robot:writer"
    graph, told = graph_of(tmp_path, {"f.csv": table}, classes)
    assert ("Up", "writer", "Bo (robot)") in rows(graph, "facts")


def test_a_link_inside_a_row_keeps_its_label_under_its_new_id(tmp_path: Path) -> None:
    records = [
        {"id": 1, "name": "Rotor", "kind": "part", "maker": {"id": 1, "name": "Pell"}},
        {"id": 2, "name": "Shaft", "kind": "part", "maker": {"id": 7, "name": "Sand"}},
    ]
    columns = "id=id,label=name,types=kind,object=company:maker"
    lines = "".join(json.dumps(record) + "\n" for record in records)
    graph, _ = graph_of(tmp_path, {"p.jsonl": lines}, columns)
    labels = {row[0]: row[1] for row in rows(graph, "entities")}
    assert labels == {"1": "Rotor", "1 (company)": "Pell", "2": "Shaft", "7": "Sand"}
    assert rows(graph, "aliases") == []


def test_ids_do_not_depend_on_blocks_and_processes(tmp_path: Path) -> None:
    parts = PARTS.replace(",", "\t")
    files = {"parts.tsv": parts, "suppliers.csv": SUPPLIERS}
    columns = f"{OF_PARTS}\n{OF_SUPPLIERS}".replace("parts.csv", "parts.tsv")
    whole, _ = graph_of(tmp_path, files, columns)
    pieces, _ = graph_of(tmp_path, files, columns, jobs=2, block_bytes=30)
    assert {path.name: path.read_bytes() for path in whole.folder.glob("*.parquet")} == {
        path.name: path.read_bytes() for path in pieces.folder.glob("*.parquet")
    }


def test_one_column_may_be_id_and_label(tmp_path: Path) -> None:
    graph, _ = graph_of(
        tmp_path, {"e.csv": "element,year\nIron,1700\n"}, "id=element,label=element,value=year"
    )
    assert rows(graph, "entities")[0][:2] == ("Iron", "Iron")
    records = '[{"element": "Iron", "found": "1766"}]'
    graph, _ = graph_of(tmp_path, {"e.json": records}, "id=element,label=element,value=found,object=found")
    assert rows(graph, "facts") == [("Iron", "found", "1766")]
    assert [row[:2] for row in rows(graph, "values")] == [("Iron", "found")]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["tin;lead", "zinc|tin"], {"lead", "tin", "zinc"}),
        (["tin", "lead", "zinc", "tin, lead", "zinc, tin"], {"lead", "tin", "zinc"}),
        (["Paris, Texas", "Salem, Ohio", "Lima, Ohio"], {"Paris, Texas", "Salem, Ohio", "Lima, Ohio"}),
    ],
)
def test_one_rule_cuts_cells_of_several_names(tmp_path: Path, cells: list[str], expected: set[str]) -> None:
    table = "id,about\n" + "".join(f'x{n},"{cell}"\n' for n, cell in enumerate(cells))
    for role in ("object=about", "types=about"):
        graph, _ = graph_of(tmp_path, {"x.csv": table}, f"id=id,{role}")
        read = {row[2] for row in rows(graph, "facts")} or {row[1] for row in rows(graph, "types")}
        assert read == expected


def test_commas_separate_or_stay_as_the_user_says(tmp_path: Path) -> None:
    table = 'id,aliases,made of\nx,"Ix, Eks;Ex","tin, lead"\ny,,"tin"\nz,,"lead"\nw,,"lead, tin"\n'
    expected = {"auto": (2, {"tin", "lead"}), "separate": (3, {"tin", "lead"}), "keep": (2, None)}
    for commas, (aliases, materials) in expected.items():
        (tmp_path / "x.csv").write_text(table)
        graph = make_graph(
            [tmp_path / "x.csv"],
            tmp_path / commas,
            source_options={"columns": "id=id,aliases=aliases,object=made of", "commas": commas},
            jobs=1,
        )
        assert len(rows(graph, "aliases")) == aliases
        if materials is not None:
            assert {row[2] for row in rows(graph, "facts")} == materials
        else:
            assert ("x", "made of", "tin, lead") in rows(graph, "facts")
