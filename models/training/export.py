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

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.transformers import optimizer
from tokenizers import AddedToken, Tokenizer
from torch import nn

from network import Net, layers_in
from tokens import MARKS, Reader


class Outputs(nn.Module):
    """The logit, and the vector from which it comes."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net

    def forward(
        self, tokens: torch.Tensor, mask: torch.Tensor, types: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        vector = self.net.vector(tokens, mask, types)
        return self.net.out(vector).squeeze(-1), vector


def export(weights: Path, model: Path, out: Path) -> None:
    reader = Reader(model)
    net = Net(model, layers_in(weights), reader.marks)
    net.load_state_dict(
        {k: v.float() for k, v in torch.load(weights, weights_only=True).items()}, strict=False
    )
    out.mkdir(parents=True, exist_ok=True)
    tokens = torch.randint(1000, 20000, (2, 48))
    names = ["tokens", "mask", "types"]
    axes = {name: {0: "sentences", 1: "length"} for name in names}
    axes |= {name: {0: "sentences"} for name in ("logit", "vector")}
    with TemporaryDirectory() as temporary, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        raw, fused = Path(temporary) / "raw.onnx", Path(temporary) / "fused.onnx"
        torch.onnx.export(
            Outputs(net).eval(),
            (tokens, torch.ones_like(tokens), torch.zeros_like(tokens)),
            str(raw),
            dynamo=False,
            input_names=names,
            output_names=["logit", "vector"],
            dynamic_axes=axes,
            opset_version=17,
        )
        heads, size = net.bert.config.num_attention_heads, net.bert.config.hidden_size
        optimizer.optimize_model(
            str(raw), model_type="bert", num_heads=heads, hidden_size=size
        ).save_model_to_file(str(fused))
        quantize_dynamic(
            str(fused),
            str(out / "model.onnx"),
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
            extra_options={"DefaultTensorType": 1},
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
