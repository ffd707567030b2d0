"""The working folder of the tables, and what is known of its data.

`prepared` is all that `learn` needs, and `learned` with the parts of `rollcall` is all that `show` needs of
it, so that the two can be on different machines.
"""

from pathlib import Path

import msgspec

DEPTH = 200
"""The greatest number of passages for a question: of retrieval by itself, and of the evidence."""


class Source(msgspec.Struct, frozen=True):
    """A graph, its corpus, and the question sets that were made from them, as folders."""

    graph: str
    corpus: str
    sets: dict[str, str]
    """By kind: qampari, romqa and single."""


class Data(msgspec.Struct, frozen=True):
    """What is learned from and what is tested on; the same source, or others without an entity in common."""

    profile: str
    name: str
    """What the data is called in the tables."""
    sources: list[Source]
    learn: list[int]
    """The sources to learn from, their splits train and dev."""
    test: int
    """The source whose split test is asked."""
    k: int
    asked: int | None = None
    """About how many test and dev questions are asked, if not all."""


class Place:
    """The working folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made = folder / "made"
        self.prepared = folder / "prepared"
        self.examples = self.prepared / "exercises"
        self.models = folder / "models"
        self.learned = folder / "learned"
        self.runs = self.learned / "runs"
        self.speeds = self.learned / "speeds"
        self.scores = self.models / "rollcall-parts" / "scores"
        self.shown = folder / "shown"

    @property
    def data(self) -> Data:
        file = self.prepared / "data.json"
        if not file.is_file():
            raise SystemExit(
                f"{file}: no such file; prepare it first: systems_tables.py prepare {self.folder}"
            )
        return msgspec.json.decode(file.read_bytes(), type=Data)

    def save_data(self, data: Data) -> None:
        self.prepared.mkdir(parents=True, exist_ok=True)
        (self.prepared / "data.json").write_bytes(msgspec.json.encode(data))

    def passages(self, source: int) -> Path:
        """All passages of a source's corpus, for encoding."""
        return self.prepared / f"passages.{source}.jsonl.xz"

    def learning(self, name: str) -> list[Path]:
        """The folders of training examples of this name, one for each source to learn from."""
        return [self.examples / f"{name}.{source}" for source in self.data.learn]

    def asked(self, name: str, split: str = "test") -> Path:
        """The folder of training examples with the questions to ask."""
        return self.examples / f"{name}-{split}"

    def run(self, row: str, split: str = "test") -> Path:
        """The answers of a row."""
        return self.runs / f"{row}.{split}.jsonl"
