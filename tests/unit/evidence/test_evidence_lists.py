"""Evidence of what lists state: the same search as for facts of the graph, and the words of a list's name."""

import json
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engines import ENGINE
from rollcall.corpus import make_corpus
from rollcall.corpus.lists import MEMBERSHIP, column_relation
from rollcall.evidence import find_evidence
from rollcall.evidence.lists import HeadingVerifier, find_list_evidence, membership_sentence
from rollcall.evidence.validation import validate
from rollcall.graph import make_graph
from rollcall.mine.lists.mine import YEAR_OF_DAY, mine_lists, relate_lists
from rollcall.mine.lists.queries import ListQueryOptions
from rollcall.tables.build import EvidenceRows
from rollcall.tables.table import schema as declared
from rollcall.world import write_world

TITLE = "List of lakes of Norrow"


def test_a_name_is_validated_by_all_its_words_on_the_page():
    page = ["Sylt is an island.", "It lies in Frisia and is the largest German one there."]
    title = "List of islands of Germany in Frisia"
    assert membership_sentence(page, title, "List of").validated
    assert not membership_sentence(page, title, "List of", within_sentence=True).validated
    assert not membership_sentence(["Sylt is an island of Sweden."], title, "List of").validated
    assert membership_sentence(page, title, "List of").sentence == 1


def small_world(folder, sentence, object_, literal, text, header):
    """A graph and a corpus with one page of two sentences, and one fact that a list states of it."""
    entities = [{"id": "Q1", "label": "Ama"}, {"id": "Q2", "label": "Norrow"}]
    pq.write_table(pa.Table.from_pylist(entities), folder / "entities.parquet")
    pq.write_table(
        pa.table({"subject": ["Q1"], "relation": ["in"], "object": ["Q2"]}), folder / "facts.parquet"
    )
    make_graph([folder / "entities.parquet", folder / "facts.parquet"], folder / "graph", jobs=1)
    page = {"id": "1", "title": "Ama", "entity": "Q1", "text": f"Ama is a lake. {sentence}"}
    (folder / "pages.jsonl").write_text(json.dumps(page) + "\n")
    make_corpus([folder / "pages.jsonl"], folder / "corpus", graph=folder / "graph", jobs=1)
    fact = {"subject": "Q1", "relation": column_relation(TITLE, header), "object": object_}
    rows = pa.Table.from_pylist([{**fact, "literal": literal, "text": text}])
    pq.write_table(rows, folder / "list_facts.parquet")
    find_list_evidence(
        folder / "graph", folder / "corpus", folder / "list_facts.parquet", folder / "out", jobs=1
    )
    return read(folder / "out" / "evidence.parquet")


@pytest.mark.parametrize(
    ("object_", "sentence", "validated"),
    [
        ("@1950", "It opened in 1950.", True),
        ("@1950-05-17", "It opened on May 17, 1950.", True),
        ("@1950-05-17", "It opened in 1950.", None),
        ("1500", "It has 1,500 seats.", True),
        ("500", "It has 1,500 seats.", None),
        ("12", "It has 12 windows.", False),
        ("12", "The depth is 12.", True),
        ('"red"', "It is a red lake.", True),
        ('"red"', "It was covered by ice.", None),
        ('"Red"', "The water is red.", False),
        ('"Red"', "At this depth it is red.", True),
    ],
)
def test_values_of_a_column_are_found_as_those_of_any_fact(tmp_path, object_, sentence, validated):
    """None: no sentence states it; False: one might, and is not believed."""
    found = small_world(tmp_path, sentence, object_, True, "", "Depth")
    assert [row["validated"] for row in found] == ([] if validated is None else [validated])
    assert all(row["text"] == sentence for row in found)


@pytest.mark.parametrize(
    ("sentence", "text", "validated"),
    [
        ("It was opened in 1950.", YEAR_OF_DAY, True),
        ("A storm came in 1950.", YEAR_OF_DAY, False),
        ("A storm came in 1950.", "1950", True),
    ],
)
def test_the_year_of_a_day_counts_where_the_heading_does(tmp_path, sentence, text, validated):
    (row,) = small_world(tmp_path, sentence, "@1950", True, text, "Opened")
    assert row["validated"] == validated


