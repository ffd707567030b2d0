"""Checkpoints to start from, by name or path: which kind each is, and its network and tokeniser.

A checkpoint of the wrong kind is refused before its weights are loaded: transformers would load an encoder as
a generator with random weights and a warning. A name that looks like a path is never looked up on the hub.
"""

import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from rollcall._core.errors import RollcallError
from rollcall._core.files import check_input
from rollcall.systems.retrieve.encoder import default_model, encoder_class

BaseKind: TypeAlias = Literal["encoder", "encoder-decoder", "causal"]

MINILM = "minilm"
"""The name of the small encoder that comes with the extra `neural`."""

_VOCABULARIES = (
    "tokenizer.json",
    "tokenizer.model",
    "vocab.txt",
    "vocab.json",
    "vocab-src.json",
    "spiece.model",
    "spm.model",
    "source.spm",
    "sentencepiece.model",
    "sentencepiece.bpe.model",
    "bpe.codes",
    "prophetnet.tokenizer",
    "tekken.json",
)
"""The files that a tokeniser is loaded from."""
_OF_BYTES = ("ByT5Tokenizer", "CanineTokenizer", "PerceiverTokenizer")
"""Tokenisers that need no such file."""

_PATIENCE = 10.0
"""Seconds to wait for the hub."""

_NAMED: dict[BaseKind, str] = {
    "encoder": "an encoder such as BERT or MiniLM",
    "encoder-decoder": "an encoder–decoder such as T5 or BART",
    "causal": "a causal language model such as SmolLM2",
}


class BaseCheckpoint(NamedTuple):
    """A loaded checkpoint."""

    name: str
    kind: BaseKind
    network: Any
    tokeniser: Any


def check_base(name: str, kinds: tuple[BaseKind, ...], of: str) -> None:
    """Refuse a checkpoint that does not exist or is of none of these kinds; no weights are loaded."""
    transformers = required_transformers()
    if name == MINILM:
        return
    _check_path(name)
    if _is_gguf(name):
        check_input(Path(name))
        _check_kind(name, "causal", kinds, of)
        return
    with _refusing(name):
        _check_kind(name, kind_of(transformers.AutoConfig.from_pretrained(name)), kinds, of)
    _check_tokeniser(Path(name))


def load_base(name: str, kinds: tuple[BaseKind, ...], of: str) -> BaseCheckpoint:
    """The checkpoint at a path or of a name, if it is of one of these kinds; `of` is the system it is for."""
    transformers = required_transformers()
    if name == MINILM:
        name = default_model()
    _check_path(name)
    if _is_gguf(name):
        _check_kind(name, "causal", kinds, of)
        return _from_gguf(name)
    with _refusing(name):
        config = transformers.AutoConfig.from_pretrained(name)
        kind = kind_of(config)
        _check_kind(name, kind, kinds, of)
        loader = encoder_class(config) if kind == "encoder" else _LOADERS[kind](transformers)
        network = loader.from_pretrained(name)
        _check_tokeniser(Path(name))
        tokeniser = transformers.AutoTokenizer.from_pretrained(name)
    return BaseCheckpoint(name, kind, network.float(), tokeniser)


def _is_gguf(name: str) -> bool:
    return Path(name).suffix == ".gguf"


def _check_path(name: str) -> None:
    """Refuse a path that does not exist, or a file of another kind; names on the hub have at most one
    slash.
    """
    if Path(name).is_file() and not _is_gguf(name):
        raise RollcallError(
            f"{name}: is a file; a checkpoint is a folder, as transformers saves it, or a .gguf file"
        )
    separators = sum(name.count(separator) for separator in {os.sep, "/"})
    if (name.startswith((".", "/", "~")) or separators > 1 or _is_gguf(name)) and not Path(name).exists():
        hint = "; ~ is not expanded here, so write the full path" if name.startswith("~") else ""
        raise RollcallError(f"{name}: no such folder or file to start from{hint}")


def _check_tokeniser(folder: Path) -> None:
    """Refuse a folder without a vocabulary: transformers would make a tokeniser without words."""
    if not folder.is_dir() or any((folder / file).exists() for file in _VOCABULARIES):
        return
    settings = folder / "tokenizer_config.json"
    if settings.is_file() and any(kind in settings.read_text("utf-8", "replace") for kind in _OF_BYTES):
        return
    raise RollcallError(
        f"{folder}: has no tokenizer; save it next to the weights (tokenizer.save_pretrained in Python), or "
        "copy its files from where the checkpoint comes from"
    )


@contextmanager
def _refusing(name: str) -> Iterator[None]:
    """Turn what goes wrong while loading a checkpoint into a one-line error."""
    from safetensors import SafetensorError

    try:
        _ask_hub(name)
        yield
    except (OSError, ValueError, SafetensorError) as error:
        about = " ".join(str(error).split())[:200]
        raise RollcallError(f"{name}: cannot load a checkpoint from there ({about})") from None


