"""Answers are called by their label, else by the title of their page, else by their id."""

from pathlib import Path

from rollcall.build.assembling import Namer
from rollcall.graph import EntityRecord, Graph, write_graph
from rollcall.wording.naming import Naming


def test_an_entity_without_a_label_goes_by_the_title_of_its_page(tmp_path: Path) -> None:
    entities = [
        EntityRecord("Q1", label="Norrow", title="Norrow (town)"),
        EntityRecord("Q2", title="Mercury (planet)", aliases=("Hermes",)),
        EntityRecord("Q3"),
    ]
    facts = [("Q1", "P1", "Q2"), ("Q2", "P1", "Q3")]
    with Graph.open(write_graph(tmp_path / "graph", facts=facts, entities=entities)) as graph:
        namer = Namer(graph, {"Q2": ["Mercury", "Mercury (planet)"]})
        answers = [namer.answer(id_, False) for id_ in ("Q1", "Q2", "Q3", "Q9")]
        assert [answer.label for answer in answers] == ["Norrow", "Mercury", "Q3", "Q9"]
        assert answers[1].aliases == ["Hermes", "Mercury (planet)"]
        assert [namer.label(id_) for id_ in ("Q2", "Q3", "P1")] == ["Mercury", "Q3", "P1"]
        assert [Naming(graph).label(id_) for id_ in ("Q1", "Q2", "Q9")] == ["Norrow", "Mercury", "Q9"]
