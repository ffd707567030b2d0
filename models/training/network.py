"""The network that is trained: some layers of a BERT encoder, and a small head.

The embeddings of words are not trained, so that rare words keep their meaning, and every model has the same;
files of weights do without them.
"""

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional
from transformers import BertModel

from tokens import DEVICE

LAYERS = {6: (0, 1, 2, 3, 4, 5), 3: (0, 2, 5)}
"""Which layers of an encoder of six a network has, by their number."""


class Net(nn.Module):
    """A BERT encoder; the logit comes from its first token and the two marks that open the ends."""

    def __init__(self, model: Path, layers: int, marks: Sequence[int]) -> None:
        super().__init__()
        self.bert = BertModel.from_pretrained(
            model,
            add_pooling_layer=False,
            dtype=torch.float32,
            attn_implementation="eager" if DEVICE == "cpu" else "sdpa",
        )
        every = self.bert.encoder.layer
        self.bert.encoder.layer = nn.ModuleList([every[number] for number in LAYERS[layers]])
        self.bert.config.num_hidden_layers = layers
        for weights in self.bert.embeddings.parameters():
            weights.requires_grad = False
        size = self.bert.config.hidden_size
        self.middle, self.out, self.drop = nn.Linear(3 * size, size), nn.Linear(size, 1), nn.Dropout(0.1)
        self._subject, self._object = marks[0], marks[2]

    def vector(self, tokens: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
        """What the logit is computed from."""
        read = self.bert(input_ids=tokens, attention_mask=mask, token_type_ids=types).last_hidden_state
        subject = (tokens == self._subject).to(read.dtype).unsqueeze(1)
        object_ = (tokens == self._object).to(read.dtype).unsqueeze(1)
        joined = torch.cat([read[:, 0], (subject @ read)[:, 0], (object_ @ read)[:, 0]], -1)
        return functional.gelu(self.middle(self.drop(joined)))

    def forward(self, tokens: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
        """The logits that sentences state their relations."""
        logits: torch.Tensor = self.out(self.drop(self.vector(tokens, mask, types)))
        return logits.squeeze(-1)

    def trained(self) -> dict[str, torch.Tensor]:
        """The weights that training changes, in half precision."""
        return {
            name: weights.half().cpu()
            for name, weights in self.state_dict().items()
            if ".embeddings." not in name
        }


def load(weights: Path, model: Path, marks: Sequence[int]) -> Net:
    """The network in a file of weights, on the device; `model` has the embeddings."""
    net = Net(model, layers_in(weights), marks)
    net.load_state_dict(torch.load(weights, weights_only=True), strict=False)
    net.to(DEVICE)
    return net


def layers_in(weights: Path) -> int:
    """How many layers the network in a file has."""
    names = torch.load(weights, weights_only=True)
    return 1 + max(int(name.split(".")[3]) for name in names if ".layer." in name)
