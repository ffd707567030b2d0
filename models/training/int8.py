"""Writes a network as ONNX in int8: exported, its layers fused, its weights rounded.

Weights are stored in 7 of 8 bits, because older processors add two products of 8 bits in 16 bits, which can
overflow.
"""

import warnings
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.transformers import optimizer


def write_int8(
    net: Any, given: tuple[torch.Tensor, ...], names: Sequence[str], output: str, bert: Any, file: Path
) -> None:
    """Write a network that takes such inputs, of any number and length; `bert` is its encoder."""
    axes = {name: {0: "rows", 1: "length"} for name in names} | {output: {0: "rows"}}
    with TemporaryDirectory() as temporary, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        raw, fused = Path(temporary) / "raw.onnx", Path(temporary) / "fused.onnx"
        torch.onnx.export(
            net.eval(),
            given,
            str(raw),
            dynamo=False,
            input_names=list(names),
            output_names=[output],
            dynamic_axes=axes,
            opset_version=17,
        )
        heads, size = bert.config.num_attention_heads, bert.config.hidden_size
        optimizer.optimize_model(
            str(raw), model_type="bert", num_heads=heads, hidden_size=size
        ).save_model_to_file(str(fused))
        quantize_dynamic(
            str(fused),
            str(file),
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
            extra_options={"DefaultTensorType": 1},
        )
