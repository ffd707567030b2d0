"""Trains one network on training examples and writes its folder."""

import hashlib
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.base import check_base, load_base
from rollcall.systems.train.example_folder import Learning
from rollcall.systems.train.loop import Training, is_first
from rollcall.systems.train.model_folder import ModelDescription, trained_on, write_about
from rollcall.systems.train.trainable import Trainable, TrainingOptions
from rollcall.version import __version__

if TYPE_CHECKING:
    import torch


_SPEED = ("tokens", "save", "checkpointing")
"""Options that change how fast a system learns, and not what."""


def train_network(
    system: str,
    options: TrainingOptions,
    base: str | None,
    learning: Learning,
    work: Path,
    out: Path,
    progress: bool | None = None,
) -> None:
    """Train a system into an empty folder; `work` keeps what an interrupted training needs to continue.

    Of several processes, the first one writes.
    """
    kind, checkpoint = network_and_base(system, base)
    work.mkdir(parents=True, exist_ok=True)
    made_by = _made_by(system, options, checkpoint, learning.fingerprint)
    learner = kind.start(options, load_base(checkpoint, kind.bases, system))
    state = Training(learner, options, learning.train, learning.dev, work, made_by, progress).run()
    if not is_first():
        return
    learner.save(out, learning.dev)
    about = msgspec.structs.replace(
        about_training(system, options, checkpoint, learning),
        history=state.history,
        best=state.best,
        steps=state.step,
        tokens=state.tokens,
        seconds=round(state.seconds, 1),
    )
    write_about(out, about)


def network_and_base(
    system: str, base: str | None, option: str = "--base"
) -> "tuple[type[Trainable[Any]], str]":
    """A system that is a network, and the checkpoint that it starts from, both checked; nothing is loaded."""
    kind = TRAINABLES.find(system)
    if not issubclass(kind, Trainable):
        raise RollcallError(f"{system} is not a network that can be trained on its own")
    checkpoint = base or kind.default_base
    if checkpoint is None:
        raise RollcallError(f"{system} starts from a checkpoint: give {option} (base= in Python)")
    check_base(checkpoint, kind.bases, system)
    return kind, checkpoint


def about_training(system: str, options: msgspec.Struct, base: str, learning: Learning) -> ModelDescription:
    """The description of a trained system, without the figures of its training."""
    about, seen = learning.about, [example.question for example in learning.train]
    return ModelDescription(
        system=system,
        base=base,
        options=msgspec.to_builtins(options),
        trained_on=trained_on(about.name, about.split, seen),
        retriever=about.retriever,
        k=about.k,
        measure=TRAINABLES.find(system).measure,
        rollcall=__version__,
    )


def _made_by(system: str, options: TrainingOptions, base: str, fingerprint: str) -> str:
    """The hash of everything that decides the weights."""
    decisive = {key: value for key, value in msgspec.to_builtins(options).items() if key not in _SPEED}
    return hashlib.sha256(
        msgspec.json.encode([system, decisive, base, fingerprint, __version__])
    ).hexdigest()[:16]


# Compiles a network layer by layer: the layers are alike, so one compilation serves all of them. That
# takes seconds, where compiling the whole network takes minutes. Compiled code serves any number of
# tokens. What changes too much from call to call is computed `uncompiled`.


def compile_layers(network: "torch.nn.Module", mode: str | None = None, backend: str = "inductor") -> None:
    """Compile every layer of a network in place, when it is used next; mode and backend are PyTorch's."""
    import torch

    for module in network.modules():
        if isinstance(module, torch.nn.ModuleList):
            for layer in module:
                layer.compile(dynamic=True, mode=mode, backend=backend)


def uncompiled() -> AbstractContextManager[None]:
    """Within it, compiled layers are computed as they are written."""
    import torch

    stance: AbstractContextManager[None] = torch.compiler.set_stance("force_eager")
    return stance
