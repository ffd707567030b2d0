"""Writes a trained model as int8 ONNX, with its tokenizer: what the package `rollcall-models` contains.

    python models/training/export.py student.pt --model MINILM --out models/src/rollcall_models/statement

Weights are stored in 7 of 8 bits, because older processors add two products of 8 bits in 16 bits, which can
overflow.
"""

import argparse
import logging
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.transformers import optimizer
from tokenizers import AddedToken, Tokenizer

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
    names = ["tokens", "mask", "types"]
    axes = {name: {0: "sentences", 1: "length"} for name in names}
    axes["logit"] = {0: "sentences"}
    with TemporaryDirectory() as temporary, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        raw, fused = Path(temporary) / "raw.onnx", Path(temporary) / "fused.onnx"
        torch.onnx.export(
            net.eval(),
            (tokens, torch.ones_like(tokens), torch.zeros_like(tokens)),
            str(raw),
            dynamo=False,
            input_names=names,
            output_names=["logit"],
            dynamic_axes=axes,
            opset_version=17,
        )
        heads, size = net.bert.config.num_attention_heads, net.bert.config.hidden_size
        optimizer.optimize_model(
            str(raw), model_type="bert", num_heads=heads, hidden_size=size
        ).save_model_to_file(str(fused))
        quantize_dynamic(
            str(fused),
            str(Path(temporary) / "int8.onnx"),
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
            extra_options={"DefaultTensorType": 1},
        )
        whole = onnx.load(str(Path(temporary) / "int8.onnx"))
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
    np.savez(out / "layers.npz", allow_pickle=False, **stored)
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
    tokenizer.save(str(out / "tokenizer.json"))


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
