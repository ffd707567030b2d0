"""The network of the extractive reader: which passage answers, and where answers begin and end in it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rollcall.systems.read.kept_scores import ScoredAnswer
from rollcall.systems.train.encoder_network import EncoderNetwork, HeadShape
from rollcall.systems.train.token_inputs import TokenInput

if TYPE_CHECKING:
    import torch

HEADS: Mapping[str, HeadShape] = {
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
    """What the network says of inputs."""

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
        for row, one in enumerate(inputs):
            allowed[row, one.places[1] : len(one.ids) - 1] = True
            allowed[row, one.places[2] - 1] = False
        outside = torch.from_numpy(~allowed).to(states.device)
        spans = self.head("span", states).masked_fill(outside.unsqueeze(-1), -1e9)
        start, end = torch.log_softmax(spans, 1).unbind(-1)
        return SpanLogits(self.head("passage", states[:, 0]), start, end)

    def scores(self, readings: Sequence[SpanReading], widest: int) -> list[list[ScoredAnswer]]:
        """The best spans of each passage; a score is the sum of the passage's logit and the span's."""
        self.inputs.prepare(text for one in readings for text in one)
        inputs = [self.inputs.joined(*one) for one in readings]
        found = self.read(
            inputs, lambda one: len(one.ids), lambda one: 3 * _TRIED, lambda some: self._best(some, widest)
        )
        return [self._answers(*one) for one in zip(readings, inputs, found, strict=True)]

    def _best(self, inputs: Sequence[TokenInput], widest: int) -> "torch.Tensor":
        """For each input the best spans as triples: score, first token, number of further tokens."""
        import torch

        passage, start, end = self.logits(inputs)
        padded = torch.nn.functional.pad(end, (0, widest - 1), value=-1e9)
        pairs = start.unsqueeze(-1) + padded.unfold(1, widest, 1)
        every = torch.nn.functional.pad(pairs.flatten(1), (0, _TRIED), value=-1e9)  # for very short inputs
        best = every.topk(_TRIED, dim=1)
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
        self, reading: SpanReading, tokens: TokenInput, found: Sequence[float]
    ) -> list[ScoredAnswer]:
        """Spans as texts: those in one part, best first, none that overlaps a better one."""
        parts = ((reading.title, tokens.places[1]), (reading.text, tokens.places[2]))
        taken: list[tuple[int, int]] = []
        answers = []
        for score, begin, width in zip(*[iter(found)] * 3, strict=True):
            first, last = int(begin), int(begin + width)
            text, place = parts[first >= tokens.places[2]]
            end = len(tokens.ids) - 1 if first >= tokens.places[2] else tokens.places[2] - 1
            overlaps = any(first <= other[1] and other[0] <= last for other in taken)
            if first < tokens.places[1] or last >= end or overlaps or score < -1e8:
                continue
            taken.append((first, last))
            words = self.inputs.of(text)
            answers.append(ScoredAnswer(text[words.begins[first - place] : words.ends[last - place]], score))
            if len(answers) == _KEPT:
                break
        return answers
