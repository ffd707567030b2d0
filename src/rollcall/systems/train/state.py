"""The state of an unfinished training, on disk: weights, optimiser, and the place reached.

A checkpoint is written beside the last one and renamed, so that after a kill at any moment one is whole. It
is read without running code that it may hold.
"""

from pathlib import Path
from textwrap import shorten
from typing import Any

import msgspec

from rollcall.errors import RollcallError
from rollcall.files import replacing_part

STATE, BEST = "state.pt", "best.pt"


class Place(msgspec.Struct):
    """How far a training is, and how it went."""

    made_by: str = ""
    """What decides the result: the system, its options, its base and its exercises."""
    epoch: int = 0
    batch: int = 0
    """The next batch of the epoch."""
    step: int = 0
    tokens: int = 0
    loss: float = 0.0
    """A moving mean."""
    seconds: float = 0.0
    best: float | None = None
    best_step: int = 0
    worse: int = 0
    """Evaluations since the best one."""
    finished: bool = False
    history: list[dict[str, float]] = []
    """The figures of each evaluation, with its step, loss and seconds."""


def save_state(folder: Path, place: Place, network: Any, optimiser: Any) -> None:
    """Write a checkpoint."""
    import torch

    content = {
        "place": msgspec.json.encode(place).decode(),
        "network": network.state_dict(),
        "optimiser": optimiser.state_dict(),
    }
    with replacing_part(folder / STATE) as partial:
        torch.save(content, partial)


def load_state(folder: Path, network: Any, optimiser: Any, made_by: str) -> Place:
    """Continue from the last checkpoint; a fresh place if there is none."""
    file = folder / STATE
    if not file.exists():
        return Place(made_by)
    content = _read(file)
    place = msgspec.json.decode(content["place"], type=Place)
    if place.made_by != made_by:
        raise RollcallError(other_training(folder))
    network.load_state_dict(content["network"])
    optimiser.load_state_dict(content["optimiser"])
    return place


def other_training(folder: Path) -> str:
    """What to say of a folder with an unfinished training that is not this one."""
    return (
        f"{folder}: holds an unfinished training with other options or exercises; "
        "delete it to start again, or give the same options to continue"
    )


def save_best(folder: Path, network: Any) -> None:
    """Keep the weights of the best evaluation."""
    import torch

    with replacing_part(folder / BEST) as partial:
        torch.save(network.state_dict(), partial)


def load_best(folder: Path, network: Any) -> None:
    """The weights of the best evaluation, if there was one."""
    if (folder / BEST).exists():
        network.load_state_dict(_read(folder / BEST))


def _read(file: Path) -> Any:
    import torch

    try:
        return torch.load(file, map_location="cpu", weights_only=True)
    except Exception as error:  # of any kind: damaged bytes are met anywhere in the format
        reason = shorten(str(error), 100, placeholder=" …")
        raise RollcallError(f"{file}: is damaged ({reason}); delete it to start again") from None
