"""What a network computes: which sequences it reads, how many weights each token meets, and model FLOPs."""

from collections.abc import Callable, Sequence
from typing import Any

import torch


def lengths_read(network: Any, work: Callable[[], object]) -> list[int]:
    """The lengths of all sequences that a network reads while something is computed."""
    found: list[int] = []

    def note(_module: object, _given: object, named: dict[str, Any]) -> None:
        if named.get("cu_seq_lens_q") is not None:
            found.extend(named["cu_seq_lens_q"].diff().tolist())
        elif named.get("attention_mask") is not None and named["attention_mask"].ndim == 2:
            found.extend(named["attention_mask"].sum(1).tolist())

    hook = network.register_forward_pre_hook(note, with_kwargs=True)
    try:
        work()
    finally:
        hook.remove()
    return found


def weights_of(network: Any) -> int:
    """The weights that every token meets: none of the embeddings."""
    skipped = {id(one.weight) for one in network.modules() if isinstance(one, torch.nn.Embedding)}
    output = network.get_output_embeddings() if hasattr(network, "lm_head") else None
    if output is not None:
        skipped.add(id(output.weight))
    return sum(one.numel() for one in network.parameters() if id(one) not in skipped)


def flops(config: Any, weights: int, lengths: Sequence[int]) -> float:
    """Model FLOPs of one pass over sequences of these lengths."""
    width = config.hidden_size
    seen = 2 if config.model_type == "llama" else 4  # a causal model attends to one half
    attention: float = seen * width * config.num_hidden_layers * sum(one * one for one in lengths)
    return 2.0 * weights * sum(lengths) + attention
