"""What a system must have to be trained: examples, a loss, an evaluation, and a way to save itself.

The loop knows nothing of questions: it asks a system for the examples of an epoch, gives them back in
batches, and steps. So every system is trained, resumed and reported in the same way.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Generic, Literal, NamedTuple, Self, TypeAlias, TypeVar

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.registry import Configurable, check_needs
from rollcall.questions.record import Question
from rollcall.systems.context import NEEDS, Context
from rollcall.systems.train.training_example import TrainingExample

if TYPE_CHECKING:
    import torch

    from rollcall.systems.train.base import BaseCheckpoint, BaseKind
    from rollcall.systems.train.example_folder import Learning


# How a system is trained: the options that all systems share.

Positive: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
Share: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=1)]


class TrainingOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a system is trained."""

    learning_rate: Annotated[float, msgspec.Meta(gt=0)] = 5e-5
    """The greatest learning rate, after the warm-up."""
    batch: Positive = 32
    """The number of examples for each step."""
    epochs: Positive = 3
    """How often all examples are seen."""
    steps: Positive | None = None
    """Stop after this number of steps; the learning rate falls to its end by then."""
    minutes: Annotated[float, msgspec.Meta(gt=0)] | None = None
    """Stop after this time; the learning rate falls to its end by then."""
    warmup: Share = 0.1
    """The share of the training in which the learning rate rises."""
    schedule: Literal["linear", "cosine", "constant"] = "linear"
    """How the learning rate falls after that."""
    weight_decay: Annotated[float, msgspec.Meta(ge=0)] = 0.01
    """The decay of weights other than biases and norms."""
    clip: Annotated[float, msgspec.Meta(gt=0)] = 1.0
    """The greatest norm of a step's gradient."""
    tokens: Positive = 16384
    """How many tokens, padding included, are computed at once; fewer need less memory."""
    precision: Literal["auto", "bf16", "fp32"] = "auto"
    """The precision of the computation; auto is bf16 on a GPU that has it."""
    checkpointing: bool = False
    """Compute activations again in the backward pass: less memory, a third more time."""
    evaluate: Positive | None = None
    """Evaluate on the split dev after this number of steps; by default after each epoch."""
    patience: Count = 0
    """Stop after this number of evaluations without a better one; 0 for never."""
    save: Annotated[float, msgspec.Meta(ge=0)] = 60.0
    """Seconds between checkpoints."""
    seed: Count = 0
    """The seed for the order of the examples, negatives and dropout."""


Item = TypeVar("Item")


class Learner(Configurable):
    """Any system that learns from training examples."""

    uses_passages: ClassVar[bool] = True
    """Whether it learns from passages at all."""
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {}
    """Options of publications, by name."""
    measure: ClassVar[str] = "F1"
    """The figure on questions that were not learned from; the greater the better."""

    @classmethod
    def takes_passages(cls, options: msgspec.Struct) -> bool:
        """Whether passages are retrieved for its training examples, with these options."""
        return cls.uses_passages

    @classmethod
    def learns_with(cls, options: msgspec.Struct) -> tuple[str, ...]:
        """What it uses in addition to training examples when it learns, of `corpus`, `graph` and `index`."""
        return ()

    @classmethod
    def of_examples(cls, options: msgspec.Struct) -> msgspec.Struct | None:
        """Those options that decide what is completed in training examples; None if nothing is."""
        return None

    @classmethod
    def completed(
        cls,
        examples: Iterable[TrainingExample],
        questions: Sequence[Question],
        options: msgspec.Struct,
        context: Context,
    ) -> Iterable[TrainingExample]:
        """The examples of questions with what else this system learns from; by default as they are."""
        return examples


class Trainable(Learner, Generic[Item]):
    """A network that learns from training examples. An item is what it makes of them, already encoded."""

    Options: ClassVar[type[TrainingOptions]] = TrainingOptions
    bases: "ClassVar[tuple[BaseKind, ...]]" = ()
    """The kinds of checkpoint that it can start from."""
    default_base: ClassVar[str | None] = None
    """The checkpoint that it starts from if none is named."""

    network: "torch.nn.Module"
    """Everything that is trained."""

    @classmethod
    def start(cls, options: TrainingOptions, base: "BaseCheckpoint") -> Self:
        """The system before training, from a checkpoint."""
        raise NotImplementedError

    def encode_examples(self, examples: Sequence[TrainingExample], seed: int) -> list[Item]:
        """The examples of an epoch; drawing negatives depends on the seed alone."""
        raise NotImplementedError

    def size(self, item: Item) -> int:
        """The number of tokens of an example."""
        raise NotImplementedError

    def loss(self, items: Sequence[Item]) -> "torch.Tensor":
        """The mean loss over examples."""
        raise NotImplementedError

    def backward(self, items: Sequence[Item], parts: Sequence[Sequence[int]]) -> "torch.Tensor":
        """Add this process's share of the gradient of a step's mean loss; returns its share of the loss.

        `items` are those of the whole step. `parts` are the indices of those that this process computes,
        cut so that each part fits into memory. A system whose loss compares the examples of a step with one
        another does this in its own way.
        """
        losses = []
        for part in parts:
            loss = self.loss([items[index] for index in part]) * (len(part) / len(items))
            loss.backward()
            losses.append(loss.detach())
        return self.total(losses)

    def total(self, losses: "Sequence[torch.Tensor]") -> "torch.Tensor":
        """The sum of losses, on the device: nothing is waited for."""
        import torch

        none = torch.zeros((), device=next(self.network.parameters()).device)
        return sum((loss.float() for loss in losses), start=none)

    def evaluate(self, examples: Sequence[TrainingExample]) -> dict[str, float]:
        """Figures on training examples that it was not trained on, among them `measure`."""
        raise NotImplementedError

    def save(self, folder: Path, examples: Sequence[TrainingExample]) -> None:
        """Write what a reader or retriever opens; thresholds are tuned on the examples, if there are any."""
        raise NotImplementedError


