"""A cross-encoder: a few layers of an encoder that read two texts at once and give one number."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rollcall.systems.train.base import Base
from rollcall.systems.train.encoder_network import EncoderNetwork, HeadShape
from rollcall.systems.train.token_inputs import TokenInput

if TYPE_CHECKING:
    import torch

HEADS: Mapping[str, HeadShape] = {"pair": HeadShape(states=1)}


class PairNetwork(EncoderNetwork):
    """An encoder with one number for each pair of texts."""

    def encoded_pairs(self, pairs: Sequence[tuple[str, str]]) -> list[TokenInput]:
        """Pairs as inputs."""
        self.inputs.prepare([text for pair in pairs for text in pair])
        return [self.inputs.joined(*pair) for pair in pairs]

    def logits(self, inputs: Sequence[TokenInput]) -> "torch.Tensor":
        """One number for each pair, from the state of its first token."""
        return self.head("pair", self.states(inputs)[:, 0])

    def scores(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """One number for each pair, computed for all at once."""
        inputs = self.encoded_pairs(pairs)
        found = self.read(inputs, lambda one: len(one.ids), lambda one: 1, self.logits)
        return [one for (one,) in found]


def cut_layers(base: Base, layers: int) -> Base:
    """The checkpoint with this number of its layers, spread evenly, the last one among them.

    The embeddings of words are not trained, so that rare words keep their meaning.
    """
    import torch

    network: Any = base.network
    every = list(network.encoder.layer)
    if layers < len(every):
        step = (len(every) - 1) / max(layers - 1, 1)
        places = [round(number * step) for number in range(layers)] if layers > 1 else [len(every) - 1]
        network.encoder.layer = torch.nn.ModuleList([every[place] for place in places])
        network.config.num_hidden_layers = layers
    network.embeddings.word_embeddings.weight.requires_grad = False
    return base
