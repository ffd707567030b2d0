"""What all systems that write answers have in common when they are trained and saved.

- `CausalGenerator`: the generator of causal language models. `open_generator`: that of any checkpoint.
- `GeneratorTrainable`: the base class of these systems. `open_trained`, `load_generator`: trained ones.
"""

from collections.abc import Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self

import msgspec
import numpy as np

from rollcall.systems.train.base import BaseCheckpoint, load_base
from rollcall.systems.train.generate.generator import (
    EncoderDecoderGenerator,
    Generator,
    GeneratorItem,
    Prompt,
    Session,
)
from rollcall.systems.train.model_folder import (
    ModelDescription,
    Settings,
    check_weights,
    read_about,
    read_settings,
)
from rollcall.systems.train.networks import uncompiled
from rollcall.systems.train.trainable import Positive, Trainable, TrainingOptions
from rollcall.systems.train.training_example import TrainingExample

if TYPE_CHECKING:
    import numpy.typing as npt
    import torch

    from rollcall.systems.train.base import BaseKind


# Causal language models (SmolLM2): pieces are read side by side, and the list is written after all of them.
# A prompt of one piece, the lead and the target are one sequence. With many pieces each attends to itself
# and to the tokens that all share; positions restart with each; the target follows the longest. Their keys
# and values are put into one cache, in which each token's are written in place: nothing is copied while
# writing. Sequences are packed, so there is no padding; the prompt is never trained on.


# Attention over sequences that lie one after the other in one row, without padding. Each token attends
# to the tokens before it in its own sequence. On a GPU this is one call of PyTorch's flash attention for
# sequences of different lengths; elsewhere each sequence is computed separately. Registered with
# transformers as an attention implementation, so every causal model that supports these can be used.

PACKED = "rollcall_packed"


def use_packed_attention(network: Any) -> None:
    """Let a causal network compute packed rows; for others it must be given a mask."""
    from transformers import AttentionInterface

    AttentionInterface.register(PACKED, _attention)
    network.set_attn_implementation(PACKED)


def packed(sequences: Sequence[Sequence[int]], device: Any) -> "dict[str, Any]":
    """The inputs of a network for some sequences in one row; positions restart with each."""
    lengths = np.fromiter(map(len, sequences), np.int64, len(sequences))
    ends = np.concatenate([[0], lengths.cumsum()])
    tokens = np.fromiter(chain.from_iterable(sequences), np.int64, ends[-1])
    positions = np.arange(ends[-1]) - np.repeat(ends[:-1], lengths)
    boundaries = on_device(ends.astype(np.int32), device)
    # The greatest length decides only how much work is prepared; few different ones need few compilations.
    longest = 1 << (int(lengths.max()) - 1).bit_length()
    return {
        "input_ids": on_device(tokens[None], device),
        "position_ids": on_device(positions[None], device),
        "cu_seq_lens_q": boundaries,
        "cu_seq_lens_k": boundaries,
        "max_length_q": longest,
        "max_length_k": longest,
    }


def on_device(values: "npt.NDArray[Any]", device: Any) -> "torch.Tensor":
    """Copy without waiting for what the device computes, so that the next batch is made meanwhile."""
    import torch

    tensor = torch.from_numpy(values)
    if device.type != "cuda":
        return tensor.to(device)
    return tensor.pin_memory().to(device, non_blocking=True)


def _attention(
    module: Any,
    query: "torch.Tensor",
    key: "torch.Tensor",
    value: "torch.Tensor",
    attention_mask: "torch.Tensor | None",
    dropout: float = 0.0,
    scaling: float | None = None,
    cu_seq_lens_q: "torch.Tensor | None" = None,
    max_length_q: int = 0,
    **_: object,
) -> "tuple[torch.Tensor, None]":
    """The interface of transformers: heads before tokens in, tokens before heads out."""
    if cu_seq_lens_q is None:
        return _masked(query, key, value, attention_mask, scaling).transpose(1, 2), None
    query, key = query.to(value.dtype), key.to(value.dtype)  # rotating them may have widened them
    if value.is_cuda and value.element_size() == 2 and value.shape[-1] % 8 == 0:
        return _flash(query, key, value, cu_seq_lens_q, max_length_q, dropout, scaling), None
    return _one_by_one(query, key, value, cu_seq_lens_q, dropout, scaling), None


