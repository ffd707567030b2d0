"""Retrievers: BM25 against its definition, indexes that are kept, fusion, oracle."""

import math
import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollcall import RollcallError, retrieve
from rollcall.questions import Answer, Evidence, Passage, Question
from rollcall.systems import Asked, Context, PassageStore, open_retriever
from rollcall.systems.interfaces import asked
from rollcall.systems.retrieve import bm25
from rollcall.systems.retrieve.bm25 import Bm25, terms
from rollcall.systems.retrieve.dense import Fusion, fused
from rollcall.systems.retrieve.given import Oracle
from rollcall.systems.retrieve.store import IndexFolder
from rollcall.tables.engines.duckdb import DuckDB

ONE = DuckDB(jobs=1)


@pytest.fixture(scope="module")
def made(asked_world):
    return asked_world


@pytest.fixture(scope="module")
def indexes(made):
    return IndexFolder(made.corpus)


class Texts:
    """Texts in the place of a store."""

    def __init__(self, texts):
        self.texts = texts

    def __len__(self):
        return len(self.texts)

    def indexed_texts(self, first=0, last=None):
        return iter(self.texts[first:last])


def defined(texts, question, k1, b):
    """BM25 by its formula, one passage at a time: scores of those that share a word with the question."""
    words = [terms(text) for text in texts]
    mean = sum(map(len, words)) / len(words) or 1.0  # passages of stop words alone have no length
    scores = {}
    for number, own in enumerate(words):
        counts, score = Counter(own), 0.0
        for term in terms(question):
            having = sum(term in other for other in words)
            rarity = math.log(1 + (len(texts) - having + 0.5) / (having + 0.5))
            damping = k1 * (1 - b + b * len(own) / mean)
            if counts[term]:
                score += rarity * counts[term] * (k1 + 1) / (counts[term] + damping)
        if score:
            scores[number] = score
    return scores


WORDS = ["film", "films", "director", "Wolf", "river", "the", "Žagreb", "zagreb", "orne", "1960", "château"]
TEXTS = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=30).map(" ".join), min_size=1, max_size=12
)


def check(ranking, expected, k):
    numbers, scores = ranking
    assert len(numbers) == min(k, len(expected))
    assert scores == pytest.approx([expected[number] for number in numbers], rel=1e-4)
    best = sorted(expected.values(), reverse=True)[: len(numbers)]
    assert scores == pytest.approx(best, rel=1e-4)
    for (score, one), (next_score, other) in pairwise(zip(scores, numbers, strict=True)):
        assert score > next_score or (score == next_score and one < other)


@given(
    TEXTS, st.lists(st.sampled_from(WORDS), max_size=5), st.integers(1, 14), st.floats(0, 3), st.floats(0, 1)
)
@settings(max_examples=40)
def test_postings_agree_with_the_definition(tmp_path_factory, texts, question, k, k1, b):
    folder = tmp_path_factory.mktemp("postings")
    bm25._make(Texts(texts), folder, ONE, progress=False)
    found = bm25.Postings(folder).search(" ".join(question), k, k1, b)
    check(found, defined(texts, " ".join(question), k1, b), k)


def test_tantivy_agrees_with_the_definition(tmp_path):
    """On passages of up to 40 words, whose lengths tantivy keeps exactly."""
    chance = random.Random(3)
    texts = [" ".join(chance.choices(WORDS, k=chance.randint(1, 40))) for _ in range(300)]
    bm25._make_index(Texts(texts), tmp_path, progress=False)
    index = bm25.TantivyIndex(tmp_path)
    for k in (1, 7, 300):
        question = " ".join(chance.choices(WORDS, k=3))
        check(index.search(question, k), defined(texts, question, 1.2, 0.75), k)


def test_postings_of_several_blocks_are_those_of_one(tmp_path, monkeypatch):
    texts = [f"river {number % 7} film {number % 3}" for number in range(50)]
    for name, block in (("one", 1000), ("many", 8)):
        monkeypatch.setattr(bm25, "_BLOCK", block)
        (tmp_path / name).mkdir()
        bm25._make(Texts(texts), tmp_path / name, ONE, progress=False)
    for file in ("passages.npy", "counts.npy", "offsets.npy", "lengths.npy", "terms.bytes.npy"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "many" / file).read_bytes()


def test_postings_are_the_same_for_any_number_of_processes(indexes, monkeypatch, tmp_path):
    monkeypatch.setattr(bm25, "_BLOCK", 500)
    made = {}
    for jobs in (1, 2):
        folder = IndexFolder(indexes.corpus, tmp_path / str(jobs), jobs=jobs)
        Bm25(folder, k1=0.9)
        made[jobs] = {
            path.name: path.read_bytes() for path in sorted((tmp_path / str(jobs) / "postings").iterdir())
        }
    assert made[1] == made[2]
    assert set(made[1]) == {
        "made_from.json", "passages.npy", "counts.npy", "offsets.npy", "lengths.npy", "terms.bytes.npy",
        "terms.offsets.npy",
    }  # fmt: skip


def test_retrieve_makes_indexes_with_the_engine_it_is_given(made, tmp_path):
    class Counting(DuckDB):
        works = 0

        def map_blocks(self, function, blocks, prepare):
            self.works += 1
            return super().map_blocks(function, blocks, prepare)

    with Counting(jobs=1) as engine:
        for _ in range(2):
            found = retrieve(
                made.questions,
                corpus=made.corpus,
                index=tmp_path / "index",
                engine=engine,
                options={"k1": 0.9},
                limit=1,
            )
        assert engine.works == 1
    assert found.predictions[0].retrieved


