"""Looking things up in a graph: names that several bear, names that none bears, folders that are no graph."""

import json
from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall.corpus import Corpus
from rollcall.graph import EntityRecord, Graph, write_graph
from rollcall.query import number
from rollcall.text.words import fold


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    folder = write_graph(
        tmp_path_factory.mktemp("lookup") / "graph",
        facts=[("Q1", "P1", "Q2"), ("Q2", "P2", "Q3"), ("Q3", "P3", "Q9")],
        values=[("Q1", "P4", number(5, "metre"))],
        entities=[
            EntityRecord("Q1", "Springfield", "in Illinois", "Springfield, Illinois", ("Spfld",), ("city",)),
            EntityRecord("Q2", "Springfield", "in Ohio", aliases=("SPFLD",), types=("city",)),
            EntityRecord("Q3", "Straße", aliases=("Cafe\u0301",)),
            EntityRecord("city", "town"),
        ],
        relations={"P1": "twinned with", "P2": "part of", "P3": "Part of", "P4": "height"},
        subclasses=[("city", "place")],
    )
    return Graph.open(folder)


def found(graph: Graph, name: str) -> list[str]:
    return [record.id for record in graph.find(name)]


def test_find(graph: Graph) -> None:
    assert found(graph, "Q1") == ["Q1"]
    assert found(graph, "Springfield") == ["Q1", "Q2"]
    assert found(graph, "springfield") == ["Q1", "Q2"]
    assert found(graph, "Spfld") == ["Q1"], "a name as it is written comes before one but for its case"
    assert found(graph, "spfld") == ["Q1", "Q2"]
    assert found(graph, "STRASSE") == ["Q3"]
    assert found(graph, "CAFÉ") == ["Q3"], "composed and decomposed letters are the same"
    assert found(graph, "Shelbyville") == []


def test_records(graph: Graph) -> None:
    assert graph.entity("Q1") == EntityRecord(
        "Q1", "Springfield", "in Illinois", "Springfield, Illinois", ("Spfld",), ("city",)
    )
    assert graph.entity("Q9") == EntityRecord("Q9")
    assert (graph.label("Q1"), graph.label("Q9"), graph.label("Q404")) == ("Springfield", "Q9", "Q404")
    with pytest.raises(RollcallError, match="'Q404': no entity with this id"):
        graph.entity("Q404")


def test_ambiguity_is_shown_not_guessed(graph: Graph) -> None:
    assert graph.resolve_entity("Spfld") == "Q1"
    with pytest.raises(
        RollcallError, match=r"names 2 entities, .*Springfield \(Q1\): in Illinois; .*Q2\): in Ohio"
    ):
        graph.resolve_entity("Springfield")
    with pytest.raises(RollcallError, match="no entity is called 'Shelbyville'"):
        graph.resolve_entity("Shelbyville")


def test_relations_and_classes(graph: Graph) -> None:
    assert graph.resolve_relation("P1") == "P1"
    assert graph.resolve_relation("Twinned With") == "P1"
    assert graph.resolve_relation("part of") == "P2"
    assert graph.resolve_relation("Part of") == "P3"
    with pytest.raises(RollcallError, match=r"names 2 relations, .*part of \(P2\); Part of \(P3\)"):
        graph.resolve_relation("PART OF")
    with pytest.raises(
        RollcallError, match=r"no relation is called 'twined with'; did you mean twinned with \(P1\)"
    ):
        graph.resolve_relation("twined with")
    assert graph.resolve_class("town") == "city", "a class bears the label of the entity with its id"
    assert graph.resolve_class("place") == "place"
    assert (graph.class_label("city"), graph.class_label("place")) == ("town", "place")
    with pytest.raises(RollcallError, match=r"did you mean place"):
        graph.resolve_class("palace")


def test_tables(graph: Graph) -> None:
    with graph:
        values = graph.tables.values
        assert values.filter(values.dimension == "length").low.max().to_pyarrow().as_py() == 5.0
    assert "tables" not in graph.__dict__


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("objects.csv", "`rollcall graph objects.csv --out objects-graph`"),
        ("all my.json.gz", "`rollcall graph 'all my.json.gz' --out 'all my-graph'`"),
    ],
)
def test_a_file_given_as_a_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("id,name\n")
    with pytest.raises(RollcallError) as error:
        Graph.open(name)
    assert str(error.value) == f"{name}: is a file, not the folder of a graph; make one of it with {told}"
    with pytest.raises(RollcallError, match="is a file, not the folder of a corpus; make one of it with"):
        Corpus.open(name)


def test_folders_that_are_no_graph(tmp_path: Path) -> None:
    with pytest.raises(RollcallError, match="no such folder"):
        Graph.open(tmp_path / "nowhere")
    with pytest.raises(RollcallError, match="is not a graph"):
        Graph.open(tmp_path)
    (tmp_path / ".partial").mkdir()
    with pytest.raises(RollcallError, match="unfinished; run the same"):
        Graph.open(tmp_path)
    (tmp_path / "graph.json").write_text("[]")
    with pytest.raises(RollcallError, match="not the manifest of a graph"):
        Graph.open(tmp_path)
    (tmp_path / "graph.json").write_text(json.dumps({"format": 99}))
    with pytest.raises(RollcallError, match="graph of format 99"):
        Graph.open(tmp_path)


def test_an_older_graph_is_replaced_and_other_things_are_not(tmp_path: Path) -> None:
    write_graph(tmp_path / "g", facts=[("a", "r", "b")])
    write_graph(tmp_path / "g", facts=[("c", "r", "d")])
    assert Graph.open(tmp_path / "g").index.entity_number("a") is None
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "letter.txt").write_text("dear")
    with pytest.raises(RollcallError, match=r"holds letter\.txt, which Rollcall did not write there"):
        write_graph(tmp_path / "home", facts=[("a", "r", "b")])


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Anna", "anna"),
        ("ẞ", "ss"),
        ("  a  b ", "a b"),
        ("É", "é"),
        ("e\u0301", "é"),
        ("A\tB", "a b"),
        ("", ""),
    ],
)
def test_fold(name: str, folded: str) -> None:
    assert fold(name) == folded


def test_the_ids_of_a_graph_without_labels_are_its_names(tmp_path: Path) -> None:
    facts = [("Ada Moss", "worksIn", "Graz"), ("ADA MOSS", "worksIn", "Linz")]
    with Graph.open(write_graph(tmp_path / "graph", facts=facts)) as bare:
        assert [record.id for record in bare.find("ada moss")] == ["ADA MOSS", "Ada Moss"]
        assert bare.index.has_name_beginning("gra")
        assert [bare.index.entity_ids[one] for one in bare.index.named("graz")] == ["Graz"]
    labelled = [EntityRecord("Q1", "Graz")]
    with Graph.open(write_graph(tmp_path / "other", facts=[("Q2", "P1", "Q1")], entities=labelled)) as graph:
        assert graph.index.has_name_beginning("q2")
        assert not graph.index.has_name_beginning("q1"), "the id of what has a label is no name"
