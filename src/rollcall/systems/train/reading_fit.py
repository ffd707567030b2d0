"""Fits how `ask` weighs what it knows of a reading, and how sure it is, on questions that were not learned.

The weights of the features and of the cross-encoder make the right readings likely among the candidates of
their questions (listwise softmax), and stay near those set by hand where there is little to learn from. A
logistic regression then says how often the first reading is right; it sees the questions, too, whose right
reading is not among the candidates.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rollcall.systems.ask.features import FEATURES
from rollcall.systems.ask.model import WEIGHTS, probabilities
from rollcall.systems.ask.reranker import NETWORK, SURETY, RerankerSettings, surety_inputs
from rollcall.systems.train.exercise import QueryReading
from rollcall.systems.train.query_readings import with_readings

if TYPE_CHECKING:
    import torch

_NEAR = 2.0
"""How strongly weights are held near those set by hand."""
_STEPS = 200

Scored = Sequence[tuple[QueryReading, float]]
"""The readings of a question with the cross-encoder's scores."""


def fitted(questions: Sequence[Scored], length: int, *, network: bool = True) -> RerankerSettings:
    """The weights and the surety for questions with scored readings.

    Without `network`, the cross-encoder is left out: what the features alone can do.
    """
    weights = _weights([one for one in questions if with_readings([reading for reading, _ in one])], network)
    settings = RerankerSettings(length, weights, dict.fromkeys((*SURETY, "constant"), 0.0))
    return RerankerSettings(length, weights, _surety([ranked(settings, one) for one in questions if one]))


def ranked(settings: RerankerSettings, question: Scored) -> list[tuple[float, QueryReading]]:
    """The readings of a question by their score, best first."""
    scored = [
        (settings.score({**dict(zip(FEATURES, one.features, strict=True)), NETWORK: score}), one)
        for one, score in question
    ]
    return sorted(scored, key=lambda pair: -pair[0])


def _weights(questions: Sequence[Scored], network: bool) -> dict[str, float]:
    import torch

    names = (*FEATURES, NETWORK)
    first = torch.tensor([*(WEIGHTS[name] for name in FEATURES), float(network)], dtype=torch.float64)
    if not questions:
        return dict(zip(names, first.tolist(), strict=True))
    parts = [
        (
            torch.tensor([[*one.features, score * network] for one, score in question], dtype=torch.float64),
            torch.tensor([one.is_right for one, _ in question]),
        )
        for question in questions
    ]
    rows, right = torch.cat([one for one, _ in parts]), torch.cat([one for _, one in parts])
    owner = torch.repeat_interleave(torch.arange(len(parts)), torch.tensor([len(one) for one, _ in parts]))

    def loss(weights: "torch.Tensor") -> "torch.Tensor":
        scores = rows @ weights
        every = _log_sums(scores, owner, len(parts))
        true = _log_sums(scores[right], owner[right], len(parts))
        return (every - true).sum() + _NEAR * ((weights - first) ** 2).sum()

    return dict(zip(names, _least(loss, first).tolist(), strict=True))


def _log_sums(scores: "torch.Tensor", owner: "torch.Tensor", count: int) -> "torch.Tensor":
    """The logarithm of the sum of exponentials of each owner's scores."""
    import torch

    greatest = torch.full((count,), -torch.inf, dtype=scores.dtype)
    greatest = greatest.scatter_reduce(0, owner, scores.detach(), "amax")
    sums = torch.zeros(count, dtype=scores.dtype)
    return sums.index_add(0, owner, torch.exp(scores - greatest[owner])).log() + greatest


def _surety(questions: Sequence[Sequence[tuple[float, QueryReading]]]) -> dict[str, float]:
    import torch

    names = (*SURETY, "constant")
    first = torch.tensor([1.0, -1.0, -1.0, 0.0, 2.0, 0.0], dtype=torch.float64)
    if not questions:
        return dict(zip(names, first.tolist(), strict=True))
    told, right = [], []
    for question in questions:
        best = question[0][1]
        shares = probabilities([score for score, _ in question])
        agreeing = [one.answers == best.answers for _, one in question]
        share = sum(own for own, agrees in zip(shares, agreeing, strict=True) if agrees)
        features = dict(zip(FEATURES, best.features, strict=True))
        told.append([*surety_inputs(share, features, alone=all(agreeing)), 1.0])
        right.append(float(best.is_right))
    rows, labels = torch.tensor(told, dtype=torch.float64), torch.tensor(right, dtype=torch.float64)

    def loss(weights: "torch.Tensor") -> "torch.Tensor":
        odds = rows @ weights
        found = torch.nn.functional.binary_cross_entropy_with_logits(odds, labels, reduction="sum")
        return found + _NEAR * ((weights - first) ** 2).sum()

    return dict(zip(names, _least(loss, first).tolist(), strict=True))


def _least(loss: "Callable[[torch.Tensor], torch.Tensor]", first: "torch.Tensor") -> "torch.Tensor":
    """The weights of the least loss."""
    import torch

    with torch.inference_mode(mode=False), torch.enable_grad():
        weights = first.clone().requires_grad_()
        optimiser = torch.optim.LBFGS([weights], max_iter=_STEPS, line_search_fn="strong_wolfe")

        def step() -> float:
            optimiser.zero_grad()
            found = loss(weights)
            found.backward()
            return float(found.detach())

        optimiser.step(step)
        return weights.detach()
