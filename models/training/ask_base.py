"""Writes the layers of the verifier's model as a checkpoint that `rollcall train ask` can start from.

    python models/training/ask_base.py models/src/rollcall_models/statement --out made/statement

It has learned which words state a relation, so it needs fewer questions than an encoder of sentences.
"""

import argparse
from pathlib import Path

import numpy as np
import torch

from rollcall.systems.train.base import MINILM, load_base
from rollcall.systems.train.encoder_network import cut_layers


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("statement", type=Path)
    arguments.add_argument("--out", type=Path, required=True)
    options = arguments.parse_args()
    with np.load(options.statement / "layers.npz", allow_pickle=False) as stored:
        weights = {
            name.removeprefix("bert."): torch.from_numpy(stored[name]).float()
            for name in stored.files
            if name.startswith("bert.")
        }
    layers = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))
    base = cut_layers(load_base(MINILM, ("encoder",), "ask"), layers)
    missing, unexpected = base.network.load_state_dict(weights, strict=False)
    unknown = [one for one in missing if "word_embeddings" not in one and "pooler" not in one]
    assert not unknown, unknown
    assert not unexpected, unexpected
    base.network.save_pretrained(options.out)
    base.tokeniser.save_pretrained(options.out)


if __name__ == "__main__":
    main()
