"""Evidence wherever it stands: sentences that name both ends of a fact, on pages about neither."""

import json
from functools import cache
from itertools import product

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import ENGINE
from rollcall.corpus import make_corpus
from rollcall.evidence import find_evidence
from rollcall.evidence.mentions import places
from rollcall.evidence.mentions.homonyms import Mentioned, Topics
from rollcall.evidence.mentions.places import MOST_SENTENCES, SoughtEnds
from rollcall.graph import make_graph
from rollcall.tables.build import ProvableFacts
from rollcall.tables.table import arrow, columns

ENTITIES = {
    "ann": ["Ann Marl"],
    "ben": ["Ben Orne"],
    "norrow": ["Norrow"],
    "vell": ["Vell", "the Republic of Vell"],
    "union": ["Miners' Union"],
    "france": ["France"],
    "west": ["Springdale"],
    "east": ["Springdale"],
    "west-state": ["Westmark"],
    "east-state": ["Eastmark"],
    "jazz": ["jazz"],
    "nova": ["Nova"],
    "planet": ["Nova"],
}
FACTS = [
    ("ann", "born in", "norrow"),
    ("norrow", "country", "vell"),
    ("ben", "country of citizenship", "france"),
    ("ben", "member of", "union"),
    ("ann", "genre", "jazz"),
    ("west", "state", "west-state"),
    ("east", "state", "east-state"),
    ("ann", "lives in", "west"),
    ("ben", "saw", "planet"),
    ("ann", "year of birth", "@1951"),
    ("norrow", "population", "12400"),
]


@pytest.fixture(scope="module")
def graph_of(tmp_path_factory):
    """A graph of the entities and of some facts between them; each is made once."""

    @cache
    def make(facts):
        folder = tmp_path_factory.mktemp("graph")
        (folder / "entities.jsonl").write_text(
            "".join(
                json.dumps({"id": one, "label": known[0], "aliases": known[1:], "types": []}) + "\n"
                for one, known in ENTITIES.items()
            )
        )
        (folder / "facts.tsv").write_text(
            "subject\trelation\tobject\n" + "".join("\t".join(fact) + "\n" for fact in facts)
        )
        make_graph([folder / "entities.jsonl", folder / "facts.tsv"], folder / "graph", jobs=1)
        return folder / "graph"

    return make


