"""A network that gives one probability for each input: of a text, or of several in one input."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rollcall.systems.train.encoder_network import EncoderNetwork, HeadShape
from rollcall.systems.train.token_inputs import TokenInput

if TYPE_CHECKING:
    import torch

HEADS: Mapping[str, HeadShape] = {"answer": HeadShape(states=1)}


class TextNetwork(EncoderNetwork):
    """An encoder with one output, or an encoder–decoder whose last state has seen the whole input."""

    def encoded_texts(self, texts: Sequence[str]) -> list[TokenInput]:
        """Texts as inputs."""
        self.inputs.prepare(texts)
        return [self.inputs.joined(text) for text in texts]

    def logits(self, inputs: Sequence[TokenInput]) -> "torch.Tensor":
        """One number for each input: of its first token, or where a decoder has read it, of its last."""
        import torch

        states = self.states(inputs)
        places = [len(one.ids) - 1 if self.decodes else 0 for one in inputs]
        rows = torch.arange(len(inputs), device=states.device)
        return self.head("answer", states[rows, torch.tensor(places, device=states.device)])

    def probabilities(self, inputs: Sequence[TokenInput]) -> list[float]:
        """One probability for each input."""
        import torch

        found = self.read(
            inputs, lambda one: len(one.ids), lambda one: 1, lambda some: torch.sigmoid(self.logits(some))
        )
        return [one for (one,) in found]
