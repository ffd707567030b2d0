"""Passes over the questions of a training; after each one the weights are kept, so that it can be continued.

The order of a pass depends on the seed and its number alone, and a pass begins with the weights that the last
one left: a training that was interrupted ends with the same weights as one that was not.
"""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
import numpy as np

from rollcall.files import replacing_part
from rollcall.nesting import UNREADABLE
from rollcall.progress import Progress
from rollcall.systems.ask.learned.adagrad import AdaGrad

T = TypeVar("T")


class PassPlan(NamedTuple):
    """How often questions are learned from, and where the state is kept."""

    passes: int
    seed: int
    file: Path
    made_by: str
    """The hash of all that decides the weights; a state of another training is not continued."""
    progress: bool | None = None


class _Kept(msgspec.Struct):
    made_by: str
    history: list[dict[str, float]]
    names: list[str]
    weights: list[float]
    squares: list[float]


def learn_in_passes(
    plan: PassPlan, questions: Sequence[T], optimiser: AdaGrad, learn: "Callable[[T], float | None]"
) -> list[dict[str, float]]:
    """Learn from all questions in each pass; the figures of the passes.

    `learn` takes one step and returns the F1 before it, or None where no candidate was right.
    """
    history = _restored(plan, optimiser)
    for number in range(len(history), plan.passes):
        order = list(questions)
        random.Random(f"{plan.seed} {number}").shuffle(order)
        rewards: list[float | None] = []
        with Progress(
            f"pass {number + 1} of {plan.passes}", len(order), count=True, show=plan.progress
        ) as bar:
            for one in order:
                rewards.append(learn(one))
                bar.advance(1)
        right = [one for one in rewards if one is not None]
        history.append({"F1 before learning": sum(right) / len(order), "reached": len(right) / len(order)})
        _keep(plan, optimiser, history)
    return history


def _restored(plan: PassPlan, optimiser: AdaGrad) -> list[dict[str, float]]:
    try:
        kept = msgspec.json.decode(plan.file.read_bytes(), type=_Kept)
    except (OSError, *UNREADABLE):
        return []
    if kept.made_by != plan.made_by:
        return []
    optimiser.restore(kept.names, np.array(kept.weights), np.array(kept.squares))
    return kept.history


def _keep(plan: PassPlan, optimiser: AdaGrad, history: list[dict[str, float]]) -> None:
    names, weights, squares = optimiser.state()
    kept = _Kept(plan.made_by, history, names, weights.tolist(), squares.tolist())
    with replacing_part(plan.file) as partial:
        partial.write_bytes(msgspec.json.encode(kept))
