"""What all systems that write answers have in common when they are trained and saved."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

import msgspec

from rollcall.systems.train.exercise import Exercise
from rollcall.systems.train.generate.by_kind import open_generator
from rollcall.systems.train.generate.generator import GeneratorExample
from rollcall.systems.train.options import Positive, TrainingOptions
from rollcall.systems.train.trainable import Trainable

if TYPE_CHECKING:
    import torch

    from rollcall.systems.train.base import Base, BaseKind


_READING = 8


class GeneratorOptions(TrainingOptions, frozen=True, kw_only=True):
    """How a system that writes answers is trained."""

    input_tokens: Positive = 384
    """The greatest length of a question with one passage; the end of a longer passage is not read."""
    output_tokens: Positive = 64
    """The greatest length of a list of answers."""
    dev_questions: Positive = 200
    """How many questions of the split dev each evaluation uses."""
    compile: bool = False
    """Compile the network: some seconds at the start, then faster steps on a GPU."""


class GeneratorTrainable(Trainable[GeneratorExample]):
    """A system that writes answers."""

    Options: ClassVar[type[GeneratorOptions]] = GeneratorOptions
    bases: "ClassVar[tuple[BaseKind, ...]]" = ("encoder-decoder", "causal")

    def __init__(self, options: GeneratorOptions, base: "Base") -> None:
        self.options = options
        self.generator = open_generator(base)
        self.network = self.generator.network
        if options.compile:
            self.generator.compile()

    @classmethod
    def start(cls, options: TrainingOptions, base: "Base") -> Self:
        assert isinstance(options, GeneratorOptions)
        return cls(options, base)

    @property
    def reading_tokens(self) -> int:
        """How many tokens are read at once: more than in training, since nothing is kept for gradients, and
        a token is written as fast for many texts as for few."""
        return _READING * self.options.tokens

    def size(self, example: GeneratorExample) -> int:
        return self.generator.size(example)

    def loss(self, examples: Sequence[GeneratorExample]) -> "torch.Tensor":
        """The mean over all tokens of the targets."""
        return self.generator.loss(examples) / _target_tokens(examples)

    def backward(
        self, examples: Sequence[GeneratorExample], parts: Sequence[Sequence[int]]
    ) -> "torch.Tensor":
        """Every token of the step's targets counts the same, in whichever part it is."""
        losses, every = [], _target_tokens(examples)
        for part in parts:
            loss = self.generator.loss([examples[place] for place in part]) / every
            loss.backward()
            losses.append(loss.detach())
        return self.total(losses)

    def save_network(self, folder: Path, settings: msgspec.Struct) -> None:
        """Write the weights, the vocabulary, and what a reader must know besides."""
        self.generator.network.save_pretrained(folder)
        self.generator.tokeniser.save_pretrained(folder)
        (folder / SETTINGS).write_bytes(msgspec.json.format(msgspec.json.encode(settings)) + b"\n")


SETTINGS = "reading.json"


def sampled(exercises: Sequence[Exercise], number: int) -> list[Exercise]:
    """At most this number of exercises, from the whole of them at equal distances."""
    if len(exercises) <= number:
        return list(exercises)
    return [exercises[len(exercises) * place // number] for place in range(number)]


def _target_tokens(examples: Sequence[GeneratorExample]) -> int:
    return sum(len(one.target) for one in examples)
