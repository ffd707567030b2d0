"""`rollcall show` on a graph, and the refusal to replace a graph or a corpus of other files."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall.cli.main import main
from rollcall.corpus import make_corpus
from rollcall.graph import make_graph

FACTS = (
    "subject,relation,object,value\nFalcon,maker,Nordwerk,\nOsprey,maker,Nordwerk,\nFalcon,weight,,12 kg\n"
)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shown")
    (folder / "facts.csv").write_text(FACTS)
    (folder / "entities.jsonl").write_text(
        '{"id": "Falcon", "label": "Falcon <Pump>", "aliases": ["FP"], "types": ["pump"]}\n'
        '{"id": "Osprey", "label": "Osprey", "types": ["pump"]}\n'
        '{"id": "O2", "label": "Osprey", "types": ["bird"]}\n'
    )
    make_graph([folder / "facts.csv", folder / "entities.jsonl"], folder / "graph", jobs=1)
    return folder / "graph"


def shown(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(["show", *map(str, words)])
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out, said.err


def test_an_overview_has_classes_and_relations_with_examples(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, text, _ = shown(capsys, graph)
    for part in ("4 entities, 2 facts, 1 values", "pump", "bird", "Falcon <Pump> → Nordwerk", "12 kg"):
        assert part in text
    _, text, _ = shown(capsys, graph, "--json")
    told = json.loads(text)
    assert {one["label"]: one["entities"] for one in told["classes"]} == {"pump": 2, "bird": 1}
    assert {one["label"]: (one["facts"], one["values"]) for one in told["relations"]} == {
        "maker": (2, 0), "weight": (0, 1)
    }  # fmt: skip


def test_one_entity_with_its_relations_both_ways(graph: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, text, _ = shown(capsys, graph, "FP")
    assert "also FP" in text
    assert "── maker → Nordwerk" in text
    assert "── weight → 12 kg" in text
    _, text, _ = shown(capsys, graph, "Nordwerk", "-n", "1")
    assert "←─ maker ── Falcon <Pump> … and 1 more" in text


def test_a_relation_and_a_class(graph: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Osprey → Nordwerk" in shown(capsys, graph, "maker")[1]
    assert json.loads(shown(capsys, graph, "pump", "--json")[1])["class"]["entities"] == 2


def test_a_neighbourhood_is_drawn(graph: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, _ = shown(capsys, graph, "Falcon", "--picture", tmp_path / "p.svg")
    assert code == 0
    words = [node.text for node in ET.parse(tmp_path / "p.svg").iter("{http://www.w3.org/2000/svg}text")]
    assert sorted(filter(None, words)) == ["12 kg", "Falcon <Pump>", "Nordwerk", "maker", "weight"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nobody"], "no entity, relation or class is called 'nobody'"),
        (["Osprey"], ""),
        (["osprey"], "names 2 entities, use an id"),
        (["maker", "--picture", "x.svg"], "--picture draws what is around one entity"),
        (["--picture", "x.svg"], "name the entity"),
    ],
)
def test_what_cannot_be_shown(
    graph: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    code, _, error = shown(capsys, graph, *words)
    assert code == (2 if message else 0)
    assert message in error


def test_a_graph_or_corpus_of_other_files_is_replaced_only_by_force(tmp_path: Path) -> None:
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_text(FACTS)
    out = tmp_path / "graph"
    make_graph([tmp_path / "one.csv"], out, jobs=1)
    make_graph([tmp_path / "one.csv"], out, jobs=1)
    make_graph([tmp_path / "one.csv", tmp_path / "two.csv"], out, jobs=1)
    with pytest.raises(RollcallError, match=r"of other content \(made of one.csv, two.csv\); .*--force"):
        make_graph([tmp_path / "two.csv"], out, jobs=1)
    make_graph([tmp_path / "two.csv"], out, jobs=1, force=True)
    for name in ("one.txt", "two.jsonl"):
        (tmp_path / name).write_text('{"title": "A", "text": "B."}')
    make_corpus([tmp_path / "two.jsonl"], tmp_path / "corpus", jobs=1)
    with pytest.raises(RollcallError, match="holds a corpus of other content"):
        make_corpus([tmp_path / "one.txt"], tmp_path / "corpus", jobs=1)
