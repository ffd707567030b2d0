"""The generator for a checkpoint, by its kind."""

from rollcall.systems.train.base import Base
from rollcall.systems.train.generate.causal import CausalGenerator
from rollcall.systems.train.generate.encoder_decoder import EncoderDecoderGenerator
from rollcall.systems.train.generate.generator import Generator


def open_generator(base: Base) -> Generator:
    """The generator for a checkpoint."""
    return CausalGenerator(base) if base.kind == "causal" else EncoderDecoderGenerator(base)
