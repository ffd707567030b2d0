"""Compiles a network layer by layer: the layers are alike, so one compilation serves all of them.

That takes seconds, where compiling the whole network takes minutes. Compiled code serves any number of
tokens. What changes too much from call to call is computed `uncompiled`.
"""

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


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
