"""What `parasempre` has learned: the weights of features, and the words that paraphrases have."""

from pathlib import Path

import msgspec

from rollcall.systems.ask.learned.alignment import Table
from rollcall.systems.ask.learned.reading_graphs import Names
from rollcall.systems.train.model_folder import read_settings, write_settings

_FILE = "parasempre.json"


class ParasempreModel(msgspec.Struct, frozen=True):
    """A trained model."""

    weights: dict[str, float]
    association: Table
    names: Names
    candidates: int
    vectors: bool

    def save(self, folder: Path) -> None:
        write_settings(folder / _FILE, self)

    @classmethod
    def open(cls, folder: Path) -> "ParasempreModel":
        return read_settings(folder / _FILE, cls)
