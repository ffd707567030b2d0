"""What the base model of the learned verifier learns from, on a few sentences and on a small world."""

import json
from collections import Counter

import pytest

import examples
import records
from rollcall.corpus import make_corpus
from rollcall.graph import EntityRecord, write_graph

PAGES = {
    "Ann Marl": "Ann Marl was born in Norrow. Ann Marl married Ben Tarr in Graz. Ann Marl left Norrow early.",
    "Cid Voss": "Cid Voss was born in Graz.",
}
NAMES = {"a": "Ann Marl", "b": "Ben Tarr", "c": "Cid Voss", "n": "Norrow", "g": "Graz"}
MARRIED = "[unused1] Ann Marl [unused2] married [unused3] Ben Tarr [unused4] in Graz."
LEFT = "Ann Marl left Norrow early."


@pytest.fixture(scope="module")
def annotated(tmp_path_factory):
    """A graph with all facts of two pages, their corpus, and triples of which one is a decoy."""
    folder = tmp_path_factory.mktemp("annotated")
    write_graph(
        folder / "graph",
        facts=[("a", "born", "n"), ("a", "spouse", "b"), ("a", "married in", "g"), ("c", "born", "g")],
        types=[(one, "place" if one in "ng" else "person") for one in NAMES],
        entities=[EntityRecord(one, name) for one, name in NAMES.items()],
        relations={"born": "place of birth", "spouse": "spouse", "married in": "place of marriage"},
    )
    pages = [{"title": title, "text": text} for title, text in PAGES.items()]
    (folder / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages))
    make_corpus([folder / "pages.jsonl"], folder / "corpus", graph=folder / "graph", jobs=1)
    fact = {"subject": "Ann Marl", "relation": "born", "object": "Norrow", "document": "Ann Marl"}
    triples = [
        {**fact, "text": "Ann Marl was born in Norrow.", "label": True, "kind": "true"},
        {**fact, "text": LEFT, "label": False, "kind": "decoy"},
    ]
    (folder / "triples.jsonl").write_text("".join(json.dumps(triple) + "\n" for triple in triples))
    return folder


def test_what_annotators_left_out_is_not_stated(annotated, tmp_path):
    given = [str(annotated / name) for name in ("graph", "corpus", "triples.jsonl")]
    examples.main(["labelled", *given, "--out", str(tmp_path / "labelled.jsonl.gz")])
    lines = {one["sentence"]: one for one in records.sentences(tmp_path / "labelled.jsonl.gz")}
    birth = lines["[unused1] Ann Marl [unused2] was born in [unused3] Norrow [unused4] ."]
    assert (birth["page"], birth["held"], birth["unstated"]) == ("Ann Marl", ["place of birth"], [])
    assert set(birth["wrong"]) == {"place of marriage"}, "what people and places can have"
    left = lines["[unused1] Ann Marl [unused2] left [unused3] Norrow [unused4] early."]
    assert (left["held"], left["unstated"]) == ([], ["place of birth"])
    assert lines[MARRIED]["held"] == ["spouse"]
    silent = lines["Ann Marl married [unused1] Ben Tarr [unused2] in [unused3] Graz [unused4] ."]
    assert silent["held"] == []
    assert set(silent["wrong"]) == {"place of birth", "place of marriage"}


def test_triples_to_measure_with_are_read_as_candidates_are(annotated, tmp_path):
    given = [str(annotated / name) for name in ("graph", "triples.jsonl")]
    examples.main(["test", *given, "--out", str(tmp_path / "test.jsonl.gz")])
    first, second = records.judged_triples(tmp_path / "test.jsonl.gz")
    assert first == {
        "page": "Ann Marl",
        "sentence": "[unused1] Ann Marl [unused2] was born in [unused3] Norrow [unused4] .",
        "relation": "place of birth",
        "kind": "true",
    }
    assert second["kind"] == "decoy"


def test_a_world_says_which_sentences_state_nothing(small_world):
    lines = list(examples.world(small_world / "graph", small_world / "corpus", small_world / "world"))
    assert sum(len(one["held"]) for one in lines) > 500
    assert sum(len(one["unstated"]) for one in lines) > 20
    for one in lines:
        assert all(one["sentence"].count(f"[unused{number}]") == 1 for number in range(1, 5))
        assert not {*one["held"]} & {*one["unstated"], *one["wrong"]}


def test_distant_examples_keep_apart_from_the_labelled_ones(small_world, tmp_path):
    places = small_world / "graph", small_world / "corpus"
    every = list(examples.distant(*places, None))
    page, count = Counter(one["page"] for one in every).most_common(1)[0]
    triple = {"text": "", "subject": "x", "relation": "y", "object": "z", "document": page, "kind": "true"}
    (tmp_path / "triples.jsonl").write_text(json.dumps(triple) + "\n")
    fewer = list(examples.distant(*places, tmp_path / "triples.jsonl"))
    assert page not in {one["page"] for one in fewer}
    assert len(fewer) == len(every) - count
    assert all(one["held"] and not {*one["held"]} & {*one["wrong"]} for one in every)


def test_each_page_is_in_one_of_the_folds():
    assert {records.fold_of(f"page {number}") for number in range(100)} == set(range(records.FOLDS))
