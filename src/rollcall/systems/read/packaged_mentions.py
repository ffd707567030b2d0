"""A packaged mention scorer: int8 by onnxruntime, without torch.

Inputs of similar length are read in batches of a fixed number, each by one thread, so that the scores are the
same for any number of cores.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rollcall.decompression import read_arrays
from rollcall.errors import RollcallError
from rollcall.onnx_networks import WordEmbeddings, open_network, open_tokenizer
from rollcall.systems.train.mention_inputs import MentionInput, MentionInputs, by_entity
from rollcall.systems.train.passage_tokens import MentionReading
from rollcall.systems.train.token_inputs import TokenInputs

MODEL, HEAD = "model.onnx", "head.npz"
_OF = "the packaged mention scorer"
_ROWS = 16
"""Inputs that are read at once: more gain nothing, and fewer cost time."""

Table = npt.NDArray[np.float32]


def is_packaged(folder: Path) -> bool:
    """Whether a folder has a network for onnxruntime."""
    return (folder / MODEL).is_file()


def packaged_network(folder: Path, tokens: int) -> "PackagedMentionNetwork":
    """The network of a folder, with the words of the package `rollcall-models`."""
    try:
        from rollcall_models import statement_model
    except ImportError:
        raise RollcallError(
            f"{folder}: needs the words of other models: pip install rollcall-models"
        ) from None
    return PackagedMentionNetwork(folder, statement_model(), tokens)


class PackagedMentionNetwork:
    """The network of a folder; `shared` is the folder with the tokenizer and the embeddings of words."""

    def __init__(self, folder: Path, shared: Path, tokens: int) -> None:
        self._folder, self._words = folder, WordEmbeddings(shared)
        inputs = TokenInputs(_Tokeniser(open_tokenizer(shared / "tokenizer.json", _OF)), tokens)
        self._inputs = MentionInputs(inputs)

    def scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        """For each reading the entities that its mentions may mean, with their greatest probabilities."""
        inputs = self._inputs.encoded(readings)
        found: list[dict[str, float]] = [{} for _ in readings]
        order = sorted(
            (place for place, one in enumerate(inputs) if len(one.first)),
            key=lambda place: (len(inputs[place].tokens.ids), place),
        )
        batches = [order[start : start + _ROWS] for start in range(0, len(order), _ROWS)]
        with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
            read = threads.map(lambda batch: self._read([inputs[place] for place in batch]), batches)
            for batch, scores in zip(batches, read, strict=True):
                for place, one in zip(batch, scores, strict=True):
                    found[place] = by_entity(readings[place], inputs[place].mentions, one)
        return found

    def _read(self, inputs: Sequence[MentionInput]) -> list[list[float]]:
        """The probabilities of the mentions of each input."""
        lengths = np.array([len(one.tokens.ids) for one in inputs])[:, None]
        places = np.arange(int(lengths.max()))[None, :]
        tokens = np.zeros((len(inputs), places.size), np.int64)
        for row, one in enumerate(inputs):
            tokens[row, : len(one.tokens.ids)] = one.tokens.ids
        second = np.array([one.tokens.second for one in inputs])[:, None]
        inside = places < lengths
        given = {
            "embeddings": self._words.of(tokens),
            "mask": inside.astype(np.int64),
            "types": (inside & (places >= second)).astype(np.int64),
        }
        states: Table = self._session.run(["states"], given)[0]
        return [self._chances(one, states[row]) for row, one in enumerate(inputs)]

    def _chances(self, one: MentionInput, states: Table) -> list[float]:
        whole = np.broadcast_to(states[0], (len(one.first), states.shape[1]))
        joined = np.concatenate([states[one.first], states[one.last], whole], axis=1)
        first, beside, last, bias = self._head
        logits = _gelu(joined @ first.T + beside) @ last.T + bias
        found: list[float] = (1.0 / (1.0 + np.exp(-logits[:, 0].astype(np.float64)))).tolist()
        return found

    @cached_property
    def _head(self) -> tuple[Table, Table, Table, Table]:
        try:
            stored = read_arrays(self._folder / HEAD)
            names = ("first", "first_bias", "last", "last_bias")
            first, beside, last, bias = (stored[name].astype(np.float32) for name in names)
        except (OSError, KeyError, ValueError) as error:
            raise RollcallError(f"{self._folder}: its head cannot be read: {error}") from None
        return first, beside, last, bias

    @cached_property
    def _session(self) -> Any:
        return open_network(self._folder / MODEL, self._folder, _OF)


class _Tokeniser:
    """A tokenizer with the interface that transformers gives its own."""

    def __init__(self, tokenizer: Any) -> None:
        tokenizer.no_truncation()
        self._tokenizer = tokenizer
        self.cls_token_id, self.sep_token_id = map(tokenizer.token_to_id, ("[CLS]", "[SEP]"))

    def __call__(self, texts: Sequence[str], *, max_length: int, **_: object) -> dict[str, list[Any]]:
        encoded = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return {
            "input_ids": [one.ids[:max_length] for one in encoded],
            "offset_mapping": [one.offsets[:max_length] for one in encoded],
        }


def _gelu(values: Table) -> Table:
    """The activation of the head, by the error function as Abramowitz and Stegun approximate it (7.1.26)."""
    size = np.abs(values) / np.sqrt(np.float32(2.0))
    inverse = 1.0 / (1.0 + 0.3275911 * size)
    terms = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
    series = np.zeros_like(size)
    for one in terms:
        series = (series + one) * inverse
    error = np.sign(values) * (1.0 - series * np.exp(-size * size))
    found: Table = (values * 0.5 * (1.0 + error)).astype(np.float32)
    return found
