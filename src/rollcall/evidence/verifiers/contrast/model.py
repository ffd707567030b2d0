"""Logistic regression over sparse rows: Newton steps, each computed by conjugate gradients.

Columns that occur in the same rows get equal weights, so they are fitted as one; most n-grams of a few
thousand sentences are like that. A problem is prepared once and solved for changing labels, each time from
the previous weights. Sums are computed by NumPy, not by BLAS, because the last digits of BLAS depend on the
number of threads.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from rollcall._core.errors import UNREADABLE, RollcallError
from rollcall._core.files import DamagedFileError, read_arrays
from rollcall.evidence.verifiers.contrast.features import BITS, Numbers, Rows, SparseRows, stacked

TOLERANCE = 0.01
"""The fit ends when the gradient is below this share of its size at weights that are all zero."""
MOST_STEPS, MOST_DIRECTIONS = 15, 20
_RESIDUAL = 0.5
_SMALLEST_STEP = 1e-3
_LEAST_WEIGHT = 1e-4


class Weighted(NamedTuple):
    """The weight of each row; the rows whose weight is not 0, how many ones each has, in which columns."""

    sureness: Numbers
    rows: Rows
    lengths: Rows
    columns: NDArray[np.int32] | Rows


class FeatureWeights(NamedTuple):
    """A linear model of hashed features: which have a weight, the weights, and the constant."""

    columns: NDArray[np.int32]
    values: NDArray[np.float32]
    constant: float

    def logits(self, matrix: SparseRows, buffer: Numbers) -> Numbers:
        """The log-odds of the rows of a matrix; `buffer`, as wide as the matrix, is all zero before and
        after.
        """
        buffer[self.columns] = self.values
        logits = matrix.dot(buffer) + self.constant
        buffer[self.columns] = 0.0
        return logits


class Solution(NamedTuple):
    """Weights of merged columns, the constant last, and the log-odds of each row."""

    weights: Numbers
    logits: Numbers


class Regression:
    """The sentences to fit: their columns, merged if they occur in the same rows."""

    def __init__(self, matrix: SparseRows, strength: float = 1.0) -> None:
        """A greater `strength` penalises large weights less."""
        rows = np.repeat(np.arange(matrix.height), np.diff(matrix.starts))
        self._columns, self._group, first = _merged(matrix, rows)
        new_column = np.full(len(self._columns) and int(self._columns[-1]) + 1, -1)
        new_column[self._columns[first]] = np.arange(len(first))
        merged = new_column[matrix.columns]
        is_kept = merged >= 0
        starts = np.searchsorted(rows[is_kept], np.arange(matrix.height + 1))
        self._matrix = SparseRows(starts, merged[is_kept])
        self._sizes = np.bincount(self._group, minlength=len(first)).astype(np.float64)
        self._ridge = np.append(1.0 / self._sizes, 1.0) / strength

    def weighted(self, sureness: Numbers) -> Weighted:
        """The rows with their weights; a row without weight adds nothing to the sums of columns."""
        rows = np.flatnonzero(sureness)
        counted = self._matrix if len(rows) == len(sureness) else self._matrix.take(rows)
        return Weighted(sureness, rows, np.diff(counted.starts), counted.columns)

    def solve(self, labels: Numbers, rows: Weighted, start: Solution | None = None) -> Solution:
        """The weights for labels between 0 and 1."""
        sureness = rows.sureness
        solution = start or Solution(np.zeros(len(self._ridge)), np.zeros(self._matrix.height))
        small = TOLERANCE * _norm(self._transposed(sureness * (0.5 - labels), rows))
        for _ in range(MOST_STEPS):
            chances = sigmoid(solution.logits)
            slope = self._transposed(sureness * (chances - labels), rows)
            gradient = slope + self._ridge * solution.weights
            if _norm(gradient) <= small:
                break
            direction = self._direction(gradient, sureness * chances * (1.0 - chances), rows)
            solution = self._stepped(solution, direction, labels, sureness)
        return solution

    def weights(self, solution: Solution) -> FeatureWeights:
        """A solution as weights of the original columns, without zeros."""
        values = (solution.weights[:-1] / self._sizes)[self._group]
        is_used = np.abs(values) > _LEAST_WEIGHT
        return FeatureWeights(
            self._columns[is_used].astype(np.int32),
            values[is_used].astype(np.float32),
            float(solution.weights[-1]),
        )

    def _times(self, weights: Numbers) -> Numbers:
        """For each row the sum of the weights of its columns and the constant."""
        return self._matrix.dot(weights) + float(weights[-1])

    def _transposed(self, of_rows: Numbers, weighted: Weighted) -> Numbers:
        """For each column, the sum over its rows; the constant is in every row."""
        terms = np.repeat(of_rows[weighted.rows], weighted.lengths)
        sums = np.bincount(weighted.columns, terms, minlength=len(self._ridge))
        sums[-1:] = of_rows.sum()
        return sums.astype(np.float64, copy=False)

    def _direction(self, gradient: Numbers, curvature: Numbers, rows: Weighted) -> Solution:
        """An approximate Newton step, by conjugate gradients."""
        scale = 1.0 / (self._ridge + self._transposed(curvature, rows))
        step, logits = np.zeros_like(gradient), np.zeros(len(curvature))
        residual = -gradient
        scaled = scale * residual
        toward, remaining = scaled, _sum(residual, scaled)
        enough = _RESIDUAL**2 * remaining
        for _ in range(MOST_DIRECTIONS):
            row_sums = self._times(toward)
            bent = self._transposed(curvature * row_sums, rows) + self._ridge * toward
            length = remaining / _sum(toward, bent)
            step += length * toward
            logits += length * row_sums
            residual -= length * bent
            scaled = scale * residual
            remaining, previous = _sum(residual, scaled), remaining
            if remaining <= enough:
                break
            toward = scaled + (remaining / previous) * toward
        return Solution(step, logits)

    def _stepped(
        self, solution: Solution, direction: Solution, labels: Numbers, sureness: Numbers
    ) -> Solution:
        """A step that lowers the loss: the whole step, or a half, a quarter, …"""
        loss, length = self._loss(solution, labels, sureness), 1.0
        while True:
            next_one = Solution(
                solution.weights + length * direction.weights, solution.logits + length * direction.logits
            )
            if length < _SMALLEST_STEP or self._loss(next_one, labels, sureness) < loss:
                return next_one
            length /= 2

    def _loss(self, solution: Solution, labels: Numbers, sureness: Numbers) -> float:
        of_rows = np.logaddexp(0.0, solution.logits) - labels * solution.logits
        return _sum(sureness, of_rows) + 0.5 * _sum(self._ridge, solution.weights**2)


def _merged(matrix: SparseRows, rows: Rows) -> tuple[Rows, Rows, Rows]:
    """The columns that occur, the group of each, and the first column of each group.

    Each row gets a random number; columns with the same sum of these numbers occur in the same rows.
    """
    occurs = np.zeros(int(matrix.columns.max(initial=-1)) + 1, bool)
    occurs[matrix.columns] = True
    columns = np.flatnonzero(occurs)
    column_indexes = (np.cumsum(occurs) - 1)[matrix.columns]
    random = np.random.default_rng(0).random(matrix.height)
    _sums, first, group = np.unique(
        np.bincount(column_indexes, random[rows], minlength=len(columns)),
        return_index=True,
        return_inverse=True,
    )
    return columns, group, first


def _sum(left: Numbers, right: Numbers) -> float:
    return float((left * right).sum())


def _norm(vector: Numbers) -> float:
    return float(np.sqrt(_sum(vector, vector)))


def sigmoid(logits: Numbers) -> Numbers:
    """Probabilities from log-odds."""
    chances: Numbers = 1.0 / (1.0 + np.exp(-np.clip(logits, -30.0, 30.0)))
    return chances


# Learns one relation by contrast: which wordings state it, and which only occur together with it. Input:
# `RelationData`. Output: `Learned`. Sentences that name the ends of a fact of the relation are contrasted
# with sentences of pairs that do not have the relation. Some sentences name both ends but do not state the
# fact; usually another sentence of the same page does. So the labels are corrected in rounds. Among the
# sentences of one fact on one page, the one with the highest score keeps it as its label, and the others
# lose most of theirs. Labels are then raised so that each fact is likely to be stated by one of its
# sentences.

FOLDS = 3
"""The number of parts of the pages; no sentence is scored by a model that learned from its own part."""
ROUNDS, FEW_ROUNDS, MANY = 6, 3, 60
"""How many times labels are corrected, with at least `MANY` sentences and with fewer."""
SHARE = 0.8
"""The share of its label that a sentence loses to a better one of the same fact and page."""
STATED = 0.9
"""The prior probability that one of the sentences of a fact states it."""
FEWEST = 15
"""A relation with fewer sentences is left to the shared model."""
_LEAST_SHARE_OF_POSITIVES = 0.3
_MOST_WEIGHT = 20.0


class RelationData(NamedTuple):
    """The data for one relation: features, folds and groups of its own sentences, features and folds of
    others.
    """

    relation: str
    own: SparseRows
    own_folds: Rows
    groups: Rows
    shares: Numbers
    other: SparseRows
    other_folds: Rows


class Learned(NamedTuple):
    """A learned relation, with weights for each fold of pages, and the labels of its sentences.

    `weights` say whether the relation is stated; `claims` only whether it is this relation and not another.
    """

    relation: str
    weights: tuple[FeatureWeights, ...]
    claims: tuple[FeatureWeights, ...]
    labels: Numbers


def learn_relation(task: RelationData) -> Learned:
    """Learn a relation; the sentences of a fold are scored by the model learned from the other folds."""
    labels = task.shares.astype(np.float64)
    count = task.own.height
    scores = np.full(count, 0.5)
    if count < FEWEST:
        return Learned(task.relation, (), (), labels)
    regression = Regression(stacked([task.own, task.other]))
    weighted = [regression.weighted(_sureness(task, fold)) for fold in range(FOLDS)]
    solved: Sequence[Solution | None] = [None] * FOLDS
    solutions: list[Solution] = []
    claims: tuple[FeatureWeights, ...] = ()
    for _ in range(ROUNDS if count >= MANY else FEW_ROUNDS):
        answers = np.concatenate([labels, np.zeros(task.other.height)])
        solutions = [
            regression.solve(answers, *arguments) for arguments in zip(weighted, solved, strict=True)
        ]
        solved = solutions
        claims = claims or tuple(map(regression.weights, solutions))
        for fold, solution in enumerate(solutions):
            of_fold = task.own_folds == fold
            scores[of_fold] = sigmoid(solution.logits[:count][of_fold])
        labels = corrected_labels(scores, task.groups)
    return Learned(task.relation, tuple(map(regression.weights, solutions)), claims, labels)


def _sureness(task: RelationData, fold: int) -> Numbers:
    """The weight of each sentence: 0 in its own fold, unless there are no other sentences."""
    own_weights, other_weights = task.own_folds != fold, task.other_folds != fold
    if own_weights.sum() < 2:
        own_weights = np.ones_like(own_weights)
    share = own_weights.sum() / (own_weights.sum() + other_weights.sum())
    weight = min(_MOST_WEIGHT, max(1.0, _LEAST_SHARE_OF_POSITIVES / share))
    return np.concatenate([own_weights * weight, other_weights * 1.0])


def corrected_labels(scores: Numbers, groups: Rows) -> Numbers:
    """New labels from scores: in each group the best sentence keeps its score, the others lose most of
    theirs.
    """
    order = np.lexsort((-scores, groups))
    sorted_groups, believed = groups[order], scores[order]
    first = np.concatenate([[True], sorted_groups[1:] != sorted_groups[:-1]])
    starts = np.flatnonzero(first)
    sizes = np.diff(np.concatenate([starts, [len(order)]]))
    best = np.repeat(believed[starts], sizes)
    lowered = np.where(first, believed, believed * (1 - SHARE * best))
    doubts = np.multiply.reduceat(1 - np.minimum(lowered, 0.999), starts)
    stated = np.repeat(1 - doubts, sizes)
    raised = np.where(
        (stated < STATED) & (stated > 0.02),
        np.minimum(lowered * STATED / np.maximum(stated, 0.02), 0.99),
        lowered,
    )
    labels = np.empty(len(scores))
    labels[order] = raised
    return labels


# Stores a learned contrast verifier in a file: arrays of numbers and a description in JSON. Nothing in
# the file can run code when it is read, so a folder may be passed on to other people. The bytes depend
# only on what was learned. All weights are stored one after another in two arrays, in the order in which
# the description names them.

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


class _ModelFile(msgspec.Struct):
    format: int
    shared: int
    models: list[_Described]


def write_models(path: Path, models: Mapping[str, Model], shared: Sequence[FeatureWeights]) -> None:
    """Write the models of all relations, and the shared model, to a file."""
    weight_sets = [
        *shared,
        *(weights for model in models.values() for weights in (*model.weights, *model.claims)),
    ]
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
    content = msgspec.json.encode(_ModelFile(_FORMAT, len(shared), described))
    with path.open("wb") as stream:
        np.savez(
            stream,
            content=np.frombuffer(content, np.uint8),
            lengths=np.array([len(weights.columns) for weights in weight_sets], np.int64),
            constants=np.array([weights.constant for weights in weight_sets], np.float64),
            columns=_joined([weights.columns for weights in weight_sets], np.int32),
            values=_joined([weights.values for weights in weight_sets], np.float32),
            labels=_joined([model.labels for model in models.values()], np.float64),
        )


def _joined(arrays: list[np.ndarray], kind: type) -> np.ndarray:
    return np.concatenate([np.zeros(0, kind), *arrays])


def read_models(path: Path) -> tuple[dict[str, Model], tuple[FeatureWeights, ...]]:
    """The models of all relations and the shared model; any other file is refused."""
    try:
        arrays = read_arrays(path)
        content = msgspec.json.decode(arrays["content"].tobytes(), type=_ModelFile)
        weights = _weights(*(arrays[name] for name in ("lengths", "constants", "columns", "values")))
        examples = [model.examples for model in content.models]
        labels = np.split(arrays["labels"], np.cumsum(examples)) if "labels" in arrays else None
        if content.format != _FORMAT:
            raise ValueError(f"its format is {content.format}")
        shared = _folds(weights, content.shared)
        models = {
            model.relation: Model(
                model.cues,
                _folds(weights, model.weights),
                _folds(weights, model.claims),
                model.examples,
                model.threshold,
                model.rivals,
                labels[number] if labels is not None else np.zeros(0),
            )
            for number, model in enumerate(content.models)
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
