"""Boosted trees that weigh the features of possible answers, by LightGBM; stored as compressed text.

Every question counts about alike: a possible answer to a question with many right ones counts less. The
questions are cut into folds; each is weighed by trees that have not seen it, which decides how many trees
there are, and says what a second look may rely on.
"""

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollcall.decompression import DamagedFileError
from rollcall.errors import RollcallError
from rollcall.files import open_compressed
from rollcall.systems.read.combined.table import Chances, Table

_PARAMETERS = {
    "objective": "binary",
    "learning_rate": 0.05,
    "num_leaves": 15,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "verbose": -1,
    "deterministic": True,
    "force_row_wise": True,
}
_MOST, _PATIENCE, _FOLDS = 400, 40, 3
_RANK, _LEAST_RANK, _EVERY = "rank by mentions", 1 / 101, 5
"""Of the wrong answers that `mentions` ranks lower, every fifth is learned from, and counts for all."""


class Judged(NamedTuple):
    """The possible answers to one question, and which of them are right."""

    rows: Table
    right: npt.NDArray[np.float64]


class Trees:
    """Fitted trees."""

    def __init__(self, booster: Any) -> None:
        self._booster = booster

    @classmethod
    def open(cls, file: Path) -> "Trees":
        if not file.is_file():
            raise RollcallError(f"{file.parent}: has no {file.name}; train it again")
        lightgbm = _lightgbm()
        try:
            with open_compressed(file) as stream:
                return cls(lightgbm.Booster(model_str=stream.read().decode()))
        except DamagedFileError as error:
            raise RollcallError(f"{file}: {error.reason}; train it again") from None
        except (ValueError, lightgbm.basic.LightGBMError) as error:
            raise RollcallError(f"{file}: cannot be read: {error}; train it again") from None

    def save(self, file: Path) -> None:
        file.write_bytes(gzip.compress(self._booster.model_to_string().encode(), mtime=0))

    def chances(self, rows: Table) -> Chances:
        """The probability of each possible answer."""
        if not len(rows):
            return np.zeros(0)
        if self._booster.num_feature() != rows.shape[1]:
            raise RollcallError(
                "the trees of the reader rollcall were fitted by another version: train it again, or bring"
                " rollcall and rollcall-models to the same version"
            )
        found: Chances = self._booster.predict(rows, num_threads=1)
        return found


class Fitted(NamedTuple):
    """Trees, and what trees that had not seen a question made of it."""

    trees: Trees
    unseen: list[Chances]


def fit(names: Sequence[str], judged: Sequence[Judged], seed: int = 0, threads: int = 1) -> Fitted:
    """Trees for questions, and for each question the chances by trees of the other folds."""
    if not any(one.right.any() for one in judged):
        raise RollcallError("no possible answer to the questions is right, so nothing can be learned")
    unseen: list[Chances] = [np.zeros(len(one.right)) for one in judged]
    numbers = []
    parameters = {**_PARAMETERS, "seed": seed, "num_threads": threads}
    folds = min(_FOLDS, len(judged))
    for fold in range(folds):
        inside = [one for place, one in enumerate(judged) if place % folds != fold]
        outside = [one for place, one in enumerate(judged) if place % folds == fold]
        if not any(one.right.any() for one in inside):
            continue
        booster = _boosted(names, inside, outside, parameters)
        numbers.append(booster.best_iteration or booster.current_iteration())
        trees = Trees(booster)
        for place in range(fold, len(judged), folds):
            unseen[place] = trees.chances(judged[place].rows)
    number = max(round(sum(numbers) / len(numbers)), 1) if numbers else _MOST // 2
    whole = _lightgbm().train(parameters, _data(names, judged), number)
    return Fitted(Trees(whole), unseen)


def _boosted(
    names: Sequence[str], inside: Sequence[Judged], outside: Sequence[Judged], parameters: dict[str, Any]
) -> Any:
    """Trees for some questions, as many as do best on others."""
    lightgbm = _lightgbm()
    learning = _data(names, inside)
    if not any(one.right.any() for one in outside):
        return lightgbm.train(parameters, learning, _MOST // 2)
    return lightgbm.train(
        parameters,
        learning,
        _MOST,
        valid_sets=[_data(names, outside, learning)],
        callbacks=[lightgbm.early_stopping(_PATIENCE, verbose=False)],
    )


def _data(names: Sequence[str], judged: Sequence[Judged], like: Any = None) -> Any:
    counts = [_counts(names, one) for one in judged]
    kept = [count > 0 for count in counts]
    weights = [
        count[some] / np.sqrt(1.0 + one.right.sum())
        for count, some, one in zip(counts, kept, judged, strict=True)
    ]
    return _lightgbm().Dataset(
        np.concatenate([one.rows[some] for one, some in zip(judged, kept, strict=True)]),
        np.concatenate([one.right[some] for one, some in zip(judged, kept, strict=True)]),
        weight=np.concatenate(weights),
        reference=like,
        feature_name=[name.replace(" ", "_").replace(":", "_").replace(",", "_") for name in names],
        free_raw_data=False,
    )


def _counts(names: Sequence[str], judged: Judged) -> npt.NDArray[np.float64]:
    """For how many each possible answer counts: most of a question's are hopeless, and teach the same."""
    count = len(judged.right)
    if _RANK not in names:
        return np.ones(count)
    likely = judged.rows[:, names.index(_RANK)] >= _LEAST_RANK
    chosen = np.arange(count) % _EVERY == 0
    return np.where(likely | (judged.right > 0), 1.0, np.where(chosen, float(_EVERY), 0.0))


def _lightgbm() -> Any:
    try:
        import lightgbm
    except ImportError:
        raise RollcallError(
            "the reader rollcall needs LightGBM: pip install 'rollcall-qa[neural]', or rollcall-models"
        ) from None
    return lightgbm