def test_a_word_of_a_cell_without_its_capital_counts_where_the_page_says_what_it_is_about(tmp_path):
    (row,) = small_world(tmp_path, "It has no lake.", '"Lake"', True, "", "Type")
    assert (row["name"], row["sentence"], row["validated"]) == ("lake", 0, True)


def test_the_words_of_a_cell_are_names_in_its_column(tmp_path):
    """The corpus and the graph call Q2 Norrow; the list links it by other words."""
    (row,) = small_world(tmp_path, "It lies in the Old Republic.", "Q2", False, "Old Republic", "Country")
    assert (row["name"], row["validated"]) == ("Old Republic", True)


@pytest.mark.parametrize(
    ("text", "heading", "sentence", "name"),
    [
        ('"France"', "Country", "It is a 1990 French film.", "French"),
        ('"France"', "Filming location", "It is a 1990 French film.", None),
        ('"Boxing"', "Sport", "He is an Irish boxer.", "boxer"),
        ('"Boxing"', "Title", "He is an Irish boxer.", None),
    ],
)
def test_the_text_of_a_cell_goes_by_the_words_derived_from_it(tmp_path, text, heading, sentence, name):
    found = small_world(tmp_path, sentence, text, True, "", heading)
    assert [(row["name"], row["validated"]) for row in found] == ([(name, True)] if name else [])


def test_the_heading_of_a_column_says_which_words_are_names(tmp_path):
    (row,) = small_world(tmp_path, "It lies in the Old Part.", "Q2", False, "Old", "Part")
    assert row["name"] == "Old Part"


