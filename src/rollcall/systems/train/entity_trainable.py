"""What the trainable scorers of entities share: evaluation and saving, by the scores of single passages."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Generic

from rollcall.systems.train.base import MINILM
from rollcall.systems.train.encoder_network import EncoderNetwork
from rollcall.systems.train.entity_answers import answers, tuned
from rollcall.systems.train.exercise import Exercise
from rollcall.systems.train.figures import figures
from rollcall.systems.train.model_folder import write_settings
from rollcall.systems.train.options import Positive, TrainingOptions
from rollcall.systems.train.passage_tokens import MentionReading, readings_of
from rollcall.systems.train.trainable import Example, Trainable


class EntityOptions(TrainingOptions, frozen=True, kw_only=True):
    """How a scorer of entities is trained."""

    learning_rate: float = 1e-4
    batch: Positive = 64
    tokens: Positive = 65536
    length: Positive = 384
    """The greatest number of tokens of an input: the question, the passage, and the candidate if there is
    one."""


class EntityTrainable(Trainable[Example], Generic[Example]):
    """A trainable scorer of the entities that passages mention."""

    bases = ("encoder",)
    needs = ("graph",)
    default_base: ClassVar[str | None] = MINILM
    settings_file: ClassVar[str]

    def __init__(self, network: EncoderNetwork) -> None:
        self._encoder = network
        self.network = network.module

    def scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        """For each reading the entities that are mentioned, with their probabilities."""
        raise NotImplementedError

    def evaluate(self, exercises: Sequence[Exercise]) -> dict[str, float]:
        """F1, precision and recall with the combination and the threshold that suit these exercises best."""
        scores = self._by_exercise(exercises)
        settings = tuned(scores, exercises, self._encoder.inputs.tokens)
        return figures([[*answers(one, settings)] for one in scores], exercises)

    def save(self, folder: Path, exercises: Sequence[Exercise]) -> None:
        settings = tuned(self._by_exercise(exercises), exercises, self._encoder.inputs.tokens)
        self._encoder.save(folder)
        write_settings(folder / self.settings_file, settings)

    def _by_exercise(self, exercises: Sequence[Exercise]) -> list[list[dict[str, float]]]:
        found = iter(self.scores(readings_of(exercises)))
        return [[next(found) for _ in exercise.passages] for exercise in exercises]