def _flash(
    query: "torch.Tensor",
    key: "torch.Tensor",
    value: "torch.Tensor",
    ends: "torch.Tensor",
    longest: int,
    dropout: float,
    scaling: float | None,
) -> "torch.Tensor":
    import torch

    rows = [states[0].transpose(0, 1) for states in (query, key, value)]
    output: torch.Tensor = torch.ops.aten._flash_attention_forward(
        *rows, ends, ends, longest, longest, dropout, True, False, scale=scaling
    )[0]
    return output.unsqueeze(0)


def _one_by_one(
    query: "torch.Tensor",
    key: "torch.Tensor",
    value: "torch.Tensor",
    ends: "torch.Tensor",
    dropout: float,
    scaling: float | None,
) -> "torch.Tensor":
    import torch

    boundaries = ends.tolist()
    outputs = [
        torch.nn.functional.scaled_dot_product_attention(
            query[:, :, begin:end],
            key[:, :, begin:end],
            value[:, :, begin:end],
            dropout_p=dropout,
            is_causal=True,
            scale=scaling,
            enable_gqa=True,
        )
        for begin, end in pairwise(boundaries)
    ]
    return torch.cat(outputs, 2).transpose(1, 2)


def _masked(
    query: "torch.Tensor",
    key: "torch.Tensor",
    value: "torch.Tensor",
    mask: "torch.Tensor | None",
    scaling: float | None,
) -> "torch.Tensor":
    """Queries that share a head of keys are taken as further rows of it, so that no keys are copied."""
    import torch

    assert mask is not None
    batch, heads, length, size = query.shape
    shared = heads // key.shape[1]
    rows = query.reshape(batch, key.shape[1], shared * length, size).to(value.dtype)
    output = torch.nn.functional.scaled_dot_product_attention(
        rows, key.to(value.dtype), value, attn_mask=mask.repeat(1, 1, shared, 1), scale=scaling
    )
    return output.reshape(batch, heads, length, size)


_LEAD = "\nAnswers:"


class CausalGenerator(Generator):
    """A causal language model that writes lists of answers."""

    def __init__(self, base: BaseCheckpoint) -> None:
        super().__init__(base)
        use_packed_attention(self.network)
        self.lead = self.targets.encode_text([_LEAD], special=False)[0]

    def loss(self, items: Sequence[GeneratorItem]) -> "torch.Tensor":
        import torch

        targets = on_device(np.array([token for item in items for token in item.target]), self.device)
        scores = self._scores(items)
        return torch.nn.functional.cross_entropy(scores.float(), targets, reduction="sum")

    def begin(self, prompts: Sequence[Prompt], limit: int, copies: int = 1) -> "CausalSession":
        return CausalSession(self.network, prompts, self.lead, limit, copies)

    def first_scores(self, prompts: Sequence[Prompt]) -> "torch.Tensor":
        if any(len(prompt.pieces) > 1 for prompt in prompts):
            return super().first_scores(prompts)
        return self._packed_scores(
            [[*prompt.pieces[0], *self.lead] for prompt in prompts], [1] * len(prompts)
        )

    def _scores(self, items: Sequence[GeneratorItem]) -> "torch.Tensor":
        """The scores of every token at each position of the targets."""
        import torch

        if all(len(item.prompt.pieces) == 1 for item in items):
            return self._packed_scores(
                [[*item.prompt.pieces[0], *self.lead, *item.target[:-1]] for item in items],
                [len(item.target) for item in items],
            )
        written = [[*self.lead, *item.target[:-1]] for item in items]
        longest = max(map(len, written))
        rows = torch.tensor(
            [[*tokens, *[0] * (longest - len(tokens))] for tokens in written], device=self.device
        )
        with uncompiled():
            session = CausalSession(self.network, [item.prompt for item in items], self.lead, longest)
            scores = session.forward(rows)
        first = len(self.lead) - 1
        return torch.cat(
            [row[first : first + len(item.target)] for row, item in zip(scores, items, strict=True)]
        )

    def _packed_scores(self, sequences: Sequence[Sequence[int]], last: Sequence[int]) -> "torch.Tensor":
        """The scores after the last tokens of each sequence."""
        positions: list[int] = []
        end = 0
        for sequence, number in zip(sequences, last, strict=True):
            end += len(sequence)
            positions += range(end - number, end)
        inputs = packed(sequences, self.device)
        kept = on_device(np.array(positions), self.device)
        scores: torch.Tensor = self.network(**inputs, logits_to_keep=kept, use_cache=False).logits[0]
        return scores