@pytest.fixture
def find(tmp_path, graph_of):
    """The evidence in some pages; a page is its text, or a record of a page."""

    def run(*pages, facts=FACTS, **options):
        rows = [(*fact, fact[2].startswith("@") or fact[2].isdigit()) for fact in facts]
        graph = graph_of(tuple(row[:3] for row in rows if not row[3]))
        records = [
            {"id": name, "title": f"Report {name}", "entity": None}
            | (page if isinstance(page, dict) else {"text": page})
            for name, page in zip("abc", pages, strict=False)
        ]
        (tmp_path / "pages.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
        make_corpus([tmp_path / "pages.jsonl"], tmp_path / "corpus", graph=graph, jobs=1)
        wanted = dict(zip(columns(ProvableFacts), zip(*rows, strict=True), strict=True))
        pq.write_table(arrow(ProvableFacts, wanted), tmp_path / "facts.parquet")
        inputs = (graph, tmp_path / "corpus", tmp_path / "facts.parquet", tmp_path / "out.parquet")
        run.summary = find_evidence(*inputs, verifier="none", per_fact=99, jobs=1, **options)
        return pq.read_table(tmp_path / "out.parquet").to_pylist()

    return run


def found(rows):
    return {(row["subject"], row["relation"], row["object"], row["page"], row["sentence"]) for row in rows}


def test_facts_whose_ends_have_no_page_are_found_where_both_are_named(find):
    rows = find("It rained. Ann Marl left Norrow. She came back.", "Norrow is in Vell.", "Ann Marl slept.")
    assert found(rows) == {("ann", "born in", "norrow", "a", 1), ("norrow", "country", "vell", "b", 0)}
    (row,) = (row for row in rows if row["subject"] == "ann")
    assert (row["side"], row["name"], row["text"]) == ("neither", "Norrow", "Ann Marl left Norrow.")
    assert find.summary.searchable == len(FACTS)


def test_the_published_rule_knows_the_pages_of_ends_only(find):
    text = "Norrow is in Vell. Ann Marl left Norrow."
    own = {"id": "n", "title": "Norrow", "entity": "norrow", "text": "It is in the Republic of Vell."}
    rows = find(text, own, where="own-pages")
    assert found(rows) == {("norrow", "country", "vell", "n", 0)}
    assert rows[0]["side"] == "subject"
    assert find.summary.searchable == 3, "facts of which neither end has a page are counted"
    rows = find(text, own)
    assert found(rows) >= {("norrow", "country", "vell", "n", 0), ("norrow", "country", "vell", "a", 0)}
    best = next(row for row in rows if row["relation"] == "country" and row["rank"] == 1)
    assert best["page"] == "n", "the page of an end comes first"
    rows = find(text, own, where="own-pages-first")
    assert {row["page"] for row in rows if row["relation"] == "country"} == {"n"}


def test_a_link_names_its_entity_and_nothing_else(find):
    text = "The singer was born in Norrow. Ann Marl saw Norrow."
    links = [
        {"target": "Ann Marl", "start": 0, "end": 10},
        {"target": "Vell", "start": text.rindex("Norrow"), "end": len(text) - 1},
    ]
    about = [
        {"id": end, "title": title, "entity": end, "text": "Nothing."}
        for end, title in (("ann", "Ann Marl"), ("vell", "Vell"))
    ]
    rows = find({"text": text, "links": links}, *about)
    assert found(rows) == set(), "this page uses the name for something else"
    rows = find({"text": text, "links": links[:1]}, *about)
    assert found(rows) == {("ann", "born in", "norrow", "a", 0), ("ann", "born in", "norrow", "a", 1)}


def test_what_a_shared_name_means_is_settled_by_its_sentence(find):
    rows = find("Springdale is in Westmark.", "Springdale is in Eastmark.")
    assert found(rows) == {("west", "state", "west-state", "a", 0), ("east", "state", "east-state", "b", 0)}


def test_or_by_what_else_the_page_names(find):
    """Ann Marl is related to the other one, so the state decides, named in another sentence."""
    facts = [*FACTS, ("ben", "visited", "east")]
    rows = find("Ben Orne visited Springdale. Eastmark is far.", facts=facts)
    assert ("ben", "visited", "east", "a", 0) in found(rows)


def test_a_doubtful_name_is_no_mention(find):
    """Nothing says which of the two is meant; where both fit alike, the graph may have one thing twice."""
    facts = [fact for fact in FACTS if fact[2] != "planet"] + [("nova", "owner", "@1951")]
    rows = find("Nova opened in 1951.", facts=facts)
    assert found(rows) == set()


def test_a_name_means_the_topic_of_its_page(find):
    page = {"id": "w", "title": "Springdale", "entity": "west", "text": "Springdale is far from Eastmark."}
    assert ("east", "state", "east-state", "w", 0) not in found(find(page))


def test_values_are_found_where_the_subject_is_named(find):
    rows = find(
        "Ann Marl, a singer, was born on 3 May 1951.", "Norrow has 12,400 people.", "In 1951 it rained."
    )
    assert found(rows) == {
        ("ann", "year of birth", "@1951", "a", 0),
        ("norrow", "population", "12400", "b", 0),
    }


def test_words_for_a_country_count_for_its_citizens_only(find):
    facts = [*FACTS, ("ben", "toured", "france")]
    rows = find("The French painter Ben Orne spoke.", facts=facts)
    assert found(rows) == {("ben", "country of citizenship", "france", "a", 0)}


def test_a_part_of_another_name_is_no_mention(find):
    assert found(find("Ann Marl plays for Norrow Rovers.")) == set()
    titled = {"text": "Ann Marl left the Battle of Norrow early.", "title": "Battle of Norrow"}
    assert found(find(titled)) == set()


def test_the_most_promising_sentences_are_kept(find):
    far = "Ann Marl, of whom nobody had ever heard anything before that day, left Norrow. " * 15
    rows = find(far, "Ann Marl left Norrow.")
    assert len(rows) == MOST_SENTENCES
    assert ("ann", "born in", "norrow", "b", 0) in found(rows)


WORDS = st.lists(st.sampled_from(["New", "York", "City", "the", "of", "Æ's"]), min_size=1, max_size=4)


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, max_size=5), st.lists(st.lists(WORDS, max_size=4), max_size=4))
def test_keys_find_what_a_plain_search_finds(tmp_path_factory, names, texts):
    import numpy as np

    from rollcall.text.name_forms import WORD
    from rollcall.text.name_lookup import KnownKeys, beginnings, write_keys

    known = {tuple(WORD.findall(" ".join(name))) for name in names}
    sentences = [" ".join(word for part in text for word in part) for text in texts]
    keys = {beginnings(words)[-1]: words for words in known}
    begun = [key for words in known for key in beginnings(words)[:-1]]
    folder = tmp_path_factory.mktemp("keys")
    write_keys(folder, [np.array([*keys], np.uint64)], [np.array(begun, np.uint64)])
    result = KnownKeys(folder).find(pa.array(sentences, pa.string()))
    fast = sorted(
        (row, place, keys[key]) for row, place, key in zip(*(a.tolist() for a in result), strict=True)
    )
    slow = []
    for row, text in enumerate(sentences):
        tokens = [(match.start(), match[0]) for match in WORD.finditer(text)]
        spans = [
            (first, last)
            for first, last in product(range(len(tokens)), range(len(tokens) + 1))
            if tuple(word for _place, word in tokens[first:last]) in known
        ]
        slow += [
            (row, tokens[first][0], tuple(word for _place, word in tokens[first:last]))
            for first, last in spans
            if not any(a <= first and last <= b and (a, b) != (first, last) for a, b in spans)
        ]
    assert fast == sorted(slow)


