"""What a system must have to be trained: examples, a loss, an evaluation, and a way to save itself.

The loop knows nothing of questions: it asks a system for the examples of an epoch, gives them back in
batches, and steps. So every system is trained, resumed and reported in the same way.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, Self, TypeVar

import msgspec

from rollcall.configurable import Configurable
from rollcall.questions.record import Question
from rollcall.systems.context import Context
from rollcall.systems.train.exercise import Exercise
from rollcall.systems.train.options import TrainingOptions

if TYPE_CHECKING:
    import torch

    from rollcall.systems.train.base import Base, BaseKind

Example = TypeVar("Example")


class Learner(Configurable):
    """Any system that learns from exercises."""

    uses_passages: ClassVar[bool] = True
    """Whether it learns from passages at all."""
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {}
    """Options of publications, by name."""
    measure: ClassVar[str] = "F1"
    """The figure on questions that were not learned from; the greater the better."""

    @classmethod
    def takes_passages(cls, options: msgspec.Struct) -> bool:
        """Whether passages are retrieved for its exercises, with these options."""
        return cls.uses_passages

    @classmethod
    def learns_with(cls, options: msgspec.Struct) -> tuple[str, ...]:
        """What it uses beside exercises when it learns, of `corpus`, `graph` and `index`."""
        return ()

    @classmethod
    def of_exercises(cls, options: msgspec.Struct) -> msgspec.Struct | None:
        """Those options that decide what is completed in exercises; None if nothing is."""
        return None

    @classmethod
    def completed(
        cls,
        exercises: Iterable[Exercise],
        questions: Sequence[Question],
        options: msgspec.Struct,
        context: Context,
    ) -> Iterable[Exercise]:
        """The exercises of questions with what else this system learns from; by default as they are."""
        return exercises


class Trainable(Learner, Generic[Example]):
    """A network that learns from exercises. An example is whatever it makes of them, already encoded."""

    Options: ClassVar[type[TrainingOptions]] = TrainingOptions
    bases: "ClassVar[tuple[BaseKind, ...]]" = ()
    """The kinds of checkpoint that it can start from."""
    default_base: ClassVar[str | None] = None
    """The checkpoint that it starts from if none is named."""

    network: "torch.nn.Module"
    """Everything that is trained."""

    @classmethod
    def start(cls, options: TrainingOptions, base: "Base") -> Self:
        """The system before training, from a checkpoint."""
        raise NotImplementedError

    def examples(self, exercises: Sequence[Exercise], seed: int) -> list[Example]:
        """The examples of an epoch; drawing negatives depends on the seed alone."""
        raise NotImplementedError

    def size(self, example: Example) -> int:
        """The number of tokens of an example."""
        raise NotImplementedError

    def loss(self, examples: Sequence[Example]) -> "torch.Tensor":
        """The mean loss over examples."""
        raise NotImplementedError

    def backward(self, examples: Sequence[Example], parts: Sequence[Sequence[int]]) -> "torch.Tensor":
        """Add this process's share of the gradient of a step's mean loss; returns its share of the loss.

        `examples` are those of the whole step. `parts` are the places of those that this process computes,
        cut so that each part fits into memory. A system whose loss compares the examples of a step with one
        another does this in its own way.
        """
        losses = []
        for part in parts:
            loss = self.loss([examples[place] for place in part]) * (len(part) / len(examples))
            loss.backward()
            losses.append(loss.detach())
        return self.total(losses)

    def total(self, losses: "Sequence[torch.Tensor]") -> "torch.Tensor":
        """The sum of losses, on the device: nothing is waited for."""
        import torch

        none = torch.zeros((), device=next(self.network.parameters()).device)
        return sum((one.float() for one in losses), start=none)

    def evaluate(self, exercises: Sequence[Exercise]) -> dict[str, float]:
        """Figures on exercises that it was not trained on, among them `measure`."""
        raise NotImplementedError

    def save(self, folder: Path, exercises: Sequence[Exercise]) -> None:
        """Write what a reader or retriever opens; thresholds are tuned on the exercises, if there are any."""
        raise NotImplementedError
