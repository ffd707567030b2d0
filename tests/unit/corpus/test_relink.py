"""A corpus tied to another graph: the same text, with ties and links of its own."""

from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall.corpus import Corpus
from rollcall.corpus.make import NamedPlace, relink_corpus
from rollcall.graph import EntityRecord, write_graph

SAME = ("sentences", "passages", "tables", "redirects")


@pytest.fixture(scope="module")
def world(small_world: Path) -> Corpus:
    return Corpus.open(small_world / "corpus")


def rows(corpus: Corpus, table: str, *columns: str) -> list[dict[str, object]]:
    found = getattr(corpus.tables, table)
    return found.select(*columns).to_pyarrow().to_pylist() if columns else found.to_pyarrow().to_pylist()


def test_tying_a_corpus_to_its_own_graph_again_gives_the_same_corpus(world, small_world, tmp_path):
    topics = {page.id: page.entity for page in world.pages() if page.entity}
    made = relink_corpus(world, small_world / "graph", tmp_path / "again", topics=topics, places={})
    assert rows(made, "pages", "id", "title", "entity", "sentences", "tables") == rows(
        world, "pages", "id", "title", "entity", "sentences", "tables"
    )
    for table in (*SAME, "links", "cells", "forms", "aliases", "mentions", "relations"):
        assert rows(made, table) == rows(world, table), table
    assert made.manifest["graph"] == world.manifest["graph"]


def test_places_become_links_but_where_a_link_is_already(world, tmp_path):
    page = next(page for page in world.pages() if len(world.links(page.id)) > 1 and page.sentences > 2)
    sentence, link = world.sentences(page.id)[0], world.links(page.id)[0]
    graph = write_graph(tmp_path / "graph", entities=[EntityRecord("E1", "One"), EntityRecord("E2", "Two")])
    free = NamedPlace(0, sentence.start, sentence.start + 2, sentence.text[:2], "E2")
    taken = NamedPlace(link.sentence, link.start, link.end, link.anchor, "E2")
    made = relink_corpus(
        world, graph, tmp_path / "tied", topics={page.id: "E1"}, places={page.id: [free, taken]}
    )
    assert made.page(page.id).entity == "E1"
    assert [one for one in made.links(page.id) if one.entity == "E2"] == [
        one for one in made.links(page.id) if one.start == sentence.start and one.anchor == sentence.text[:2]
    ]
    assert len(made.links(page.id)) == len(world.links(page.id)) + 1
    assert sum(other.entity is not None for other in made.pages()) == 1


def test_a_corpus_of_other_files_is_not_replaced(world, small_world, tmp_path):
    from rollcall.corpus import make_corpus

    (tmp_path / "pages.jsonl").write_text('{"title": "A", "text": "It is."}\n')
    make_corpus([tmp_path / "pages.jsonl"], tmp_path / "other", jobs=1)
    with pytest.raises(RollcallError, match="holds a corpus of other content"):
        relink_corpus(world, small_world / "graph", tmp_path / "other", topics={}, places={})
