"""Whether the kernel that gates as it multiplies can be used: it is tried once on this machine."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

_ALIGNED = 8
"""Numbers of two bytes that the device's tensor engine copies at least."""


def fits(states: "torch.Tensor", weights: "torch.Tensor") -> bool:
    """Whether the kernel can multiply these; it is for reading alone, without gradients."""
    import torch

    width, depth = weights.shape
    aligned = depth % _ALIGNED == 0 and width % (2 * _ALIGNED) == 0
    halves = states.is_cuda and states.element_size() == 2 and states.dtype == weights.dtype
    return aligned and halves and not torch.is_grad_enabled()


@cache
def gate_works() -> bool:
    """Whether the kernel computes what it should here; it is an operator once it is imported."""
    import torch

    if not torch.cuda.is_available():
        return False
    try:
        from rollcall.systems.train.generate.gated_product import gate, mix

        states = torch.linspace(-90, 90, 300 * 576, device="cuda").sin().view(300, 576).bfloat16()
        joined = torch.linspace(-70, 70, 768 * 576, device="cuda").sin().view(768, 576).bfloat16() / 8
        ours = gate(states, mix(joined))
        gates, ups = torch.nn.functional.linear(states.float(), joined.float()).chunk(2, -1)
        right = torch.nn.functional.silu(gates) * ups
        alike: bool = torch.allclose(ours.float(), right, atol=0.05, rtol=0.05)
        return alike
    except Exception:  # of any kind: without Triton, or where this machine cannot compile it
        return False
