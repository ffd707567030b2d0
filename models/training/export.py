"""Writes a trained model as int8 ONNX, with its tokenizer: what the package `rollcall-models` contains.

python models/training/export.py student.pt --model MINILM --out models/src/rollcall_models/statement
"""

import argparse
import logging
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
import torch
from tokenizers import AddedToken, Tokenizer

from int8 import write_int8
from network import Net, layers_in
from tokens import MARKS, Reader


def export(weights: Path, model: Path, out: Path) -> None:
    """Write the model to a folder: for onnxruntime, and its layers once more for those who adapt them."""
    reader = Reader(model)
    net = Net(model, layers_in(weights), reader.marks)
    net.load_state_dict(
        {k: v.float() for k, v in torch.load(weights, weights_only=True).items()}, strict=False
    )
    out.mkdir(parents=True, exist_ok=True)
    tokens = torch.randint(1000, 20000, (2, 48))
    given = (tokens, torch.ones_like(tokens), torch.zeros_like(tokens))
    with TemporaryDirectory() as temporary:
        file = Path(temporary) / "int8.onnx"
        write_int8(net, given, ["tokens", "mask", "types"], "logit", net.bert, file)
        whole = onnx.load(str(file))
    arrays = {one.name: onnx.numpy_helper.to_array(one) for one in whole.graph.initializer}
    words = next(name for name in arrays if name.endswith("word_embeddings.weight_quantized"))
    stored = {name: array.numpy() for name, array in net.trained().items()}
    beside = net.bert.embeddings.state_dict()
    stored |= {
        f"bert.embeddings.{name}": array.half().numpy()
        for name, array in beside.items()
        if array.is_floating_point() and "word_embeddings" not in name
    }
    stem = words.removesuffix("_quantized")
    stored["scale"], stored["zero"] = arrays[f"{stem}_scale"], arrays[f"{stem}_zero_point"]
    np.savez_compressed(out / "layers.npz", allow_pickle=False, **stored)
    (out / "embeddings.bin").unlink(missing_ok=True)
    onnx.save_model(
        whole,
        str(out / "model.onnx"),
        save_as_external_data=True,
        location="embeddings.bin",
        size_threshold=5_000_000,
    )
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.add_special_tokens([AddedToken(mark, special=True) for mark in MARKS])
    tokenizer.enable_truncation(160, strategy="only_second")
    tokenizer.save(str(out / "tokenizer.json"), pretty=False)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("weights", type=Path)
    parser.add_argument("--model", type=Path, required=True, help="the encoder that training started from")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    export(given.weights, given.model, given.out)
