"""An entity without a label is called by its id, whatever names the others have."""

import json
import shutil

import pyarrow.parquet as pq
import pytest

import rollcall
from rollcall.evidence import find_evidence
from rollcall.graph import EntityRecord, Graph, make_graph, write_graph
from rollcall.questions import Answer, Question
from rollcall.tables.build import ProvableFacts
from rollcall.tables.table import arrow

TOWNS = {"Graz": "Styria", "Leoben": "Styria", "Linz": "Upper Austria", "Steyr": "Upper Austria"}
FACTS = [(town, "in", land) for town, land in TOWNS.items()]
NAMES = {
    "nothing": None,
    "an alias": {"id": "Graz", "aliases": ["Murstadt"]},
    "a label": {"id": "Graz", "label": "Graz"},
    "an alias and a label": {"id": "Graz", "label": "Graz", "aliases": ["Murstadt"]},
}
QUESTIONS = [
    Question("styria", "What is in Styria?", answers=[Answer("Graz"), Answer("Leoben")]),
    Question("linz", "What is Linz in?", answers=[Answer("Upper Austria")]),
]


@pytest.fixture(scope="module", params=NAMES, ids=lambda name: name.replace(" ", "-"))
def made(request, tmp_path_factory):
    """A graph of facts in which one entity is described, and pages about towns."""
    folder = tmp_path_factory.mktemp("named")
    facts = folder / "facts.tsv"
    facts.write_text("".join("\t".join(row) + "\n" for row in [("subject", "relation", "object"), *FACTS]))
    sources = [facts]
    if (described := NAMES[request.param]) is not None:
        sources.append(folder / "entities.jsonl")
        sources[-1].write_text(json.dumps(described))
    pages = [
        {"id": town, "title": f"Notice of {town}", "text": f"{town} is a town in {land}."}
        for town, land in TOWNS.items()
    ]
    (folder / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages))
    make_graph(sources, folder / "graph", jobs=1)
    rollcall.make_corpus([folder / "pages.jsonl"], folder / "corpus", graph=folder / "graph", jobs=1)
    return folder


def test_the_graph_finds_every_entity_by_its_id(made):
    with Graph.open(made / "graph") as graph:
        names = [*TOWNS, *TOWNS.values()]
        assert [graph.index.named(name.lower()).tolist() for name in names] == [
            [graph.index.entity_number(name)] for name in names
        ]
        assert [record.id for record in graph.find("leoben")] == ["Leoben"]


@pytest.mark.parametrize("reader", ["ask", "mentions", "rollcall"])
@pytest.mark.filterwarnings("ignore::rollcall._core.errors.RollcallWarning")
def test_readers_name_entities_by_their_ids(made, reader):
    run = rollcall.run(QUESTIONS, reader, graph=made / "graph", corpus=made / "corpus")
    answers = {prediction.id: {answer.id for answer in prediction.answers} for prediction in run.predictions}
    assert answers["styria"] >= {"Graz", "Leoben"}
    assert answers["linz"] >= {"Upper Austria"}


def test_evidence_names_entities_by_their_ids(made, tmp_path):
    subjects, relations, objects = zip(*FACTS, strict=True)
    wanted = {"subject": subjects, "relation": relations, "object": objects, "literal": [False] * len(FACTS)}
    pq.write_table(arrow(ProvableFacts, wanted), tmp_path / "facts.parquet")
    inputs = (made / "graph", made / "corpus", tmp_path / "facts.parquet", tmp_path / "out.parquet")
    find_evidence(*inputs, verifier="none", jobs=1)
    sentences = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert {(row["subject"], row["object"]) for row in sentences} == set(TOWNS.items())


def test_a_graph_of_python_values_follows_the_same_rule(tmp_path):
    described = [EntityRecord("Q1", "Graz", aliases=("Murstadt",)), EntityRecord("Q2", aliases=("Lumber",))]
    with Graph.open(write_graph(tmp_path / "g", facts=[("Q2", "in", "Q3")], entities=described)) as graph:
        named = {name: [graph.index.entity_ids[one] for one in graph.index.named(name)]
                 for name in ("graz", "murstadt", "lumber", "q1", "q2", "q3")}  # fmt: skip
    assert named == {
        "graz": ["Q1"],
        "murstadt": ["Q1"],
        "lumber": ["Q2"],
        "q1": [],
        "q2": ["Q2"],
        "q3": ["Q3"],
    }


def test_a_graph_without_labels_of_an_earlier_version_is_read_in_the_same_way(tmp_path):
    """It stored aliases as names, and no ids."""
    alone = [EntityRecord("Graz", "Murstadt")]
    index = write_graph(tmp_path / "alone", entities=alone) / "index"
    folder = write_graph(
        tmp_path / "older", facts=FACTS, entities=[EntityRecord("Graz", aliases=("Murstadt",))]
    )
    for name in ("names.bytes", "names.offsets", "name_offsets", "name_entities"):
        shutil.copy(index / f"{name}.npy", folder / "index")  # Graz is the first entity in both
    with Graph.open(folder, check=False) as graph:
        names = {name: graph.index.named(name).tolist() for name in ("murstadt", "graz", "leoben", "styria")}
    assert names == {"murstadt": [0], "graz": [0], "leoben": [1], "styria": [4]}
