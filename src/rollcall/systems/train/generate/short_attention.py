# mypy: ignore-errors
"""Attention over many short sequences in one row, as a kernel for GPUs: only for reading, without gradients.

A passage has a few hundred tokens. For such lengths the blocks of PyTorch's flash attention, which are made
for long texts, do more work than is needed. Written for Triton, which comes with PyTorch for GPUs.
"""

import torch
import triton
import triton.language as tl

_BLOCK = 64
"""Queries, and keys, that are compared at once."""
_WARPS, _STAGES = 4, 2


@torch.library.custom_op("rollcall::short_attention", mutates_args=())
def short_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    ends: torch.Tensor,
    longest: int,
    scale: float,
) -> torch.Tensor:
    """The kernel as an operator, which compiled layers can call."""
    return attend(query, key, value, ends, longest, scale)


@short_attention.register_fake
def _(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    ends: torch.Tensor,
    longest: int,
    scale: float,
) -> torch.Tensor:
    return torch.empty(query.shape, dtype=query.dtype, device=query.device)


def attend(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    ends: torch.Tensor,
    longest: int,
    scale: float,
    block: int = _BLOCK,
    warps: int = _WARPS,
    stages: int = _STAGES,
    keys: int = _BLOCK,
) -> torch.Tensor:
    """Causal attention: token × head × size; sequences lie between `ends`, none longer than `longest`.

    Heads of keys are shared by equally many heads of queries. The size of a head is a power of two.
    """
    _, heads, size = query.shape
    found = torch.empty(query.shape, dtype=query.dtype, device=query.device)
    grid = (heads, triton.cdiv(longest, block), len(ends) - 1)
    _attend[grid](
        query,
        key,
        value,
        found,
        ends,
        scale * 1.4426950408889634,  # powers of two are faster than those of e
        query.stride(0),
        key.stride(0),
        value.stride(0),
        found.stride(0),
        shared=heads // key.shape[1],
        size=size,
        block=block,
        keys=keys,
        num_warps=warps,
        num_stages=stages,
    )
    return found


@triton.jit
def _attend(
    query,
    key,
    value,
    found,
    ends,
    scale,
    query_row,
    key_row,
    value_row,
    found_row,
    shared: tl.constexpr,
    size: tl.constexpr,
    block: tl.constexpr,
    keys: tl.constexpr,
):
    head, start, sequence = tl.program_id(0), tl.program_id(1) * block, tl.program_id(2)
    begin = tl.load(ends + sequence)
    length = tl.load(ends + sequence + 1) - begin
    if start >= length:
        return
    rows = start + tl.arange(0, block)
    columns = tl.arange(0, keys)
    places = tl.arange(0, size)
    query += begin.to(tl.int64) * query_row + head * size
    key += begin.to(tl.int64) * key_row + head // shared * size
    value += begin.to(tl.int64) * value_row + head // shared * size
    found += begin.to(tl.int64) * found_row + head * size
    inside = rows[:, None] < length
    asked = tl.load(query + rows[:, None] * query_row + places[None, :], mask=inside, other=0.0)
    greatest = tl.full([block], float("-inf"), tl.float32)
    total = tl.zeros([block], tl.float32)
    mean = tl.zeros([block, size], tl.float32)
    # Keys before the block of queries: every query attends to all of them.
    for first in range(0, start, keys):
        at = first + columns
        known = tl.load(key + at[None, :] * key_row + places[:, None])
        scores = tl.dot(asked, known) * scale
        greater = tl.maximum(greatest, tl.max(scores, 1))
        chances = tl.exp2(scores - greater[:, None])
        rest = tl.exp2(greatest - greater)
        total = total * rest + tl.sum(chances, 1)
        worth = tl.load(value + at[:, None] * value_row + places[None, :])
        mean = tl.dot(chances.to(worth.dtype), worth, mean * rest[:, None])
        greatest = greater
    # Keys within it: each query attends to those before it and to its own.
    for first in range(start, tl.minimum(start + block, length), keys):
        at = first + columns
        known = tl.load(key + at[None, :] * key_row + places[:, None], mask=at[None, :] < length, other=0.0)
        scores = tl.dot(asked, known) * scale
        scores = tl.where(rows[:, None] >= at[None, :], scores, float("-inf"))
        greater = tl.maximum(greatest, tl.max(scores, 1))
        chances = tl.exp2(scores - greater[:, None])
        rest = tl.exp2(greatest - greater)
        total = total * rest + tl.sum(chances, 1)
        worth = tl.load(
            value + at[:, None] * value_row + places[None, :], mask=at[:, None] < length, other=0.0
        )
        mean = tl.dot(chances.to(worth.dtype), worth, mean * rest[:, None])
        greatest = greater
    mean = mean / total[:, None]
    tl.store(
        found + rows[:, None] * found_row + places[None, :], mean.to(found.dtype.element_ty), mask=inside
    )
