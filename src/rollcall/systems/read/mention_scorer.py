"""`mention-scorer`: the entities that passages mention, all of a passage scored in one pass of an encoder."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from rollcall.systems.read import READERS
from rollcall.systems.read.entity_scorer import EntityScorerReader
from rollcall.systems.read.packaged_mentions import (
    PackagedMentionNetwork,
    is_packaged,
    packaged_network,
)
from rollcall.systems.train.entity_answers import EntitySettings
from rollcall.systems.train.mention_scorer import HEADS, SETTINGS, SYSTEM, MentionNetwork
from rollcall.systems.train.model_folder import read_settings
from rollcall.systems.train.passage_tokens import MentionReading


@READERS.register(SYSTEM)
class MentionScorerReader(EntityScorerReader):
    """Scores all linked mentions of a passage in one pass of a trained encoder."""

    name = system = SYSTEM

    def settings_of(self, folder: Path) -> EntitySettings:
        return read_settings(folder / SETTINGS, EntitySettings)

    @cached_property
    def _network(self) -> MentionNetwork | PackagedMentionNetwork:
        if is_packaged(Path(self._model)):
            return packaged_network(Path(self._model), self.trained.length)
        return MentionNetwork.load(self._model, HEADS, self.trained.length)

    def entity_scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        return self._network.scores(readings)