IDS = st.sampled_from("stuv")
MENTIONS = st.tuples(
    st.integers(1, 2), st.integers(0, 2), st.integers(0, 50), IDS, st.sampled_from(["", "r"])
)


def give(bench, table, rows, name=None):
    values = list(zip(*rows, strict=True)) or [()] * len(columns(table))
    bench.give(table, arrow(table, dict(zip(columns(table), values, strict=True))), name)


@settings(max_examples=15, deadline=None)
@given(
    st.lists(MENTIONS, max_size=12, unique=True),
    st.sets(st.tuples(IDS, st.sampled_from(["r", "q"]), IDS), max_size=6),
    st.sets(st.tuples(st.integers(1, 2), IDS), max_size=2),
)
def test_the_join_finds_every_sentence_with_both_ends(tmp_path_factory, mentions, facts, ties):
    with ENGINE.workbench(tmp_path_factory.mktemp("join")) as bench:
        rows = [(page, sentence, place, end, False, only) for page, sentence, place, end, only in mentions]
        give(bench, Mentioned, rows)
        give(bench, SoughtEnds, [(*fact, False, fact[2]) for fact in sorted(facts)])
        give(bench, Topics, sorted(ties))
        bench.keep(places.EndsOfSentences, places.ends_of_sentences)
        bench.keep(places.Pairs, places.pairs)
        joined = bench.records(places.together)
    fast = {(row["page"], row["sentence"], row["subject"], row["relation"], row["object"]) for row in joined}
    slow = {
        (page, sentence, subject, relation, object_)
        for (page, sentence, _place, one, only), (there, number, _at, other, for_object) in product(
            mentions, repeat=2
        )
        for subject, relation, object_ in facts
        if (page, sentence) == (there, number)
        and (subject, object_) == (one, other)
        and subject != object_
        and not only
        and for_object in ("", relation)
        and not {(page, subject), (page, object_)} & ties
    }
    assert fast == slow
    assert len(joined) == len(fast)
