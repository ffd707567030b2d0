"""A build words its questions as the pages and tables of its corpus write names and headings."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines import ENGINE
from rollcall.build import Inputs, Work
from rollcall.build.ends import article_counts, full_headings, heading_labels, names_in_texts, realiser_for
from rollcall.corpus import make_corpus
from rollcall.graph import EntityRecord, Graph, write_graph
from rollcall.query import Query, parse_value
from rollcall.wording import Lexicon

TEXTS = {
    "Order of Norr": "The Order of Norr is a prize.",
    "Marl Rising": "Marl Rising is a rising of 1916. Many fell in the Marl Rising.",
    "Folk dance": "A folk dance is a dance. Every folk dance has steps.",
    "Marl": "Marl is a town.",
    "Norr": "Norr is a town.",
    "Velda": "Velda is a town.",
    **{f"House {n}": f"House {n} is a house. It is on the Velda Register of Old Places." for n in range(4)},
}


@pytest.fixture
def inputs(tmp_path: Path) -> Inputs:
    homes = [f"House {n}" for n in range(4)]
    write_graph(
        tmp_path / "graph",
        facts=[
            *((one, "city state", "Marl") for one in homes),
            *((one, "debut mlb or nfl team", "Order of Norr") for one in homes),
        ],
        values=[(one, "population", parse_value("500")) for one in ("Marl", "Norr")],
        types=[*((one, "name on the register") for one in homes), ("Marl", "town"), ("Marl", "seaport")],
        entities=[EntityRecord(name, name) for name in TEXTS],
    )
    pages = [{"id": name, "title": name, "entity": name, "text": text} for name, text in TEXTS.items()]
    (tmp_path / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages))
    header = ["Name", "City / State", "Debut MLB or NFL team"]
    rows = [[{"text": one, "links": [one]}, {"text": "Marl"}, {"text": "x"}] for one in homes]
    table = {"page": "List of houses", "section": "", "intro": "", "header": header, "rows": rows}
    (tmp_path / "tables.jsonl").write_text(json.dumps(table) + "\n")
    files = [tmp_path / "pages.jsonl", tmp_path / "tables.jsonl"]
    make_corpus(files, tmp_path / "corpus", graph=tmp_path / "graph")
    return Inputs(tmp_path / "graph", tmp_path / "corpus")


@pytest.fixture
def graph(inputs: Inputs) -> Iterator[Graph]:
    with Graph.open(inputs.graph) as opened:
        yield opened


def test_names_are_written_as_on_their_pages(graph: Graph, inputs: Inputs, tmp_path: Path) -> None:
    names = names_in_texts(graph, list(TEXTS), inputs, Work(tmp_path, {}, ENGINE))
    assert names == {"Order of Norr": "the Order of Norr", "Folk dance": "folk dance"}


def test_text_says_which_names_have_an_article() -> None:
    texts = [
        "They fought in the Marl Rising, and lost.",
        "He led the Marl Rising in 1916.",
        "The Marl Rising leaders met in Marl.",  # the article is that of the leaders
        "Great Marl Rising is a song.",  # a longer name
        "She lives in Marl.",
    ]
    counts = article_counts(["Marl Rising", "Marl"], texts)
    assert counts["Marl Rising", "the"] == 2
    assert counts["Marl Rising", ""] == 0
    assert counts["Marl", ""] == 2
    assert counts["Marl", "the"] == 0


def test_text_says_which_names_are_of_one_of_many() -> None:
    texts = ["It has an H8 housing.", "There are two H8 housings in it.", "The heavy H8 housing rusts."]
    counts = article_counts(["H8 housing", "Marl"], texts)
    assert counts["H8 housing", "a"] == 2
    assert counts["H8 housing", "the"] == 0


def test_a_register_is_named_by_the_pages_of_its_entries(
    graph: Graph, inputs: Inputs, tmp_path: Path
) -> None:
    work = Work(tmp_path, {}, ENGINE)
    assert full_headings(graph, ["name on the register", "town"], inputs, work) == {
        "name on the register": "entry on the Velda Register of Old Places"
    }


def test_headings_get_back_what_their_labels_lost(graph: Graph, inputs: Inputs, tmp_path: Path) -> None:
    labels = heading_labels(graph, graph.index.relation_ids, inputs, Work(tmp_path, {}, ENGINE))
    assert labels == {
        "city state": "city / state",
        "debut mlb or nfl team": "debut MLB or NFL team",
    }


def test_questions_are_worded_by_all_of_it(graph: Graph, inputs: Inputs, tmp_path: Path) -> None:
    asked = {
        "?x a [name on the register]; ?x [city state] Marl": [f"House {n}" for n in range(4)],
        "?x [debut mlb or nfl team] [Order of Norr]": [f"House {n}" for n in range(4)],
        "?x a town; ?x population > 100": ["Marl"],
        "?x a seaport; ?x population > 100": ["Marl"],
    }
    queries = [Query.parse(text) for text in asked]
    answers = {one for some in asked.values() for one in some}
    work = Work(tmp_path, {}, ENGINE)
    realiser = realiser_for(graph, Lexicon.load(), queries, sorted(answers), inputs, work)
    said = [realiser.ask(query, some) for query, some in zip(queries, asked.values(), strict=True)]
    assert [one.question if one else None for one in said] == [
        "Which houses on the Velda Register of Old Places are in Marl?",
        "Which houses have the Order of Norr as their debut MLB or NFL team?",
        None,  # pages name three towns, and the class has one
        None,  # no page calls anything a seaport
    ]


NOUNS = ["image", "audio", "Marl", "Barbell", "Cattle"]


def test_common_nouns_are_said_in_the_plural_if_text_counts_them(tmp_path: Path) -> None:
    facts = [(f"Tool {n}", "works with", name) for n, name in enumerate(NOUNS * 3)]
    write_graph(tmp_path / "graph", facts=facts, types=[(f"Tool {n}", "tool") for n in range(15)])
    texts = [
        "It opens an image.",
        "It saves images. Open images with it.",
        "An audio player. It plays audio.",
        "Take a barbell. Lift the barbell. A barbell is heavy. Is no other barbell? Take another barbell.",
        "Lead your cattle home. The cattle rest.",
    ]
    pages = [{"id": str(n), "title": f"Page {n}", "text": text} for n, text in enumerate(texts)]
    (tmp_path / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages))
    make_corpus([tmp_path / "pages.jsonl"], tmp_path / "corpus", graph=tmp_path / "graph")
    inputs, work = Inputs(tmp_path / "graph", tmp_path / "corpus"), Work(tmp_path, {}, ENGINE)
    queries = [Query.parse(f"?x [works with] {name}; ?x a tool") for name in NOUNS]
    with Graph.open(inputs.graph) as graph:
        realiser = realiser_for(graph, Lexicon.load(), queries, [], inputs, work)
        questions = [realiser.word(query).question for query in queries]
    assert questions == [
        "Which tools work with images?", "Which tools work with audio?", "Which tools work with Marl?",
        "Which tools work with barbells?", "Which tools work with cattle?",
    ]  # fmt: skip


def test_a_name_at_the_start_of_its_page_shows_that_it_has_no_article(tmp_path: Path) -> None:
    names = {"Iron River": "Iron River is a game for two.", "Blue River": "Blue River (1990) by Tom Ash."}
    write_graph(tmp_path / "graph", entities=[EntityRecord(name, name) for name in names])
    pages = [{"id": name, "title": name, "entity": name, "text": text} for name, text in names.items()]
    (tmp_path / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages))
    make_corpus([tmp_path / "pages.jsonl"], tmp_path / "corpus", graph=tmp_path / "graph")
    inputs = Inputs(tmp_path / "graph", tmp_path / "corpus")
    with Graph.open(inputs.graph) as graph:
        assert names_in_texts(graph, list(names), inputs, Work(tmp_path, {}, ENGINE)) == {
            "Iron River": "Iron River"
        }
