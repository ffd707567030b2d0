"""Networks of onnxruntime and tokenizers, opened the same way wherever packaged models are used.

One thread for each process gives the same bits for any number of processes. All packaged networks have the
same embeddings of words, which are stored once, so the others take embeddings in place of words.
"""

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rollcall._core.errors import RollcallError
from rollcall._core.files import DamagedFileError, read_arrays

_MISSING = "onnxruntime and tokenizers: pip install rollcall-models"


def open_network(source: Path | bytes, folder: Path, of: str) -> Any:
    """The session of a network in a file or in memory; `of` says whose it is."""
    try:
        import onnxruntime
    except ImportError:
        raise RollcallError(f"{of} needs {_MISSING}") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    model = source if isinstance(source, bytes) else str(source)
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the library raises errors of its own, without a common base
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise RollcallError(f"{folder}: its model cannot be loaded: {first}") from None


def open_tokenizer(file: Path, of: str) -> Any:
    """The tokenizer in a file."""
    try:
        import tokenizers
    except ImportError:
        raise RollcallError(f"{of} needs {_MISSING}") from None
    try:
        return tokenizers.Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises nothing more precise
        raise RollcallError(f"{file}: cannot be read: {error}") from None


class WordEmbeddings:
    """The embeddings of words that packaged networks share, as numbers of eight bits in a file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def width(self) -> int:
        """The number of dimensions."""
        return int(self._words[0].shape[1])

    def of(self, tokens: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """The embeddings of tokens, with one dimension more."""
        words, scale, zero = self._words
        embeddings: npt.NDArray[np.float32] = (words[tokens].astype(np.float32) - zero) * scale
        return embeddings

    @cached_property
    def _words(self) -> tuple[npt.NDArray[np.uint8], np.float32, np.float32]:
        """The embeddings, and how their numbers are scaled."""
        try:
            layers = read_arrays(self._folder / "layers.npz")
            scale, zero = np.float32(layers["scale"]), np.float32(layers["zero"])
            width = layers["bert.embeddings.LayerNorm.weight"].shape[0]
            words = np.memmap(self._folder / "embeddings.bin", np.uint8, "r").reshape(-1, width)
        except DamagedFileError:
            raise
        except (OSError, KeyError, ValueError) as error:
            raise RollcallError(f"{self._folder}: its embeddings cannot be read: {error}") from None
        return words, scale, zero