def _ask_hub(name: str) -> None:
    """Look a name up on the hub once: the library tries six times, and prints each failure."""
    import huggingface_hub as hub

    if Path(name).exists() or isinstance(hub.try_to_load_from_cache(name, "config.json"), str):
        return
    try:
        hub.HfApi().model_info(name, timeout=_PATIENCE)
    except Exception as error:  # any error of the network or the hub, or about the name
        raise OSError(f"there is no such folder, and the hub has no such model: {error}") from None


def kind_of(config: Any) -> BaseKind:
    """The kind of a checkpoint, by its configuration."""
    if getattr(config, "is_encoder_decoder", False):
        return "encoder-decoder"
    architecture = next(iter(getattr(config, "architectures", None) or ()), "")
    return "causal" if architecture.endswith(("ForCausalLM", "LMHeadModel")) else "encoder"


_LOADERS: dict[BaseKind, Any] = {
    "encoder-decoder": lambda transformers: transformers.AutoModelForSeq2SeqLM,
    "causal": lambda transformers: transformers.AutoModelForCausalLM,
}


def required_transformers() -> Any:
    """The library, or an error that names the extra."""
    try:
        import torch  # noqa: F401
        import transformers
    except ImportError:
        raise RollcallError(
            "systems that learn need the extra `neural`: pip install 'rollcall-qa[neural]'"
        ) from None
    library: Any = transformers
    library.utils.logging.disable_progress_bar()  # ours shows the training
    return library


def _check_kind(name: str, kind: BaseKind, kinds: tuple[BaseKind, ...], of: str) -> None:
    if kind not in kinds:
        wanted = " or ".join(_NAMED[kind] for kind in kinds)
        raise RollcallError(f"{name}: is {_NAMED[kind].partition(' such')[0]}; {of} needs {wanted} (--base)")


# GGUF files of llama.cpp, of the Llama architecture with byte-level tokens (SmolLM2). The package `gguf`
# reads the file. transformers can load these files too, but it keeps rounded weights rounded on a GPU, where
# they cannot be trained, and it ignores how text is cut into tokens. All other files are refused: a model
# that is loaded almost correctly gives answers that look almost correct.

_SPECIAL = {
    "bos": "bos_token_id",
    "eos": "eos_token_id",
    "unk": "unknown_token_id",
    "pad": "padding_token_id",
}
_LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_CONTROL, _USER = 3, 4
"""Kinds of token that are never cut into pieces."""


def _from_gguf(name: str) -> BaseCheckpoint:
    """A language model in the format of llama.cpp, with its weights as float32."""
    try:
        file = _GgufFile(name)
        architecture = file.value("general.architecture")
        if architecture != "llama":
            raise RollcallError(
                f"{name}: is a model of the architecture {architecture}; of GGUF files only llama can be "
                "read, so give the folder of the model as transformers saves it"
            )
        return BaseCheckpoint(name, "causal", file.network(), file.tokeniser())
    except (struct.error, ValueError, LookupError) as error:
        raise RollcallError(f"{name}: is damaged or incomplete ({error})") from None


