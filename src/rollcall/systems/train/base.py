"""Checkpoints to start from, by name or path: which kind each is, and its network and tokeniser.

A checkpoint of the wrong kind is refused before its weights are loaded: transformers would load an encoder as
a generator with random weights and a warning. What is written as a path is never asked for on the hub.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from rollcall._core.errors import RollcallError
from rollcall._core.files import check_input
from rollcall.systems.retrieve.encoder import default_model, encoder_class
from rollcall.systems.train import gguf
from rollcall.systems.train.gguf import GgufFile

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


class Base(NamedTuple):
    """A loaded checkpoint."""

    name: str
    kind: BaseKind
    network: Any
    tokeniser: Any


def check_base(name: str, kinds: tuple[BaseKind, ...], of: str) -> None:
    """Refuse a checkpoint that is not there or of none of these kinds; no weights are loaded."""
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


def load_base(name: str, kinds: tuple[BaseKind, ...], of: str) -> Base:
    """The checkpoint at a path or of a name, if it is of one of these kinds; `of` is the system it is for."""
    transformers = required_transformers()
    if name == MINILM:
        name = default_model()
    _check_path(name)
    if _is_gguf(name):
        return _from_gguf(name, kinds, of)
    with _refusing(name):
        config = transformers.AutoConfig.from_pretrained(name)
        kind = kind_of(config)
        _check_kind(name, kind, kinds, of)
        loader = encoder_class(config) if kind == "encoder" else _LOADERS[kind](transformers)
        network = loader.from_pretrained(name)
        _check_tokeniser(Path(name))
        tokeniser = transformers.AutoTokenizer.from_pretrained(name)
    return Base(name, kind, network.float(), tokeniser)


def _is_gguf(name: str) -> bool:
    return Path(name).suffix == ".gguf"


def _check_path(name: str) -> None:
    """Refuse a path where there is nothing, or a file of another kind; names of the hub have one slash at
    most.
    """
    if Path(name).is_file() and not _is_gguf(name):
        raise RollcallError(
            f"{name}: is a file; a checkpoint is a folder, as transformers saves it, or a .gguf file"
        )
    separators = sum(name.count(one) for one in {os.sep, "/"})
    if (name.startswith((".", "/", "~")) or separators > 1 or _is_gguf(name)) and not Path(name).exists():
        hint = "; ~ is not replaced here, so write the path in full" if name.startswith("~") else ""
        raise RollcallError(f"{name}: there is no such folder or file to start from{hint}")


def _check_tokeniser(folder: Path) -> None:
    """Refuse a folder without a vocabulary: transformers would make a tokeniser that knows no word."""
    if not folder.is_dir() or any((folder / one).exists() for one in _VOCABULARIES):
        return
    settings = folder / "tokenizer_config.json"
    if settings.is_file() and any(one in settings.read_text("utf-8", "replace") for one in _OF_BYTES):
        return
    raise RollcallError(
        f"{folder}: has no tokenizer; save it beside the weights (tokenizer.save_pretrained in Python), or "
        "copy its files from where the checkpoint comes from"
    )


@contextmanager
def _refusing(name: str) -> Iterator[None]:
    """Say in one line that nothing can be loaded from a place."""
    from safetensors import SafetensorError

    try:
        _ask_hub(name)
        yield
    except (OSError, ValueError, SafetensorError) as error:
        about = " ".join(str(error).split())[:200]
        raise RollcallError(f"{name}: no checkpoint can be loaded from there ({about})") from None


def _ask_hub(name: str) -> None:
    """Ask the hub for a name that is no path, once: the library asks six times, and prints each failure."""
    import huggingface_hub as hub

    if Path(name).exists() or isinstance(hub.try_to_load_from_cache(name, "config.json"), str):
        return
    try:
        hub.HfApi().model_info(name, timeout=_PATIENCE)
    except Exception as error:  # of any kind: of the network, of the hub, or of the name
        raise OSError(f"there is no such folder, and the hub gives none: {error}") from None


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
        wanted = " or ".join(_NAMED[one] for one in kinds)
        raise RollcallError(f"{name}: is {_NAMED[kind].partition(' such')[0]}; {of} needs {wanted} (--base)")


def _from_gguf(name: str, kinds: tuple[BaseKind, ...], of: str) -> Base:
    """A language model in the form of llama.cpp, with its weights as ordinary numbers."""
    _check_kind(name, "causal", kinds, of)
    file = GgufFile(name)
    if (architecture := file.metadata.get("general.architecture")) != "llama":
        raise RollcallError(
            f"{name}: is a model of the architecture {architecture}; of GGUF files only llama can be read, "
            "so give the folder of the model as transformers saves it"
        )
    return Base(name, "causal", gguf.network(file), gguf.tokeniser(file))
