"""The model that judges readings: a small BERT encoder in int8, run by onnxruntime on a processor.

Sentences are judged one by one, because int8 numbers are scaled by all sentences of a batch: a score would
depend on what else is judged.
"""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from rollcall.errors import RollcallError
from rollcall.evidence.verifiers.learned.combining import Combination, Numbers
from rollcall.evidence.verifiers.learned.reading import Reading
from rollcall.nesting import UNREADABLE
from rollcall.onnx_networks import open_network, open_tokenizer


class Card(msgspec.Struct):
    """What a model says of itself: how its log-odds become probabilities."""

    constant: float
    slope: float
    threshold: float


class StatementModel:
    """The model in a folder, or one adapted from it, loaded when it is first used."""

    def __init__(self, folder: Path, adapted: bytes | None = None) -> None:
        self.folder, self.adapted = folder, adapted
        try:
            self._card = msgspec.json.decode((folder / "card.json").read_bytes(), type=Card)
        except OSError:
            raise RollcallError(
                f"{folder}: is no model of the learned verifier, since it has no card.json that can be read; "
                "name a folder that models/training/export.py and calibrate.py wrote"
            ) from None
        except UNREADABLE as error:
            raise RollcallError(
                f"{folder}: is no model of the learned verifier; its card.json cannot be read: {error}"
            ) from None

    def __reduce__(self) -> tuple[type["StatementModel"], tuple[Path, bytes | None]]:
        return StatementModel, (self.folder, self.adapted)

    @property
    def calibration(self) -> Combination:
        """How the model's log-odds alone become probabilities."""
        return Combination(self._card.constant, self._card.slope, 0.0, self._card.threshold)

    @cached_property
    def fingerprint(self) -> str:
        """What tells this model from others."""
        try:
            content = (self.folder / "model.onnx").read_bytes()
        except OSError as error:
            raise RollcallError(f"{self.folder}: is no model of the learned verifier: {error}") from None
        return hashlib.sha256(content).hexdigest()[:16]

    @cached_property
    def tokenizer(self) -> Any:
        """The tokenizer of the `tokenizers` library."""
        return open_tokenizer(self.folder / "tokenizer.json", _OF)

    @cached_property
    def _session(self) -> Any:
        return open_network(self.adapted or self.folder / "model.onnx", self.folder, _OF)

    def logits(self, readings: Sequence[Reading]) -> Numbers:
        """The log-odds that sentences state their relations; the same reading is judged once."""
        known = {reading: self._logit(reading) for reading in dict.fromkeys(readings)}
        return np.array([known[reading] for reading in readings], np.float64)

    def _logit(self, reading: Reading) -> float:
        encoded = self.tokenizer.encode(reading.relation, reading.sentence)
        given = {
            "tokens": np.array([encoded.ids], np.int64),
            "mask": np.ones((1, len(encoded.ids)), np.int64),
            "types": np.array([encoded.type_ids], np.int64),
        }
        return float(self._session.run(["logit"], given)[0][0])


_OF = "the verifier learned"
