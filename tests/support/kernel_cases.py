"""What our kernels must compute: on a GPU, or by Triton's interpreter.

    TRITON_INTERPRET=1 python tests/support/kernel_cases.py short_attention

The interpreter is chosen when Triton is loaded, so without a GPU this is a program of its own.
"""

import sys
from unittest.mock import patch

import torch
from transformers import LlamaConfig, LlamaForCausalLM

from rollcall.systems.train.generate import gated_product, joined, short_attention

ON_GPU = torch.cuda.is_available()
DEVICE = "cuda" if ON_GPU else "cpu"
KIND = torch.bfloat16 if ON_GPU else torch.float32
NEAR = {"atol": 3e-2, "rtol": 3e-2} if ON_GPU else {"atol": 1e-5, "rtol": 1e-4}


def products(rows, depth, width):
    """It computes what is computed step by step."""
    torch.manual_seed(0)
    states = torch.randn(1, rows, depth).to(DEVICE, KIND)
    weights = (torch.randn(2 * width, depth) / 8).to(DEVICE, KIND)
    found = gated_product.gate(states, gated_product.mix(weights))
    gates, ups = torch.nn.functional.linear(states.float(), weights.float()).chunk(2, -1)
    torch.testing.assert_close(found.float(), torch.nn.functional.silu(gates) * ups, **NEAR)


def layers():
    """Joined layers compute the same with it, and where it does not fit."""
    config = LlamaConfig(
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        intermediate_size=128,
        vocab_size=50,
    )
    torch.manual_seed(0)
    network = LlamaForCausalLM(config).eval().to(DEVICE, KIND)
    tokens = torch.arange(40, device=DEVICE)[None]
    with torch.no_grad(), patch.object(joined, "gate_works", lambda: True):
        plain = network(tokens).logits
        joined.join_projections(network)
        for fits in (True, False):
            with (
                patch.object(joined, "fits", lambda *_, fits=fits: fits),
                patch.object(gated_product, "gate", wraps=gated_product.gate) as used,
            ):
                torch.testing.assert_close(network(tokens).logits, plain, **NEAR)
            assert used.call_count == (config.num_hidden_layers if fits else 0)


def attention(heads, shared, size):
    """It computes causal attention within each sequence, for rows that are not contiguous."""
    torch.manual_seed(0)
    lengths = [1, 63, 64, 65, 200, 0, 129]
    ends = torch.tensor([0, *lengths], device=DEVICE).cumsum(0).int()
    widths = [heads * size, heads // shared * size, heads // shared * size]
    joined_rows = torch.randn(sum(lengths), sum(widths)).to(DEVICE, KIND)
    rows = [one.unflatten(-1, (-1, size)) for one in joined_rows.split(widths, -1)]
    found = short_attention.attend(*rows, ends, 256, size**-0.5)
    for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        if begin < end:
            query, key, value = (one[begin:end].transpose(0, 1)[None].float() for one in rows)
            right = torch.nn.functional.scaled_dot_product_attention(
                query, key, value, is_causal=True, enable_gqa=True
            )
            torch.testing.assert_close(found[begin:end].float(), right[0].transpose(0, 1), **NEAR)


def check_gated_product():
    """All cases; neither rows nor columns fill the last block."""
    for sizes in ((300, 96, 192), (7, 64, 128), (520, 72, 328)):
        products(*sizes)
    layers()


def check_short_attention():
    """All cases; sequences end within blocks, at their ends and right after them."""
    for heads, shared, size in ((9, 3, 64), (4, 1, 32), (2, 2, 128)):
        attention(heads, shared, size)


CHECKS = {"gated_product": check_gated_product, "short_attention": check_short_attention}


if __name__ == "__main__":
    CHECKS[sys.argv[1]]()
