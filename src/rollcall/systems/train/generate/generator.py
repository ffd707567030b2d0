"""A network that reads pieces of text and writes a list of answers.

A prompt has one piece, or many that are read side by side and fused when the list is written. Everything that
a system needs is here: the loss of targets, the probability of an empty list (one pass, no writing), and
the lists themselves. Batches hold prompts of similar length, up to a number of tokens. Encoder–decoders are
at the end; causal language models have a module of their own (`causal`).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from rollcall._core.errors import RollcallError
from rollcall.systems.train.base import BaseCheckpoint
from rollcall.systems.train.loop import parts
from rollcall.systems.train.networks import compile_layers, uncompiled

if TYPE_CHECKING:
    import torch


# Lists of answers as tokens: no name can break the list, and no list at all is a list too. Answers are
# separated by a token that the vocabulary did not have, and that no text is encoded as: a name that
# contains the words of the token is encoded letter by letter. The list ends with the end token; an empty
# list is the end token alone. So what is written is read back exactly, whatever commas or signs the
# names contain.

SEPARATOR = "<|next answer|>"


class GeneratedTokens(NamedTuple):
    """Tokens that a network wrote, and the probability that it gave to each."""

    tokens: list[int]
    chances: list[float]


class WrittenAnswer(NamedTuple):
    """An answer in what was written, with the mean probability of its tokens."""

    name: str
    chance: float


class Targets:
    """Turns lists of answers into tokens, and back."""

    def __init__(self, tokeniser: Any, network: Any) -> None:
        """Adds the separator to the vocabulary, unless the checkpoint was trained with it."""
        if tokeniser.eos_token_id is None:
            raise RollcallError("the checkpoint's vocabulary has no token for the end of a text (eos_token)")
        self._tokeniser = tokeniser
        self._names: dict[str, list[int]] = {}
        self._add_separator(network)
        self.separator: int = tokeniser.convert_tokens_to_ids(SEPARATOR)
        self.end: int = tokeniser.eos_token_id

    def encode(self, names: Sequence[str], limit: int) -> list[int]:
        """The tokens of a list.

        If the list has more than `limit` tokens, it has as many whole answers as fit and no end: a system is
        never taught that a list is complete when it is not.
        """
        tokens, number = self._whole(names, limit)
        rest = [name for name in names[number:] if name.strip()]
        if not rest:
            return [*tokens, self.end]
        return tokens or self._encode_name(rest[0])[:limit]

    def fitting(self, names: Sequence[str], limit: int) -> int:
        """How many of some names a list of at most `limit` tokens holds whole."""
        return self._whole(names, limit)[1]

    def _whole(self, names: Sequence[str], limit: int) -> tuple[list[int], int]:
        """The tokens of as many names as fit, with room for the end, and the number of these names."""
        tokens: list[int] = []
        for number, name in enumerate(names):
            more = self._encode_name(name) if name.strip() else []
            more = [self.separator, *more] if tokens and more else more
            if len(tokens) + len(more) + 1 > limit:
                return tokens, number
            tokens += more
        return tokens, len(names)

    def decode(self, written: GeneratedTokens) -> list[WrittenAnswer]:
        """The answers in what was written; one that the limit cut off counts as it stands."""
        answers: list[WrittenAnswer] = []
        tokens: list[int] = []
        chances: list[float] = []
        for token, chance in zip([*written.tokens, self.end], [*written.chances, 1.0], strict=True):
            if token not in (self.separator, self.end):
                tokens.append(token)
                chances.append(chance)
                continue
            if name := self._text(tokens):
                answers.append(WrittenAnswer(name, sum(chances) / len(chances)))
            if token == self.end:
                break
            tokens, chances = [], []
        return answers

    def encode_text(
        self, texts: Iterable[str], special: bool = True, limit: int | None = None
    ) -> list[list[int]]:
        """Texts as tokens; what looks like a special token in a text is encoded letter by letter."""
        batch = list(texts)
        if not batch:
            return []
        cut = {"truncation": True, "max_length": limit} if limit is not None else {}
        encoded = self._tokeniser(
            batch,
            add_special_tokens=special,
            split_special_tokens=True,
            return_attention_mask=False,
            **cut,
        )
        return [list(ids) for ids in encoded["input_ids"]]

    def _encode_name(self, name: str) -> list[int]:
        if name not in self._names:
            self._names[name] = self.encode_text([f" {name.strip()}"], special=False)[0]
        return self._names[name]

    def _text(self, tokens: Sequence[int]) -> str:
        text: str = self._tokeniser.decode(
            tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        return text.strip()

    def _add_separator(self, network: Any) -> None:
        import torch
        from transformers import AddedToken

        if SEPARATOR in self._tokeniser.get_vocab():
            return
        self._tokeniser.add_tokens(
            [AddedToken(SEPARATOR, special=True, normalized=False)], special_tokens=True
        )
        rows = network.get_input_embeddings().weight.shape[0]
        if len(self._tokeniser) <= rows:  # some checkpoints have more rows than tokens
            return
        network.resize_token_embeddings(len(self._tokeniser), mean_resizing=False)
        with torch.no_grad():  # no random numbers: the same start each time
            for embeddings in (network.get_input_embeddings(), network.get_output_embeddings()):
                if embeddings is not None:
                    embeddings.weight[rows:] = embeddings.weight[:rows].mean(0)


# Writing, one token at a time, after prompts that were read.


class Session(ABC):
    """Some prompts that were read, and for which tokens are now written one by one."""

    @abstractmethod
    def first(self) -> "torch.Tensor":
        """The scores of every token as the first one, a row for each prompt."""

    @abstractmethod
    def step(self, tokens: "torch.Tensor") -> "torch.Tensor":
        """The scores of every token after these, one for each prompt."""

    @abstractmethod
    def reorder(self, rows: "torch.Tensor") -> None:
        """Continue from what was written in other rows, of the same prompts."""


# Beam search: the list with the greatest mean log-probability among the best beginnings, a few at a
# time.


def beam_search(session: Session, end: int, beams: int, limit: int) -> list[GeneratedTokens]:
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
        continued = (totals[:, :, None] + scores.view(prompts, beams, words)).flatten(1)
        totals, chosen = continued.topk(beams)
        rows = (first + chosen // words).flatten()
        token = (chosen % words).flatten()
        tokens = torch.cat([tokens[rows], token[:, None]], 1)
        chances = torch.cat([chances[rows], scores[rows, token].exp()[:, None]], 1)
        ended = ended[rows] | (token == end)
        if tokens.shape[1] == limit or bool(ended.all()):
            return _best(tokens, chances, totals, end)
        session.reorder(rows)
        scores = session.step(token).float().log_softmax(-1)


def _best(
    tokens: "torch.Tensor", chances: "torch.Tensor", totals: "torch.Tensor", end: int
) -> list[GeneratedTokens]:
    """The list of each prompt with the greatest mean log-probability of its tokens, the end included."""
    beams = totals.shape[1]
    lengths = (tokens != end).sum(1).view(-1, beams) + 1
    lists = []
    for prompt, best in enumerate((totals / lengths).argmax(1).tolist()):
        row = prompt * beams + best
        length = int(lengths[prompt, best]) - 1
        lists.append(GeneratedTokens(tokens[row, :length].tolist(), chances[row, :length].tolist()))
    return lists


class Prompt(NamedTuple):
    """What a network is given: pieces of text as tokens, which have their first `shared` tokens in common."""

    pieces: list[list[int]]
    shared: int = 0

    @property
    def size(self) -> int:
        return sum(map(len, self.pieces))


class GeneratorItem(NamedTuple):
    """A prompt and the tokens to write after it."""

    prompt: Prompt
    target: list[int]


class Generator(ABC):
    """A network that writes lists of answers."""

    lead: Sequence[int] = ()
    """The tokens between a prompt and its target."""

    def __init__(self, base: BaseCheckpoint) -> None:
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
        texts = [
            head + body
            for head, head_bodies in zip(heads, bodies, strict=True)
            for body in head_bodies or ("",)
        ]
        encoded = iter(self.targets.encode_text(texts, limit=limit - len(self.lead)))
        alone = self.targets.encode_text(heads)
        return [
            _prompt([next(encoded) for _ in head_bodies or ("",)], head)
            for head_bodies, head in zip(bodies, alone, strict=True)
        ]

    def size(self, item: GeneratorItem) -> int:
        """The number of tokens of an example."""
        return item.prompt.size + len(self.lead) + len(item.target)

    @abstractmethod
    def loss(self, items: Sequence[GeneratorItem]) -> "torch.Tensor":
        """The negative log-likelihood of all tokens of the targets, summed; nothing else is learned."""

    @abstractmethod
    def begin(self, prompts: Sequence[Prompt], limit: int, copies: int = 1) -> Session:
        """Read prompts, to write at most `limit` tokens after each, with `copies` of each."""

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
                scores = self.first_scores([prompts[index] for index in part])
                ends.append((part, scores.float().softmax(-1)[:, self.targets.end].clone()))
            for part, values in ends:
                for index, chance in zip(part, values.tolist(), strict=True):
                    chances[index] = chance
        return chances

    def write(
        self, prompts: Sequence[Prompt], limit: int, tokens: int, *, nonempty: bool = False, beams: int = 1
    ) -> list[GeneratedTokens]:
        """The likeliest token each time, until the end or the limit; `tokens` are computed at once.

        With `nonempty` the list is not empty: its first token is chosen, and its
        probability given, among all others than the end. With `beams`, a beam search takes its place.
        """
        outputs = [GeneratedTokens([], [])] * len(prompts)
        with self.computing(), uncompiled():
            for part in self._parts(prompts, limit, max(tokens // beams, 1)):
                session = self.begin([prompts[index] for index in part], limit, beams)
                if beams > 1:
                    written = beam_search(session, self.targets.end, beams, limit)
                else:
                    written = self._greedy(session, limit, nonempty)
                for index, output in zip(part, written, strict=True):
                    outputs[index] = output
        return outputs

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

    def _greedy(self, session: Session, limit: int, nonempty: bool) -> list[GeneratedTokens]:
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
        return [self.until_end(tokens, token_chances) for tokens, token_chances in columns]

    def until_end(self, tokens: list[int], chances: list[float]) -> GeneratedTokens:
        """What was written before the end."""
        length = tokens.index(self.targets.end) if self.targets.end in tokens else len(tokens)
        return GeneratedTokens(tokens[:length], chances[:length])

    def _parts(self, prompts: Sequence[Prompt], limit: int, tokens: int) -> Iterator[list[int]]:
        """Prompts of similar length, by their indices."""
        yield from parts([prompt.size + len(self.lead) + limit for prompt in prompts], tokens)


def _prompt(pieces: list[list[int]], head: Sequence[int]) -> Prompt:
    """A prompt, and how many tokens of the head all pieces begin with."""
    shared = 0
    for tokens in zip(head, *pieces, strict=False):
        if len(set(tokens)) > 1:
            break
        shared += 1
    return Prompt(pieces, shared if len(pieces) > 1 else 0)


# Encoder–decoders (T5, BART): each piece is encoded separately, and the decoder attends to all of them.

_UNLEARNED = -100


class EncoderDecoderGenerator(Generator):
    """An encoder–decoder that writes lists of answers.

    With one piece this is an ordinary encoder–decoder; with many it is Fusion-in-Decoder.
    """

    def encode(self, prompts: Sequence[Prompt]) -> "tuple[torch.Tensor, torch.Tensor]":
        """The states of all pieces of each prompt one after the other, and which of them are not padding."""
        import torch

        pieces = [piece for prompt in prompts for piece in prompt.pieces]
        ids, mask = self._padded(pieces, self._padding)
        states = self.network.get_encoder()(input_ids=ids, attention_mask=mask).last_hidden_state
        if len(pieces) == len(prompts):
            return states, mask
        rows = iter(zip(states, map(len, pieces), strict=True))
        fused = []
        for prompt in prompts:
            piece_states = [next(rows) for _ in prompt.pieces]
            fused.append(torch.cat([state[:length] for state, length in piece_states]))
        lengths = torch.tensor([len(row) for row in fused], device=self.device)
        padded = torch.nn.utils.rnn.pad_sequence(fused, batch_first=True)
        return padded, (torch.arange(padded.shape[1], device=self.device) < lengths[:, None]).long()

    def loss(self, items: Sequence[GeneratorItem]) -> "torch.Tensor":
        import torch

        states, mask = self.encode([item.prompt for item in items])
        labels, _ = self._padded([item.target for item in items], _UNLEARNED)
        inputs, _ = self._padded([[self.start, *item.target[:-1]] for item in items], self._padding)
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
        """Rows of equal length, and which of their tokens are not padding."""
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
