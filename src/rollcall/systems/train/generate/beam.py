"""Beam search: the list with the greatest mean log-probability among the best beginnings, a few at a time."""

from typing import TYPE_CHECKING

from rollcall.systems.train.generate.session import Session
from rollcall.systems.train.generate.target import Written

if TYPE_CHECKING:
    import torch


def beam_search(session: Session, end: int, beams: int, limit: int) -> list[Written]:
    """The best list of each prompt; the session has `beams` rows for each prompt, one after the other."""
    import torch

    scores = session.first().float().log_softmax(-1)
    prompts, words = len(scores) // beams, scores.shape[1]
    totals = scores.new_full((prompts, beams), -torch.inf)
    totals[:, 0] = 0.0  # at first all rows of a prompt are the same
    tokens = torch.empty((len(scores), 0), dtype=torch.long, device=scores.device)
    chances = scores.new_empty((len(scores), 0))
    ended = torch.zeros(len(scores), dtype=torch.bool, device=scores.device)
    first = torch.arange(prompts, device=scores.device)[:, None] * beams
    while True:
        scores[ended] = -torch.inf
        scores[ended, end] = 0.0  # an ended list stays as it is
        every = (totals[:, :, None] + scores.view(prompts, beams, words)).flatten(1)
        totals, chosen = every.topk(beams)
        rows = (first + chosen // words).flatten()
        token = (chosen % words).flatten()
        tokens = torch.cat([tokens[rows], token[:, None]], 1)
        chances = torch.cat([chances[rows], scores[rows, token].exp()[:, None]], 1)
        ended = ended[rows] | (token == end)
        if tokens.shape[1] == limit or bool(ended.all()):
            return _best(tokens, chances, totals, end)
        session.reorder(rows)
        scores = session.step(token).float().log_softmax(-1)


def _best(tokens: "torch.Tensor", chances: "torch.Tensor", totals: "torch.Tensor", end: int) -> list[Written]:
    """The list of each prompt with the greatest mean log-probability of its tokens, the end included."""
    beams = totals.shape[1]
    lengths = (tokens != end).sum(1).view(-1, beams) + 1
    found = []
    for prompt, best in enumerate((totals / lengths).argmax(1).tolist()):
        row = prompt * beams + best
        length = int(lengths[prompt, best]) - 1
        found.append(Written(tokens[row, :length].tolist(), chances[row, :length].tolist()))
    return found
