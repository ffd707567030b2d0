"""Writes a model that `rollcall train ask` made as int8 ONNX: what the package `rollcall-models` contains.

    python models/training/ask_export.py made/ask/model --out models/src/rollcall_models/ask

The embeddings of words are not trained, and the package has them already, as those of the verifier's model,
which come from the same encoder. So the network takes embeddings in place of tokens.
"""

import argparse
import logging
import shutil
from pathlib import Path

import torch
from torch import nn

from int8 import write_int8
from rollcall.systems.ask.pair_scorers import MODEL
from rollcall.systems.ask.reranker import SETTINGS, read_reranker_settings
from rollcall.systems.train.pair_network import HEADS, PairNetwork


class FromEmbeddings(nn.Module):
    """The network without its embeddings of words."""

    def __init__(self, network: PairNetwork) -> None:
        super().__init__()
        self.bert, self.head = network.module["encoder"], network.module["heads"]["pair"]
        self.bert.set_attn_implementation("eager")

    def forward(self, embeddings: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
        read = self.bert(inputs_embeds=embeddings, attention_mask=mask, token_type_ids=types)
        return self.head(read.last_hidden_state[:, 0]).squeeze(-1)


def export(model: Path, out: Path) -> None:
    """Write the network and its settings to a folder."""
    network = PairNetwork.load(model, HEADS, read_reranker_settings(model).length)
    net = FromEmbeddings(network).eval()
    width = net.bert.config.hidden_size
    out.mkdir(parents=True, exist_ok=True)
    ones = torch.ones(2, 24, dtype=torch.int64)
    given = (torch.randn(2, 24, width), ones, torch.zeros_like(ones))
    write_int8(net, given, ["embeddings", "mask", "types"], "score", net.bert, out / MODEL)
    shutil.copyfile(model / SETTINGS, out / SETTINGS)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    export(given.model, given.out)
