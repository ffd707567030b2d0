"""Writes a retriever that `retriever_distil.py` made as int8 ONNX: the packaged retriever `learned`.

    python models/training/retriever_export.py STUDENT --out models/src/rollcall_models/retriever

The package has its embeddings of words already, so the network takes embeddings in place of tokens.
"""

import json
from pathlib import Path

import torch

from from_embeddings import FromEmbeddings, export_by_command, write_from_embeddings
from rollcall.systems.retrieve.learned import ABOUT, MODEL
from rollcall.systems.train.base import load_base
from rollcall.systems.train.model_folder import read_about, write_about


def export(model: Path, out: Path) -> None:
    """Write the network and how many tokens it reads to a folder."""
    network = load_base(str(model), ("encoder",), "dpr").network
    read = json.loads((model / "sentence_bert_config.json").read_text(encoding="utf-8"))
    length = int(read["max_seq_length"])
    places = network.embeddings.position_embeddings.weight.detach()[:length]  # no text has more
    network.embeddings.position_embeddings = torch.nn.Embedding.from_pretrained(places)
    network.embeddings.position_ids = network.embeddings.position_ids[:, :length]
    write_from_embeddings(FromEmbeddings(network), "states", out / MODEL)
    (out / ABOUT).write_text(json.dumps({"length": length}) + "\n", encoding="utf-8")
    write_about(out, read_about(model, "dpr"))


if __name__ == "__main__":
    export_by_command(__doc__, export)
