"""All stages of training on a tiny random encoder, up to the files that onnxruntime runs."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra `neural` is not installed")
pytest.importorskip("transformers", reason="the extra `neural` is not installed")
pytest.importorskip("onnx", reason="onnx, which exporting needs, is not installed")
pytest.importorskip("onnxruntime", reason="the models are not installed")

import onnxruntime
import tokenizers
import torch
import transformers

import export
import network
import records
import tokens
import train
from rollcall.evidence.verifiers.learned.verifier import MARKS

pytestmark = pytest.mark.slow
WORDS = "was born married in met near place of birth spouse . ann ben cid norrow graz".split()  # noqa: SIM905
SENTENCE = "[unused1] ann [unused2] was born in [unused3] norrow [unused4] ."


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    """A random encoder of six small layers, with as many tokens as exporting expects."""
    folder = tmp_path_factory.mktemp("encoder")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *MARKS, *WORDS]
    vocabulary += [f"filler{number}" for number in range(20_000 - len(vocabulary))]
    (folder / "vocab.txt").write_text("\n".join(vocabulary))
    transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=6, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=192,
    )  # fmt: skip
    transformers.BertModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    """A few sentences, as labelled ones, as others, and to measure with."""
    folder = tmp_path_factory.mktemp("lines")
    sentences = [
        records.Sentence(
            page=f"page {number}",
            sentence=f"[unused1] {name} [unused2] {verb} [unused3] {other} [unused4] .",
            named=True,
            held=[held],
            unstated=[],
            wrong=[wrong] * 12,
        )
        for number, name in enumerate(["ann", "ben", "cid"] * 4)
        for verb, other, held, wrong in (
            ("was born in", "graz", "place of birth", "spouse"),
            ("married", "norrow", "spouse", "place of birth"),
        )
    ]
    judged = [
        {**one, "relation": one["held"][0] if kind == "true" else one["wrong"][0], "kind": kind}
        for one in sentences
        for kind in ("true", "wrong", "decoy")
    ]
    for name, records_ in (("labelled", sentences), ("other", sentences), ("test", judged)):
        records.write(folder / f"{name}.jsonl.gz", records_)
    return folder


@pytest.fixture(scope="module")
def student(encoder, lines, tmp_path_factory):
    """What the stages write, one after the other."""
    torch.set_num_threads(1)  # several threads wait for each other where other tests run too
    out = tmp_path_factory.mktemp("weights")

    def run(stage, name, *options):
        given = ["--model", encoder, "--examples", lines, "--out", out / f"{name}.pt", *options]
        train.main([stage, *map(str, given)])
        return out / f"{name}.pt"

    large = run("pretrain", "pre6", "--on", "other", "--layers", 6)
    small = run("pretrain", "pre3", "--on", "other", "--layers", 3)
    teachers = [run("teach", f"teacher{n}", "--start", large, "--fold", 0, "--seed", n) for n in (0, 1)]
    assert network.layers_in(teachers[0]) == 6
    return run("distil", "student", "--on", "other", "--start", small, "--teachers", *teachers, "--fold", 0)


def test_the_student_is_small_and_measured_on_the_fold_it_never_saw(student, lines):
    assert network.layers_in(student) == 3
    left_out = [
        one for one in records.judged_triples(lines / "test.jsonl.gz") if records.fold_of(one["page"]) == 0
    ]
    assert len(np.load(student.with_suffix(".npz"))["logits"]) == len(left_out) > 0
    assert not any(".embeddings." in name for name in torch.load(student, weights_only=True))


def test_the_exported_model_judges_as_the_trained_one(student, encoder, tmp_path):
    export.export(student, encoder, tmp_path)
    tokenizer = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    read = tokenizer.encode("place of birth", SENTENCE)
    session = onnxruntime.InferenceSession(str(tmp_path / "model.onnx"), providers=["CPUExecutionProvider"])
    ids, types = np.array([read.ids]), np.array([read.type_ids])
    logit = session.run(["logit"], {"tokens": ids, "mask": np.ones_like(ids), "types": types})[0]

    reader = tokens.Reader(encoder)
    example = tokens.Example(reader.add([SENTENCE]), reader.relation("place of birth"), 0.0)
    assert reader.tensors([example]).tokens.tolist() == [read.ids], "training and use read the same tokens"
    net = network.load(student, encoder, reader.marks)
    assert logit == pytest.approx(train.logits_of(net, reader, [example]), abs=0.05)


def test_training_uses_the_marks_of_the_verifier():
    assert tuple(tokens.MARKS) == tuple(MARKS)
