"""What trained systems that ask a graph store: weights by the names of features, and how names are known."""

from pathlib import Path
from typing import ClassVar, Self

import msgspec

from rollcall.systems.ask.learned.reading_graphs import Names
from rollcall.systems.train.model_folder import read_settings, write_settings


class StoredModel(msgspec.Struct, frozen=True, kw_only=True):
    """A trained model, one JSON file of its folder."""

    file: ClassVar[str]
    weights: dict[str, float]
    names: Names

    def save(self, folder: Path) -> None:
        write_settings(folder / self.file, self)

    @classmethod
    def open(cls, folder: Path) -> Self:
        return read_settings(folder / cls.file, cls)
