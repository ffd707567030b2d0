"""What `jacana` has learned: the weights of features, aligned words, and the least score of an answer."""

from pathlib import Path

import msgspec

from rollcall.systems.ask.learned.alignment import Table
from rollcall.systems.ask.learned.reading_graphs import Names
from rollcall.systems.train.model_folder import read_settings, write_settings

_FILE = "jacana.json"


class JacanaModel(msgspec.Struct, frozen=True):
    """A trained model."""

    weights: dict[str, float]
    alignment: Table
    threshold: float
    names: Names
    topics: int
    nodes: int

    def save(self, folder: Path) -> None:
        write_settings(folder / _FILE, self)

    @classmethod
    def open(cls, folder: Path) -> "JacanaModel":
        return read_settings(folder / _FILE, cls)
