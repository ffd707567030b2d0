"""A corpus from every kind of source: what is in it, whom its pages are about, and what is counted."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_files import (
    PAGES,
    compressed,
    enterprise_lines,
    export_xml,
    page_xml,
    tar_of,
)
from rollcall import RollcallError
from rollcall.corpus import Chunking, Content, CorpusShard, PageRecord, make_corpus
from rollcall.tables.engine import opened


@pytest.fixture(scope="module")
def corpus(graph, tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    source = compressed(folder / "pages.xml.bz2", export_xml().encode())
    return make_corpus([source], folder / "out", graph=graph, jobs=1)


def rows(corpus, table, *columns):
    found = getattr(corpus.tables, table).to_pyarrow().to_pylist()
    return [tuple(row[column] for column in columns) for row in found]


# -- what comes out ------------------------------------------------------------------------------------


def test_pages_have_their_sentences_under_their_headings(corpus):
    assert [(s.section, s.text) for s in corpus.sentences("10")] == [
        ("", "Orm is a city in Vell."),
        ("", "It lies on the Tal."),
        ("People", "Ann Orne was born in Orm."),
    ]
    assert corpus.text("10") == "Orm is a city in Vell. It lies on the Tal.\nAnn Orne was born in Orm."


def test_every_span_is_the_sentence_and_the_whole_is_the_page(corpus):
    for id_, *_ in PAGES:
        text = corpus.text(id_)
        assert len(text) == corpus.page(id_).characters
        for sentence in corpus.sentences(id_):
            assert text[sentence.start : sentence.end] == sentence.text
        for link in corpus.links(id_):
            assert text[link.start : link.end] == link.anchor
            inside = corpus.sentences(id_)[link.sentence]
            assert inside.start <= link.start < link.end <= inside.end


def test_links_mean_entities_through_redirects(corpus):
    found = [(link.anchor, link.target, link.entity) for link in corpus.links("20")]
    assert found == [("Vell", "Vell", "Q4"), ("the city", "Orm City", "Q1")]
    assert ("Orne", "Bert Vale", None) in [(k.anchor, k.target, k.entity) for k in corpus.links("30")]
    assert rows(corpus, "redirects", "title", "target") == [
        ("A. Orne", "Ann Orne"),
        ("Orm City", "Orm"),
        ("Town of Orm", "Orm"),
    ]


def test_pages_are_tied_by_sitelink_then_title_and_the_untied_are_counted(corpus):
    assert [
        (page.id, page.entity, page.tie) for page in map(corpus.page, ["10", "20", "40", "50", "70"])
    ] == [
        ("10", "Q1", "sitelink"),
        ("20", "Q2", "sitelink"),
        ("40", "Q4", "title"),
        ("50", None, None),
        ("70", None, None),
    ]
    assert corpus.manifest["ties"] == {"sitelink": 3, "title": 1}
    assert corpus.manifest["untied"] == {
        "disambiguation": 1,
        "no entity has the title": 1,
        "several entities have the title": 1,
    }
    assert corpus.page_of("Q2").id == "20"
    assert corpus.page_of("Q5") is None
    assert corpus.entities_of("10") == ["Q1", "Q4", "Q2", "Q3"]
    assert corpus.entities_of("70") == ["Q2"]


def test_namesake_lists_are_flagged(corpus):
    assert corpus.page("60").disambiguation
    assert not corpus.page("10").disambiguation


def test_tables_keep_their_cells_and_whom_they_link(corpus):
    (table,) = corpus.page_tables("70")
    assert table.header == ("Name", "Length")
    assert [[cell.text for cell in row] for row in table.rows] == [["Tal", "12 km"], ["Nowhere", "3 km"]]
    assert table.rows[0][0].links == ("Tal (river)",)
    assert table.rows[0][0].entities == ("Q2",)
    assert table.rows[1][0].entities == (None,)


def test_mentions_are_counted_in_text_and_tables(corpus):
    counted = {
        entity: (count, pages)
        for entity, count, pages in rows(corpus, "mentions", "entity", "mentions", "pages")
    }
    assert counted == {"Q1": (5, 4), "Q2": (2, 2), "Q3": (2, 2), "Q4": (2, 2)}


def test_names_become_aliases_unless_they_mostly_mean_another(corpus):
    forms = {
        (e, t, s): (c, round(p, 2))
        for e, t, s, c, p in rows(corpus, "forms", "entity", "text", "source", "count", "share")
    }
    assert forms["Q2", "Tal", "title"] == (0, 1.0)
    assert forms["Q2", "Tal", "anchor"] == (1, 1.0)
    assert forms["Q1", "Orm City", "redirect"] == (1, 1.0)
    assert forms["Q3", "Orm", "anchor"] == (1, 0.2)  # linked three times and titled once as the city
    assert ("Q3", "Orne", "anchor") not in forms  # means a page without an entity
    aliases = rows(corpus, "aliases", "entity", "text", "source", "count")
    assert ("Q3", "Orm", "anchor", 1) not in aliases
    assert ("Q1", "the city", "anchor", 1) in aliases
    assert ("A. Orne", "redirect", 0) in corpus.aliases("Q3")


def test_relations_are_counted_by_the_pages_their_facts_share(corpus):
    assert rows(corpus, "relations", "relation", "facts", "together", "cooccurrences") == [
        ("P17", 2, 2, 5),  # Orm and Vell on three pages, Tal and Vell on two
        ("P19", 1, 1, 3),
        ("P800", 1, 0, 0),
    ]


def test_all_pages_are_given_in_the_order_of_their_ids(corpus):
    ids = [page.id for page in corpus.pages()]
    assert ids == sorted(ids)
    assert len(ids) == corpus.tables.pages.count().to_pyarrow().as_py()
    assert corpus.page(ids[0]) == next(corpus.pages())


def test_passages_are_found_by_id(corpus):
    passage = corpus.passage("10__0")
    assert (passage.first, passage.last, passage.words) == (0, 2, 17)
    assert passage.text == corpus.text("10")
    with pytest.raises(RollcallError, match="no passage"):
        corpus.passage("10__7")


def test_pages_are_found_by_title_redirect_and_entity(corpus):
    for name in ("10", "Orm", "Orm City", "Q1"):
        assert [page.id for page in corpus.find(name)] == ["10"]
    assert corpus.find("nothing") == []


def test_broken_markup_is_counted_and_located(corpus):
    (source,) = corpus.manifest["sources"]
    assert source["mended"] == {"unclosed reference": 1}
    (example,) = source["mended_examples"]
    assert example["reason"] == "Mercury"
    assert export_xml().splitlines()[example["line"] - 1].strip() == "<page>"
    assert source["skipped"] == {"pages of other namespaces": 1, "redirects": 3}


# -- sources -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["p.xml", "p.xml.gz", "p.xml.zst", "p.xml.bz2"])
def test_every_compression_gives_the_same_tables(graph, corpus, tmp_path, name):
    source = compressed(tmp_path / name, export_xml().encode())
    made = make_corpus([source], tmp_path / "out", graph=graph, jobs=1)
    for table in corpus.manifest["counts"]:
        assert (made.folder / f"{table}.parquet").read_bytes() == (
            corpus.folder / f"{table}.parquet"
        ).read_bytes()


@pytest.mark.parametrize("archived", [False, True])
def test_enterprise_dumps_are_read(graph, tmp_path, archived):
    if archived:
        half = enterprise_lines().splitlines(keepends=True)
        files = {"a_0.ndjson": b"".join(half[:1]), "readme.txt": b"no", "a_1.ndjson": b"".join(half[1:])}
        source = tar_of(tmp_path / "dump.tar.gz", files)
    else:
        source = compressed(tmp_path / "dump.ndjson.gz", enterprise_lines())
    made = make_corpus([source], tmp_path / "out", graph=graph, jobs=1)
    assert made.text("10") == "Orm is in Vell. It is old."
    assert made.text("11") == "A town. By wikitext."
    assert (made.page("11").entity, made.page("11").tie, made.page("11").disambiguation) == (
        "Q4",
        "item",
        True,
    )
    assert [link.entity for link in made.links("11")] == ["Q1"]
    assert made.manifest["counts"]["pages"] == 2


def test_json_pages_and_tables_are_joined_by_title(graph, tmp_path):
    pages, tables = tmp_path / "pages.jsonl", tmp_path / "tables.jsonl.gz"
    links = [
        {"target": "Vell", "anchor": "Vell"},
        {"target": "Tal (river)", "start": 0, "end": 3},
        "Ann Orne",
    ]
    records = [
        {"title": "Orm", "text": " Orm is in Vell. \x07Old.\n", "entity": "Q1", "links": links},
        {"id": 7, "title": "Tal", "text": "Tal.", "tables": [{"header": ["A"], "rows": [[1.5], [None]]}]},
    ]
    pages.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    cell = {"text": "the Tal", "links": ["Tal (river)", "Orm"]}
    table = {
        "section": "S",
        "header": ["A", "B"],
        "rows": [[cell, {"text": "x"}], ["y"]],
        "intro": "An intro.",
    }
    compressed(
        tables,
        b"".join(json.dumps({"page": page, **table}).encode() + b"\n" for page in ("Orm", "List", "List")),
    )
    made = make_corpus([tables, pages], tmp_path / "out", graph=graph, jobs=1)
    assert made.text("Orm") == "Orm is in Vell. Old."
    assert [(link.anchor, link.start, link.target) for link in made.links("Orm")] == [
        ("Vell", 10, "Vell"),
        (None, None, "Tal (river)"),
        (None, None, "Ann Orne"),
    ]
    assert made.page("7").entity == "Q2"
    assert [[cell.text for cell in row] for row in made.page_tables("7")[0].rows] == [["1.5"], [""]]
    (table,) = made.page_tables("Orm")
    assert table.rows[0][0].entities == ("Q2", "Q1")
    assert table.rows[1][1].text == ""
    assert [table.number for table in made.page_tables("List")] == [0, 1]
    assert made.text("List") == "An intro."
    assert made.manifest["counts"]["pages"] == 3


def test_links_of_a_cell_keep_their_places_where_some_mean_no_entity(graph, tmp_path):
    """With an engine that is open already, and that stays open."""
    source = tmp_path / "pages.jsonl"
    cells = [{"text": "a", "links": ["Nowhere", "Q2", "Nothing", "Q1"]}, {"text": "b"}]
    page = {"title": "Orm", "text": "Old.", "tables": [{"header": ["A", "B"], "rows": [cells]}]}
    source.write_text(json.dumps(page) + "\n")
    with opened(jobs=1) as engine:
        made = make_corpus([source], tmp_path / "out", graph=graph, engine=engine)
        with engine.workbench(tmp_path / "scratch"):
            pass
    (row,) = made.page_tables("Orm")[0].rows
    assert [cell.entities for cell in row] == [(None, "Q2", None, "Q1"), ()]


def test_of_pages_with_one_id_the_first_is_kept(graph, tmp_path):
    first, second = tmp_path / "a.xml", tmp_path / "b.xml"
    first.write_text(f"<mediawiki>{page_xml('1', 'A', 'First.')}</mediawiki>", encoding="utf-8")
    second.write_text(
        f"<mediawiki>{page_xml('1', 'A', 'Second. Twice.')}{page_xml('2', 'B', 'B.')}</mediawiki>",
        encoding="utf-8",
    )
    made = make_corpus([first, second], tmp_path / "out", graph=graph, jobs=1)
    assert (made.text("1"), made.text("2")) == ("First.", "B.")
    assert [passage.text for passage in made.passages("1")] == ["First."]
    assert made.manifest["duplicates"] == 1


# -- passages and joining ------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300).map(str.strip), st.sampled_from([Chunking(words=3), Chunking("words", 10)]))
def test_sentences_joined_are_the_text_and_passages_cover_it(text, chunking):
    shard = CorpusShard(0, chunking)
    shard.add_page(PageRecord("1", "T", Content(text=text)))
    sentences, passages = shard.rows["sentences"], shard.rows["passages"]
    assert "".join(row[4] + row[7] for row in sentences) == text
    covered = [number for row in passages for number in range(row[4], row[5] + 1)]
    assert covered == list(range(len(sentences)))
    assert shard.dropped_sentences == 0