class _GgufFile:
    """An open GGUF file: its metadata, its network and its tokeniser."""

    def __init__(self, name: str) -> None:
        try:
            import gguf
        except ImportError:
            raise RollcallError(
                f"{name}: GGUF files need the package `gguf`: pip install 'rollcall-qa[neural]'"
            ) from None
        with Path(name).open("rb") as stream:
            if stream.read(4) != b"GGUF":
                raise RollcallError(f"{name}: is not a GGUF file")
        self.name = name
        self._library: Any = gguf
        self._reader: Any = gguf.GGUFReader(name)
        self._tensors = {tensor.name: tensor for tensor in self._reader.tensors}

    def value(self, key: str, default: Any = None) -> Any:
        """An entry of the metadata."""
        field = self._reader.get_field(key)
        return default if field is None else field.contents()

    def network(self) -> Any:
        """The causal language model."""
        import torch
        import transformers

        library: Any = transformers
        heads, key_heads = self._whole("attention.head_count"), self._whole("attention.head_count_kv")
        size, layers = self._whole("embedding_length"), self._whole("block_count")
        config = library.LlamaConfig(
            vocab_size=int(self._tensors["token_embd.weight"].shape[-1]),
            hidden_size=size,
            intermediate_size=self._whole("feed_forward_length"),
            num_hidden_layers=layers,
            num_attention_heads=heads,
            num_key_value_heads=key_heads,
            head_dim=self._whole("attention.key_length", size // heads),
            max_position_embeddings=self._whole("context_length"),
            rms_norm_eps=self.value("llama.attention.layer_norm_rms_epsilon"),
            rope_parameters={
                "rope_type": "default",
                "rope_theta": self.value("llama.rope.freq_base", 10000.0),
            },
            tie_word_embeddings="output.weight" not in self._tensors,
            attention_bias="blk.0.attn_q.bias" in self._tensors,
            architectures=["LlamaForCausalLM"],
            **{f"{name}_token_id": self._token(key) for name, key in _SPECIAL.items() if name != "unk"},
        )
        network = library.LlamaForCausalLM(config)
        names = self._library.get_tensor_name_map(self._library.MODEL_ARCH.LLAMA, layers)
        weights, unused = {}, dict(self._tensors)
        for torch_name in network.state_dict():
            name = names.get_name(torch_name, try_suffixes=(".weight", ".bias"))
            if name == "output.weight" and config.tie_word_embeddings:
                name = "token_embd.weight"
            if name not in self._tensors:
                raise ValueError(f"it has no tensor {name}")
            unused.pop(name, None)
            content = self._numbers(name)
            if ".attn_q." in name or ".attn_k." in name:
                content = _unpermuted(content, heads if ".attn_q." in name else key_heads)
            weights[torch_name] = torch.from_numpy(content)
        for name in unused:
            raise RollcallError(f"{self.name}: has the tensor {name}, which is not part of a plain Llama")
        try:
            network.load_state_dict(weights)
        except RuntimeError as error:
            reason = " ".join(str(error).split())[:200]
            raise RollcallError(
                f"{self.name}: its weights do not fit its own description ({reason})"
            ) from None
        return network

    def tokeniser(self) -> Any:
        """The tokeniser."""
        import transformers
        from tokenizers import AddedToken, Tokenizer, decoders, models, processors

        library: Any = transformers
        kind = self.value("tokenizer.ggml.model")
        if kind != "gpt2":
            raise RollcallError(f"{self.name}: has a tokeniser of the kind {kind}; only gpt2 is supported")
        tokens = self._list("tokens")
        pairs = [
            (first, second) for first, _, second in (merge.partition(" ") for merge in self._list("merges"))
        ]
        tokenizer = Tokenizer(models.BPE({token: number for number, token in enumerate(tokens)}, pairs))
        tokenizer.pre_tokenizer = self._splitting()
        tokenizer.decoder = decoders.ByteLevel()
        kinds = self.value("tokenizer.ggml.token_type", [])
        for added, add in ((_CONTROL, tokenizer.add_special_tokens), (_USER, tokenizer.add_tokens)):
            add(
                [
                    AddedToken(token, normalized=False, special=added == _CONTROL)
                    for token, token_kind in zip(tokens, kinds, strict=False)
                    if token_kind == added
                ]
            )
        special = {name: self._token(key) for name, key in _SPECIAL.items()}
        if self.value("tokenizer.ggml.add_bos_token") and special["bos"] is not None:
            bos = tokens[special["bos"]]
            tokenizer.post_processor = processors.TemplateProcessing(
                single=f"{bos} $A", pair=f"{bos} $A {bos} $B", special_tokens=[(bos, special["bos"])]
            )
        return library.PreTrainedTokenizerFast(
            tokenizer_object=tokenizer,
            model_max_length=self._whole("context_length"),
            model_input_names=["input_ids", "attention_mask"],
            clean_up_tokenization_spaces=False,
            chat_template=self.value("tokenizer.chat_template"),
            **{f"{name}_token": tokens[number] for name, number in special.items() if number is not None},
        )

    def _splitting(self) -> Any:
        """How text is cut before its tokens are looked up: as when the tokens were learned."""
        from tokenizers import Regex, pre_tokenizers

        kind = self.value("tokenizer.ggml.pre", "default")
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
        raise RollcallError(f"{self.name}: splits text in the way {kind}, which is not supported")

    def _numbers(self, name: str) -> Any:
        """The numbers of a tensor, as a copy that may be changed."""
        tensor = self._tensors[name]
        try:
            return self._library.dequantize(tensor.data, tensor.tensor_type).copy()
        except NotImplementedError:
            raise RollcallError(
                f"{self.name}: {name} has numbers of the kind {tensor.tensor_type.name}, which cannot be "
                "read; give the model as Q8_0 or F16"
            ) from None

    def _whole(self, key: str, default: int | None = None) -> int:
        value = self.value(f"llama.{key}", default)
        if not isinstance(value, int):
            raise RollcallError(f"{self.name}: missing key llama.{key}")
        return value

    def _token(self, key: str) -> int | None:
        value = self.value(f"tokenizer.ggml.{key}")
        return value if isinstance(value, int) else None

    def _list(self, key: str) -> list[str]:
        value = self.value(f"tokenizer.ggml.{key}", [])
        if not isinstance(value, list) or not value:
            raise RollcallError(f"{self.name}: has no tokenizer.ggml.{key}")
        return [str(text) for text in value]


def _unpermuted(content: Any, heads: int) -> Any:
    """Rows in the order of transformers: llama.cpp rotates neighbours, transformers rotates halves."""
    pairs = content.reshape(heads, content.shape[0] // heads // 2, 2, *content.shape[1:])
    return pairs.swapaxes(1, 2).reshape(content.shape).copy()
