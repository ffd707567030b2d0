"""A network that reads pieces of text and writes a list of answers, of either kind.

A prompt has one piece, or many that are read side by side and fused when the list is written. Everything that
a system needs is here: the loss of targets, the probability of an empty list (one pass, no writing), and the
lists themselves. Batches hold prompts of similar length, up to a number of tokens.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from rollcall.errors import RollcallError
from rollcall.systems.train.base import Base
from rollcall.systems.train.compiling import compile_layers, uncompiled
from rollcall.systems.train.generate.beam import beam_search
from rollcall.systems.train.generate.session import Session
from rollcall.systems.train.generate.target import Targets, Written
from rollcall.systems.train.order import parts

if TYPE_CHECKING:
    import torch


class Prompt(NamedTuple):
    """What a network is given: pieces of text as tokens, which have their first `shared` tokens in common."""

    pieces: list[list[int]]
    shared: int = 0

    @property
    def size(self) -> int:
        return sum(map(len, self.pieces))


class GeneratorExample(NamedTuple):
    """A prompt and the tokens to write after it."""

    prompt: Prompt
    target: list[int]


class Generator(ABC):
    """A network that writes lists of answers."""

    lead: Sequence[int] = ()
    """The tokens between a prompt and its target."""

    def __init__(self, base: Base) -> None:
        self.network, self.tokeniser = base.network, base.tokeniser
        self.targets = Targets(base.tokeniser, base.network)

    @property
    def device(self) -> Any:
        return next(self.network.parameters()).device

    def compile(self, mode: str | None = None) -> None:
        """Compile the layers, if there is a GPU: it is faster after some seconds; `mode` is PyTorch's."""
        import torch

        if torch.cuda.is_available():
            compile_layers(self.network, mode)

    def prompts(self, heads: Sequence[str], bodies: Sequence[Sequence[str]], limit: int) -> list[Prompt]:
        """For each head (a question) the prompt of its bodies (passages), each of at most `limit` tokens.

        A head without bodies is read alone.
        """
        texts = [head + body for head, these in zip(heads, bodies, strict=True) for body in these or ("",)]
        encoded = iter(self.targets.encode_text(texts, limit=limit - len(self.lead)))
        alone = self.targets.encode_text(heads)
        return [
            _prompt([next(encoded) for _ in these or ("",)], head)
            for these, head in zip(bodies, alone, strict=True)
        ]

    def size(self, example: GeneratorExample) -> int:
        """The number of tokens of an example."""
        return example.prompt.size + len(self.lead) + len(example.target)

    @abstractmethod
    def loss(self, examples: Sequence[GeneratorExample]) -> "torch.Tensor":
        """The negative log-likelihood of all tokens of the targets, summed; nothing else is learned."""

    @abstractmethod
    def begin(self, prompts: Sequence[Prompt], limit: int, copies: int = 1) -> Session:
        """Read prompts, to write at most `limit` tokens after each, in so many copies of each."""

    def first_scores(self, prompts: Sequence[Prompt]) -> "torch.Tensor":
        """The scores of every token as the first one."""
        return self.begin(prompts, 1).first()

    def end_chances(self, prompts: Sequence[Prompt], tokens: int) -> list[float]:
        """For each prompt the probability of an empty list."""
        chances = [0.0] * len(prompts)
        with self.computing():
            # All parts are started before the first is waited for, so that a GPU never waits.
            ends = []
            for part in self._parts(prompts, 1, tokens):
                scores = self.first_scores([prompts[place] for place in part])
                ends.append((part, scores.float().softmax(-1)[:, self.targets.end].clone()))
            for part, these in ends:
                for place, chance in zip(part, these.tolist(), strict=True):
                    chances[place] = chance
        return chances

    def write(
        self, prompts: Sequence[Prompt], limit: int, tokens: int, *, nonempty: bool = False, beams: int = 1
    ) -> list[Written]:
        """The likeliest token each time, until the end or the limit; `tokens` are computed at once.

        With `nonempty` the list does not end before it has begun: its first token is chosen, and its
        probability given, among all others than the end. With `beams`, a beam search takes its place.
        """
        found = [Written([], [])] * len(prompts)
        with self.computing(), uncompiled():
            for part in self._parts(prompts, limit, max(tokens // beams, 1)):
                session = self.begin([prompts[place] for place in part], limit, beams)
                if beams > 1:
                    written = beam_search(session, self.targets.end, beams, limit)
                else:
                    written = self._greedy(session, limit, nonempty)
                for place, one in zip(part, written, strict=True):
                    found[place] = one
        return found

    @contextmanager
    def computing(self) -> Iterator[None]:
        """Without gradients, and on a GPU in bf16."""
        import torch

        weights = next(self.network.parameters())
        wide = weights.is_cuda and weights.dtype == torch.float32
        with torch.inference_mode(), torch.autocast("cuda", torch.bfloat16, enabled=wide):
            try:
                yield
            except torch.OutOfMemoryError:
                raise RollcallError(
                    "out of memory while reading: give fewer tokens at once (--option tokens=…)"
                ) from None

    def _greedy(self, session: Session, limit: int, nonempty: bool) -> list[Written]:
        import torch

        chosen, chances = [], []
        scores = session.first()
        if nonempty:
            scores[:, self.targets.end] = -torch.inf
        ended = torch.zeros(len(scores), dtype=torch.bool, device=scores.device)
        for _ in range(limit):
            chance, token = scores.float().softmax(-1).max(-1)
            chosen.append(token)
            chances.append(chance)
            ended |= token == self.targets.end
            if len(chosen) == limit or bool(ended.all()):
                break
            scores = session.step(token)
        columns = zip(torch.stack(chosen, 1).tolist(), torch.stack(chances, 1).tolist(), strict=True)
        return [self.until_end(tokens, these) for tokens, these in columns]

    def until_end(self, tokens: list[int], chances: list[float]) -> Written:
        """What was written before the end."""
        length = tokens.index(self.targets.end) if self.targets.end in tokens else len(tokens)
        return Written(tokens[:length], chances[:length])

    def _parts(self, prompts: Sequence[Prompt], limit: int, tokens: int) -> Iterator[list[int]]:
        """Prompts of similar length, by their places."""
        yield from parts([one.size + len(self.lead) + limit for one in prompts], tokens)


def _prompt(pieces: list[list[int]], head: Sequence[int]) -> Prompt:
    """A prompt, and how many tokens of the head all pieces begin with."""
    shared = 0
    for tokens in zip(head, *pieces, strict=False):
        if len(set(tokens)) > 1:
            break
        shared += 1
    return Prompt(pieces, shared if len(pieces) > 1 else 0)
