"""`candidate-scorer`: the entities that passages mention, each read by itself with its passage.

It takes one pass for each candidate; a mention scorer in its folder leaves out those that are hardly answers.
"""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from rollcall.systems.read import READERS
from rollcall.systems.read.entity_scorer import EntityScorerReader
from rollcall.systems.train.candidate_scorer import (
    FIRST,
    LEAST,
    SETTINGS,
    SYSTEM,
    CandidateNetwork,
    CandidateReading,
    opened_first,
)
from rollcall.systems.train.entity_answers import EntitySettings
from rollcall.systems.train.model_folder import read_settings
from rollcall.systems.train.passage_tokens import MentionReading
from rollcall.systems.train.text_network import HEADS


@READERS.register(SYSTEM)
class CandidateScorerReader(EntityScorerReader):
    """Scores one candidate of a passage at a time, in one pass of a trained encoder each."""

    name = system = SYSTEM

    def settings_of(self, folder: Path) -> EntitySettings:
        return read_settings(folder / SETTINGS, EntitySettings)

    @cached_property
    def _reading(self) -> CandidateReading:
        folder = Path(self._model)
        first = opened_first(folder / FIRST if (folder / FIRST).is_dir() else None)
        network = CandidateNetwork.load(folder, HEADS, self.trained.length)
        return CandidateReading(network, first, float(self._about.options.get("least", LEAST)))

    def entity_scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        return self._reading.scores(readings)
