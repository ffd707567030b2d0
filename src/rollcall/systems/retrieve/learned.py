"""`learned`: finds the passages whose vectors are nearest to the question's, by the packaged encoder.

The encoder has learned from question sets which passages prove answers. It is small enough to encode a corpus
on a laptop, and needs neither torch nor FAISS: vectors are memory-mapped and compared block by block.
"""

import hashlib
import json
import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from rollcall._core.errors import RollcallError
from rollcall._core.files import remove
from rollcall._core.locks import sole_writer
from rollcall._core.onnx_networks import WordEmbeddings, open_network, open_tokenizer
from rollcall._core.registry import NoOptions
from rollcall.graph.index import open_array
from rollcall.questions.run import Passage
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Asked, Retriever
from rollcall.systems.retrieve import RETRIEVERS
from rollcall.systems.retrieve.encoder import fingerprint
from rollcall.systems.retrieve.store import IndexFolder, PassageStore, encoded_blocks, vectors_of
from rollcall.systems.train.model_folder import read_about, warn_of_training

# The packaged encoder of questions and passages: int8 by onnxruntime, without torch. Texts of similar
# length are read in batches of a fixed number, each by one thread. The rounding of a batch depends on
# all its texts, so the same texts give the same vectors for any number of threads, and a question is
# read alone. Threads are enough, since onnxruntime computes outside Python's lock; so scripts need no main
# guard.

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
        """The vector of one text, which does not depend on other texts."""
        tokens = self._tokenizer.encode(text).ids
        vector: Vectors = self._read(self._session, [tokens])[0]
        return vector

    def encode_reproducibly(self, texts: Sequence[str]) -> Vectors:
        """One vector for each text."""
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(tokens)), key=lambda index: (len(tokens[index]), index))
        encoded: Vectors = np.zeros((len(tokens), self.width), np.float32)
        session = self._session  # opened once, before there are threads
        batches = [order[start : start + _ROWS] for start in range(0, len(order), _ROWS)]
        with ThreadPoolExecutor(self._threads) as threads:
            read = threads.map(lambda rows: self._read(session, [tokens[index] for index in rows]), batches)
            for rows, vectors in zip(batches, read, strict=True):
                encoded[rows] = vectors
        return encoded

    def _read(self, session: Any, texts: Sequence[Sequence[int]]) -> Vectors:
        longest = max(map(len, texts))
        tokens, mask = np.zeros((2, len(texts), longest), np.int64)
        for row, text in enumerate(texts):
            tokens[row, : len(text)] = text
            mask[row, : len(text)] = 1
        arrays = {"embeddings": self._words.of(tokens), "mask": mask, "types": np.zeros_like(mask)}
        states: Vectors = session.run(["states"], arrays)[0]
        # Vectors are compared by their directions, so a sum serves as well as a mean.
        vectors = (states * mask[:, :, None]).sum(1)
        normalised: Vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        return normalised

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


_VECTORS, _FORMAT = "vectors.npy", 1
_COMPARED = 1 << 15
"""Vectors that are compared at a time."""


@RETRIEVERS.register("learned")
class LearnedRetriever(Retriever):
    """Finds the nearest vectors of a packaged encoder that learned from question sets; without torch."""

    name = "learned"
    needs = ("corpus",)

    def __init__(self, indexes: IndexFolder, progress: bool | None = None) -> None:
        folder, shared = packaged_retriever()
        self._encoder = PackagedEncoder(folder, shared, indexes.jobs)
        self.store = PassageStore.of(indexes, progress)
        self.corpus_hash, self.weights = indexes.corpus_hash, encoder_weights()
        blocks = indexes.folder / f"learned-{self.weights}.blocks"

        def make(out: Path) -> None:
            numbers = np.arange(len(self.store))
            block_folder = blocks / indexes.corpus_hash[:12]
            files = encoded_blocks(block_folder, self.store, numbers, self._encoder, indexes, progress)
            shape = len(numbers), self._encoder.width
            vectors = np.lib.format.open_memmap(out / _VECTORS, "w+", np.dtype(np.float16), shape)
            first = 0
            for file in files:
                block = vectors_of(file)
                vectors[first : first + len(block)] = block
                first += len(block)
            vectors.flush()

        index_folder = indexes.part(*_part(self.weights), make)
        if blocks.exists():
            with sole_writer(index_folder, wait=True):
                remove(blocks)
        self._vectors: NDArray[np.float16] = open_array(index_folder / _VECTORS)
        self._encode = lru_cache(maxsize=1024)(self._encoder.encode_alone)

    @classmethod
    def open(cls, options: NoOptions, context: Context) -> "LearnedRetriever":
        folder, _ = packaged_retriever()
        warn_of_training("the retriever learned was", read_about(folder, "dpr"), context.questions)
        return cls(context.indexes, context.progress)

    def retrieve(self, questions: Sequence[Asked], k: int) -> list[list[Passage]]:
        if not questions:
            return []
        wanted = np.stack([self._encode(question.question) for question in questions])
        return [self.store.passages(*ranking) for ranking in nearest(self._vectors, wanted, k)]

    def similarities(self, question: str, passages: Sequence[str]) -> list[float]:
        """How near these passages, by their ids, are to a question; NaN for those outside the corpus."""
        numbers = [self.store.number(passage) for passage in passages]
        known = [number for number in numbers if number is not None]
        products = iter(_products(self._vectors[known].astype(np.float32), self._encode(question)).tolist())
        return [math.nan if number is None else next(products) for number in numbers]


def is_encoded(indexes: IndexFolder) -> bool:
    """Whether a corpus is encoded already."""
    return indexes.has(*_part(encoder_weights()))


def _part(weights: str) -> tuple[str, dict[str, Any]]:
    """The name of an index, and what it is made from."""
    return f"learned-{weights}", {"encoder": weights, "format": _FORMAT}


def nearest(
    vectors: NDArray[np.float16], wanted: NDArray[np.float32], k: int
) -> list[tuple[list[int], list[float]]]:
    """For each wanted vector, the numbers of the k nearest ones and their similarities, the nearest first.

    Ties are ordered by number.
    """
    k = min(k, len(vectors))
    scores = np.zeros((len(wanted), 0), np.float32)
    numbers = np.zeros((len(wanted), 0), np.int64)
    for first in range(0, len(vectors), _COMPARED):
        block = vectors[first : first + _COMPARED].astype(np.float32)
        scores = np.concatenate([scores, np.stack([_products(block, vector) for vector in wanted])], axis=1)
        new = np.broadcast_to(np.arange(first, first + len(block)), (len(wanted), len(block)))
        numbers = np.concatenate([numbers, new], axis=1)
        kept = np.argsort(-scores, axis=1, kind="stable")[:, :k]
        scores = np.take_along_axis(scores, kept, axis=1)
        numbers = np.take_along_axis(numbers, kept, axis=1)
    return list(zip(numbers.tolist(), scores.tolist(), strict=True))


def _products(vectors: NDArray[np.float32], wanted: NDArray[np.float32]) -> NDArray[np.float32]:
    """The product of each vector with one. Unlike in a product of matrices, rounding does not depend on the
    other vectors or on the number of threads.
    """
    products: NDArray[np.float32] = np.einsum("ij,j->i", vectors, wanted)
    return products
