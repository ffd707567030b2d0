"""One training in several processes, as `accelerate launch` starts them, each with its own GPU.

Every process computes a share of each step. Whatever is done once (making exercises, evaluating, writing) is
done by the first one. A plain start is one process, which is the first.
"""

import os
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import torch

_PATIENCE = timedelta(days=30)
"""How long a process waits for the others; the launcher ends all of them if one fails."""

Shared = TypeVar("Shared")


def _are_several() -> bool:
    return int(os.environ.get("WORLD_SIZE") or 1) > 1


def is_first() -> bool:
    """Whether this process does what is done once; known without loading anything."""
    return not _are_several() or os.environ.get("RANK", "0") == "0"


def wait_for_all() -> None:
    """Wait until all processes are here; a single one waits for nobody, and loads nothing."""
    if _are_several():
        Processes().wait()


class Processes:
    """All processes of this training."""

    def __init__(self) -> None:
        from accelerate import PartialState
        from accelerate.utils import parse_flag_from_env

        self._state: Any = PartialState(cpu=parse_flag_from_env("ACCELERATE_USE_CPU"), timeout=_PATIENCE)
        self.number: int = self._state.num_processes
        self.place: int = self._state.process_index
        self.device: torch.device = self._state.device
        self.first: bool = self.place == 0

    def wait(self) -> None:
        """Wait until all processes are here."""
        self._state.wait_for_everyone()

    def share(self, value: Shared) -> Shared:
        """The first process's value, in every process."""
        if self.number == 1:
            return value
        from accelerate.utils import broadcast_object_list

        found: list[Shared] = broadcast_object_list([value])
        return found[0]

    def add(self, tensors: "Sequence[torch.Tensor]") -> "list[torch.Tensor]":
        """The sums of tensors over all processes, by one exchange."""
        import torch

        flat = torch.cat([one.flatten() for one in tensors])
        torch.distributed.all_reduce(flat)
        pieces = flat.split([one.numel() for one in tensors])
        return [piece.view_as(one) for piece, one in zip(pieces, tensors, strict=True)]