class FusedCache:
    """The keys and values of many pieces as one context for each prompt, with room for what is written.

    It has what transformers asks of a cache. While pieces are read it collects, and afterwards it appends.
    """

    def __init__(self, prompts: Sequence[Prompt], room: int, device: Any, copies: int = 1) -> None:
        import torch

        rows: list[int] = []
        columns: list[int] = []
        kept: list[int] = []
        offset = 0
        self.lengths: list[int] = []
        for row, prompt in enumerate(prompts):
            length = 0
            for number, piece in enumerate(prompt.pieces):
                skipped = prompt.shared if number else 0  # the shared tokens count once
                new = len(piece) - skipped
                rows += [row] * new
                columns += range(length, length + new)
                kept += range(offset + skipped, offset + len(piece))
                length, offset = length + new, offset + len(piece)
            self.lengths.append(length)
        self.width = self.used = max(self.lengths)
        self.room, self.copies = room, copies
        self.reading = True
        self._rows, self._columns = torch.tensor(rows, device=device), torch.tensor(columns, device=device)
        self._kept = torch.tensor(kept, device=device)
        self._layers: list[tuple[torch.Tensor, torch.Tensor]] = []

    def update(
        self, key: "torch.Tensor", value: "torch.Tensor", layer: int, *_: object, **__: object
    ) -> "tuple[torch.Tensor, torch.Tensor]":
        key = key.to(value.dtype)
        if self.reading:
            self._layers.append((self._spread(key), self._spread(value)))
            return key, value
        keys, values = self._layers[layer]
        end = self.used + key.shape[2]
        keys[:, :, self.used : end] = key
        values[:, :, self.used : end] = value
        return keys[:, :, :end], values[:, :, :end]

    def get_seq_length(self, layer: int = 0) -> int:
        return 0 if self.reading else self.used

    def reorder(self, rows: "torch.Tensor") -> None:
        """Exchange what was written between rows of the same prompts."""
        for layer in self._layers:
            for states in layer:
                states[:, :, self.width : self.used] = states[rows, :, self.width : self.used]

    def _spread(self, packed_states: "torch.Tensor") -> "torch.Tensor":
        """From one row of all pieces to a row for each prompt."""
        states = packed_states[0].transpose(0, 1)[self._kept]
        spread = states.new_zeros(len(self.lengths), self.width + self.room, *states.shape[1:])
        spread[self._rows, self._columns] = states
        if self.copies > 1:
            spread = spread.repeat_interleave(self.copies, 0)
        return spread.transpose(1, 2)


class CausalSession(Session):
    """Prompts that were read by a causal model."""

    def __init__(
        self, network: Any, prompts: Sequence[Prompt], lead: Sequence[int], limit: int, copies: int = 1
    ) -> None:
        import torch

        device = next(network.parameters()).device
        self._network, self._lead = network, lead
        self._cache = FusedCache(prompts, len(lead) + limit, device, copies)
        pieces = [piece for prompt in prompts for piece in prompt.pieces]
        network(**packed(pieces, device), past_key_values=self._cache, use_cache=True, logits_to_keep=1)
        self._cache.reading = False
        longest = [max(map(len, prompt.pieces)) for prompt in prompts]
        self._begins = torch.tensor(longest, device=device).repeat_interleave(copies)
        lengths = torch.tensor(self._cache.lengths, device=device).repeat_interleave(copies)
        self._read = torch.arange(self._cache.width, device=device) < lengths[:, None]

    def forward(self, tokens: "torch.Tensor") -> "torch.Tensor":
        """The scores after each of these tokens, which follow what was read and written."""
        import torch

        rows, new = tokens.shape
        written = self._cache.used - self._cache.width
        positions = torch.arange(new, device=tokens.device)
        earlier = positions[:, None] + written >= torch.arange(written + new, device=tokens.device)
        mask = torch.cat(
            [
                self._read[:, None, None, :].expand(rows, 1, new, -1),
                earlier[None, None].expand(rows, 1, -1, -1),
            ],
            dim=-1,
        )
        scores: torch.Tensor = self._network(
            input_ids=tokens,
            position_ids=self._begins[:, None] + written + positions,
            attention_mask=mask,
            past_key_values=self._cache,
            use_cache=True,
        ).logits
        self._cache.used += new
        return scores

    def first(self) -> "torch.Tensor":
        lead = self._begins.new_tensor(self._lead)
        return self.forward(lead.expand(len(self._begins), -1))[:, -1]

    def step(self, tokens: "torch.Tensor") -> "torch.Tensor":
        return self.forward(tokens[:, None])[:, -1]

    def reorder(self, rows: "torch.Tensor") -> None:
        self._cache.reorder(rows)


