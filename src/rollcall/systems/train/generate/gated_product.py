# mypy: ignore-errors
"""The first half of a Llama's MLP as one kernel, for reading on a GPU: silu(states · gate) × (states · up).

The two products are never written to memory, only what is made of them. Blocks of memory are copied by the
device's tensor engine, which GPUs have from Hopper on. Written for Triton, which comes with PyTorch for GPUs.
"""

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

_ROWS, _COLUMNS, _DEPTH = 128, 128, 64
"""The size of a block of what is found, and how much of the inputs' length is multiplied at once."""
_GROUP = 8
"""Blocks of rows whose columns are computed side by side, so that what they share stays in the cache."""
_WARPS, _STAGES = 8, 3


@torch.library.custom_op("rollcall::gated_product", mutates_args=())
def gated_product(states: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """The kernel as an operator, which compiled layers can call."""
    return gate(states, weights)


@gated_product.register_fake
def _(states: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    return states.new_empty(*states.shape[:-1], weights.shape[0] // 2)


def mix(joined: torch.Tensor) -> torch.Tensor:
    """Rows of gate and up in turn, where they lay one after the other."""
    return torch.stack(joined.chunk(2), 1).reshape(joined.shape).contiguous()


def gate(states: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """The gated product of states (… × depth) and mixed weights (twice the width × depth)."""
    width, depth = weights.shape[0] // 2, weights.shape[1]
    flat = states.reshape(-1, depth).contiguous()
    found = torch.empty(len(flat), width, dtype=states.dtype, device=states.device)
    blocks = triton.cdiv(len(flat), _ROWS) * triton.cdiv(width, _COLUMNS)
    _gate[(min(blocks, _processors(states.device)),)](
        TensorDescriptor.from_tensor(flat, [_ROWS, _DEPTH]),
        TensorDescriptor.from_tensor(weights, [_COLUMNS * 2, _DEPTH]),
        TensorDescriptor.from_tensor(found, [_ROWS, _COLUMNS]),
        len(flat),
        width=width,
        length=depth,
        rows=_ROWS,
        columns=_COLUMNS,
        depth=_DEPTH,
        group=_GROUP,
        approximate=states.is_cuda,
        num_warps=_WARPS,
        num_stages=_STAGES,
    )
    return found.view(*states.shape[:-1], width)


def _processors(device: torch.device) -> int:
    if device.type != "cuda":
        return 3  # as many as show that a program computes several blocks
    return torch.cuda.get_device_properties(device).multi_processor_count


@triton.jit
def _gate(
    states,
    weights,
    found,
    count,
    width: tl.constexpr,
    length: tl.constexpr,
    rows: tl.constexpr,
    columns: tl.constexpr,
    depth: tl.constexpr,
    group: tl.constexpr,
    approximate: tl.constexpr,
):
    """Each program computes one block after the other, and loads for the next while it ends one."""
    across: tl.constexpr = (width + columns - 1) // columns
    down = tl.cdiv(count, rows)
    for number in tl.range(tl.program_id(0), down * across, tl.num_programs(0), flatten=True):
        first = number // (group * across) * group
        high = tl.minimum(down - first, group)
        row = (first + number % (group * across) % high) * rows
        column = number % (group * across) // high * columns
        both = tl.zeros([rows, columns * 2], tl.float32)
        for at in range(0, length, depth):
            both = tl.dot(states.load([row, at]), weights.load([column * 2, at]).T, both)
        gate, up = tl.split(both.reshape(rows, columns, 2))
        result = gate * _logistic(gate, approximate) * up
        found.store([row, column], result.to(found.dtype))


@triton.jit
def _logistic(values, approximate: tl.constexpr):
    """The logistic function; the device's approximation costs one operation in place of several."""
    if approximate:
        half = values * 0.5
        bent = tl.inline_asm_elementwise(
            "tanh.approx.f32 $0, $1;", "=f,f", [half], dtype=tl.float32, is_pure=True, pack=1
        )
        return bent * 0.5 + 0.5
    return tl.sigmoid(values)
