"""Linked mentions: which entities a passage may be about, and where."""

import pytest

from rollcall.graph import EntityRecord, Graph, write_graph
from rollcall.questions import Passage
from rollcall.systems.read.linking import LinkedMention, Linker
from rollcall.text.name_lookup import NameFinder


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    names = {"Q1": "Red Sun", "Q2": "Vell", "Q3": "Vell", **{f"Q1{n}": "Smith" for n in range(5)}}
    folder = write_graph(
        tmp_path_factory.mktemp("graph") / "graph",
        entities=[*(EntityRecord(id_, label) for id_, label in names.items()), EntityRecord("F", "film")],
        types=[("Q1", "F")],
    )
    with Graph.open(folder) as opened:
        yield opened


def linker(graph, owners=()):
    return Linker(graph, NameFinder(graph.index), dict(owners).get)


def test_names_are_linked_with_their_places_entities_and_classes(graph):
    passage = Passage("p__0", "Notes", "They shot Red Sun in Vell.")
    assert linker(graph).mentions(passage) == (
        LinkedMention(10, 17, "text", ("Q1",), ("film",)),
        LinkedMention(21, 25, "text", ("Q2", "Q3"), ("", "")),
    )


def test_a_name_of_too_many_entities_is_left_out(graph):
    assert linker(graph).mentions(Passage("p__0", "", "Smith left.")) == ()


def test_the_title_stands_for_the_entity_of_the_page(graph):
    passage = Passage("p__0", "Vell", "A town.")
    (known,) = linker(graph, [("p__0", "Q3")]).mentions(passage)
    assert known == LinkedMention(0, 4, "title", ("Q3",), ("",))
    (unknown,) = linker(graph).mentions(passage)
    assert unknown.entities == ("Q2", "Q3")
    (other,) = linker(graph, [("p__0", "Q1")]).mentions(Passage("p__0", "Untitled", "It is old."))
    assert other == LinkedMention(0, 8, "title", ("Q1",), ("film",))
