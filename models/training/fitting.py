"""Fits a network to examples, and asks it about examples, in batches of sentences of similar length."""

import time
from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from network import Net
from tokens import DEVICE, Batchable, Example, Reader

Rows = NDArray[np.int64]
Logits = NDArray[np.float32]

_WARMUP = 0.06
"""The share of all steps in which the rate of learning rises."""
_ASKED_AT_ONCE = 200_000


def fit(
    net: Net,
    reader: Reader,
    draw: Callable[[int], list[Example]],
    *,
    epochs: int,
    rate: float,
    size: int,
    seed: int,
) -> None:
    """Train for some epochs, in batches of some size; `draw` gives the examples of each epoch."""
    begun, step, total = time.time(), 0, 0
    optimizer = _optimizer(net, rate)
    net.train()
    for epoch in range(epochs):
        examples = draw(epoch)
        given = reader.tensors(examples)
        answers = torch.tensor([one.answer for one in examples], device=DEVICE)
        weights = torch.tensor([one.weight for one in examples], device=DEVICE)
        cut = _batches(given.lengths, size, np.random.default_rng(1000 * seed + epoch))
        total = total or len(cut) * epochs
        loss_sum = torch.zeros((), device=DEVICE)
        for rows in cut:
            done = step / total
            for group in optimizer.param_groups:
                group["lr"] = rate * min(done / _WARMUP, max(0.0, (1 - done) / (1 - _WARMUP))) + 1e-7
            chosen = torch.from_numpy(rows).to(DEVICE)
            logits = _logits(net, given, chosen, int(given.lengths[rows].max()))
            losses = functional.binary_cross_entropy_with_logits(logits, answers[chosen], reduction="none")
            loss = (losses * weights[chosen]).mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            loss_sum += loss.detach()
            step += 1
        mean, seconds = float(loss_sum) / len(cut), time.time() - begun
        print(f"epoch {epoch}: {len(examples)} examples, loss {mean:.4f}, {seconds:.0f} s", flush=True)


def logits_of(net: Net, reader: Reader, examples: Sequence[Example]) -> Logits:
    """What a network says about examples."""
    net.eval()
    found = np.zeros(len(examples), np.float32)
    with torch.inference_mode():
        for start in range(0, len(examples), _ASKED_AT_ONCE):
            given = reader.tensors(examples[start : start + _ASKED_AT_ONCE])
            for rows in _batches(given.lengths, 1024, None):
                chosen, longest = torch.from_numpy(rows).to(DEVICE), int(given.lengths[rows].max())
                found[start + rows] = _logits(net, given, chosen, longest).cpu().numpy()
    return found


def _optimizer(net: Net, rate: float) -> torch.optim.AdamW:
    trained = [weights for weights in net.parameters() if weights.requires_grad]
    groups = [
        {"params": [weights for weights in trained if weights.ndim > 1], "weight_decay": 0.01},
        {"params": [weights for weights in trained if weights.ndim <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=rate, fused=DEVICE == "cuda")


def _batches(lengths: Rows, size: int, rng: np.random.Generator | None) -> list[Rows]:
    """The numbers of examples, in batches of similar length; with a generator, in random order."""
    noise = rng.random(len(lengths)) * 6 if rng is not None else 0
    order = np.argsort(lengths + noise, kind="stable")
    cut = [order[start : start + size] for start in range(0, len(order), size)]
    if rng is not None:
        rng.shuffle(cut)
    return cut


def _logits(net: Net, given: Batchable, chosen: torch.Tensor, longest: int) -> torch.Tensor:
    """The logits of one batch of examples, of which the longest has so many tokens."""
    width = min(given.tokens.shape[1], (longest + 7) // 8 * 8)
    tokens = given.tokens[chosen, :width].long()
    mask = tokens != 0
    types = (torch.arange(width, device=DEVICE)[None] >= given.second[chosen][:, None]).long() * mask
    with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
        logits: torch.Tensor = net(tokens, mask, types)
    return logits.float()
