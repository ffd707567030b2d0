"""What `sempre` has learned: the weights of features, and the words that went with relations."""

from pathlib import Path

import msgspec

from rollcall.systems.ask.learned.alignment import Table
from rollcall.systems.ask.learned.reading_graphs import Names
from rollcall.systems.train.model_folder import read_settings, write_settings

_FILE = "sempre.json"


class SempreModel(msgspec.Struct, frozen=True):
    """A trained model."""

    weights: dict[str, float]
    alignment: Table
    names: Names
    beam: int

    def save(self, folder: Path) -> None:
        write_settings(folder / _FILE, self)

    @classmethod
    def open(cls, folder: Path) -> "SempreModel":
        return read_settings(folder / _FILE, cls)
