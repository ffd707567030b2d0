"""What the contrast verifier computes with: rows of ones, and the regression over them."""

import numpy as np
import pytest
from scipy.optimize import minimize

from rollcall.evidence import CandidateSentence
from rollcall.evidence.verifiers.contrast import model
from rollcall.evidence.verifiers.contrast.features import (
    SparseRows,
    cue_columns,
    feature_columns,
    features,
    from_lists,
    hashed,
    masked,
    of_names,
    stacked,
    without_cues,
)
from rollcall.evidence.verifiers.contrast.model import Regression, sigmoid
from rollcall.systems.read.mentions import logistic_weights

WIDTH = 30


def dense(matrix: SparseRows) -> np.ndarray:
    found = np.zeros((matrix.height, WIDTH))
    for row in range(matrix.height):
        np.add.at(found[row], matrix.columns[matrix.starts[row] : matrix.starts[row + 1]], 1)
    return found


@pytest.fixture
def matrix():
    """Rows of any length, the first, one in the middle and the last without any column."""
    random = np.random.default_rng(5)
    lengths = [0, *random.integers(1, 9, 20), 0, *random.integers(1, 9, 40), 0]
    columns = [random.choice(WIDTH, length, replace=False) for length in lengths]
    return from_lists(lengths, np.concatenate(columns).astype(np.int32))


def test_rows_of_ones_compute_as_a_dense_matrix_does(matrix):
    full, weights = dense(matrix), np.random.default_rng(1).normal(size=WIDTH)
    assert matrix.dot(weights) == pytest.approx(full @ weights)
    numbers = np.array([5, 0, 5, 61, 22])
    assert (dense(matrix.take(numbers)) == full[numbers]).all()
    some = np.arange(matrix.height) % 3 == 1
    assert (dense(matrix.take(some)) == full[some]).all()
    assert (dense(stacked([matrix, matrix.take(some)])) == np.concatenate([full, full[some]])).all()
    bare = full.copy()
    bare[:, [3, 7]] = 0
    assert (dense(matrix.without(np.array([3, 7], np.int32))) == bare).all()
    assert matrix.take([]).height == 0


def test_features_are_hashed_the_same_everywhere():
    matrix = hashed(map(of_names, [["cue", "in: born"], [], ["in: born"]]))
    assert matrix.starts.tolist() == [0, 2, 2, 3]
    assert matrix.columns.tolist() == [46095, 572464, 572464]
    assert cue_columns()[0] == matrix.columns[0]
    assert without_cues(matrix).columns.tolist() == [572464, 572464]


@pytest.mark.parametrize(
    "text",
    [
        "Ada wrote ^ the the book Opal, Opal of 1843.",
        "“Opal” is Ada’s ^ book.",
        "Éva İnan met Ada in Opal City",
    ],
)
def test_columns_are_the_hashes_of_the_features_that_explanations_show(text):
    def places(name):
        return ((text.index(name), text.index(name) + len(name)),)

    candidate = CandidateSentence(
        "Q1", "P1", "Q2", text, subject_places=places("Ada"), object_places=places("Opal"), page="Ada"
    )
    mask, cues = masked(candidate), ("book", "the book", "wrote")
    assert list(feature_columns(mask, cues)) == of_names(features(mask, cues))
    assert ("cue" in features(mask, cues)) == (" book " in f" {' '.join(mask.tokens)} ")
    assert "in: X" not in features(mask), "an end alone says nothing"


@pytest.mark.parametrize(("tolerance", "apart"), [(0.003, 2e-3), (model.TOLERANCE, 1e-2)])
def test_the_regression_finds_the_least_loss(matrix, tolerance, apart, monkeypatch):
    monkeypatch.setattr(model, "TOLERANCE", tolerance)
    random = np.random.default_rng(2)
    twins = SparseRows(matrix.starts * 2, np.repeat(matrix.columns * 2, 2))
    twins.columns[1::2] += 1  # every column has a twin in the same rows, and twins are merged
    labels, sureness, strength = random.random(matrix.height), random.integers(0, 4, matrix.height) * 1.0, 0.5
    full = np.column_stack([dense(matrix), dense(matrix), np.ones(matrix.height)])

    def loss(weights):
        logits = full @ weights
        of_rows = sureness * (np.logaddexp(0, logits) - labels * logits)
        return of_rows.sum() + (weights**2).sum() / (2 * strength)

    best = minimize(loss, np.zeros(full.shape[1]), tol=1e-9).x
    regression = Regression(twins, strength)
    weighted = regression.weighted(sureness)
    solution = regression.solve(labels, weighted)
    assert sigmoid(solution.logits) == pytest.approx(sigmoid(full @ best), abs=apart)
    found = regression.weights(solution)
    logits = found.logits(twins, np.zeros(2 * WIDTH))
    assert logits == pytest.approx(solution.logits, abs=1e-2)
    pairs = dict(zip(found.columns.tolist(), found.values.tolist(), strict=True))
    assert all(pairs[column] == pairs[column ^ 1] for column in pairs)
    again = regression.solve(labels, weighted, solution)
    assert (again.weights == solution.weights).all(), "what is solved needs no further step"


def test_the_weights_of_a_reader_have_the_least_loss():
    random = np.random.default_rng(3)
    features = random.normal(size=(200, 3)) * [0.1, 1.0, 10.0]
    labels = features.sum(axis=1) + random.normal(size=200) > 2

    def loss(weights):
        logits = features @ weights[1:] + weights[0]
        return (np.logaddexp(0, logits) - labels * logits).sum() + (weights[1:] ** 2).sum() / 20

    best = minimize(loss, np.zeros(4), tol=1e-10).x
    assert logistic_weights(features, labels) == pytest.approx(best, abs=1e-3)
