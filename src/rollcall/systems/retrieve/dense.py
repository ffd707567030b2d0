"""Retrievers by vectors, and rankings that are combined.

- `dense`: the passages whose vectors are nearest to the question's, in a FAISS index on disk. Nearest means
  the greatest inner product.
- `hybrid`, and names joined by a plus sign: rankings combined by reciprocal rank fusion.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from rollcall._core.errors import RollcallError
from rollcall._core.files import remove
from rollcall._core.locks import sole_writer
from rollcall._core.registry import Settings
from rollcall.questions.run import Passage
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Asked, Retriever, as_retriever
from rollcall.systems.retrieve import RETRIEVERS
from rollcall.systems.retrieve.encoder import Encoder, Pooling, both_encoders, default_model, fingerprint
from rollcall.systems.retrieve.store import BLOCK, IndexFolder, PassageStore, encoded_blocks, vectors_of
from rollcall.systems.train.model_folder import ABOUT, ModelDescription, check_unseen, read_about

_TRAINING = 100_000


class DenseOptions(msgspec.Struct, frozen=True):
    """Which encoder and which index are used."""

    encoder: str | None = None
    """A sentence-transformers or Hugging Face model or a trained `dpr`, by name or path; default: MiniLM."""
    passage_encoder: str | None = None
    """Another model for passages, as in DPR."""
    pooling: Pooling = "auto"
    """How words become one vector; auto for sentence-transformers."""
    faiss: str = "Flat"
    """A factory string of FAISS, such as IVF4096,SQ8."""
    sample: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """Encode only this number of passages, evenly spread."""
    batch: Annotated[int, msgspec.Meta(ge=1)] = 64
    """The number of texts encoded at a time."""
    seen: bool = False
    """Search for questions that the encoder was trained on, too."""


@RETRIEVERS.register("dense")
class Dense(Retriever):
    """Finds the passages whose vectors are nearest to the question's, in a FAISS index (extra `neural`)."""

    Options = DenseOptions
    needs = ("corpus",)

    def __init__(
        self,
        indexes: IndexFolder,
        *,
        model: str | None = None,
        passage_model: str | None = None,
        pooling: Pooling = "auto",
        faiss_index: str = "Flat",
        sample: int | None = None,
        batch: int = 64,
        seen: bool = False,
        progress: bool | None = None,
    ) -> None:
        """`passage_model` encodes passages if questions have a different encoder; a folder that
        `rollcall train dpr` made may have both. Questions that it was trained on are refused unless `seen`.

        `faiss_index` is any factory string of FAISS. With `sample`, only this number of passages is used,
        spread over the corpus, to try a model if encoding everything would take too long.
        """
        try:
            import faiss
        except ImportError:
            raise RollcallError(
                "dense retrieval needs the extra `neural`: pip install 'rollcall-qa[neural]'"
            ) from None
        self._faiss: Any = faiss
        questions, passages = both_encoders(model or default_model())
        passages = passage_model or passages
        self._trained = trained_folder(model) if model is not None else None
        self.seen = seen
        self._encoder = Encoder(questions, pooling, batch)
        self._passage_encoder = Encoder(passages, pooling, batch) if passages != questions else self._encoder
        self.store = PassageStore.of(indexes, progress)
        self._numbers = sampled(len(self.store), sample)
        self.name = "dense" if model is None else f"dense({Path(model).name})"
        self.corpus_hash, self.question_encoder = indexes.corpus_hash, fingerprint(self._encoder.model)
        self._parameters = parameters = {
            "model": fingerprint(passages),
            "pooling": pooling,
            "faiss": faiss_index,
            "passages": len(self._numbers),
            **({} if self._passage_encoder.normalised else {"similarity": "dot"}),
        }
        key = hashlib.sha256(json.dumps(parameters, sort_keys=True).encode()).hexdigest()[:12]
        blocks = indexes.folder / f"dense-{key}.blocks"
        folder = indexes.part(
            f"dense-{key}",
            parameters,
            lambda out: self._make(blocks, indexes, faiss_index, out, progress),
        )
        if blocks.exists():
            with sole_writer(folder, wait=True):
                remove(blocks)
        self._index: Any = faiss.read_index(str(folder / "index.faiss"))

    @classmethod
    def open(cls, options: DenseOptions, context: Context) -> "Dense":
        return cls(
            context.indexes,
            model=options.encoder,
            passage_model=options.passage_encoder,
            pooling=options.pooling,
            faiss_index=options.faiss,
            sample=options.sample,
            batch=options.batch,
            seen=options.seen,
            progress=context.progress,
        )

    def settings(self) -> Settings:
        return {**super().settings(), "index": self._parameters}

    def check_questions(self, questions: Sequence[Asked]) -> None:
        if self._trained is not None:
            check_unseen(*self._trained, questions, self.seen)

    def retrieve(self, questions: Sequence[Asked], k: int) -> list[list[Passage]]:
        if not questions:
            return []
        self.check_questions(questions)
        vectors = self._encoder.encode([question.question for question in questions])
        scores, rows = self._index.search(vectors, min(k, self._index.ntotal))
        rankings = []
        for row, score in zip(rows, scores, strict=True):
            kept = row >= 0  # an approximate index may find fewer
            rankings.append(self.store.passages(self._numbers[row[kept]].tolist(), score[kept].tolist()))
        return rankings

    def _make(
        self, blocks: Path, indexes: IndexFolder, faiss_index: str, out: Path, progress: bool | None
    ) -> None:
        folder = blocks / indexes.corpus_hash[:12]
        files = encoded_blocks(folder, self.store, self._numbers, self._passage_encoder, indexes, progress)
        dimension = int(vectors_of(files[0]).shape[1])
        try:
            index = self._faiss.index_factory(dimension, faiss_index, self._faiss.METRIC_INNER_PRODUCT)
        except RuntimeError as error:
            raise RollcallError(f"{faiss_index!r} is not an index that FAISS knows ({error})") from error
        if not index.is_trained:
            index.train(np.concatenate([vectors_of(file) for file in files[: _TRAINING // BLOCK + 1]]))
        for file in files:
            index.add(vectors_of(file))
        self._faiss.write_index(index, str(out / "index.faiss"))


def trained_folder(model: str) -> tuple[str, ModelDescription] | None:
    """The folder of a trained `dpr` and what it says; None for any other model."""
    return (model, read_about(model, "dpr")) if (Path(model) / ABOUT).is_file() else None


def sampled(total: int, sample: int | None) -> NDArray[np.int64]:
    """The numbers of the passages to encode: all, or `sample` of them, evenly spread."""
    if sample is None or sample >= total:
        return np.arange(total)
    return np.unique(np.linspace(0, total - 1, sample).astype(np.int64))


# `hybrid`, and names joined by a plus sign: combines rankings by reciprocal rank fusion.
#
# A passage's score is the sum over the rankings of 1 / (60 + rank): ranks can be compared between retrievers
# whose scores cannot. Each retriever is asked for at least as many passages as the result has.

_DAMPING = 60
_DEPTH = 200


class Fusion(Retriever):
    """Fuses any retrievers, usually two."""

    def __init__(self, *retrievers: Retriever, damping: float = _DAMPING) -> None:
        self._retrievers = [as_retriever(retriever) for retriever in retrievers]
        self.name = "+".join(retriever.name for retriever in self._retrievers)
        self.damping = damping

    def check_questions(self, questions: Sequence[Asked]) -> None:
        for retriever in self._retrievers:
            retriever.check_questions(questions)

    def retrieve(self, questions: Sequence[Asked], k: int) -> list[list[Passage]]:
        rankings = [retriever.retrieve(questions, max(k, _DEPTH)) for retriever in self._retrievers]
        return [fused(lists, k, self.damping) for lists in zip(*rankings, strict=True)]

    def settings(self) -> Settings:
        return {**super().settings(), "parts": [retriever.settings() for retriever in self._retrievers]}


@RETRIEVERS.register("hybrid")
class Hybrid(Fusion):
    """Fuses bm25 and dense; any others are fused as in bm25+dense."""

    parts = ("bm25", "dense")


def fused(rankings: Sequence[Sequence[Passage]], k: int, damping: float = _DAMPING) -> list[Passage]:
    """The k best by the sum of reciprocal ranks; ties are ordered by id."""
    scores: dict[str, float] = {}
    passages: dict[str, Passage] = {}
    for ranking in rankings:
        for rank, passage in enumerate(ranking, 1):
            scores[passage.id] = scores.get(passage.id, 0.0) + 1.0 / (damping + rank)
            passages[passage.id] = passage
    order = sorted(scores, key=lambda id_: (-scores[id_], id_))[:k]
    return [Passage(id_, passages[id_].title, passages[id_].text, scores[id_]) for id_ in order]
