"""What a build is made from: the folders of a graph and of a corpus made for it."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Inputs:
    """The folders that a build reads."""

    graph: Path
    corpus: Path

    def named(self) -> dict[str, Path]:
        return {"the graph": self.graph, "the corpus": self.corpus}
