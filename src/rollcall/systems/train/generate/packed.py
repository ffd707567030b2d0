"""Attention over sequences that lie one after the other in one row, without padding.

Each token attends to the tokens before it in its own sequence. On a GPU this is one call for sequences of
different lengths, of our own kernel or, in training, of PyTorch's flash attention; elsewhere each sequence is
computed by itself. Registered with transformers as an attention implementation, so every causal model that
supports these can be used.
"""

from collections.abc import Sequence
from functools import cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt
    import torch

PACKED = "rollcall_packed"
_KERNEL_SIZES = (16, 32, 64, 128)


def use_packed_attention(network: Any) -> None:
    """Let a causal network compute packed rows; for others it must be given a mask."""
    from transformers import AttentionInterface

    AttentionInterface.register(PACKED, _with_kernel if _kernel_works() else _attention)
    network.set_attn_implementation(PACKED)


@cache
def _kernel_works() -> bool:
    """Whether our own kernel can be used here, which is tried once; it is an operator once it is imported."""
    import torch

    if not torch.cuda.is_available():
        return False
    try:
        from rollcall.systems.train.generate.short_attention import attend

        ends = torch.tensor([0, 5, 100], dtype=torch.int32, device="cuda")
        rows = torch.linspace(-2, 2, 3 * 100 * 64, device="cuda").sin().view(3, 100, 1, 64).bfloat16()
        query, key, value = rows
        ours = attend(query, key, value, ends, 128, 0.125)
        query, key, value = rows.transpose(1, 2)[:, None]
        theirs = _one_by_one(query, key, value, ends, 0.0, 0.125)[0]
        alike: bool = torch.allclose(ours.float(), theirs.float(), atol=0.05)
        return alike
    except Exception:  # of any kind: without Triton, or where this machine cannot compile it
        return False


def packed(sequences: Sequence[Sequence[int]], device: Any) -> "dict[str, Any]":
    """The inputs of a network for some sequences in one row; positions begin anew with each."""
    lengths = np.fromiter(map(len, sequences), np.int64, len(sequences))
    ends = np.concatenate([[0], lengths.cumsum()])
    tokens = np.fromiter(chain.from_iterable(sequences), np.int64, ends[-1])
    positions = np.arange(ends[-1]) - np.repeat(ends[:-1], lengths)
    places = on_device(ends.astype(np.int32), device)
    # The greatest length decides only how much work is prepared; few different ones need few compilations.
    longest = 1 << (int(lengths.max()) - 1).bit_length()
    return {
        "input_ids": on_device(tokens[None], device),
        "position_ids": on_device(positions[None], device),
        "cu_seq_lens_q": places,
        "cu_seq_lens_k": places,
        "max_length_q": longest,
        "max_length_k": longest,
    }


def on_device(values: "npt.NDArray[Any]", device: Any) -> "torch.Tensor":
    """Copy without waiting for what the device computes, so that the next batch is made meanwhile."""
    import torch

    tensor = torch.from_numpy(values)
    if device.type != "cuda":
        return tensor.to(device)
    return tensor.pin_memory().to(device, non_blocking=True)


def _with_kernel(
    module: Any,
    query: "torch.Tensor",
    key: "torch.Tensor",
    value: "torch.Tensor",
    attention_mask: "torch.Tensor | None",
    dropout: float = 0.0,
    scaling: float | None = None,
    cu_seq_lens_q: "torch.Tensor | None" = None,
    max_length_q: int = 0,
    **_: object,
) -> "tuple[torch.Tensor, None]":
    """As `_attention`, by our own kernel where nothing is learned."""
    import torch

    halves = value.is_cuda and value.element_size() == 2 and value.shape[-1] in _KERNEL_SIZES
    if cu_seq_lens_q is None or not halves or torch.is_grad_enabled():
        return _attention(
            module, query, key, value, attention_mask, dropout, scaling, cu_seq_lens_q, max_length_q
        )
    rows = [one.to(value.dtype)[0].transpose(0, 1) for one in (query, key, value)]
    scale = value.shape[-1] ** -0.5 if scaling is None else scaling
    found: torch.Tensor = torch.ops.rollcall.short_attention(*rows, cu_seq_lens_q, max_length_q, scale)
    return found.unsqueeze(0), None


def _attention(
    module: Any,
    query: "torch.Tensor",
    key: "torch.Tensor",
    value: "torch.Tensor",
    attention_mask: "torch.Tensor | None",
    dropout: float = 0.0,
    scaling: float | None = None,
    cu_seq_lens_q: "torch.Tensor | None" = None,
    max_length_q: int = 0,
    **_: object,
) -> "tuple[torch.Tensor, None]":
    """The interface of transformers: heads before tokens in, tokens before heads out."""
    if cu_seq_lens_q is None:
        return _masked(query, key, value, attention_mask, scaling).transpose(1, 2), None
    query, key = query.to(value.dtype), key.to(value.dtype)  # rotating them may have widened them
    if value.is_cuda and value.element_size() == 2 and value.shape[-1] % 8 == 0:
        return _flash(query, key, value, cu_seq_lens_q, max_length_q, dropout, scaling), None
    return _one_by_one(query, key, value, cu_seq_lens_q, dropout, scaling), None


def _flash(
    query: "torch.Tensor",
    key: "torch.Tensor",
    value: "torch.Tensor",
    ends: "torch.Tensor",
    longest: int,
    dropout: float,
    scaling: float | None,
) -> "torch.Tensor":
    import torch

    rows = [one[0].transpose(0, 1) for one in (query, key, value)]
    found: torch.Tensor = torch.ops.aten._flash_attention_forward(
        *rows, ends, ends, longest, longest, dropout, True, False, scale=scaling
    )[0]
    return found.unsqueeze(0)


def _one_by_one(
    query: "torch.Tensor",
    key: "torch.Tensor",
    value: "torch.Tensor",
    ends: "torch.Tensor",
    dropout: float,
    scaling: float | None,
) -> "torch.Tensor":
    import torch

    places = ends.tolist()
    found = [
        torch.nn.functional.scaled_dot_product_attention(
            query[:, :, begin:end],
            key[:, :, begin:end],
            value[:, :, begin:end],
            dropout_p=dropout,
            is_causal=True,
            scale=scaling,
            enable_gqa=True,
        )
        for begin, end in pairwise(places)
    ]
    return torch.cat(found, 2).transpose(1, 2)


def _masked(
    query: "torch.Tensor",
    key: "torch.Tensor",
    value: "torch.Tensor",
    mask: "torch.Tensor | None",
    scaling: float | None,
) -> "torch.Tensor":
    """Queries that share a head of keys are taken as further rows of it, so that no keys are copied."""
    import torch

    assert mask is not None
    batch, heads, length, size = query.shape
    shared = heads // key.shape[1]
    rows = query.reshape(batch, key.shape[1], shared * length, size).to(value.dtype)
    found = torch.nn.functional.scaled_dot_product_attention(
        rows, key.to(value.dtype), value, attn_mask=mask.repeat(1, 1, shared, 1), scale=scaling
    )
    return found.reshape(batch, heads, length, size)
