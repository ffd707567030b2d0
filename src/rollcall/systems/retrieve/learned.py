"""`learned`: finds the passages whose vectors are nearest to the question's, by the packaged encoder.

The encoder has learned from question sets which passages prove answers. It is small enough to encode a corpus
on a laptop, and needs neither torch nor FAISS: vectors are memory-mapped and compared block by block.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollcall.configurable import NoOptions
from rollcall.files import remove
from rollcall.graph.arrays import open_array
from rollcall.locks import sole_writer
from rollcall.questions.run import Passage
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Asked, Retriever
from rollcall.systems.retrieve import RETRIEVERS
from rollcall.systems.retrieve.index_folder import IndexFolder
from rollcall.systems.retrieve.packaged_encoder import PackagedEncoder, encoder_weights, packaged_retriever
from rollcall.systems.retrieve.passage_blocks import encoded_blocks, vectors_of
from rollcall.systems.retrieve.store import PassageStore
from rollcall.systems.train.model_folder import read_about, warn_of_training

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
            place = blocks / indexes.corpus_hash[:12]
            files = encoded_blocks(place, self.store, numbers, self._encoder, indexes, progress)
            shape = len(numbers), self._encoder.width
            vectors = np.lib.format.open_memmap(out / _VECTORS, "w+", np.dtype(np.float16), shape)
            first = 0
            for file in files:
                some = vectors_of(file)
                vectors[first : first + len(some)] = some
                first += len(some)
            vectors.flush()

        made = indexes.part(*_part(self.weights), make)
        if blocks.exists():
            with sole_writer(made, wait=True):
                remove(blocks)
        self._vectors: NDArray[np.float16] = open_array(made / _VECTORS)
        self._encode = lru_cache(maxsize=1024)(self._encoder.encode_alone)

    @classmethod
    def open(cls, options: NoOptions, context: Context) -> "LearnedRetriever":
        folder, _ = packaged_retriever()
        warn_of_training("the retriever learned was", read_about(folder, "dpr"), context.questions)
        return cls(context.indexes, context.progress)

    def retrieve(self, questions: Sequence[Asked], k: int) -> list[list[Passage]]:
        if not questions:
            return []
        wanted = np.stack([self._encode(one.question) for one in questions])
        return [self.store.passages(*ranking) for ranking in nearest(self._vectors, wanted, k)]

    def similarities(self, question: str, passages: Sequence[str]) -> list[float]:
        """How near these passages, by their ids, are to a question; NaN for what the corpus does not have."""
        numbers = [self.store.number(one) for one in passages]
        known = [one for one in numbers if one is not None]
        found = iter(_products(self._vectors[known].astype(np.float32), self._encode(question)).tolist())
        return [math.nan if one is None else next(found) for one in numbers]


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

    Of equally near ones those with smaller numbers come first.
    """
    k = min(k, len(vectors))
    scores = np.zeros((len(wanted), 0), np.float32)
    numbers = np.zeros((len(wanted), 0), np.int64)
    for first in range(0, len(vectors), _COMPARED):
        some = vectors[first : first + _COMPARED].astype(np.float32)
        scores = np.concatenate([scores, np.stack([_products(some, one) for one in wanted])], axis=1)
        new = np.broadcast_to(np.arange(first, first + len(some)), (len(wanted), len(some)))
        numbers = np.concatenate([numbers, new], axis=1)
        kept = np.argsort(-scores, axis=1, kind="stable")[:, :k]
        scores = np.take_along_axis(scores, kept, axis=1)
        numbers = np.take_along_axis(numbers, kept, axis=1)
    return list(zip(numbers.tolist(), scores.tolist(), strict=True))


def _products(vectors: NDArray[np.float32], wanted: NDArray[np.float32]) -> NDArray[np.float32]:
    """The product of each vector with one, rounded alike whatever stands beside it and however many threads
    there are, which products of matrices are not.
    """
    found: NDArray[np.float32] = np.einsum("ij,j->i", vectors, wanted)
    return found
