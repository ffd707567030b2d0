"""Encoder–decoders (T5, BART): each piece is encoded by itself, and the decoder attends to all of them.

With one piece this is an ordinary encoder–decoder; with many it is Fusion-in-Decoder.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rollcall.systems.train.generate.generator import Generator, GeneratorExample, Prompt, Session

if TYPE_CHECKING:
    import torch

_UNLEARNED = -100


class EncoderDecoderGenerator(Generator):
    """An encoder–decoder that writes lists of answers."""

    def encode(self, prompts: Sequence[Prompt]) -> "tuple[torch.Tensor, torch.Tensor]":
        """The states of all pieces of each prompt one after the other, and which of them are no padding."""
        import torch

        pieces = [piece for prompt in prompts for piece in prompt.pieces]
        ids, mask = self._padded(pieces, self._padding)
        states = self.network.get_encoder()(input_ids=ids, attention_mask=mask).last_hidden_state
        if len(pieces) == len(prompts):
            return states, mask
        rows = iter(zip(states, map(len, pieces), strict=True))
        fused = []
        for prompt in prompts:
            these = [next(rows) for _ in prompt.pieces]
            fused.append(torch.cat([state[:length] for state, length in these]))
        lengths = torch.tensor([len(one) for one in fused], device=self.device)
        padded = torch.nn.utils.rnn.pad_sequence(fused, batch_first=True)
        return padded, (torch.arange(padded.shape[1], device=self.device) < lengths[:, None]).long()

    def loss(self, examples: Sequence[GeneratorExample]) -> "torch.Tensor":
        import torch

        states, mask = self.encode([one.prompt for one in examples])
        labels, _ = self._padded([one.target for one in examples], _UNLEARNED)
        inputs, _ = self._padded([[self.start, *one.target[:-1]] for one in examples], self._padding)
        scores = self.network(
            encoder_outputs=_encoded(states),
            attention_mask=mask,
            decoder_input_ids=inputs,
            use_cache=False,
        ).logits
        return torch.nn.functional.cross_entropy(
            scores.float().flatten(0, 1), labels.flatten(), ignore_index=_UNLEARNED, reduction="sum"
        )

    def begin(self, prompts: Sequence[Prompt], limit: int, copies: int = 1) -> Session:
        return _EncoderDecoderSession(self, prompts, copies)

    @property
    def start(self) -> int:
        """The token with which the decoder begins."""
        for config in (self.network.config, self.network.generation_config):
            if (token := getattr(config, "decoder_start_token_id", None)) is not None:
                return int(token)
        return self._padding

    @property
    def _padding(self) -> int:
        return int(self.tokeniser.pad_token_id or 0)

    def _padded(self, rows: Sequence[Sequence[int]], padding: int) -> "tuple[torch.Tensor, torch.Tensor]":
        """Rows of equal length, and which of their tokens are no padding."""
        import torch

        length = max(map(len, rows))
        ids = torch.tensor([[*row, *[padding] * (length - len(row))] for row in rows], device=self.device)
        lengths = torch.tensor([len(row) for row in rows], device=self.device)
        return ids, (torch.arange(length, device=self.device) < lengths[:, None]).long()


class _EncoderDecoderSession(Session):
    def __init__(self, generator: EncoderDecoderGenerator, prompts: Sequence[Prompt], copies: int) -> None:
        states, mask = generator.encode(prompts)
        self._encoded = _encoded(states.repeat_interleave(copies, 0))
        self._mask = mask.repeat_interleave(copies, 0)
        self._generator = generator
        self._past: Any = None

    def first(self) -> "torch.Tensor":
        return self.step(self._mask.new_full((len(self._mask),), self._generator.start))

    def step(self, tokens: "torch.Tensor") -> "torch.Tensor":
        done = self._generator.network(
            encoder_outputs=self._encoded,
            attention_mask=self._mask,
            decoder_input_ids=tokens.unsqueeze(1),
            past_key_values=self._past,
            use_cache=True,
        )
        self._past = done.past_key_values
        scores: torch.Tensor = done.logits[:, -1]
        return scores

    def reorder(self, rows: "torch.Tensor") -> None:
        self._past.reorder_cache(rows)


def _encoded(states: Any) -> Any:
    """Encoder states as transformers hands them to a decoder."""
    from transformers.modeling_outputs import BaseModelOutput

    return BaseModelOutput(last_hidden_state=states)
