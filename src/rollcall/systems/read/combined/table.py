"""Tables of numbers about possible answers: a row for each."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Table: TypeAlias = npt.NDArray[np.float32]
"""Features, in the order of their names."""
Chances: TypeAlias = npt.NDArray[np.float64]
"""Probabilities."""
