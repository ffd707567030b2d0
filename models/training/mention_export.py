"""Writes a mention scorer that `rollcall train` made as int8 ONNX: a part of the packaged reader `rollcall`.

    python models/training/mention_export.py made/reader/parts/mention-scorer --out made/mention-scorer

It must have been trained with `words=frozen` from a checkpoint with the words of the verifier's model
(`ask_base.py`), because the package has their embeddings already. So the network takes embeddings in place
of tokens; its head, which reads single tokens, stands beside it.
"""

import argparse
import logging
from pathlib import Path

import msgspec
import numpy as np
import torch
from torch import nn

from int8 import write_int8
from rollcall.systems.read.packaged_mentions import HEAD, MODEL
from rollcall.systems.train.entity_answers import EntitySettings
from rollcall.systems.train.mention_scorer import HEADS, SETTINGS, SYSTEM, MentionNetwork
from rollcall.systems.train.model_folder import read_about, read_settings, write_about, write_settings


class FromEmbeddings(nn.Module):
    """The encoder without its embeddings of words."""

    def __init__(self, network: MentionNetwork) -> None:
        super().__init__()
        self.bert = network.module["encoder"]
        self.bert.set_attn_implementation("eager")

    def forward(self, embeddings: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
        read = self.bert(inputs_embeds=embeddings, attention_mask=mask, token_type_ids=types)
        states: torch.Tensor = read.last_hidden_state
        return states


def export(model: Path, out: Path) -> None:
    """Write the network, its head and its settings to a folder."""
    about = read_about(model, SYSTEM)
    if about.options.get("words") != "frozen":
        raise SystemExit(f"{model}: its embeddings of words were trained; train it with words=frozen")
    settings = read_settings(model / SETTINGS, EntitySettings)
    network = MentionNetwork.load(model, HEADS, settings.length)
    net = FromEmbeddings(network).eval()
    width = net.bert.config.hidden_size
    out.mkdir(parents=True, exist_ok=True)
    ones = torch.ones(2, 24, dtype=torch.int64)
    given = (torch.randn(2, 24, width), ones, torch.zeros_like(ones))
    write_int8(net, given, ["embeddings", "mask", "types"], "states", net.bert, out / MODEL)
    head = {
        name: one.detach().half().numpy()
        for name, one in network.module["heads"]["mention"].named_parameters()
    }
    names = {"0.weight": "first", "0.bias": "first_bias", "3.weight": "last", "3.bias": "last_bias"}
    np.savez(out / HEAD, allow_pickle=False, **{new: head[old] for old, new in names.items()})
    write_settings(out / SETTINGS, settings)
    write_about(out, msgspec.structs.replace(about, files={}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    export(given.model, given.out)
