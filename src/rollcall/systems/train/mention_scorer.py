"""`mention-scorer`: how likely each linked mention of a passage is an answer that the passage proves.

Question, title and text go through the encoder once, and all mentions are judged by the states of their first
and last tokens beside the state of the first token of all. So a passage costs one pass, however many entities
it names.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.base import Base
from rollcall.systems.train.encoder_network import EncoderNetwork, HeadShape
from rollcall.systems.train.entity_trainable import EntityOptions, EntityTrainable
from rollcall.systems.train.exercise import Exercise
from rollcall.systems.train.mention_inputs import MentionInput, MentionInputs, by_entity
from rollcall.systems.train.mention_labels import MentionLabels, check_mentions, drawn_passages
from rollcall.systems.train.options import Count, TrainingOptions
from rollcall.systems.train.passage_tokens import MentionReading

if TYPE_CHECKING:
    import torch

SYSTEM = "mention-scorer"
SETTINGS = "mention_scorer.json"
HEADS = {"mention": HeadShape(states=3)}


class MentionScorerOptions(EntityOptions, frozen=True, kw_only=True):
    """How the mention scorer is trained."""

    negatives: Count = 16
    """How many retrieved passages that prove nothing are read for each question in each epoch."""
    words: Literal["trained", "frozen"] = "trained"
    """Whether the embeddings of words are trained: frozen ones can be shared with other models, and rare
    words keep their meaning."""


class MentionExample(NamedTuple):
    """An input with the labels of its mentions."""

    input: MentionInput
    labels: Sequence[float]


class MentionNetwork(EncoderNetwork):
    """The network of the mention scorer."""

    def encoded(self, readings: Sequence[MentionReading]) -> list[MentionInput]:
        """Readings as inputs."""
        return MentionInputs(self.inputs, self.passages).encoded(readings)

    def logits(self, inputs: Sequence[MentionInput]) -> "torch.Tensor":
        """One number for each mention of all inputs, one input after the other."""
        import torch

        states = self.states([one.tokens for one in inputs])
        rows = np.repeat(np.arange(len(inputs)), [len(one.first) for one in inputs])
        ends = (np.concatenate([one[place] for one in inputs]).astype(np.int64) for place in (1, 2))
        row, first, last = (torch.from_numpy(one).to(states.device) for one in (rows, *ends))
        return self.head(
            "mention", torch.cat([states[row, first], states[row, last], states[row, 0]], dim=-1)
        )

    def scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        """For each reading the entities that its mentions may mean, with their greatest probabilities."""
        import torch

        inputs = self.encoded(readings)

        found = self.read(
            inputs,
            lambda one: len(one.tokens.ids),
            lambda one: len(one.first),
            lambda some: torch.sigmoid(self.logits(some)),
        )
        return [
            by_entity(reading, one.mentions, scores)
            for reading, one, scores in zip(readings, inputs, found, strict=True)
        ]


@TRAINABLES.register(SYSTEM)
class MentionScorer(EntityTrainable[MentionExample]):
    """Scores all linked mentions of a passage in one pass of an encoder."""

    Options = MentionScorerOptions
    settings_file = SETTINGS

    def __init__(self, options: MentionScorerOptions, network: MentionNetwork) -> None:
        super().__init__(network)
        self._options, self._network = options, network

    @classmethod
    def start(cls, options: TrainingOptions, base: Base) -> "MentionScorer":
        assert isinstance(options, MentionScorerOptions)
        network = MentionNetwork.start(base, HEADS, options.length, options.seed)
        if options.words == "frozen":
            network.freeze_words()
        return cls(options, network)

    def examples(self, exercises: Sequence[Exercise], seed: int) -> list[MentionExample]:
        check_mentions(exercises, SYSTEM)
        readings: list[MentionReading] = []
        labels: list[list[float | None]] = []
        for exercise in exercises:
            of = MentionLabels(exercise)
            for one in drawn_passages(exercise, self._options.negatives, seed):
                learned = of.of(one)
                if any(label is not None for label in learned):
                    readings.append(MentionReading(exercise.question, one.title, one.text, one.mentions))
                    labels.append(learned)
        return [
            example
            for one, learned in zip(self._network.encoded(readings), labels, strict=True)
            if (example := _learned(one, learned)).labels
        ]

    def size(self, example: MentionExample) -> int:
        return len(example.input.tokens.ids)

    def loss(self, examples: Sequence[MentionExample]) -> "torch.Tensor":
        """The mean over examples of the sum over mentions, each of which is one decision."""
        import torch

        logits = self._network.logits([one.input for one in examples])
        labels = torch.tensor([label for one in examples for label in one.labels], device=logits.device)
        losses = torch.nn.functional.binary_cross_entropy_with_logits(logits, labels, reduction="sum")
        return losses / len(examples)

    def scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        return self._network.scores(readings)


def _learned(one: MentionInput, labels: Sequence[float | None]) -> MentionExample:
    """The mentions of an input that have labels."""
    kept = np.array([labels[place] is not None for place in one.mentions], bool)
    cut = MentionInput(one.tokens, one.first[kept], one.last[kept], one.mentions[kept])
    return MentionExample(cut, [label for place in cut.mentions if (label := labels[place]) is not None])
