"""The input of a build: a graph folder, and a corpus folder made for that graph."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Inputs:
    """The folders that a build reads."""

    graph: Path
    corpus: Path

    def named(self) -> dict[str, Path]:
        return {"the graph": self.graph, "the corpus": self.corpus}
