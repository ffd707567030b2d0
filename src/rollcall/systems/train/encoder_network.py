"""An encoder with heads on the states of its tokens: what all systems on an encoder train, save and load.

A head is a small network from some states to numbers. The encoder is saved as transformers does it, so that
other tools can read it; the heads are saved beside it, in the same format.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

import numpy as np

from rollcall._core.errors import RollcallError
from rollcall.systems.read.trained_reader import ScoredAnswer
from rollcall.systems.train.base import BaseCheckpoint, required_transformers
from rollcall.systems.train.loop import parts
from rollcall.systems.train.model_folder import check_weights
from rollcall.systems.train.token_inputs import KeptPassages, TokenInput, TokenInputs

if TYPE_CHECKING:
    import torch


ENCODER_HEADS = "heads.safetensors"
_TOKENS_ON_GPU, _TOKENS_ON_CPU = 1 << 18, 1 << 13
"""How many tokens are read at once, padding included."""

Item = TypeVar("Item")


class HeadShape(NamedTuple):
    """What a head takes and gives."""

    states: int
    """The number of token states that it takes side by side."""
    outputs: int = 1
    hidden: bool = True
    """Whether there is a layer in between."""


class EncoderNetwork:
    """An encoder, its tokeniser, and heads by name."""

    def __init__(self, encoder: Any, tokeniser: Any, heads: Mapping[str, HeadShape], tokens: int) -> None:
        import torch

        width = encoder.config.hidden_size
        self.module = torch.nn.ModuleDict(
            {
                "encoder": encoder,
                "heads": torch.nn.ModuleDict({name: _head(width, shape) for name, shape in heads.items()}),
            }
        )
        self._typed = getattr(encoder.config, "type_vocab_size", 0) > 1
        self._tokeniser = tokeniser
        self.decodes: bool = getattr(encoder.config, "is_encoder_decoder", False)
        """Whether a decoder reads the input again, so that the state of the last token has seen all."""
        self._first_written: int = getattr(encoder.config, "decoder_start_token_id", None) or 0
        self.inputs = TokenInputs(tokeniser, min(tokens, _longest(encoder.config)))
        self.passages = KeptPassages(self.inputs)

    @classmethod
    def start(cls, base: BaseCheckpoint, heads: Mapping[str, HeadShape], tokens: int, seed: int) -> Self:
        """The network before training; the seed decides the first weights of the heads."""
        import torch

        torch.manual_seed(seed)
        return cls(base.network, base.tokeniser, heads, tokens)

    @classmethod
    def load(cls, folder: Path | str, heads: Mapping[str, HeadShape], tokens: int) -> Self:
        """A trained network, ready to read: on the GPU in bf16 if there is one."""
        import torch

        transformers = required_transformers()
        check_weights(folder)
        encoder = transformers.AutoModel.from_pretrained(folder)
        network = cls(encoder, transformers.AutoTokenizer.from_pretrained(folder), heads, tokens)
        from safetensors.torch import load_file

        network.module["heads"].load_state_dict(load_file(Path(folder) / ENCODER_HEADS))
        network.module.eval()
        if torch.cuda.is_available():
            network.module.to("cuda", torch.bfloat16)
        return network

    def save(self, folder: Path) -> None:
        from safetensors.torch import save_file

        encoder: Any = self.module["encoder"]
        encoder.save_pretrained(folder)
        self._tokeniser.save_pretrained(folder)
        weights = {
            name: tensor.contiguous().cpu() for name, tensor in self.module["heads"].state_dict().items()
        }
        save_file(weights, folder / ENCODER_HEADS)

    def freeze_words(self) -> None:
        """Train everything but the embeddings of words."""
        encoder: Any = self.module["encoder"]
        encoder.get_input_embeddings().weight.requires_grad = False

    @property
    def device(self) -> "torch.device":
        return next(self.module.parameters()).device

    def states(self, inputs: Sequence[TokenInput]) -> "torch.Tensor":
        """The states of all tokens: input × token × width; those of padding mean nothing."""
        import torch

        longest = max(len(tokens.ids) for tokens in inputs)
        ids = np.full((len(inputs), longest), self._tokeniser.pad_token_id or 0, np.int32)
        lengths = np.array([len(tokens.ids) for tokens in inputs])
        for row, tokens in enumerate(inputs):
            ids[row, : len(tokens.ids)] = tokens.ids
        positions = np.arange(longest)[None, :]
        arrays = {
            "input_ids": ids.astype(np.int64),
            "attention_mask": (positions < lengths[:, None]).astype(np.int64),
        }
        if self._typed:
            second = np.array([tokens.second for tokens in inputs])[:, None]
            arrays["token_type_ids"] = ((positions >= second) & (positions < lengths[:, None])).astype(
                np.int64
            )
        if self.decodes:
            arrays["decoder_input_ids"] = np.roll(arrays["input_ids"], 1, axis=1)
            arrays["decoder_input_ids"][:, 0] = self._first_written
            arrays["decoder_attention_mask"] = arrays["attention_mask"]
        tensors = {name: torch.from_numpy(array).to(self.device) for name, array in arrays.items()}
        states: torch.Tensor = self.module["encoder"](**tensors).last_hidden_state
        return states

    def head(self, name: str, states: "torch.Tensor") -> "torch.Tensor":
        """The numbers that a head gives for states; without the last dimension where it gives one."""
        heads: Any = self.module["heads"]
        outputs: torch.Tensor = heads[name](states).float()
        return outputs.squeeze(-1) if outputs.shape[-1] == 1 else outputs

    def read(
        self,
        items: Sequence[Item],
        tokens: Callable[[Item], int],
        values: Callable[[Item], int],
        compute: Callable[[Sequence[Item]], "torch.Tensor"],
    ) -> list[list[float]]:
        """What `compute` gives for each item, computed for many items of similar size at once.

        `compute` gives the values of all items one after the other; `tokens` and `values` are their numbers.
        """
        import torch

        budget = _TOKENS_ON_GPU if self.device.type == "cuda" else _TOKENS_ON_CPU
        order: list[int] = []
        outputs: list[torch.Tensor] = []
        self.module.eval()
        with torch.inference_mode():
            for part in parts([tokens(item) for item in items], budget):
                order += part
                outputs.append(compute([items[index] for index in part]))
            # One transfer for all, since each one waits for the GPU.
            flat: list[float] = torch.cat(outputs).float().cpu().tolist() if outputs else []
        results: list[list[float]] = [[] for _ in items]
        start = 0
        for index in order:
            end = start + values(items[index])
            results[index] = flat[start:end]
            start = end
        return results


def _head(width: int, shape: HeadShape) -> "torch.nn.Module":
    import torch

    taken = shape.states * width
    if not shape.hidden:
        return torch.nn.Linear(taken, shape.outputs)
    return torch.nn.Sequential(
        torch.nn.Linear(taken, width),
        torch.nn.GELU(),
        torch.nn.Dropout(0.1),
        torch.nn.Linear(width, shape.outputs),
    )


def _longest(config: Any) -> int:
    """The longest input of an encoder; those of the RoBERTa kind lose two positions to padding."""
    positions = getattr(config, "max_position_embeddings", None)
    if positions is None:
        return 1 << 30
    lost = 2 if "roberta" in getattr(config, "model_type", "") else 0
    if positions - lost < 8:
        raise RollcallError(f"the encoder takes inputs of {positions} tokens, which is too few")
    return int(positions) - lost


# A network that gives one probability for each input: of a text, or of several in one input.

TEXT_HEADS: Mapping[str, HeadShape] = {"answer": HeadShape(states=1)}


class TextNetwork(EncoderNetwork):
    """An encoder with one output, or an encoder–decoder whose last state has seen the whole input."""

    def encoded_texts(self, texts: Sequence[str]) -> list[TokenInput]:
        """Texts as inputs."""
        self.inputs.prepare(texts)
        return [self.inputs.joined(text) for text in texts]

    def logits(self, inputs: Sequence[TokenInput]) -> "torch.Tensor":
        """One number for each input: of its first token, or where a decoder has read it, of its last."""
        import torch

        states = self.states(inputs)
        positions = [len(tokens.ids) - 1 if self.decodes else 0 for tokens in inputs]
        rows = torch.arange(len(inputs), device=states.device)
        return self.head("answer", states[rows, torch.tensor(positions, device=states.device)])

    def probabilities(self, inputs: Sequence[TokenInput]) -> list[float]:
        """One probability for each input."""
        import torch

        values = self.read(
            inputs,
            lambda tokens: len(tokens.ids),
            lambda _: 1,
            lambda batch: torch.sigmoid(self.logits(batch)),
        )
        return [probability for (probability,) in values]


# A cross-encoder: a few layers of an encoder that read two texts at once and give one number.

PAIR_HEADS: Mapping[str, HeadShape] = {"pair": HeadShape(states=1)}


class PairNetwork(EncoderNetwork):
    """An encoder with one number for each pair of texts."""

    def encoded_pairs(self, pairs: Sequence[tuple[str, str]]) -> list[TokenInput]:
        """Pairs as inputs."""
        self.inputs.prepare([text for pair in pairs for text in pair])
        return [self.inputs.joined(*pair) for pair in pairs]

    def logits(self, inputs: Sequence[TokenInput]) -> "torch.Tensor":
        """One number for each pair, from the state of its first token."""
        return self.head("pair", self.states(inputs)[:, 0])

    def scores(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """One number for each pair, computed for all at once."""
        inputs = self.encoded_pairs(pairs)
        values = self.read(inputs, lambda tokens: len(tokens.ids), lambda _: 1, self.logits)
        return [score for (score,) in values]


def cut_layers(base: BaseCheckpoint, layers: int) -> BaseCheckpoint:
    """The checkpoint with this number of its layers, spread evenly, the last one among them.

    The embeddings of words are not trained, so that rare words keep their meaning.
    """
    import torch

    network: Any = base.network
    all_layers = list(network.encoder.layer)
    if layers < len(all_layers):
        step = (len(all_layers) - 1) / max(layers - 1, 1)
        indices = [round(number * step) for number in range(layers)] if layers > 1 else [len(all_layers) - 1]
        network.encoder.layer = torch.nn.ModuleList([all_layers[index] for index in indices])
        network.config.num_hidden_layers = layers
    network.embeddings.word_embeddings.weight.requires_grad = False
    return base


# The network of the extractive reader: which passage answers, and where answers begin and end in it.

SPAN_HEADS: Mapping[str, HeadShape] = {
    "passage": HeadShape(states=1, hidden=False),
    "span": HeadShape(states=1, outputs=2, hidden=False),
}
_TRIED, _KEPT = 20, 5
"""How many of a passage's spans are looked at, and how many that do not overlap are kept."""


