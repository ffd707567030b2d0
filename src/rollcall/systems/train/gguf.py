"""Language models in the form of llama.cpp (GGUF), as trainable networks with ordinary numbers.

transformers reads the format too, with a package that not every machine has; this reader needs numpy alone,
and is used everywhere, so that a checkpoint means the same weights on each machine.
"""

import re
import struct
from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from rollcall._core.errors import RollcallError

# Rounded numbers as llama.cpp stores them: blocks of small whole numbers, with a scale for each block. A
# value is the whole number times the scale, plus a least value in some formats. The operations and their
# order are those of llama.cpp in float32, so that the results are the same.

Bytes: TypeAlias = npt.NDArray[np.uint8]
Floats: TypeAlias = npt.NDArray[np.float32]


class Format(NamedTuple):
    """How a block of numbers is stored."""

    numbers: int
    """In a block."""
    bytes: int
    """Of a block."""
    read: Callable[[Bytes], Floats]
    """From blocks as rows of bytes to rows of numbers."""


def numbers(kind: Format, content: Bytes) -> Floats:
    """All numbers of some blocks."""
    return kind.read(content.reshape(-1, kind.bytes)).reshape(-1)


def _half(blocks: Bytes, at: int) -> Floats:
    """A scale of each block, as a column."""
    return np.ascontiguousarray(blocks[:, at : at + 2]).view(np.float16).astype(np.float32)


def _single(blocks: Bytes) -> Floats:
    return np.ascontiguousarray(blocks).view(np.float32).copy()


def _bfloat16(blocks: Bytes) -> Floats:
    upper = np.ascontiguousarray(blocks).view(np.uint16).astype(np.uint32)
    return (upper << np.uint32(16)).view(np.float32)


def _halves(content: Bytes) -> npt.NDArray[np.uint8]:
    """The lower halves of all bytes, then the upper halves."""
    return np.concatenate([content & 0x0F, content >> 4], axis=1)


def _bits(blocks: Bytes, at: int) -> npt.NDArray[np.uint8]:
    """32 bits of each block, one in each column."""
    return np.unpackbits(np.ascontiguousarray(blocks[:, at : at + 4]), axis=1, bitorder="little")


def _q4_0(blocks: Bytes) -> Floats:
    return _half(blocks, 0) * (_halves(blocks[:, 2:]).astype(np.int8) - np.int8(8)).astype(np.float32)


def _q4_1(blocks: Bytes) -> Floats:
    return _half(blocks, 0) * _halves(blocks[:, 4:]).astype(np.float32) + _half(blocks, 2)


def _q5_0(blocks: Bytes) -> Floats:
    whole = _halves(blocks[:, 6:]) | (_bits(blocks, 2) << 4)
    return _half(blocks, 0) * (whole.astype(np.int8) - np.int8(16)).astype(np.float32)


def _q5_1(blocks: Bytes) -> Floats:
    whole = _halves(blocks[:, 8:]) | (_bits(blocks, 4) << 4)
    return _half(blocks, 0) * whole.astype(np.float32) + _half(blocks, 2)


def _q8_0(blocks: Bytes) -> Floats:
    return _half(blocks, 0) * np.ascontiguousarray(blocks[:, 2:]).view(np.int8).astype(np.float32)


def _q4_k(blocks: Bytes) -> Floats:
    """Eight groups of 32 numbers; their scales and least values have six bits each."""
    packed = blocks[:, 4:16].reshape(-1, 3, 4)
    first, second, rest = packed[:, 0], packed[:, 1], packed[:, 2]
    scales = np.concatenate([first & 0x3F, (rest & 0x0F) | ((first >> 2) & 0x30)], axis=1)
    least = np.concatenate([second & 0x3F, (rest >> 4) | ((second >> 2) & 0x30)], axis=1)
    groups = blocks[:, 16:].reshape(-1, 4, 1, 32) >> np.array([0, 4], dtype=np.uint8).reshape(1, 1, 2, 1)
    whole = (groups & 0x0F).reshape(-1, 8, 32).astype(np.float32)
    step = (_half(blocks, 0) * scales.astype(np.float32))[:, :, None]
    return (step * whole - (_half(blocks, 2) * least.astype(np.float32))[:, :, None]).reshape(-1, 256)


def _q6_k(blocks: Bytes) -> Floats:
    """Sixteen groups of 16 numbers, of four lower and two upper bits each."""
    shifts = np.array([0, 2, 4, 6], dtype=np.uint8)
    lower = blocks[:, :128].reshape(-1, 2, 1, 64) >> np.array([0, 4], dtype=np.uint8).reshape(1, 1, 2, 1)
    upper = blocks[:, 128:192].reshape(-1, 2, 1, 32) >> shifts.reshape(1, 1, 4, 1)
    whole = (lower & 0x0F).reshape(-1, 8, 32) | ((upper & 0x03).reshape(-1, 8, 32) << 4)
    scales = np.ascontiguousarray(blocks[:, 192:208]).view(np.int8).astype(np.float32)
    centred = (whole.astype(np.int8) - np.int8(32)).astype(np.float32).reshape(-1, 16, 16)
    return ((_half(blocks, 208) * scales)[:, :, None] * centred).reshape(-1, 256)


