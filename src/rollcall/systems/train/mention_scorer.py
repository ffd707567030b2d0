"""`mention-scorer`: how likely each linked mention of a passage is an answer that the passage proves.

Question, title and text go through the encoder once, and all mentions are judged by the states of their first
and last tokens beside the state of the first token of all. So a passage costs one pass, however many entities
it names.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.base import Base
from rollcall.systems.train.encoder_network import EncoderNetwork, HeadShape
from rollcall.systems.train.entity_trainable import EntityOptions, EntityTrainable
from rollcall.systems.train.exercise import Exercise
from rollcall.systems.train.mention_labels import MentionLabels, check_mentions, drawn_passages
from rollcall.systems.train.options import Count, TrainingOptions
from rollcall.systems.train.passage_tokens import MentionReading, PassageTokens
from rollcall.systems.train.token_inputs import Numbers, TokenInput

if TYPE_CHECKING:
    import torch

SYSTEM = "mention-scorer"
SETTINGS = "mention_scorer.json"
HEADS = {"mention": HeadShape(states=3)}


class MentionScorerOptions(EntityOptions, frozen=True, kw_only=True):
    """How the mention scorer is trained."""

    negatives: Count = 16
    """How many retrieved passages that prove nothing are read for each question in each epoch."""


class MentionInput(NamedTuple):
    """An input, and the first and last tokens of those mentions that are within it."""

    tokens: TokenInput
    first: Numbers
    last: Numbers
    mentions: Numbers
    """The places of these mentions among all mentions of the passage."""


class MentionExample(NamedTuple):
    """An input with the labels of its mentions."""

    input: MentionInput
    labels: Sequence[float]


class MentionNetwork(EncoderNetwork):
    """The network of the mention scorer."""

    def encoded(self, readings: Sequence[MentionReading]) -> list[MentionInput]:
        """Readings as inputs."""
        self.inputs.prepare(text for one in readings for text in (one.question, one.title, one.text))
        every = {one.question for one in readings}
        questions = {question: self.inputs.joined(question, "").ids[:-1] for question in every}
        return [self._encoded(questions[one.question], self.passages.of(one)) for one in readings]

    def _encoded(self, question: Numbers, passage: PassageTokens) -> MentionInput:
        room = self.inputs.tokens - len(question) - 1
        ids = np.concatenate([question, passage.ids[:room], self.inputs.end])
        kept = passage.last < len(ids) - len(question) - 1
        first, last = passage.first[kept] + len(question), passage.last[kept] + len(question)
        return MentionInput(TokenInput(ids, (1, len(question))), first, last, passage.places[kept])

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
            _by_entity(reading, one.mentions, scores)
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
        return cls(options, MentionNetwork.start(base, HEADS, options.length, options.seed))

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


def _by_entity(reading: MentionReading, places: Numbers, scores: Sequence[float]) -> dict[str, float]:
    found: dict[str, float] = {}
    for place, score in zip(places, scores, strict=True):
        for entity in reading.mentions[place].entities:
            found[entity] = max(found.get(entity, 0.0), score)
    return found
