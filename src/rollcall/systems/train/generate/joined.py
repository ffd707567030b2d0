"""Projections of a Llama that have the same input, as one matrix: queries, keys and values; gate and up.

On a GPU the input is then read once, and the product is large enough to be fast. For reading alone: a network
that was changed is neither trained nor saved. Networks of other architectures are left as they are. Where a
kernel of ours works, gate and up are multiplied as they are made.
"""

from functools import cache
from types import MethodType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch


# Whether the kernel that gates as it multiplies can be used: it is tried once on this machine.

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


def join_projections(network: "torch.nn.Module") -> None:
    """Join the projections of every layer, in place."""
    for module in list(network.modules()):
        kind = type(module).__name__
        if kind == "LlamaMLP" and _join(module, ("gate_proj", "up_proj")):
            _mix(module)
            module.forward = MethodType(_gated, module)
        elif kind == "LlamaAttention" and _join(module, ("q_proj", "k_proj", "v_proj")):
            module.forward = MethodType(_attending, module)


def _join(module: Any, names: tuple[str, ...]) -> bool:
    """Put the weights of some projections into one matrix; not those with biases."""
    import torch

    every = [getattr(module, name) for name in names]
    if any(one.bias is not None for one in every):
        return False
    joined = torch.cat([one.weight.detach() for one in every])
    module.joined = torch.nn.Parameter(joined, requires_grad=False)
    module.joined_sizes = [one.out_features for one in every]
    for name in names:
        delattr(module, name)
    return True


def _mix(module: Any) -> None:
    """Order the weights as the kernel wants them, if it is used."""
    module.mixed = gate_works() and module.config.hidden_act == "silu"
    if module.mixed:
        from rollcall.systems.train.generate.gated_product import mix

        module.joined.data = mix(module.joined.data)


def _gated(self: Any, states: "torch.Tensor") -> "torch.Tensor":
    import torch

    if self.mixed and fits(states, self.joined):
        gated = torch.ops.rollcall.gated_product(states, self.joined)
    elif self.mixed:
        gate, up = torch.nn.functional.linear(states, self.joined).unflatten(-1, (-1, 2)).unbind(-1)
        gated = self.act_fn(gate) * up
    else:
        gate, up = _projected(self, states)
        gated = self.act_fn(gate) * up
    found: torch.Tensor = self.down_proj(gated)
    return found


def _attending(
    self: Any,
    hidden_states: "torch.Tensor",
    position_embeddings: "tuple[torch.Tensor, torch.Tensor]",
    attention_mask: "torch.Tensor | None" = None,
    past_key_values: Any = None,
    **named: Any,
) -> "tuple[torch.Tensor, None]":
    """As transformers writes it, but for the projections."""
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS
    from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

    query, key, value = (
        one.unflatten(-1, (-1, self.head_dim)).transpose(1, 2) for one in _projected(self, hidden_states)
    )
    query, key = apply_rotary_pos_emb(query, key, *position_embeddings)
    if past_key_values is not None:
        key, value = past_key_values.update(key, value, self.layer_idx)
    attend = ALL_ATTENTION_FUNCTIONS[self.config._attn_implementation]
    found, _ = attend(self, query, key, value, attention_mask, scaling=self.scaling, **named)
    return self.o_proj(found.reshape(*hidden_states.shape[:-1], -1)), None


def _projected(module: Any, states: "torch.Tensor") -> "tuple[torch.Tensor, ...]":
    import torch

    joined = torch.nn.functional.linear(states, module.joined)
    parts: tuple[torch.Tensor, ...] = torch.split(joined, module.joined_sizes, -1)
    return parts
