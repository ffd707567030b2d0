"""One system's answers to a question set: a JSONL file with one line for each question.

An answer is a string, or an entity given by its id with or without a label. A question on which the system
failed keeps its line, with the reason, so that a failure is not taken for an empty answer. Beside a run of
Rollcall is a file with the settings that made it and the checksum of the finished run.
"""

import json
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import msgspec

from rollcall._core import checksums
from rollcall._core.errors import RollcallWarning
from rollcall._core.files import open_compressed, replacing
from rollcall._core.packages import data_frame, html_table
from rollcall.questions.question_set import decode_lines, encode_lines
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    import pandas as pd


class EntityAnswer(msgspec.Struct, omit_defaults=True, frozen=True, gc=False):
    """An answer given as an entity of the graph."""

    id: str
    label: str = ""


class Passage(msgspec.Struct, omit_defaults=True, gc=False):
    """A retrieved passage; text and title may be left out if the corpus has the id."""

    id: str = ""
    title: str = ""
    text: str = ""
    score: float | None = None


class Prediction(msgspec.Struct, omit_defaults=True):
    """The answers of a system to one question."""

    id: str
    answers: list[str | EntityAnswer] = []
    retrieved: list[Passage] = []
    failure: str | None = None
    """The reason why the system gave no answer, if it failed."""
    seconds: float | None = None
    cost: dict[str, int] = {}
    """What a system that retrieves again did: passages read, retrievals, judgements, rounds."""
    tokens: float | None = None
    """Tokens that models read and wrote for this question."""
    money: float | None = None
    """What they cost, in any currency."""
    steps: int | None = None
    """Turns of an agent, or calls of its tools."""
    trial: int | None = None
    """Which of several attempts at the same question this is."""
    query: str | None = None
    """The text of the query that gave the answers, if the system has queries."""


class RunCoverage(msgspec.Struct, frozen=True):
    """Which questions of a set a run covers."""

    questions: int
    of: int | None = None
    """The number of questions in the whole set, if it is known."""
    splits: list[str] = []
    """The splits of its questions."""
    wordings: str = ""
    """The hash of the questions' texts."""


class Run:
    """The predictions of one system, warnings about their file, and the settings that made them, if known."""

    def __init__(
        self,
        predictions: Iterable[Prediction],
        name: str = "",
        warnings: Iterable[str] = (),
        settings: dict[str, Any] | None = None,
    ):
        self.predictions = list(predictions)
        self.name = name
        self.warnings = list(warnings)
        self.settings = settings or {}

    @property
    def covers(self) -> RunCoverage | None:
        """Which questions the run covers, if it was recorded."""
        return msgspec.convert(self.settings["covers"], RunCoverage) if "covers" in self.settings else None

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Read a run as `save` writes it; `read_run` also knows the published forms."""
        path = Path(path)
        warn_of_edits(path)
        with open_compressed(path) as stream:
            predictions = decode_lines(stream.read(), msgspec.json.Decoder(Prediction), path)
        return cls(predictions, path.name, settings=read_settings(path))

    def save(self, path: Path | str) -> None:
        with replacing(Path(path)) as partial, partial.open("wb") as stream:
            stream.writelines(encode_lines(self.predictions))

    def to_frame(self) -> "pd.DataFrame":
        """One row for each question; a frame may be given wherever a run is expected."""
        rows = [msgspec.to_builtins(prediction) for prediction in self.predictions]
        return data_frame([{"id": row["id"], "answers": [], **row} for row in rows])

    def __repr__(self) -> str:
        failed = sum(prediction.failure is not None for prediction in self.predictions)
        parts = [counted(len(self), "prediction"), *([f"{failed:,} failed"] if failed else [])]
        if self.covers is not None and self.covers.splits:
            parts.append(f"of {' and '.join(self.covers.splits)}")
        return f"Run({f'{self.name}: ' if self.name else ''}{', '.join(parts)})"

    def _repr_html_(self) -> str:
        rows = (
            (
                prediction.id,
                "; ".join(map(answer_text, prediction.answers)),
                len(prediction.retrieved),
                prediction.failure,
            )
            for prediction in self.predictions
        )
        return html_table(repr(self), ("id", "answers", "passages", "failure"), rows, len(self))

    def __iter__(self) -> Iterator[Prediction]:
        return iter(self.predictions)

    def __len__(self) -> int:
        return len(self.predictions)


def answer_text(answer: str | EntityAnswer) -> str:
    """An answer as a string: an entity's label, else its id."""
    return answer if isinstance(answer, str) else answer.label or answer.id


def settings_file(run: Path) -> Path:
    """The file beside a run with the settings that made it."""
    return run.with_name(f"{run.name}.settings.json")


def sealed_settings(run: Path) -> dict[str, Any] | None:
    """The settings that made a run, as they were written; empty if they are missing or damaged."""
    try:
        settings = json.loads(settings_file(run).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return dict(settings) if checksums.is_sealed(settings) else None


def read_settings(run: Path) -> dict[str, Any]:
    """The settings that made a run; empty if there is no such file."""
    settings = sealed_settings(run) or {}
    return {key: value for key, value in settings.items() if key not in (checksums.FILES, checksums.SEAL)}


def recorded(path: Path) -> checksums.Recorded:
    """The checksum and size by which a finished run is recognised."""
    return path.stat().st_size, checksums.sha256(path)


def is_edited(path: Path, settings: dict[str, Any]) -> bool:
    """Whether a run has changed since it was finished."""
    return bool(checksums.damaged(path.parent, checksums.files_of(settings), checksums.sha256))


def warn_of_edits(path: Path) -> None:
    """Warn if a run differs from the one that was written; this cannot be known for runs of other tools."""
    settings = sealed_settings(path)
    if settings is not None and is_edited(path, settings):
        warning = f"{path} differs from the checksum in its settings; was it edited?"
        warnings.warn(RollcallWarning(warning), stacklevel=3)
