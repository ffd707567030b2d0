"""Stores a learned contrast verifier in a file: arrays of numbers and a description in JSON.

Nothing in the file can run code when it is read, so a folder may be passed on to other people. The bytes
depend only on what was learned. All weights are stored one after another in two arrays, in the order in which
the description names them.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from rollcall.decompression import DamagedFileError, read_arrays
from rollcall.errors import RollcallError
from rollcall.evidence.verifiers.contrast.features import BITS
from rollcall.evidence.verifiers.contrast.fit import FOLDS
from rollcall.evidence.verifiers.contrast.logistic import FeatureWeights
from rollcall.evidence.verifiers.contrast.sparse import Numbers
from rollcall.nesting import UNREADABLE

_FORMAT = 2


class Model(NamedTuple):
    """One relation: its cues, the weights of each fold, the number of examples, the threshold and the rivals.

    One set of weights says whether the relation is stated, the other whether it is this relation and not a
    rival.
    """

    cues: tuple[str, ...]
    weights: tuple[FeatureWeights, ...] = ()
    claims: tuple[FeatureWeights, ...] = ()
    examples: int = 0
    threshold: float = 0.5
    rivals: tuple[str, ...] = ()
    labels: Numbers = np.zeros(0)
    """The labels that its examples had in the end; learning further relations needs them."""


class _Described(msgspec.Struct):
    """A model with the number of its weights instead of the weights."""

    relation: str
    cues: tuple[str, ...]
    weights: int
    claims: int
    examples: int
    threshold: float
    rivals: tuple[str, ...]


class _Content(msgspec.Struct):
    format: int
    shared: int
    models: list[_Described]


def write_models(path: Path, models: Mapping[str, Model], shared: Sequence[FeatureWeights]) -> None:
    """Write the models of all relations, and the shared model, to a file."""
    every = [*shared, *(one for model in models.values() for one in (*model.weights, *model.claims))]
    described = [
        _Described(
            relation,
            model.cues,
            len(model.weights),
            len(model.claims),
            model.examples,
            model.threshold,
            model.rivals,
        )
        for relation, model in models.items()
    ]
    content = msgspec.json.encode(_Content(_FORMAT, len(shared), described))
    with path.open("wb") as stream:
        np.savez(
            stream,
            content=np.frombuffer(content, np.uint8),
            lengths=np.array([len(one.columns) for one in every], np.int64),
            constants=np.array([one.constant for one in every], np.float64),
            columns=_joined([one.columns for one in every], np.int32),
            values=_joined([one.values for one in every], np.float32),
            labels=_joined([model.labels for model in models.values()], np.float64),
        )


def _joined(arrays: list[np.ndarray], kind: type) -> np.ndarray:
    return np.concatenate([np.zeros(0, kind), *arrays])


def read_models(path: Path) -> tuple[dict[str, Model], tuple[FeatureWeights, ...]]:
    """The models of all relations and the shared model; any other file is refused."""
    try:
        arrays = read_arrays(path)
        content = msgspec.json.decode(arrays["content"].tobytes(), type=_Content)
        found = _weights(*(arrays[name] for name in ("lengths", "constants", "columns", "values")))
        examples = [one.examples for one in content.models]
        labels = np.split(arrays["labels"], np.cumsum(examples)) if "labels" in arrays else None
        if content.format != _FORMAT:
            raise ValueError(f"its format is {content.format}")
        shared = _folds(found, content.shared)
        models = {
            one.relation: Model(
                one.cues,
                _folds(found, one.weights),
                _folds(found, one.claims),
                one.examples,
                one.threshold,
                one.rivals,
                labels[number] if labels is not None else np.zeros(0),
            )
            for number, one in enumerate(content.models)
        }
        if not all(models[rival].claims for model in models.values() for rival in model.rivals):
            raise ValueError("a rival has no claims")
    except (OSError, DamagedFileError, KeyError, IndexError, TypeError, ValueError, *UNREADABLE):
        raise RollcallError(f"{path}: is not a contrast verifier that was saved") from None
    return models, shared


def _weights(
    lengths: np.ndarray, constants: np.ndarray, columns: np.ndarray, values: np.ndarray
) -> Iterator[FeatureWeights]:
    kinds = [array.dtype for array in (lengths, constants, columns, values)]
    ends = np.concatenate([[0], np.cumsum(lengths)]).tolist()
    if (
        kinds != [np.int64, np.float64, np.int32, np.float32]
        or not len(lengths) == len(constants)
        or not ends[-1] == len(columns) == len(values)
        or (lengths < 0).any()
        or (len(columns) and not 0 <= columns.min() <= columns.max() < 1 << BITS)
    ):
        raise ValueError("its arrays do not fit together")
    return iter(
        [
            FeatureWeights(columns[start:end], values[start:end], float(constant))
            for (start, end), constant in zip(pairwise(ends), constants, strict=True)
        ]
    )


def _folds(weights: Iterator[FeatureWeights], count: int) -> tuple[FeatureWeights, ...]:
    """The next weights: one set for each fold, or none."""
    if count not in (0, FOLDS):
        raise ValueError(f"{count} models where there are {FOLDS} folds")
    return tuple(next(weights) for _ in range(count))