# The generator for a checkpoint, by its kind.


def open_generator(base: BaseCheckpoint) -> Generator:
    """The generator for a checkpoint."""
    return CausalGenerator(base) if base.kind == "causal" else EncoderDecoderGenerator(base)


_READING = 8


class GeneratorOptions(TrainingOptions, frozen=True, kw_only=True):
    """How a system that writes answers is trained."""

    input_tokens: Positive = 384
    """The greatest length of a question with one passage; the end of a longer passage is not read."""
    output_tokens: Positive = 64
    """The greatest length of a list of answers."""
    dev_questions: Positive = 200
    """How many questions of the split dev each evaluation uses."""
    compile: bool = False
    """Compile the network: some seconds at the start, then faster steps on a GPU."""


class GeneratorTrainable(Trainable[GeneratorItem]):
    """A system that writes answers."""

    Options: ClassVar[type[GeneratorOptions]] = GeneratorOptions
    bases: "ClassVar[tuple[BaseKind, ...]]" = ("encoder-decoder", "causal")

    def __init__(self, options: GeneratorOptions, base: "BaseCheckpoint") -> None:
        self.options = options
        self.generator = open_generator(base)
        self.network = self.generator.network
        if options.compile:
            self.generator.compile()

    @classmethod
    def start(cls, options: TrainingOptions, base: "BaseCheckpoint") -> Self:
        assert isinstance(options, GeneratorOptions)
        return cls(options, base)

    @property
    def reading_tokens(self) -> int:
        """How many tokens are read at once: more than in training, since nothing is kept for gradients, and
        a token is written as fast for many texts as for few."""
        return _READING * self.options.tokens

    def size(self, item: GeneratorItem) -> int:
        return self.generator.size(item)

    def loss(self, items: Sequence[GeneratorItem]) -> "torch.Tensor":
        """The mean over all tokens of the targets."""
        return self.generator.loss(items) / _target_tokens(items)

    def backward(self, items: Sequence[GeneratorItem], parts: Sequence[Sequence[int]]) -> "torch.Tensor":
        """Every token of the step's targets counts the same, in whichever part it is."""
        losses, total_tokens = [], _target_tokens(items)
        for part in parts:
            loss = self.generator.loss([items[index] for index in part]) / total_tokens
            loss.backward()
            losses.append(loss.detach())
        return self.total(losses)

    def save_network(self, folder: Path, settings: msgspec.Struct) -> None:
        """Write the weights, the vocabulary, and what a reader must know besides."""
        self.generator.network.save_pretrained(folder)
        self.generator.tokeniser.save_pretrained(folder)
        (folder / SETTINGS).write_bytes(msgspec.json.format(msgspec.json.encode(settings)) + b"\n")


SETTINGS = "reading.json"


def sampled(examples: Sequence[TrainingExample], number: int) -> list[TrainingExample]:
    """At most this number of training examples, from the whole of them at equal distances."""
    if len(examples) <= number:
        return list(examples)
    return [examples[len(examples) * index // number] for index in range(number)]


def _target_tokens(items: Sequence[GeneratorItem]) -> int:
    return sum(len(item.target) for item in items)


# Opens a folder with a trained generator, for reading: on the GPU in bf16 if there is one.


class Trained(NamedTuple, Generic[Settings]):
    """A trained generator that is not loaded yet: its folder, what that says, and how it reads."""

    folder: str
    about: ModelDescription
    settings: Settings


def open_trained(folder: str, system: str, kind: type[Settings]) -> Trained[Settings]:
    """What the folder of a trained generator says."""
    about = read_about(folder, system)
    return Trained(folder, about, read_settings(Path(folder) / SETTINGS, kind))


def load_generator(folder: str, system: str) -> Generator:
    """The network of a trained generator."""
    import torch

    check_weights(folder)
    generator = open_generator(load_base(folder, ("encoder-decoder", "causal"), system))
    generator.network.eval()
    if torch.cuda.is_available():
        generator.network.to("cuda", torch.bfloat16)
    return generator
