"""What the reader `rollcall` sees of possible answers, in its first and its second look."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcall.corpus import make_corpus
from rollcall.graph import EntityRecord, Graph, write_graph
from rollcall.questions import Passage
from rollcall.systems import Asked, Context
from rollcall.systems.read.combined.features import PLAIN, comparison_in
from rollcall.systems.read.combined.looks import Weighing
from rollcall.systems.read.combined.second_look import LOOK

PAGES = {
    "Red Moor": "Red Moor is a film. It was written by Ida Kell.",
    "Blue Fen": "Blue Fen is a film. Its writer was Tom Arle.",
    "Norrow School": "Norrow School is a school in Vell. It was founded in 1860. It moved in 1910.",
    "Orm School": "Orm School is a school in Vell. It was founded in 1920.",
}
PEOPLE = ("Ann Orne", "Ida Kell", "Tom Arle")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A graph and a corpus of four pages: names and classes, and no fact."""
    folder = tmp_path_factory.mktemp("looks")
    kinds = {"Red Moor": "film", "Blue Fen": "film", "Norrow School": "school", "Orm School": "school"}
    names = [*PAGES, *PEOPLE, "Vell"]
    entities = [
        EntityRecord(f"Q{number}", name, title=name, types=(kinds.get(name, "human"),))
        for number, name in enumerate(names, 1)
    ]
    classes = [EntityRecord(one, one) for one in ("film", "school", "human")]
    write_graph(folder / "graph", entities=[*entities, *classes])
    pages = [{"title": title, "text": text} for title, text in PAGES.items()]
    (folder / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages))
    make_corpus([folder / "pages.jsonl"], folder / "corpus", graph=folder / "graph", jobs=1)
    return folder


@pytest.fixture(scope="module")
def opened(made):
    with Context([], corpus=made / "corpus", progress=False) as context, Graph.open(made / "graph") as graph:
        yield graph, context.store


def names_in(graph, look):
    return {graph.label(graph.index.entity_ids[one]) for one in look.answers if isinstance(one, int)}


@given(
    st.integers(1000, 2050),
    st.integers(1000, 2050),
    st.sampled_from([("before", "<"), ("after", ">"), ("until", "<="), ("since", ">=")]),
)
def test_years_are_compared_as_the_question_says(asked, found, word):
    comparison = comparison_in(f"Which schools were founded {word[0]} {asked}?")
    value = comparison_in(f"founded before {found}")
    assert comparison is not None
    assert value is not None
    truth = {"<": found < asked, ">": found > asked, "<=": found <= asked, ">=": found >= asked}
    assert comparison.satisfied(value.bounds) == truth[word[1]]


def test_a_question_that_compares_nothing_has_no_comparison():
    assert comparison_in("Which films of 1990 did Ann Orne direct?") is None
    assert comparison_in("Who wrote Red Moor?") is None


def test_the_page_of_an_entity_is_found(opened):
    graph, store = opened
    (found,) = graph.find("Orm School")
    assert [one.text for one in store.page_of(found.id, 3)] == [PAGES["Orm School"]]
    assert store.page_of("Q999", 3) == []
    assert store.page_of("", 3) == []


def test_the_pages_of_the_things_of_a_chained_question_are_read(opened):
    graph, store = opened
    question = Asked("q", "Who are the writers of the films that Ann Orne directed?")
    listed = [Passage("list__0", "Some list", "Ann Orne directed the films Red Moor and Blue Fen.", 1.0)]
    alone = Weighing(graph, None).first([question], [listed], None)[0]
    with_pages = Weighing(graph, store).first([question], [listed], None)[0]
    assert not {"Ida Kell", "Tom Arle"} & names_in(graph, alone)
    assert {"Ida Kell", "Tom Arle"} <= names_in(graph, with_pages)


def test_trees_for_things_decide_whose_pages_are_read(opened):
    graph, store = opened
    question = Asked("q", "Who are the writers of the films that Ann Orne directed?")
    listed = [Passage("list__0", "Some list", "Ann Orne directed the films Red Moor and Blue Fen.", 1.0)]
    seen = []

    def nothing(rows):
        seen.append(rows.shape[1])
        return np.zeros(len(rows))

    none = Weighing(graph, store).first([question], [listed], nothing)[0]
    assert seen == [len(PLAIN)]
    assert not {"Ida Kell", "Tom Arle"} & names_in(graph, none)


def test_the_second_look_compares_what_the_pages_of_likely_answers_say(opened):
    graph, store = opened
    weighing = Weighing(graph, store)
    question = Asked("q", "Which schools in Vell were founded before 1880?")
    listed = [Passage("list__0", "Some list", "Vell has Norrow School and Orm School.", 1.0)]
    first = weighing.first([question], [listed], None)[0]
    rows = weighing.second(question, first, np.full(len(first.answers), 0.5))
    assert rows.shape == (len(first.answers), len(PLAIN) + len(LOOK))
    beside = len(PLAIN) + LOOK.index("then: value beside the cues")
    read = len(PLAIN) + LOOK.index("then: page read")
    labels = [graph.label(graph.index.entity_ids[one]) for one in first.answers]
    by_name = dict(zip(labels, rows, strict=True))
    assert by_name["Norrow School"][beside] == 1.0, "1860 stands beside `founded`, 1910 does not"
    assert by_name["Orm School"][beside] == -1.0
    assert by_name["Orm School"][read] == 1.0
    without = Weighing(graph, None).second(question, first, np.full(len(first.answers), 0.5))
    assert set(without[:, read].tolist()) == {0.0}


def test_a_question_without_possible_answers_has_no_rows(opened):
    graph, store = opened
    weighing = Weighing(graph, store)
    question = Asked("q", "Which rivers are long?")
    first = weighing.first([question], [[Passage("p__0", "", "Nothing is named here.", 1.0)]], None)[0]
    assert first.rows.shape == (0, len(PLAIN))
    assert weighing.second(question, first, np.zeros(0)).shape == (0, len(PLAIN) + len(LOOK))