# What a training refuses before anything is computed: arguments that would have no effect. Training examples
# have their questions and passages already, so with them, only what the system itself uses when it
# learns may be given.

PartOptions = Mapping[str, Mapping[str, object]]


def check_beside_examples(
    system: str, kind: type[Learner], options: msgspec.Struct, arguments: Mapping[str, object]
) -> None:
    """Refuse what a system that learns from examples would ignore, and ask for what it lacks; `arguments` has
    all arguments that training examples are made of, None for those that were left out.
    """
    used = set(kind.learns_with(options))
    if arguments["corpus"] is None:
        used.discard("index")
    ignored = [f"--{name}" for name, value in arguments.items() if value is not None and name not in used]
    if ignored:
        listed = f"{', '.join(ignored[:-1])} and {ignored[-1]}" if len(ignored) > 1 else ignored[0]
        them = "them" if len(ignored) > 1 else "it"
        raise RollcallError(f"with --exercises, {system} does not use {listed}: leave {them} out")
    needed = [need for need in kind.needs if need in used]
    check_needs(f"training {system}", needed, lambda need: arguments[need] is not None, NEEDS)


def check_dev(split: str, dev: str | None) -> None:
    """Refuse to evaluate on the questions that are learned from."""
    if split == dev:
        raise RollcallError(
            f"the split {split} cannot be both learned from and evaluated on: give another --split or --dev"
        )


def refuse_parts(system: str, part_options: PartOptions) -> None:
    """Refuse options of parts where a system has none."""
    for option in part_option_names(part_options):
        own = option.removeprefix(f"{system}.")
        instead = "leave it out" if own == option else f"its own is written {own}"
        raise RollcallError(f"{system} has no parts, so no option {option}: {instead}")


def part_option_names(part_options: PartOptions) -> Iterable[str]:
    """The options of parts as they are written."""
    return (f"{part}.{name}" for part, options in part_options.items() for name in options)


# Systems that learn on their own, without the loop that trains networks: trees, and log-linear
# models. Such a system is given everything that a training has, and writes its own folder. What the
# folder says of the training is written for it.


class OwnTraining(NamedTuple):
    """Everything that a training needs."""

    options: msgspec.Struct
    """The system's own."""
    part_options: PartOptions
    """For each part of a system that has parts, the options of the part."""
    base: str | None
    """The checkpoint to start from."""
    learning: "Learning"
    context: Context
    """With the graph and the corpus, if they were given."""
    work: Path
    """A folder for what an interrupted training needs to continue."""
    progress: bool | None


class TrainingResult(NamedTuple):
    """The result of a training, in addition to the files of the system."""

    seen: Sequence[TrainingExample]
    """The training examples that it was fitted to."""
    best: float | None = None
    """The `measure` on training examples that it was not fitted to."""
    history: Sequence[dict[str, float]] = ()
    """Figures of single passes."""
    steps: int = 0


class OwnLearner(Learner):
    """A system that learns on its own."""

    @classmethod
    def learns_with(cls, options: msgspec.Struct) -> tuple[str, ...]:
        return ("corpus", "graph", "index")

    @classmethod
    def check(cls, system: str, options: msgspec.Struct, part_options: PartOptions, base: str | None) -> None:
        """Refuse what cannot be learned from, before any example is made; by default there are neither
        checkpoints nor parts.
        """
        if base is not None:
            raise RollcallError(
                f"{system} does not start from a checkpoint: leave out --base (base= in Python)"
            )
        refuse_parts(system, part_options)

    @classmethod
    def learn(cls, training: OwnTraining, out: Path) -> TrainingResult | None:
        """Learn, and write what a reader opens into an empty folder; None where another process writes."""
        raise NotImplementedError
