"""Estimates from judged errors agree with ppi-python, the package of the method's authors."""

import numpy as np
import pytest
from numpy.typing import NDArray

from rollcall.score.incomplete.estimate import Sampled, estimate

Floats = NDArray[np.float64]


def drawn(seed: int, size: int, n: int) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Verdicts, a machine's scores, and which of them are in the sample."""
    places = np.arange(size)
    right = ((places * (7 + seed)) % 10 < 3).astype(np.float64)
    scores = np.clip(0.25 + 0.4 * right + 0.25 * np.sin(places * (seed + 1)), 0, 1)
    sampled = np.zeros(size, dtype=np.bool_)
    sampled[(places[:n] * 37 + 11 * seed) % size] = True
    return right, scores, sampled


def ours(right: Floats, scores: Floats, sampled: NDArray[np.bool_]) -> Sampled:
    seen = np.where(sampled, right, np.nan)
    return estimate(np.full(len(right), 1 / len(right)), seen, sampled, scores, 0.95)


PUBLISHED = [
    (0, 4001, 100, 0.300292095193, 0.236353727187, 0.364230463200),
    (1, 5003, 200, 0.401901061710, 0.354184007008, 0.449618116412),
    (2, 3001, 80, 0.297434451479, 0.223886207061, 0.370982695896),
]
"""Seed, size, n, and what ppi_mean_pointestimate and ppi_mean_ci(alpha=0.05) of ppi-python 0.2.3 give."""


@pytest.mark.parametrize(("seed", "size", "n", "value", "low", "high"), PUBLISHED)
def test_as_ppi_python_computed(seed: int, size: int, n: int, value: float, low: float, high: float) -> None:
    found = ours(*drawn(seed, size, n))
    assert found.value == pytest.approx(value, abs=1e-9)
    # Ours is that of a finite population, and Student's t in Wilson's form.
    assert found.high - found.low == pytest.approx(high - low, rel=0.12)


@pytest.mark.parametrize("seed", range(3))
def test_as_ppi_python_computes(seed: int) -> None:
    ppi_py = pytest.importorskip("ppi_py", reason="ppi-python is not installed")
    right, scores, sampled = drawn(seed, 4001 + seed, 90 + 40 * seed)
    given = right[sampled], scores[sampled], scores[~sampled]
    found = ours(right, scores, sampled)
    assert found.value == pytest.approx(float(np.squeeze(ppi_py.ppi_mean_pointestimate(*given))), abs=1e-12)
    low, high = (float(np.squeeze(end)) for end in ppi_py.ppi_mean_ci(*given, alpha=0.05))
    assert found.high - found.low == pytest.approx(high - low, rel=0.12)
