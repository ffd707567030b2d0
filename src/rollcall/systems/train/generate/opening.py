"""Opens a folder with a trained generator, for reading: on the GPU in bf16 if there is one."""

from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import msgspec

from rollcall.errors import RollcallError
from rollcall.nesting import UNREADABLE, why
from rollcall.systems.train.base import load_base
from rollcall.systems.train.generate.by_kind import open_generator
from rollcall.systems.train.generate.generator import Generator
from rollcall.systems.train.generate.joined import join_projections
from rollcall.systems.train.generate.trainable import SETTINGS
from rollcall.systems.train.model_folder import About, check_weights, read_about

Settings = TypeVar("Settings", bound=msgspec.Struct)


class Trained(NamedTuple, Generic[Settings]):
    """A trained generator that is not loaded yet: its folder, what that says, and how it reads."""

    folder: str
    about: About
    settings: Settings


def open_trained(folder: str, system: str, kind: type[Settings]) -> Trained[Settings]:
    """What the folder of a trained generator says."""
    about = read_about(folder, system)
    file = Path(folder) / SETTINGS
    try:
        settings = msgspec.json.decode(file.read_bytes(), type=kind)
    except (OSError, *UNREADABLE) as error:
        raise RollcallError(f"{file}: cannot be read ({why(error)}); train again") from None
    return Trained(folder, about, settings)


def load_generator(folder: str, system: str) -> Generator:
    """The network of a trained generator."""
    import torch

    check_weights(folder)
    generator = open_generator(load_base(folder, ("encoder-decoder", "causal"), system))
    generator.network.eval()
    if torch.cuda.is_available():
        join_projections(generator.network)
        generator.network.to("cuda", torch.bfloat16)
    return generator
