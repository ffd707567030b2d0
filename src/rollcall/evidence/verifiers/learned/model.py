"""The model that judges readings: a small BERT encoder in int8, run by onnxruntime on a processor.

Sentences are judged one by one, because int8 numbers are scaled by all sentences of a batch: a score would
depend on what else is judged. One thread for each process gives the same bits for any number of processes.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollcall.errors import RollcallError
from rollcall.evidence.verifiers.learned.reading import Reading

Numbers = NDArray[np.float64]
Vectors = NDArray[np.float32]


class Judged(NamedTuple):
    """What the model says about readings: log-odds that they state their relation, and what these are made
    from.
    """

    logits: Numbers
    vectors: Vectors


class StatementModel:
    """The model in a folder, loaded when it is first used."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            import onnxruntime
            import tokenizers
        except ImportError:
            raise RollcallError(
                "the learned verifier needs onnxruntime and tokenizers: pip install rollcall-models"
            ) from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(
                str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
            )
            self._tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as error:  # both libraries raise errors of their own, without a common base
            first = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise RollcallError(f"{folder}: is no model of the learned verifier: {first}") from None

    def __reduce__(self) -> tuple[type["StatementModel"], tuple[Path]]:
        return StatementModel, (self.folder,)

    def judge(self, readings: Sequence[Reading]) -> Judged:
        """Judge readings, each once."""
        different = list(dict.fromkeys(readings))
        judged = [self._judge(one) for one in different]
        place = {reading: number for number, reading in enumerate(different)}
        rows = [place[reading] for reading in readings]
        logits = np.array([logit for logit, _vector in judged], np.float64)
        vectors = np.array([vector for _logit, vector in judged], np.float32)
        return Judged(logits[rows], vectors[rows]) if rows else Judged(logits, vectors.reshape(0, 0))

    def _judge(self, reading: Reading) -> tuple[float, Vectors]:
        encoded = self._tokenizer.encode(reading.relation, reading.sentence)
        given = {
            "tokens": np.array([encoded.ids], np.int64),
            "mask": np.ones((1, len(encoded.ids)), np.int64),
            "types": np.array([encoded.type_ids], np.int64),
        }
        logit, vector = self._session.run(None, given)
        return float(logit[0]), vector[0]
