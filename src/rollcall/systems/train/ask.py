"""`ask`: learns to tell which of the queries that a question may ask for is meant.

A cross-encoder reads a question beside each candidate query in words, with letters for names. It learns what
the features of `rollcall.systems.ask` do not know already: their score is added to its own, and the right
candidates together must be likely (listwise softmax). It needs no passages, and a graph only for exercises.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import msgspec

from rollcall.errors import RollcallError
from rollcall.questions.record import Question
from rollcall.systems.ask.features import FEATURES
from rollcall.systems.ask.model import WEIGHTS
from rollcall.systems.ask.reranker import SETTINGS
from rollcall.systems.context import Context
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.base import MINILM, Base
from rollcall.systems.train.exercise import Exercise, QueryReading
from rollcall.systems.train.model_folder import write_settings
from rollcall.systems.train.options import Count, Positive, Share, TrainingOptions
from rollcall.systems.train.pair_network import HEADS, PairNetwork, cut_layers
from rollcall.systems.train.query_readings import QueryReadings, with_readings
from rollcall.systems.train.reading_fit import Scored, fitted
from rollcall.systems.train.token_inputs import TokenInput
from rollcall.systems.train.trainable import Trainable

if TYPE_CHECKING:
    import torch

SYSTEM = "ask"


class AskExerciseOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Those options that decide what exercises are made."""

    variants: int
    typed: float
    seed: int


class AskTrainingOptions(TrainingOptions, frozen=True, kw_only=True):
    """How the reranker of `ask` is trained."""

    batch: Positive = 16
    """The number of questions for each step."""
    learning_rate: float = 1e-4
    """The greatest learning rate, after the warm-up."""
    layers: Positive = 3
    """How many layers of the checkpoint are used; fewer are faster."""
    length: Positive = 64
    """The greatest number of tokens of a question together with a query in words."""
    candidates: Positive = 6
    """How many readings of a question are drawn for each epoch."""
    variants: Positive = 3
    """In how many wordings each question of the set is learned."""
    typed: Share = 0.4
    """How often a wording is changed as people type: lower case, mistyped letters, small words left out."""
    seed: Count = 0
    """The seed for wordings, order and dropout."""


class AskExample(NamedTuple):
    """Some readings of a question."""

    inputs: Sequence[TokenInput]
    scores: Sequence[float]
    """By their features, with the weights set by hand."""
    right: Sequence[bool]


@TRAINABLES.register(SYSTEM)
class AskTrainable(Trainable[AskExample]):
    """Learns to rank the queries that a question may ask for; for the reader `ask`."""

    Options = AskTrainingOptions
    needs = ("graph",)
    uses_passages = False
    bases = ("encoder",)
    default_base: ClassVar[str | None] = MINILM
    measure = "right"

    def __init__(self, options: AskTrainingOptions, network: PairNetwork) -> None:
        self._options, self._encoder = options, network
        self.network = network.module

    @classmethod
    def of_exercises(cls, options: msgspec.Struct) -> AskExerciseOptions:
        assert isinstance(options, AskTrainingOptions)
        return AskExerciseOptions(variants=options.variants, typed=options.typed, seed=options.seed)

    @classmethod
    def completed(
        cls,
        exercises: Iterable[Exercise],
        questions: Sequence[Question],
        options: msgspec.Struct,
        context: Context,
    ) -> Iterator[Exercise]:
        assert isinstance(options, AskExerciseOptions)
        readings = QueryReadings(context.graph, options.variants, options.typed, options.seed)
        for exercise, question in zip(exercises, questions, strict=True):
            yield from readings.completed(exercise, question)

    @classmethod
    def start(cls, options: TrainingOptions, base: Base) -> "AskTrainable":
        assert isinstance(options, AskTrainingOptions)
        cut = cut_layers(base, options.layers)
        return cls(options, PairNetwork.start(cut, HEADS, options.length, options.seed))

    def examples(self, exercises: Sequence[Exercise], seed: int) -> list[AskExample]:
        found = []
        seen: set[tuple[tuple[str, str], ...]] = set()
        for exercise in exercises:
            if not with_readings(exercise.readings):
                continue
            chosen = self._drawn(exercise.readings, random.Random(f"{seed} {exercise.id}"))
            pairs = [(one.question, one.wording) for one in chosen]
            if tuple(pairs) in seen:
                continue  # the same question about another name
            seen.add(tuple(pairs))
            found.append(
                AskExample(
                    self._encoder.encoded_pairs(pairs),
                    [_hand_score(one) for one in chosen],
                    [one.is_right for one in chosen],
                )
            )
        if not found:
            raise RollcallError(
                "no question has a right reading beside a wrong one; exercises for ask are made with --graph"
            )
        return found

    def _drawn(self, readings: Sequence[QueryReading], draw: random.Random) -> list[QueryReading]:
        """Right readings, at most half of them, and wrong ones, in the order of the readings."""
        right = [place for place, one in enumerate(readings) if one.is_right]
        wrong = [place for place, one in enumerate(readings) if not one.is_right]
        some = draw.sample(right, min(len(right), max(1, self._options.candidates // 2)))
        rest = draw.sample(wrong, min(len(wrong), max(1, self._options.candidates - len(some))))
        return [readings[place] for place in sorted([*some, *rest])]

    def size(self, example: AskExample) -> int:
        return len(example.inputs) * max(len(one.ids) for one in example.inputs)

    def loss(self, examples: Sequence[AskExample]) -> "torch.Tensor":
        import torch

        logits = self._encoder.logits([one for example in examples for one in example.inputs])
        parts = torch.split(logits, [len(one.inputs) for one in examples])
        losses = []
        for part, one in zip(parts, examples, strict=True):
            shares = torch.log_softmax(part + part.new_tensor(one.scores), 0)
            losses.append(-torch.logsumexp(shares[torch.tensor(one.right, device=part.device)], 0))
        return torch.stack(losses).mean()

    def evaluate(self, exercises: Sequence[Exercise]) -> dict[str, float]:
        """How often the first reading is right, with and without the cross-encoder."""
        asked = [one for one in self._scored(exercises) if one]
        network = [max(one, key=lambda pair: pair[1] + _hand_score(pair[0]))[0].is_right for one in asked]
        alone = [max(one, key=lambda pair: _hand_score(pair[0]))[0].is_right for one in asked]
        number = max(len(exercises), 1)
        return {self.measure: sum(network) / number, "by features alone": sum(alone) / number}

    def save(self, folder: Path, exercises: Sequence[Exercise]) -> None:
        settings = fitted(self._scored(exercises), self._encoder.inputs.tokens)
        self._encoder.save(folder)
        write_settings(folder / SETTINGS, settings)

    def _scored(self, exercises: Sequence[Exercise]) -> list[Scored]:
        pairs = [(one.question, one.wording) for exercise in exercises for one in exercise.readings]
        different = list(dict.fromkeys(pairs))
        known = dict(zip(different, self._encoder.scores(different), strict=True))
        return [
            [(one, known[one.question, one.wording]) for one in exercise.readings] for exercise in exercises
        ]


def _hand_score(reading: QueryReading) -> float:
    return sum(WEIGHTS[name] * value for name, value in zip(FEATURES, reading.features, strict=True))
