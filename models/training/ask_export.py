"""Writes a model that `rollcall train ask` made as int8 ONNX: what the package `rollcall-models` contains.

    python models/training/ask_export.py made/ask/model --out models/src/rollcall_models/ask

The embeddings of words are not trained, and the package has them already, as those of the verifier's model,
which come from the same encoder. So the network takes embeddings in place of tokens.
"""

import shutil
from pathlib import Path

from from_embeddings import FromEmbeddings, export_by_command, write_from_embeddings
from rollcall.systems.ask.ranking import MODEL, SETTINGS, read_reranker_settings
from rollcall.systems.train.encoder_network import PAIR_HEADS, PairNetwork


def export(model: Path, out: Path) -> None:
    """Write the network and its settings to a folder."""
    network = PairNetwork.load(model, PAIR_HEADS, read_reranker_settings(model).length)
    net = FromEmbeddings(network.module["encoder"], network.module["heads"]["pair"])
    write_from_embeddings(net, "score", out / MODEL)
    shutil.copyfile(model / SETTINGS, out / SETTINGS)


if __name__ == "__main__":
    export_by_command(__doc__, export)