class SpanReading(NamedTuple):
    """A passage that is read for a question."""

    question: str
    title: str
    text: str


class SpanLogits(NamedTuple):
    """The numbers that the network gives for inputs."""

    passage: "torch.Tensor"
    """For each input, that it answers; only differences within a question mean something."""
    start: "torch.Tensor"
    """For each token of each input, the logarithm of the probability that the answer begins there."""
    end: "torch.Tensor"


class SpanNetwork(EncoderNetwork):
    """An encoder that selects passages and spans."""

    def logits(self, inputs: Sequence[TokenInput]) -> SpanLogits:
        """Answers are sought in title and text alone."""
        import torch

        states = self.states(inputs)
        longest = states.shape[1]
        allowed = np.zeros((len(inputs), longest), bool)
        for row, tokens in enumerate(inputs):
            allowed[row, tokens.starts[1] : len(tokens.ids) - 1] = True
            allowed[row, tokens.starts[2] - 1] = False
        outside = torch.from_numpy(~allowed).to(states.device)
        spans = self.head("span", states).masked_fill(outside.unsqueeze(-1), -1e9)
        start, end = torch.log_softmax(spans, 1).unbind(-1)
        return SpanLogits(self.head("passage", states[:, 0]), start, end)

    def scores(self, readings: Sequence[SpanReading], widest: int) -> list[list[ScoredAnswer]]:
        """The best spans of each passage; a score is the sum of the passage's logit and the span's."""
        self.inputs.prepare(text for reading in readings for text in reading)
        inputs = [self.inputs.joined(*reading) for reading in readings]
        best = self.read(
            inputs,
            lambda tokens: len(tokens.ids),
            lambda _: 3 * _TRIED,
            lambda batch: self._best(batch, widest),
        )
        return [self._answers(*span_inputs) for span_inputs in zip(readings, inputs, best, strict=True)]

    def _best(self, inputs: Sequence[TokenInput], widest: int) -> "torch.Tensor":
        """For each input the best spans as triples: score, first token, number of further tokens."""
        import torch

        passage, start, end = self.logits(inputs)
        padded = torch.nn.functional.pad(end, (0, widest - 1), value=-1e9)
        pairs = start.unsqueeze(-1) + padded.unfold(1, widest, 1)
        # Padded for very short inputs.
        best = torch.nn.functional.pad(pairs.flatten(1), (0, _TRIED), value=-1e9).topk(_TRIED, dim=1)
        triples = torch.stack(
            [
                best.values + passage.unsqueeze(1),
                (best.indices // widest).float(),
                (best.indices % widest).float(),
            ],
            dim=-1,
        )
        return triples.flatten()

    def _answers(
        self, reading: SpanReading, tokens: TokenInput, triples: Sequence[float]
    ) -> list[ScoredAnswer]:
        """Spans as texts: those within one part that overlap no better one, best first."""
        sections = ((reading.title, tokens.starts[1]), (reading.text, tokens.starts[2]))
        taken: list[tuple[int, int]] = []
        answers = []
        for score, begin, width in zip(*[iter(triples)] * 3, strict=True):
            first, last = int(begin), int(begin + width)
            text, offset = sections[first >= tokens.starts[2]]
            end = len(tokens.ids) - 1 if first >= tokens.starts[2] else tokens.starts[2] - 1
            overlaps = any(first <= other[1] and other[0] <= last for other in taken)
            if first < tokens.starts[1] or last >= end or overlaps or score < -1e8:
                continue
            taken.append((first, last))
            words = self.inputs.of(text)
            answers.append(
                ScoredAnswer(text[words.begins[first - offset] : words.ends[last - offset]], score)
            )
            if len(answers) == _KEPT:
                break
        return answers