FORMATS: dict[int, Format] = {
    0: Format(1, 4, _single),
    1: Format(1, 2, lambda blocks: _half(blocks, 0)),
    2: Format(32, 18, _q4_0),
    3: Format(32, 20, _q4_1),
    6: Format(32, 22, _q5_0),
    7: Format(32, 24, _q5_1),
    8: Format(32, 34, _q8_0),
    12: Format(256, 144, _q4_k),
    14: Format(256, 210, _q6_k),
    30: Format(1, 2, _bfloat16),
}
"""By the number of the format in a file: F32, F16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q6_K, BF16."""


# The GGUF format: a header with metadata, a list of tensors, and their numbers. The file is mapped into
# memory, and a tensor is read when it is asked for.

Value: TypeAlias = "str | int | float | bool | list[Value]"

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_ALIGNMENT = 32
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_TEXT, _LIST = 8, 9


class Tensor(NamedTuple):
    """Where a tensor is."""

    shape: tuple[int, ...]
    """As numpy has it: the rows first."""
    format: int
    offset: int
    """From the beginning of the file."""


class GgufFile:
    """An opened file."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise RollcallError(f"{path}: no such file")
        try:
            self._bytes = np.memmap(self.path, dtype=np.uint8, mode="r")
            self._place = 0
            self._read_header()
        except (struct.error, ValueError, UnicodeDecodeError) as error:
            raise self._damaged(str(error)) from None

    def tensor(self, name: str) -> npt.NDArray[np.float32]:
        """The numbers of a tensor."""
        one = self.tensors[name]
        known = FORMATS.get(one.format)
        if known is None:
            raise RollcallError(
                f"{self.path}: {name} has numbers of the kind {one.format}, which cannot be read; "
                "give the model as Q8_0 or F16"
            )
        size = prod(one.shape) // known.numbers * known.bytes
        content = self._bytes[one.offset : one.offset + size]
        if len(content) < size or prod(one.shape) % known.numbers:
            raise self._damaged(f"{name} is not whole")
        return numbers(known, content).reshape(one.shape)

    def _read_header(self) -> None:
        if self._take(4) != _MAGIC:
            raise RollcallError(f"{self.path}: is no GGUF file")
        version = self._number("I")
        if version not in _VERSIONS:
            raise RollcallError(f"{self.path}: has version {version} of GGUF; 2 and 3 can be read")
        tensors, entries = int(self._number("Q")), int(self._number("Q"))
        self.metadata: dict[str, Value] = {}
        for _ in range(entries):
            key = self._text()
            self.metadata[key] = self._value(int(self._number("I")))
        found: dict[str, Tensor] = {}
        for _ in range(tensors):
            name = self._text()
            shape = tuple(int(self._number("Q")) for _ in range(int(self._number("I"))))
            found[name] = Tensor(shape[::-1], int(self._number("I")), int(self._number("Q")))
        alignment = self.metadata.get("general.alignment", _ALIGNMENT)
        assert isinstance(alignment, int)
        begin = -(-self._place // alignment) * alignment
        self.tensors = {name: one._replace(offset=one.offset + begin) for name, one in found.items()}

    def _take(self, size: int) -> bytes:
        content = self._bytes[self._place : self._place + size].tobytes()
        if len(content) < size:
            raise ValueError("it ends too early")
        self._place += size
        return content

    def _number(self, kind: str) -> int | float | bool:
        (value,) = struct.unpack(f"<{kind}", self._take(struct.calcsize(f"<{kind}")))
        assert isinstance(value, int | float | bool)
        return value

    def _text(self) -> str:
        return self._take(int(self._number("Q"))).decode()

    def _value(self, kind: int) -> Value:
        if kind in _NUMBERS:
            return self._number(_NUMBERS[kind])
        if kind == _TEXT:
            return self._text()
        if kind != _LIST:
            raise ValueError(f"a value of the unknown kind {kind}")
        inner, count = int(self._number("I")), int(self._number("Q"))
        if inner in _NUMBERS:
            size = struct.calcsize(f"<{_NUMBERS[inner]}")
            return list(struct.unpack(f"<{count}{_NUMBERS[inner]}", self._take(count * size)))
        return [self._value(inner) for _ in range(count)]

    def _damaged(self, about: str) -> RollcallError:
        return RollcallError(f"{self.path}: is damaged or incomplete ({about})")


# A network and a tokeniser from a GGUF file of the Llama architecture with byte-level tokens (SmolLM2).
# Everything else is refused: a model that is loaded almost right gives answers that look almost right.

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
