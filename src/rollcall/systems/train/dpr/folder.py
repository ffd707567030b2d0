"""The folder of a trained encoder, in the form that sentence-transformers and the retriever `dense` open.

It is written in the form of the library's first versions, which all of them read.
"""

import json
from pathlib import Path
from typing import Any

from rollcall.systems.train.dpr.options import DprOptions

_MODULES = "sentence_transformers.models."


def save_encoder(folder: Path, network: Any, tokeniser: Any, length: int, options: DprOptions) -> None:
    """Write an encoder with its pooling and similarity."""
    folder.mkdir(parents=True, exist_ok=True)
    network.save_pretrained(folder)
    tokeniser.save_pretrained(folder)
    modules = [("", "Transformer"), ("1_Pooling", "Pooling")]
    if options.similarity == "cosine":
        modules.append(("2_Normalize", "Normalize"))
    listed = [
        {"idx": number, "name": str(number), "path": path, "type": _MODULES + kind}
        for number, (path, kind) in enumerate(modules)
    ]
    pooling = {
        "word_embedding_dimension": network.config.hidden_size,
        "pooling_mode_cls_token": options.pooling == "cls",
        "pooling_mode_mean_tokens": options.pooling == "mean",
        "pooling_mode_max_tokens": False,
        "pooling_mode_mean_sqrt_len_tokens": False,
    }
    files: dict[str, object] = {
        "modules.json": listed,
        "sentence_bert_config.json": {"max_seq_length": length, "do_lower_case": False},
        "config_sentence_transformers.json": {"similarity_fn_name": options.similarity},
        "1_Pooling/config.json": pooling,
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
