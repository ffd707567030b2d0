"""A trained mention scorer and its packaged form read the same passages, and score their mentions alike."""

import shutil

import numpy as np
import pytest

from rollcall import RollcallError
from rollcall.systems.read.linking import LinkedMention
from rollcall.systems.read.scorers import HEAD, PackagedMentionNetwork, is_packaged
from rollcall.systems.train.token_inputs import MentionReading

pytest.importorskip("onnxruntime")
rollcall_models = pytest.importorskip("rollcall_models")
TEXTS = (
    "The old mill of Graz was built by Maria Kovacs in 1920, and belongs to the works of Linz.",
    "Norrow lies on the river. " * 12 + "Its founder was Ben Tarr.",
    "No thing is named here.",
)


def readings():
    named = (("Graz", "q1"), ("Maria Kovacs", "q2"), ("Linz", "q3"), ("Norrow", "q4"), ("Ben Tarr", "q5"))
    return [
        MentionReading(
            question,
            "Graz",
            text,
            [
                LinkedMention(text.index(name), text.index(name) + len(name), "text", (id_,), ())
                for name, id_ in named
                if name in text
            ],
        )
        for question in ("Who built the mill of Graz?", "Where does Ben Tarr live?")
        for text in TEXTS
    ]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A small network with random weights, as training saves it, and what packaged networks share."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    pytest.importorskip("onnx")
    from rollcall.systems.train.model_folder import ModelDescription, trained_on, write_about, write_settings
    from rollcall.systems.train.scorers import (
        MENTION_HEADS,
        MENTION_SETTINGS,
        MENTION_SYSTEM,
        EntitySettings,
        MentionNetwork,
    )

    folder, shared = tmp_path_factory.mktemp("trained"), tmp_path_factory.mktemp("shared")
    tokenizer = shared / "tokenizer.json"
    shutil.copyfile(rollcall_models.statement_model() / "tokenizer.json", tokenizer)
    torch.manual_seed(5)
    config = transformers.BertConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64
    )
    encoder = transformers.BertModel(config)
    words = np.random.default_rng(5).integers(0, 256, (config.vocab_size, 32), np.uint8)
    words.tofile(shared / "embeddings.bin")
    scale, zero = np.float32(0.01), np.uint8(128)
    layers = {"scale": scale, "zero": zero, "bert.embeddings.LayerNorm.weight": np.ones(32, np.float16)}
    np.savez(shared / "layers.npz", **layers)
    exact = torch.from_numpy((words.astype(np.float32) - zero) * scale)
    encoder.embeddings.word_embeddings.weight.data.copy_(exact)
    marks = {"cls_token": "[CLS]", "sep_token": "[SEP]", "pad_token": "[PAD]"}
    tokeniser = transformers.PreTrainedTokenizerFast(tokenizer_file=str(tokenizer), **marks)
    network = MentionNetwork(encoder, tokeniser, MENTION_HEADS, 96)
    network.save(folder)
    write_settings(folder / MENTION_SETTINGS, EntitySettings(96))
    write_about(
        folder, ModelDescription(MENTION_SYSTEM, "", {"words": "frozen"}, trained_on("made up", "train", []))
    )
    return folder, shared


def test_a_packaged_scorer_gives_the_scores_of_the_trained_one(trained, tmp_path):
    import mention_export
    from rollcall.systems.train.scorers import MENTION_HEADS, MentionNetwork

    folder, shared = trained
    assert not is_packaged(folder)
    mention_export.export(folder, tmp_path)
    assert is_packaged(tmp_path)
    before = MentionNetwork.load(folder, MENTION_HEADS, 96).scores(readings())
    after = PackagedMentionNetwork(tmp_path, shared, 96).scores(readings())
    assert [sorted(one) for one in before] == [sorted(one) for one in after]
    assert before[0], "mentions are scored"
    assert not before[2], "where nothing is named, nothing is scored"
    pairs = [(one[id_], two[id_]) for one, two in zip(before, after, strict=True) for id_ in one]
    assert max(abs(one - two) for one, two in pairs) < 0.02, "eight bits are nearly as good"
    assert len({round(one, 4) for one, _ in pairs}) > 4, "scores differ between mentions"


def test_scores_do_not_depend_on_what_is_read_together(trained, tmp_path):
    import mention_export

    folder, shared = trained
    mention_export.export(folder, tmp_path)
    network = PackagedMentionNetwork(tmp_path, shared, 96)
    whole = network.scores(readings() * 7)
    assert all(
        abs(one[id_] - two[id_]) < 0.02
        for one, two in zip(whole, network.scores(readings()) * 7, strict=True)
        for id_ in one
    )
    assert network.scores(readings() * 7) == whole


def test_a_scorer_with_words_of_its_own_is_not_exported(trained, tmp_path):
    import mention_export
    from rollcall.systems.train.model_folder import ModelDescription, trained_on, write_about
    from rollcall.systems.train.scorers import MENTION_SYSTEM

    folder = tmp_path / "own words"
    shutil.copytree(trained[0], folder)
    (folder / "rollcall.json").unlink()
    write_about(
        folder, ModelDescription(MENTION_SYSTEM, "", {"words": "trained"}, trained_on("made up", "train", []))
    )
    with pytest.raises(SystemExit, match="words=frozen"):
        mention_export.export(folder, tmp_path / "out")


def test_a_packaged_scorer_without_its_head_is_refused(trained, tmp_path):
    import mention_export

    folder, shared = trained
    mention_export.export(folder, tmp_path)
    (tmp_path / HEAD).write_bytes(b"")
    with pytest.raises(RollcallError, match="the archive is damaged"):
        PackagedMentionNetwork(tmp_path, shared, 96).scores(readings())
