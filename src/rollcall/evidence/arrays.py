"""Small operations on arrays of row numbers that joins by sorting are made of."""

import numpy as np


def ranges(firsts: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The numbers from each first one on, as many as counted."""
    shift = firsts - (np.cumsum(counts) - counts)
    return np.repeat(shift, counts) + np.arange(counts.sum())


def matches(ordered: np.ndarray, asked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each number asked for the first row of an ordered array that has it, and how many do."""
    first = np.searchsorted(ordered, asked)
    return first, np.searchsorted(ordered, asked, side="right") - first


def among(numbers: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Which of the numbers are among the others."""
    if not len(others):
        return np.zeros(len(numbers), np.bool_)
    known = np.sort(others)
    told: np.ndarray = known[np.minimum(np.searchsorted(known, numbers), len(known) - 1)] == numbers
    return told


def missing(numbers: np.ndarray, count: int) -> np.ndarray:
    """Those below the count that are not among the numbers."""
    left = np.ones(count, np.bool_)
    left[numbers] = False
    return np.flatnonzero(left)


def changes(*columns: np.ndarray) -> np.ndarray:
    """Which rows differ from the one before; the first one does."""
    changed = np.ones(len(columns[0]), np.bool_)
    changed[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return changed
