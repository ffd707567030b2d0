"""The retriever `learned`: what it finds, against plain products, and how it goes on after a kill."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollcall
from rollcall import RollcallError
from rollcall.graph import EntityRecord, write_graph
from rollcall.systems import Asked
from rollcall.systems.retrieve import learned, store
from rollcall.systems.retrieve.learned import LearnedRetriever, PackagedEncoder, nearest, packaged_retriever
from rollcall.systems.retrieve.store import IndexFolder

PAGES = {
    "Orla Venn": "Orla Venn was a Danish film director. She made twelve films, and was born in Aarhus.",
    "The Long Quay": "The Long Quay is a drama film of 1974, which Orla Venn directed.",
    "Marrow Hill": "Marrow Hill is a village in the north, with a church and two mills.",
    "River Teme": "The Teme is a river that flows through three counties into the sea.",
    "Ada Lund": "Ada Lund was a swimmer who won two medals at the games of 1952.",
    "Salt and Iron": "Salt and Iron is a thriller, filmed in Aarhus by the director of The Long Quay.",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    pytest.importorskip("onnxruntime")
    pytest.importorskip("rollcall_models")
    folder = tmp_path_factory.mktemp("learned")
    pages = [{"title": title, "text": text} for title, text in PAGES.items()]
    (folder / "pages.jsonl").write_text("".join(json.dumps(one) + "\n" for one in pages))
    write_graph(folder / "graph", entities=[EntityRecord("Q1", "Orla Venn")])
    rollcall.make_corpus([folder / "pages.jsonl"], folder / "corpus", graph=folder / "graph", jobs=1)
    return folder


@pytest.fixture(scope="module")
def corpus(made):
    with rollcall.Corpus.open(made / "corpus") as opened:
        yield opened


@pytest.fixture(scope="module")
def retriever(corpus):
    return LearnedRetriever(IndexFolder(corpus, jobs=1), progress=False)


def test_what_proves_an_answer_is_nearest(retriever):
    asked = [
        Asked("1", "Which films did Orla Venn direct?"),
        Asked("2", "Which swimmers won medals in 1952?"),
    ]
    films, swimmers = retriever.retrieve(asked, 6)
    assert films[0].title == "The Long Quay"
    assert swimmers[0].title == "Ada Lund"
    assert [one.score for one in films] == sorted((one.score for one in films), reverse=True)
    assert {one.title for one in films} == {*PAGES}, "k may be greater than the corpus is"


def test_a_question_finds_the_same_alone_and_among_others(retriever):
    asked = [
        Asked(str(number), f"Which {noun} are there?") for number, noun in enumerate(("films", "rivers"))
    ]
    together = retriever.retrieve(asked, 3)
    assert [retriever.retrieve([one], 3)[0] for one in asked] == together
    assert retriever.retrieve([], 3) == []


def test_similarities_are_the_scores_of_retrieval(retriever):
    question = "Which films did Orla Venn direct?"
    found = retriever.retrieve([Asked("1", question)], 6)[0]
    near = retriever.similarities(question, [*(one.id for one in found), "elsewhere__0"])
    assert near[:6] == [one.score for one in found]
    assert math.isnan(near[6]), "nothing is known of what the corpus does not have"


@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 40),
    st.integers(1, 4),
    st.integers(1, 50),
    st.sampled_from([1, 3, 7, 64]),
)
def test_the_nearest_are_those_of_plain_products(seed, count, questions, k, compared):
    """Small whole numbers, so that products are exact and many are equal."""
    chance = np.random.default_rng(seed)
    vectors = chance.integers(-2, 3, (count, 3)).astype(np.float16)
    wanted = chance.integers(-2, 3, (questions, 3)).astype(np.float32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learned, "_COMPARED", compared)
        found = nearest(vectors, wanted, k)
    for (numbers, scores), one in zip(found, wanted, strict=True):
        products = vectors.astype(np.float32) @ one
        expected = sorted(range(count), key=lambda place: (-products[place], place))[:k]
        assert numbers == expected
        assert scores == [products[place] for place in expected]


def test_a_killed_encoding_goes_on_with_the_block_it_was_at(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr(store, "BLOCK", 2)
    encoded, whole = [], PackagedEncoder.encode_reproducibly

    def breaks(self, texts):
        if len(encoded) == 2:
            raise KeyboardInterrupt
        encoded.append(len(texts))
        return whole(self, texts)

    indexes = IndexFolder(corpus, tmp_path / "index", jobs=1)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(PackagedEncoder, "encode_reproducibly", breaks)
        LearnedRetriever(indexes, progress=False)

    def counts(self, texts):
        encoded.append(len(texts))
        return whole(self, texts)

    monkeypatch.setattr(PackagedEncoder, "encode_reproducibly", counts)
    LearnedRetriever(indexes, progress=False)
    assert sum(encoded) == len(PAGES)
    LearnedRetriever(indexes, progress=False)
    assert sum(encoded) == len(PAGES)
    assert not list(indexes.folder.glob("*.blocks"))


@pytest.mark.slow
def test_vectors_are_the_same_for_any_number_of_processes(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr(store, "BLOCK", 2)
    made = []
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)
        LearnedRetriever(IndexFolder(corpus, folder, jobs=jobs), progress=False)
        made += [one.read_bytes() for one in folder.glob("learned-*/vectors.npy")]
    assert len(made) == 2
    assert made[0] == made[1]


def test_without_its_package_one_line_says_what_to_install(made, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "rollcall_models", None)
    asked = [{"id": "q", "question": "Which films did Orla Venn direct?", "answers": ["The Long Quay"]}]
    with pytest.raises(RollcallError, match="pip install rollcall-models"):
        rollcall.retrieve(asked, "learned", corpus=made / "corpus", k=2)


def test_a_damaged_model_is_one_line(tmp_path):
    pytest.importorskip("rollcall_models")
    _, shared = packaged_retriever()
    (tmp_path / learned.ABOUT).write_text("{}")
    with pytest.raises(RollcallError, match=r"retriever\.json: cannot be read"):
        PackagedEncoder(tmp_path, shared).encode_alone("Which films?")


def test_it_is_fused_with_others_by_its_name(made):
    asked = [{"id": "q", "question": "Which films did Orla Venn direct?", "answers": ["The Long Quay"]}]
    run = rollcall.retrieve(asked, "bm25+learned", corpus=made / "corpus", k=2)
    assert "The Long Quay" in [one.title for one in run.predictions[0].retrieved]
