"""One system's answers to a question set: a JSONL file with one line a question.

An answer is a string, or an entity given by its id with or without a label. A question the system
failed on keeps its place with the reason, so that a failure is never taken for an empty answer. Beside a run
of ours stand the settings that made it, with the checksum of the finished file.
"""

import json
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Self

import msgspec

from rollcall import checksums
from rollcall.errors import RollcallWarning
from rollcall.files import open_compressed, replacing
from rollcall.questions.question_set import decode_lines


class EntityAnswer(msgspec.Struct, omit_defaults=True, frozen=True, gc=False):
    """An answer given as an entity of the graph."""

    id: str
    label: str = ""


class Passage(msgspec.Struct, omit_defaults=True, gc=False):
    """A retrieved passage; text and title may be left out where the id is known to the corpus."""

    id: str = ""
    title: str = ""
    text: str = ""
    score: float | None = None


class Prediction(msgspec.Struct, omit_defaults=True):
    """What a system said to one question."""

    id: str
    answers: list[str | EntityAnswer] = []
    retrieved: list[Passage] = []
    failure: str | None = None
    """Why the system gave no answer, where it broke down."""
    seconds: float | None = None


class Run:
    """The predictions of one system, and what was odd in the file they came from."""

    def __init__(self, predictions: Iterable[Prediction], name: str = "", warnings: Iterable[str] = ()):
        self.predictions = list(predictions)
        self.name = name
        self.warnings = list(warnings)

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Read a run as `save` writes it; `read_run` also knows the published forms."""
        path = Path(path)
        warn_of_edits(path)
        with open_compressed(path) as stream:
            return cls(decode_lines(stream.read(), msgspec.json.Decoder(Prediction), path), path.name)

    def save(self, path: Path | str) -> None:
        encoder = msgspec.json.Encoder()
        with replacing(Path(path)) as partial, partial.open("wb") as stream:
            for prediction in self.predictions:
                stream.write(encoder.encode(prediction) + b"\n")

    def __iter__(self) -> Iterator[Prediction]:
        return iter(self.predictions)

    def __len__(self) -> int:
        return len(self.predictions)


def read_settings(path: Path) -> dict[str, Any] | None:
    """The settings of a run as they were written; nothing where there are none, or they are damaged."""
    try:
        settings = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return dict(settings) if checksums.is_sealed(settings) else None


def recorded(path: Path) -> checksums.Recorded:
    """What a finished run is known by."""
    return path.stat().st_size, checksums.sha256(path)


def is_edited(path: Path, settings: dict[str, Any]) -> bool:
    """Whether a run was finished with other content than it has now."""
    return bool(checksums.damaged(path.parent, checksums.files_of(settings), checksums.sha256))


def warn_of_edits(path: Path) -> None:
    """Warn where a run is not the one that was written; one that was written elsewhere cannot be known."""
    settings = read_settings(path.with_name(f"{path.name}.settings.json"))
    if settings is not None and is_edited(path, settings):
        told = f"{path} is not the run its settings tell of; was it edited?"
        warnings.warn(RollcallWarning(told), stacklevel=3)
