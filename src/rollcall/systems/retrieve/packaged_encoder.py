"""The packaged encoder of questions and passages: int8 by onnxruntime, without torch.

Texts of similar length are read in batches of a fixed number, each by one thread. The rounding of a batch
depends on all its texts, so the same texts give the same vectors for any number of threads, and a question
is read alone. Threads do, since onnxruntime computes beside them: scripts need not be safe for processes.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rollcall.errors import RollcallError
from rollcall.onnx_networks import WordEmbeddings, open_network, open_tokenizer
from rollcall.systems.retrieve.encoder import fingerprint

MODEL, ABOUT = "model.onnx", "retriever.json"
_OF = "the packaged retriever"
_ROWS = 16
"""Texts that are read at once: more gain nothing."""

Vectors = npt.NDArray[np.float32]


def packaged_retriever() -> tuple[Path, Path]:
    """The folder of the packaged encoder, and that with its tokenizer and its embeddings of words."""
    try:
        from rollcall_models import retriever_model, statement_model
    except ImportError:
        raise RollcallError(
            "the retriever learned needs its encoder: pip install rollcall-models (0.3 or later)"
        ) from None
    return retriever_model(), statement_model()


def is_packaged() -> bool:
    """Whether there is an encoder, and what runs it."""
    try:
        packaged_retriever()
    except RollcallError:
        return False
    return all(find_spec(name) is not None for name in ("onnxruntime", "tokenizers"))


@cache
def encoder_weights() -> str:
    """What identifies the encoder: the hash of its files, with those of its words."""
    both = "".join(fingerprint(str(folder)) for folder in packaged_retriever())
    return hashlib.sha256(both.encode()).hexdigest()[:12]


class PackagedEncoder:
    """Encodes texts as vectors of length one."""

    model, encodes_here = "the packaged encoder", True

    def __init__(self, folder: Path, shared: Path, threads: int | None = None) -> None:
        """`shared` is the folder with the tokenizer and the embeddings of words.

        By default there is a thread for each core.
        """
        self._folder, self._shared = folder, shared
        self._words, self._threads = WordEmbeddings(shared), threads or os.cpu_count() or 1

    @property
    def width(self) -> int:
        """The number of dimensions."""
        return self._words.width

    def encode_alone(self, text: str) -> Vectors:
        """The vector of one text, whatever else is encoded."""
        tokens = self._tokenizer.encode(text).ids
        vector: Vectors = self._read(self._session, [tokens])[0]
        return vector

    def encode_reproducibly(self, texts: Sequence[str]) -> Vectors:
        """One vector for each text."""
        tokens = [one.ids for one in self._tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(tokens)), key=lambda place: (len(tokens[place]), place))
        found: Vectors = np.zeros((len(tokens), self.width), np.float32)
        session = self._session  # opened once, before there are threads
        batches = [order[start : start + _ROWS] for start in range(0, len(order), _ROWS)]
        with ThreadPoolExecutor(self._threads) as threads:
            read = threads.map(lambda rows: self._read(session, [tokens[place] for place in rows]), batches)
            for rows, vectors in zip(batches, read, strict=True):
                found[rows] = vectors
        return found

    def _read(self, session: Any, texts: Sequence[Sequence[int]]) -> Vectors:
        longest = max(map(len, texts))
        tokens, mask = np.zeros((2, len(texts), longest), np.int64)
        for row, text in enumerate(texts):
            tokens[row, : len(text)] = text
            mask[row, : len(text)] = 1
        given = {"embeddings": self._words.of(tokens), "mask": mask, "types": np.zeros_like(mask)}
        states: Vectors = session.run(["states"], given)[0]
        # Vectors are compared by their directions, so a sum does for a mean.
        vectors = (states * mask[:, :, None]).sum(1)
        found: Vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        return found

    @cached_property
    def _session(self) -> Any:
        return open_network(self._folder / MODEL, self._folder, _OF)

    @cached_property
    def _tokenizer(self) -> Any:
        try:
            length = int(json.loads((self._folder / ABOUT).read_bytes())["length"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise RollcallError(f"{self._folder / ABOUT}: cannot be read: {error}") from None
        tokenizer = open_tokenizer(self._shared / "tokenizer.json", _OF)
        tokenizer.no_padding()
        tokenizer.enable_truncation(length)
        return tokenizer
