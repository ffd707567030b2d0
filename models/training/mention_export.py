"""Writes a mention scorer that `rollcall train` made as int8 ONNX: a part of the packaged reader `rollcall`.

    python models/training/mention_export.py made/reader/parts/mention-scorer --out made/mention-scorer

It must have been trained with `words=frozen` from a checkpoint with the words of the verifier's model
(`ask_base.py`), because the package has their embeddings already. So the network takes embeddings in place
of tokens; its head, which reads single tokens, stands beside it.
"""

from pathlib import Path

import msgspec
import numpy as np

from from_embeddings import FromEmbeddings, export_by_command, write_from_embeddings
from rollcall.systems.read.scorers import HEAD, MODEL
from rollcall.systems.train.model_folder import read_about, read_settings, write_about, write_settings
from rollcall.systems.train.scorers import (
    MENTION_HEADS,
    MENTION_SETTINGS,
    MENTION_SYSTEM,
    EntitySettings,
    MentionNetwork,
)


def export(model: Path, out: Path) -> None:
    """Write the network, its head and its settings to a folder."""
    about = read_about(model, MENTION_SYSTEM)
    if about.options.get("words") != "frozen":
        raise SystemExit(f"{model}: its embeddings of words were trained; train it with words=frozen")
    settings = read_settings(model / MENTION_SETTINGS, EntitySettings)
    network = MentionNetwork.load(model, MENTION_HEADS, settings.length)
    write_from_embeddings(FromEmbeddings(network.module["encoder"]), "states", out / MODEL)
    head = {
        name: one.detach().half().numpy()
        for name, one in network.module["heads"]["mention"].named_parameters()
    }
    names = {"0.weight": "first", "0.bias": "first_bias", "3.weight": "last", "3.bias": "last_bias"}
    np.savez(out / HEAD, allow_pickle=False, **{new: head[old] for old, new in names.items()})
    write_settings(out / MENTION_SETTINGS, settings)
    write_about(out, msgspec.structs.replace(about, files={}))


if __name__ == "__main__":
    export_by_command(__doc__, export)
