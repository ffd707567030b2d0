"""Cross-encoders that score pairs: the packaged one in int8 by onnxruntime, or one that a user has trained.

The packaged one has the embeddings of words and the tokenizer in common with the model of the verifier
`learned`, which is in the same package; so it takes embeddings in place of words. All candidates of a
question are read at once, and with nothing else, so that the scores of a question are always the same.
"""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from rollcall.errors import RollcallError
from rollcall.onnx_networks import WordEmbeddings, open_network, open_tokenizer
from rollcall.systems.ask.pairs import Pair
from rollcall.systems.ask.reranker import Reranker, RerankerSettings, read_reranker_settings

MODEL = "model.onnx"
"""The network of a packaged model."""
_OF = "the packaged model of ask"


def packaged_reranker() -> Reranker | None:
    """The packaged reranker; None where it, or what runs it, is missing (`pip install rollcall-models`)."""
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in ("onnxruntime", "tokenizers", "rollcall_models")):
        return None
    import rollcall_models

    if not hasattr(rollcall_models, "ask_model"):  # an older release
        return None
    return Reranker(
        read_reranker_settings(rollcall_models.ask_model()),
        PackagedScorer(rollcall_models.ask_model(), rollcall_models.statement_model()),
    )


def trained_reranker(folder: Path) -> Reranker:
    """The reranker in a folder that `rollcall train ask` made (extra `neural`)."""
    from rollcall.systems.train.model_folder import read_about

    read_about(folder, "ask")
    settings = read_reranker_settings(folder)
    return Reranker(settings, TrainedScorer(folder, settings))


class PackagedScorer:
    """A network of onnxruntime, loaded when it is first used."""

    def __init__(self, folder: Path, shared: Path) -> None:
        """`shared` is the folder with the tokenizer and the embeddings of words."""
        self._folder, self._shared = folder, shared
        self._words = WordEmbeddings(shared)

    @property
    def fingerprint(self) -> str:
        return _hash(self._folder / MODEL)

    def scores(self, pairs: Sequence[Pair]) -> list[float]:
        encoded = [self._tokenizer.encode(*pair) for pair in pairs]
        length = max(len(one.ids) for one in encoded)
        tokens, mask, types = (np.zeros((len(pairs), length), np.int64) for _ in range(3))
        for row, one in enumerate(encoded):
            tokens[row, : len(one.ids)], types[row, : len(one.ids)] = one.ids, one.type_ids
            mask[row, : len(one.ids)] = 1
        given = {"embeddings": self._words.of(tokens), "mask": mask, "types": types}
        found: list[float] = self._session.run(["score"], given)[0].tolist()
        return found

    @cached_property
    def _tokenizer(self) -> Any:
        return open_tokenizer(self._shared / "tokenizer.json", _OF)

    @cached_property
    def _session(self) -> Any:
        return open_network(self._folder / MODEL, self._folder, _OF)


class TrainedScorer:
    """A network of torch, as it was trained."""

    def __init__(self, folder: Path, settings: RerankerSettings) -> None:
        from rollcall.systems.train.pair_network import HEADS, PairNetwork

        self._network = PairNetwork.load(folder, HEADS, settings.length)
        self._folder = folder

    @property
    def fingerprint(self) -> str:
        return " ".join(_hash(one) for one in sorted(self._folder.glob("*.safetensors")))

    def scores(self, pairs: Sequence[Pair]) -> list[float]:
        return self._network.scores(pairs)


def _hash(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise RollcallError(f"{file}: cannot be read ({error})") from None