def test_equal_scores_come_in_the_order_of_the_corpus(tmp_path):
    texts = ["wolf river"] * 90 + ["wolf"] * 90
    bm25._make_index(Texts(texts), tmp_path, progress=False)
    index = bm25.TantivyIndex(tmp_path)
    assert index.search("river", 50)[0] == list(range(50))
    assert index.search("wolf", 20)[0] == list(range(90, 110))


def test_more_passages_than_there_are_is_all_of_them(indexes):
    retriever = Bm25(indexes)
    whole = retriever.rank(["film director"], len(retriever.store))
    assert whole[0][0]
    assert retriever.rank(["film director"], 10**20) == whole


def test_a_question_without_words_finds_nothing(indexes):
    assert Bm25(indexes).rank(["", "the of ?"], 5) == [([], []), ([], [])]


def test_the_store_has_every_passage_of_the_corpus(made, indexes):
    store = PassageStore.of(indexes)
    assert len(store) == made.corpus.manifest["counts"]["passages"]
    for number in range(0, len(store), 97):
        passage = store.passage(number)
        assert made.corpus.passage(passage.id).text == passage.text
        assert made.corpus.page(passage.id.rpartition("__")[0]).title == passage.title
        assert store.number(passage.id) == number
        assert next(store.indexed_texts(number, number + 1)) == f"{passage.title} {passage.text}"
    assert store.number("no such page__0") is None
    assert store.number(store.passage(0).id.rpartition("__")[0] + "__999") is None


def test_both_engines_put_the_evidence_high(made, indexes):
    for options in ({}, {"k1": 0.9, "b": 0.4}):
        retriever = Bm25(indexes, **options)
        questions = made.questions.questions[:20]
        for question, found in zip(
            questions, retriever.retrieve([asked(q) for q in questions], 50), strict=True
        ):
            assert len(found) <= 50
            wanted = {evidence.passage for answer in question.answers for evidence in answer.evidence}
            assert wanted & {passage.id for passage in found}


def test_an_index_is_made_once_and_again_for_another_corpus(made, tmp_path, monkeypatch):
    import shutil

    from rollcall.corpus import Corpus

    copy = tmp_path / "corpus"
    shutil.copytree(made.folder / "corpus", copy)
    first = Bm25(IndexFolder(Corpus.open(copy))).rank(["river"], 5)
    makes = []
    monkeypatch.setattr(bm25, "_make_index", lambda *_: makes.append("again"))
    assert Bm25(IndexFolder(Corpus.open(copy))).rank(["river"], 5) == first
    assert not makes
    (copy / "corpus.json").write_text((copy / "corpus.json").read_text() + " ")
    with pytest.raises(ValueError):  # noqa: PT011
        Bm25(IndexFolder(Corpus.open(copy)))  # the part is made anew, here by what makes nothing
    assert makes == ["again"]


def test_parameters_that_make_no_sense_are_refused(indexes):
    with pytest.raises(RollcallError, match="b lies between"):
        Bm25(indexes, b=1.5)
    with pytest.raises(RollcallError, match="not a retriever"):
        open_retriever("google", Context(corpus=indexes.corpus))
    with pytest.raises(RollcallError, match="gold evidence"):
        open_retriever("oracle", Context([Question("1", "Who?")], corpus=indexes.corpus))


def test_reciprocal_ranks_are_summed():
    one = [Passage("a", score=9.0), Passage("b", score=8.0)]
    other = [Passage("b", score=0.9), Passage("c", score=0.8)]
    both = fused([one, other], 10)
    assert [passage.id for passage in both] == ["b", "a", "c"]
    assert both[0].score == pytest.approx(1 / 62 + 1 / 61)
    assert [passage.id for passage in fused([one, other], 1)] == ["b"]


def test_two_retrievers_joined_by_a_plus_sign(made):
    context = Context(corpus=made.corpus, index=made.folder / "index")
    joined = open_retriever("bm25+bm25", context)
    assert isinstance(joined, Fusion)
    plain = open_retriever("bm25", context)
    question = [Asked("1", "Which films were directed?")]
    assert [p.id for p in joined.retrieve(question, 9)[0]] == [p.id for p in plain.retrieve(question, 9)[0]]


def test_the_oracle_gives_the_gold_evidence(made, indexes):
    question = next(one for one in made.questions if all(answer.evidence for answer in one.answers))
    found = Oracle(made.questions, indexes).retrieve([asked(question)], 100)[0]
    assert {one.id for one in found} == {e.passage for a in question.answers for e in a.evidence}
    assert all(one.text and one.title for one in found)


def test_the_oracle_takes_answers_in_turn_and_evidence_from_elsewhere(indexes):
    elsewhere = [Evidence(text=f"Text {n}.", passage=f"other__{n}", title="Other") for n in range(4)]
    question = Question(
        "1", "Who?", answers=[Answer("A", evidence=elsewhere[:3]), Answer("B", evidence=elsewhere[3:])]
    )
    found = Oracle([question], indexes).retrieve([asked(question)], 2)[0]
    assert [one.text for one in found] == ["Text 0.", "Text 3."]


def test_systems_never_see_the_gold(made):
    question = made.questions.questions[0]
    seen = asked(question)
    assert set(seen.__struct_fields__) == {"id", "question", "candidates"}


def test_an_option_that_a_retriever_cannot_use_is_refused(made):
    with pytest.raises(
        RollcallError, match="there is no option sample of the retriever bm25; choose one of k1, b"
    ):
        open_retriever("bm25", Context(corpus=made.corpus), {"sample": 10})