def test_more_words_of_the_heading_are_believed_more(tmp_path):
    from rollcall.evidence import CandidateSentence

    def score(header, text):
        relation = column_relation(TITLE, header)
        return HeadingVerifier().scores([CandidateSentence("Q1", relation, "Q2", text)])[0]

    assert score("Main river", "It lies in Norrow.") == 0.5
    assert score("Main river", "A river of Norrow.") == 0.75
    assert score("Main rivers", "The main river of Norrow.") == 1


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A small world with its graph, corpus and mined lists."""
    folder = tmp_path_factory.mktemp("lists")
    write_world(folder / "world", entities=1500, seed=3, jobs=1)
    graph = make_graph([folder / "world" / "wikidata.json.gz"], folder / "graph", jobs=1)
    make_corpus([folder / "world" / "pages.xml.bz2"], folder / "corpus", graph=graph.folder, jobs=1)
    mine_lists(folder / "corpus", folder / "lists", ListQueryOptions(), engine=ENGINE)
    return folder


def read(path):
    return pq.read_table(path).to_pylist()


def test_lists_are_validated_on_the_pages_of_their_entries(world):
    lists = world / "lists"
    find_list_evidence(
        world / "graph",
        world / "corpus",
        lists / "list_facts.parquet",
        lists,
        proofs=lists / "proofs.parquet",
    )
    outcome = validate(lists / "queries.parquet", lists / "proofs.parquet", lists / "evidence.parquet", lists)
    assert outcome.queries > 0
    pages = {row["id"]: row["entity"] for row in read(world / "corpus" / "pages.parquet")}
    sentences = {(row["page"], row["number"]): row for row in read(world / "corpus" / "sentences.parquet")}
    passages = {row["id"]: row for row in read(world / "corpus" / "passages.parquet")}
    found = read(lists / "evidence.parquet")
    for row in random.Random(1).sample(found, min(len(found), 300)):
        assert pages[row["page"]] == row["subject"]
        sentence, passage = sentences[row["page"], row["sentence"]], passages[row["passage"]]
        assert (sentence["start"], sentence["end"]) == (row["start"], row["end"])
        assert passage["first"] <= row["sentence"] <= passage["last"]
        if row["relation"] != MEMBERSHIP:
            assert row["name"].casefold() in sentence["text"].casefold()


def test_where_a_list_stands_for_a_relation_only_what_states_it_is_evidence(world):
    lists, out, related = world / "lists", world / "stated", world / "related"
    relate_lists(
        world / "graph", lists / "list_facts.parquet", lists / "proofs.parquet", related, engine=ENGINE
    )
    stated = related / "stated.parquet"
    find_evidence(
        world / "graph", world / "corpus", related / "facts.parquet", stated, verifier="none", jobs=1
    )
    rows = pq.read_table(stated)
    no = pa.array([False] * rows.num_rows)
    pq.write_table(rows.set_column(rows.column_names.index("validated"), "validated", no), stated)
    told, proofs = lists / "list_facts.parquet", lists / "proofs.parquet"
    find_list_evidence(
        world / "graph", world / "corpus", told, out,
        proofs=proofs, related=related / "related.parquet", stated=stated,
    )  # fmt: skip
    fact = ("subject", "relation", "object", "literal")
    standing = {tuple(row[name] for name in fact) for row in read(related / "related.parquet")}
    found = read(out / "evidence.parquet")
    assert not any(row["validated"] for row in found if tuple(row[name] for name in fact) in standing)
    assert any(row["validated"] for row in found)


def test_evidence_has_one_schema_wherever_it_is_written(world):
    """That of facts of the graph, of what lists state, and of nothing at all."""
    lists, facts, out = world / "lists", world / "some-facts.parquet", world / "some.parquet"
    every = pq.read_table(world / "graph" / "facts.parquet").append_column(
        "literal", pa.array([False] * pq.read_metadata(world / "graph" / "facts.parquet").num_rows)
    )
    schemas = []
    for rows in (300, 0):
        pq.write_table(every.slice(0, rows), facts)
        find_evidence(world / "graph", world / "corpus", facts, out, verifier="none", jobs=1)
        schemas.append(pq.read_schema(out))
    find_list_evidence(
        world / "graph", world / "corpus", lists / "list_facts.parquet", world / "schema", jobs=1
    )
    schemas.append(pq.read_schema(world / "schema" / "evidence.parquet"))
    assert all(schema == declared(EvidenceRows) for schema in schemas)


@pytest.mark.parametrize(
    ("title", "sentence", "is_on_it"),
    [
        ("List of football clubs in Argentina", "Almar is an Argentine football club.", True),
        ("List of American novelists", "She is a novelist from the United States.", True),
        ("List of novelists from the United States", "He was an American novelist.", True),
        ("List of novelists from France", "He was an English novelist.", False),
    ],
)
def test_a_page_names_a_land_by_its_adjective_or_the_other_way_round(
    title: str, sentence: str, is_on_it: bool
) -> None:
    found = membership_sentence([sentence], title, "List of")
    assert found is not None
    assert found.validated == is_on_it


@pytest.mark.parametrize(
    ("title", "sentence", "is_on_it"),
    [
        ("List of Norrish writers", "He was a Norrish novelist.", True),
        ("List of Norrish novelists", "He was a Norrish writer.", False),
        ("List of Norrish films", "It is a Norrish comedy.", True),
        ("List of Norrish football clubs", "Marl is a Norrish football team.", True),
        ("List of colleges and universities in Norr", "A college in Norr.", True),
        ("List of cities, towns and villages in Norr", "A village in Norr.", True),
        ("List of colleges and universities in Norr", "A college in Velda.", False),
        ("List of colleges and universities in Norr", "A theatre in Norr.", False),
        ("List of public and civic buildings in Norr", "A public building in Norr.", False),
        ("List of Norrish lemur species", "It is a Norrish lemur.", True),
        ("Marl Register listings in Norr", "A house in Norr, listed on the Marl Register.", True),
        ("Marl Register listings in Norr", "A house in Velda on the Marl Register.", False),
    ],
)
def test_a_kind_of_the_listed_things_is_one_of_them(title: str, sentence: str, is_on_it: bool) -> None:
    found = membership_sentence([sentence], title, "List of")
    assert found is not None
    assert found.validated == is_on_it
