"""A network and a tokeniser from a GGUF file of the Llama architecture with byte-level tokens (SmolLM2).

Everything else is refused: a model that is loaded almost right gives answers that look almost right.
"""

import re
from typing import Any

from rollcall.errors import RollcallError
from rollcall.systems.train.gguf.file import GgufFile, Value

_NAMES = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "output": "lm_head",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
_TENSOR = re.compile(r"(?:blk\.(\d+)\.)?(\w+)\.(weight|bias)")
_LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_CONTROL, _USER = 3, 4
"""Kinds of token that are never cut into pieces."""


def network(file: GgufFile) -> Any:
    """The causal language model of a file."""
    import torch
    import transformers

    library: Any = transformers
    heads, shared_heads = _whole(file, "attention.head_count"), _whole(file, "attention.head_count_kv")
    size = _whole(file, "embedding_length")
    config = library.LlamaConfig(
        vocab_size=file.tensors["token_embd.weight"].shape[0],
        hidden_size=size,
        intermediate_size=_whole(file, "feed_forward_length"),
        num_hidden_layers=_whole(file, "block_count"),
        num_attention_heads=heads,
        num_key_value_heads=shared_heads,
        head_dim=_whole(file, "attention.key_length", size // heads),
        max_position_embeddings=_whole(file, "context_length"),
        rms_norm_eps=file.metadata["llama.attention.layer_norm_rms_epsilon"],
        rope_parameters={
            "rope_type": "default",
            "rope_theta": file.metadata.get("llama.rope.freq_base", 10000.0),
        },
        tie_word_embeddings="output.weight" not in file.tensors,
        attention_bias="blk.0.attn_q.bias" in file.tensors,
        architectures=["LlamaForCausalLM"],
        **{f"{name}_token_id": _token(file, key) for name, key in _SPECIAL.items() if name != "unk"},
    )
    weights: dict[str, Any] = {}
    for name in file.tensors:
        content = file.tensor(name)
        if ".attn_q." in name or ".attn_k." in name:
            content = _unpermuted(content, heads if ".attn_q." in name else shared_heads)
        weights[_torch_name(file, name)] = torch.from_numpy(content)
    if config.tie_word_embeddings:
        weights["lm_head.weight"] = weights["model.embed_tokens.weight"]
    made = library.LlamaForCausalLM(config)
    try:
        made.load_state_dict(weights)
    except RuntimeError as error:
        about = " ".join(str(error).split())[:200]
        raise RollcallError(f"{file.path}: its weights do not fit its own description ({about})") from None
    return made


def tokeniser(file: GgufFile) -> Any:
    """The tokeniser of a file."""
    import transformers
    from tokenizers import AddedToken, Tokenizer, decoders, models

    library: Any = transformers

    kind = file.metadata.get("tokenizer.ggml.model")
    if kind != "gpt2":
        raise RollcallError(f"{file.path}: has a tokeniser of the kind {kind}; only gpt2 can be read")
    tokens, merges = _texts(file, "tokens"), _texts(file, "merges")
    pairs = [(first, second) for first, _, second in (merge.partition(" ") for merge in merges)]
    made = Tokenizer(models.BPE({token: number for number, token in enumerate(tokens)}, pairs))
    made.pre_tokenizer = _splitting(file)
    made.decoder = decoders.ByteLevel()
    kinds = file.metadata.get("tokenizer.ggml.token_type", [])
    assert isinstance(kinds, list)
    for one, add in ((_CONTROL, made.add_special_tokens), (_USER, made.add_tokens)):
        add(
            [
                AddedToken(token, normalized=False, special=one == _CONTROL)
                for token, known in zip(tokens, kinds, strict=False)
                if known == one
            ]
        )
    special = {name: _token(file, key) for name, key in _SPECIAL.items()}
    if file.metadata.get("tokenizer.ggml.add_bos_token") and special["bos"] is not None:
        made.post_processor = _beginning(tokens[special["bos"]], special["bos"])
    return library.PreTrainedTokenizerFast(
        tokenizer_object=made,
        model_max_length=_whole(file, "context_length"),
        model_input_names=["input_ids", "attention_mask"],
        clean_up_tokenization_spaces=False,
        chat_template=file.metadata.get("tokenizer.chat_template"),
        **{f"{name}_token": tokens[number] for name, number in special.items() if number is not None},
    )


_SPECIAL = {
    "bos": "bos_token_id",
    "eos": "eos_token_id",
    "unk": "unknown_token_id",
    "pad": "padding_token_id",
}


def _splitting(file: GgufFile) -> Any:
    """How text is cut before its tokens are sought: as when the tokens were learned."""
    from tokenizers import Regex, pre_tokenizers

    kind = file.metadata.get("tokenizer.ggml.pre", "default")
    plain = pre_tokenizers.ByteLevel(add_prefix_space=False)
    if kind in ("default", "gpt-2"):
        return plain
    if kind == "smollm":
        return pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), plain])
    if kind in ("llama-bpe", "llama3", "llama-v3"):
        split = pre_tokenizers.Split(Regex(_LLAMA3), behavior="isolated")
        return pre_tokenizers.Sequence(
            [split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
        )
    raise RollcallError(f"{file.path}: cuts text in the way {kind}, which cannot be read")


def _beginning(token: str, number: int) -> Any:
    """Puts a token at the beginning of every text."""
    from tokenizers import processors

    return processors.TemplateProcessing(
        single=f"{token} $A", pair=f"{token} $A {token} $B", special_tokens=[(token, number)]
    )


def _torch_name(file: GgufFile, name: str) -> str:
    found = _TENSOR.fullmatch(name)
    if found is None or found[2] not in _NAMES:
        raise RollcallError(f"{file.path}: has the tensor {name}, which no plain Llama has")
    within = f"model.layers.{found[1]}." if found[1] is not None else ""
    return f"{within}{_NAMES[found[2]]}.{found[3]}"


def _unpermuted(content: Any, heads: int) -> Any:
    """Rows in the order of transformers: llama.cpp rotates neighbours, transformers rotates halves."""
    pairs = content.reshape(heads, content.shape[0] // heads // 2, 2, *content.shape[1:])
    return pairs.swapaxes(1, 2).reshape(content.shape).copy()


def _whole(file: GgufFile, key: str, default: int | None = None) -> int:
    value = file.metadata.get(f"llama.{key}", default)
    if not isinstance(value, int):
        raise RollcallError(f"{file.path}: does not say llama.{key}")
    return value


def _token(file: GgufFile, key: str) -> int | None:
    value = file.metadata.get(f"tokenizer.ggml.{key}")
    return value if isinstance(value, int) else None


def _texts(file: GgufFile, key: str) -> list[str]:
    value: Value = file.metadata.get(f"tokenizer.ggml.{key}", [])
    if not isinstance(value, list) or not value:
        raise RollcallError(f"{file.path}: has no tokenizer.ggml.{key}")
    return [str(one) for one in value]
