"""Writing, one token at a time, after prompts that were read."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


class Session(ABC):
    """Some prompts that were read, and for which tokens are now written one by one."""

    @abstractmethod
    def first(self) -> "torch.Tensor":
        """The scores of every token as the first one, a row for each prompt."""

    @abstractmethod
    def step(self, tokens: "torch.Tensor") -> "torch.Tensor":
        """The scores of every token after these, one for each prompt."""

    @abstractmethod
    def reorder(self, rows: "torch.Tensor") -> None:
        """Continue from what was written in other rows, of the same prompts."""
