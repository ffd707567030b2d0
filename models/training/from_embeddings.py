"""Writes a trained encoder as int8 ONNX that takes embeddings of words in place of tokens.

The embeddings of words were not trained, and the package `rollcall-models` has them already, as those of the
verifier's model. So what is written leaves them out.
"""

import argparse
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import nn

from int8 import write_int8


class FromEmbeddings(nn.Module):
    """An encoder without its embeddings of words, and perhaps a head that reads the first token."""

    def __init__(self, encoder: Any, head: Any = None) -> None:
        super().__init__()
        self.bert, self.head = encoder, head
        self.bert.set_attn_implementation("eager")

    def forward(self, embeddings: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
        read = self.bert(inputs_embeds=embeddings, attention_mask=mask, token_type_ids=types)
        states: torch.Tensor = read.last_hidden_state
        return states if self.head is None else self.head(states[:, 0]).squeeze(-1)


def write_from_embeddings(net: FromEmbeddings, output: str, file: Path) -> None:
    """Write such a network, whose result is called `output`, and make the folder of the file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    ones = torch.ones(2, 24, dtype=torch.int64)
    given = (torch.randn(2, 24, net.bert.config.hidden_size), ones, torch.zeros_like(ones))
    write_int8(net.eval(), given, ["embeddings", "mask", "types"], output, net.bert, file)


def export_by_command(about: str | None, export: Callable[[Path, Path], None]) -> None:
    """Export the model that the command line names to its `--out`."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    export(given.model, given.out)
