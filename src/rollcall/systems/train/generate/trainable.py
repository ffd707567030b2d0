"""What all systems that write answers have in common when they are trained and saved."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple, Self

import msgspec

from rollcall.systems.train.base import BaseCheckpoint, load_base
from rollcall.systems.train.generate.causal import CausalGenerator
from rollcall.systems.train.generate.generator import EncoderDecoderGenerator, Generator, GeneratorItem
from rollcall.systems.train.model_folder import (
    ModelDescription,
    Settings,
    check_weights,
    read_about,
    read_settings,
)
from rollcall.systems.train.trainable import Positive, Trainable, TrainingOptions
from rollcall.systems.train.training_example import TrainingExample

if TYPE_CHECKING:
    import torch

    from rollcall.systems.train.base import BaseKind


# The generator for a checkpoint, by its kind.


def open_generator(base: BaseCheckpoint) -> Generator:
    """The generator for a checkpoint."""
    return CausalGenerator(base) if base.kind == "causal" else EncoderDecoderGenerator(base)


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


class GeneratorTrainable(Trainable[GeneratorItem]):
    """A system that writes answers."""

    Options: ClassVar[type[GeneratorOptions]] = GeneratorOptions
    bases: "ClassVar[tuple[BaseKind, ...]]" = ("encoder-decoder", "causal")

    def __init__(self, options: GeneratorOptions, base: "BaseCheckpoint") -> None:
        self.options = options
        self.generator = open_generator(base)
        self.network = self.generator.network
        if options.compile:
            self.generator.compile()

    @classmethod
    def start(cls, options: TrainingOptions, base: "BaseCheckpoint") -> Self:
        assert isinstance(options, GeneratorOptions)
        return cls(options, base)

    @property
    def reading_tokens(self) -> int:
        """How many tokens are read at once: more than in training, since nothing is kept for gradients, and
        a token is written as fast for many texts as for few."""
        return _READING * self.options.tokens

    def size(self, item: GeneratorItem) -> int:
        return self.generator.size(item)

    def loss(self, items: Sequence[GeneratorItem]) -> "torch.Tensor":
        """The mean over all tokens of the targets."""
        return self.generator.loss(items) / _target_tokens(items)

    def backward(self, items: Sequence[GeneratorItem], parts: Sequence[Sequence[int]]) -> "torch.Tensor":
        """Every token of the step's targets counts the same, in whichever part it is."""
        losses, total_tokens = [], _target_tokens(items)
        for part in parts:
            loss = self.generator.loss([items[index] for index in part]) / total_tokens
            loss.backward()
            losses.append(loss.detach())
        return self.total(losses)

    def save_network(self, folder: Path, settings: msgspec.Struct) -> None:
        """Write the weights, the vocabulary, and what a reader must know besides."""
        self.generator.network.save_pretrained(folder)
        self.generator.tokeniser.save_pretrained(folder)
        (folder / SETTINGS).write_bytes(msgspec.json.format(msgspec.json.encode(settings)) + b"\n")


SETTINGS = "reading.json"


def sampled(examples: Sequence[TrainingExample], number: int) -> list[TrainingExample]:
    """At most this number of training examples, from the whole of them at equal distances."""
    if len(examples) <= number:
        return list(examples)
    return [examples[len(examples) * index // number] for index in range(number)]


def _target_tokens(items: Sequence[GeneratorItem]) -> int:
    return sum(len(item.target) for item in items)


# Opens a folder with a trained generator, for reading: on the GPU in bf16 if there is one.


class Trained(NamedTuple, Generic[Settings]):
    """A trained generator that is not loaded yet: its folder, what that says, and how it reads."""

    folder: str
    about: ModelDescription
    settings: Settings


def open_trained(folder: str, system: str, kind: type[Settings]) -> Trained[Settings]:
    """What the folder of a trained generator says."""
    about = read_about(folder, system)
    return Trained(folder, about, read_settings(Path(folder) / SETTINGS, kind))


def load_generator(folder: str, system: str) -> Generator:
    """The network of a trained generator."""
    import torch

    check_weights(folder)
    generator = open_generator(load_base(folder, ("encoder-decoder", "causal"), system))
    generator.network.eval()
    if torch.cuda.is_available():
        generator.network.to("cuda", torch.bfloat16)
    return generator
