"""The distribution of the weights: what it offers, how large it is, and what its wheel contains."""

import json

import pytest

from core_install import MODELS_PROJECT, PROJECT
from places import ROOT

PACKAGE = ROOT / "models" / "src" / "rollcall_models"
FILES = ("model.onnx", "embeddings.bin", "layers.npz", "tokenizer.json", "card.json")


def test_the_core_can_do_without_the_models():
    assert not any("models" in text or "onnx" in text for text in PROJECT["dependencies"])
    assert [text.partition(">")[0] for text in PROJECT["optional-dependencies"]["models"]] == [
        MODELS_PROJECT["name"]
    ]
    assert not any(text.startswith("rollcall") for text in MODELS_PROJECT["dependencies"])


def test_the_package_says_where_the_model_is():
    models = pytest.importorskip("rollcall_models", reason="the models are not installed")
    assert models.statement_model().is_dir()
    assert models.__version__


def test_the_models_are_small():
    assert sum(path.stat().st_size for path in PACKAGE.rglob("*") if path.is_file()) <= 40e6


@pytest.mark.skipif(not (PACKAGE / "statement" / "model.onnx").exists(), reason="the weights are not here")
def test_the_model_is_complete_and_its_card_can_be_read():
    assert all((PACKAGE / "statement" / name).stat().st_size for name in FILES)
    assert json.loads((PACKAGE / "statement" / "card.json").read_text(encoding="utf-8"))


@pytest.mark.skipif(not (PACKAGE / "ask" / "model.onnx").exists(), reason="the weights are not here")
def test_the_reranker_of_ask_knows_which_wording_a_question_means():
    models = pytest.importorskip("rollcall_models", reason="the models are not installed")
    for name in ("onnxruntime", "tokenizers"):
        pytest.importorskip(name)
    from rollcall.systems.ask.ranking import PackagedScorer, TextPair, packaged_reranker

    scorer = PackagedScorer(models.ask_model(), models.statement_model())
    asked = {
        "who wrote the songs for X": ("Who composed X?", "Who directed X?", "Where was X filmed?"),
        "where did X pass away": ("Where did X die?", "Where was X born?", "Who are the children of X?"),
        "what company makes X": ("Who or what manufactured X?", "Where is X located?", "Who designed X?"),
    }
    for question, (right, *wrong) in asked.items():
        best, *others = scorer.scores([TextPair(question, wording) for wording in (right, *wrong)])
        assert best > max(others), question
    pairs = [TextPair("where did X pass away", "Where did X die?")]
    assert scorer.scores(pairs) == scorer.scores(pairs)
    assert packaged_reranker().version
