"""The network of a dense retriever: token numbers in, vectors out; one encoder for both sides or two.

A step compares all its vectors with one another, and its activations need not fit into memory (gradient
caching): first all texts are encoded without a graph, then the loss gives the gradient of each vector, and
then each part is encoded again, with the same dropout, and its gradient is taken back to the weights.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from rollcall.errors import RollcallError
from rollcall.systems.retrieve.encoder import pooled
from rollcall.systems.train.dpr.options import DprOptions

if TYPE_CHECKING:
    from torch import Tensor, device
    from torch.nn import Module

Side: TypeAlias = Literal["question", "passage"]
SIDES: tuple[Side, ...] = ("question", "passage")


class Encoders:
    """The encoders of both sides."""

    def __init__(self, networks: "Sequence[Module]", padding: int, options: DprOptions) -> None:
        """`networks` is one for each side, or one for both."""
        import torch

        self._torch: Any = torch
        self._padding, self._options = padding, options
        if len(networks) == 1 and not options.shared:
            networks = [networks[0], deepcopy(networks[0])]
        names = SIDES if len(networks) > 1 else ("both",)
        self.network: Module = torch.nn.ModuleDict(dict(zip(names, networks, strict=True)))

    def of(self, side: Side) -> Any:
        """The encoder of a side."""
        networks: Any = self.network
        return networks[side] if side in networks else networks["both"]

    @property
    def dimension(self) -> int:
        return int(self.of("passage").config.hidden_size)

    @property
    def device(self) -> "device":
        return next(self.network.parameters()).device

    def encode(self, side: Side, texts: Sequence[Sequence[int]]) -> "Tensor":
        """One vector for each text."""
        torch = self._torch
        longest = max(map(len, texts))
        words = torch.full((len(texts), longest), self._padding)
        mask = torch.zeros((len(texts), longest), dtype=torch.long)
        for row, text in enumerate(texts):
            words[row, : len(text)] = torch.tensor(text)
            mask[row, : len(text)] = 1
        words, mask = words.to(self.device), mask.to(self.device)
        layer = self.of(side)(input_ids=words, attention_mask=mask).last_hidden_state
        vectors: Tensor = pooled(layer, mask, self._options.pooling).float()
        if self._options.similarity == "cosine":
            vectors = torch.nn.functional.normalize(vectors, dim=1)
        return vectors

    def backward(
        self,
        parts: Sequence[Sequence[int]],
        rows: int,
        encode: "Callable[[Sequence[int]], Tensor]",
        loss_of: "Callable[[Tensor], Tensor]",
    ) -> "Tensor":
        """Add the gradient of a loss over many vectors to the weights; returns the loss.

        Each part is the numbers of the rows that it computes, `encode` gives the vectors of these, and
        `loss_of` takes the vectors of all rows. The rows of other processes are fetched from them.
        """
        torch = self._torch
        several = torch.distributed.is_initialized()
        if len(parts) == 1 and not several:
            loss = loss_of(self._placed(parts, [encode(parts[0])], rows))
            loss.backward()
            return loss.detach()
        states, encoded = [], []
        with torch.no_grad():
            for part in parts:
                states.append(self._random_state())
                encoded.append(encode(part))
            vectors = self._placed(parts, encoded, rows)
        if several:
            torch.distributed.all_reduce(vectors)
        # Older versions of torch use weights again that were rounded without a graph, and learn nothing.
        torch.clear_autocast_cache()
        vectors.requires_grad_()
        loss = loss_of(vectors)
        loss.backward()
        for part, state in zip(parts, states, strict=True):
            self._set_random_state(state)
            assert vectors.grad is not None
            (encode(part) * vectors.grad[list(part)]).sum().backward()
        return loss.detach()

    def _placed(self, parts: Sequence[Sequence[int]], encoded: "Sequence[Tensor]", rows: int) -> "Tensor":
        """The vectors of parts in a matrix of all rows; those of other processes are zero."""
        torch = self._torch
        vectors: Tensor = torch.zeros((rows, self.dimension), device=self.device)
        if parts:
            places = torch.tensor([row for part in parts for row in part], device=self.device)
            vectors = vectors.index_copy(0, places, torch.cat(list(encoded)))
        return vectors

    def _random_state(self) -> "list[Tensor]":
        """The random numbers that come next."""
        torch = self._torch
        on_gpu = [torch.cuda.get_rng_state(self.device)] if self.device.type == "cuda" else []
        return [torch.get_rng_state(), *on_gpu]

    def _set_random_state(self, state: "list[Tensor]") -> None:
        self._torch.set_rng_state(state[0])
        if len(state) > 1:
            self._torch.cuda.set_rng_state(state[1], self.device)


def plain(network: Any) -> Any:
    """The encoder inside a checkpoint of DPR, whose first vector is what DPR uses; any other as it is."""
    for name in ("question_encoder", "ctx_encoder"):
        inner = getattr(network, name, None)
        if inner is not None:
            if inner.projection_dim:
                raise RollcallError("dpr: a checkpoint of DPR with a projection cannot be trained further")
            return inner.bert_model
    return network
