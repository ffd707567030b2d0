"""How a system is trained: the options that all systems share."""

from typing import Annotated, Literal, TypeAlias

import msgspec

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
