"""The input of a build: a graph folder, and a corpus folder made for that graph, if the build reads text."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Inputs:
    """The folders that a build reads."""

    graph: Path
    given_corpus: Path | None = None
    """The corpus, or None if there is none."""

    @property
    def corpus(self) -> Path:
        """The corpus, for stages that run only if there is one."""
        assert self.given_corpus is not None, "this build has no corpus"
        return self.given_corpus

    def named(self) -> dict[str, Path]:
        corpus = {} if self.given_corpus is None else {"the corpus": self.given_corpus}
        return {"the graph": self.graph, **corpus}
