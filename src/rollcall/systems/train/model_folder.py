"""A folder with a trained system: its weights, and a file that describes it and what it was trained on.

The questions of the training are kept as hashes of their texts, so that a system is not asked, without its
user noticing, what it has seen.
"""

import hashlib
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from rollcall._core import checksums
from rollcall._core.errors import UNREADABLE, RollcallError, RollcallWarning, why
from rollcall.questions.record import Question
from rollcall.systems.interfaces import Asked

ABOUT = "rollcall.json"
_WEIGHTS = ".safetensors"
_SAME_SET = 0.1
"""With a greater share of known questions, a set is one that packaged weights were fitted to."""
Settings = TypeVar("Settings", bound=msgspec.Struct)


class TrainedOn(msgspec.Struct, frozen=True):
    """The questions of a training."""

    set: str = ""
    """The name of the set's folder or file."""
    version: str = ""
    """The hash of the questions."""
    split: str = "train"
    questions: int = 0
    seen: list[str] = []
    """The hashes of their texts."""


class ModelDescription(msgspec.Struct, frozen=True):
    """What a trained system is."""

    system: str
    base: str
    options: dict[str, Any]
    trained_on: TrainedOn
    retriever: dict[str, Any] = {}
    """The settings of the retriever that found the passages of the training."""
    k: int = 0
    history: list[dict[str, float]] = []
    """The figures of each evaluation."""
    best: float | None = None
    """The figure on questions that it had not learned from."""
    measure: str = ""
    """What that figure is called."""
    steps: int = 0
    tokens: int = 0
    seconds: float = 0.0
    rollcall: str = ""
    """The version that trained it."""
    files: dict[str, checksums.Recorded] = {}
    """The other files of the folder."""

    @property
    def version(self) -> str:
        """The hash of the files, which identifies the weights."""
        return hashlib.sha256(msgspec.json.encode(self.files, order="sorted")).hexdigest()[:16]


def write_about(folder: Path, about: ModelDescription) -> None:
    """Describe a folder, after everything else was written to it."""
    # The description of an earlier training must not be recorded as a file of this one.
    (folder / ABOUT).unlink(missing_ok=True)
    about = msgspec.structs.replace(about, files=checksums.record(folder))
    (folder / ABOUT).write_bytes(msgspec.json.format(msgspec.json.encode(about)) + b"\n")


def own_files(folder: Path) -> set[str]:
    """The files of a folder that were written with a trained system, and may be replaced with it."""
    try:
        return {ABOUT, *msgspec.json.decode((folder / ABOUT).read_bytes(), type=ModelDescription).files}
    except (OSError, *UNREADABLE):
        return set()


def read_about(folder: Path | str, system: str) -> ModelDescription:
    """What a folder says; a folder of another system is refused.

    Weights may be missing: thresholds and kept scores are useful without them.
    """
    file = Path(folder) / ABOUT
    if not file.is_file():
        raise RollcallError(
            f"{folder}: is not a trained system (it has no {ABOUT}); make one with `rollcall train {system}`"
        )
    try:
        about = msgspec.json.decode(file.read_bytes(), type=ModelDescription)
    except UNREADABLE as error:
        raise RollcallError(f"{file}: is damaged ({why(error)})") from None
    if about.system != system:
        raise RollcallError(f"{folder}: is a trained {about.system}; a trained {system} is needed")
    broken = checksums.damaged(Path(folder), about.files)
    if broken := [name for name in broken if not name.endswith(_WEIGHTS) or (Path(folder) / name).exists()]:
        raise RollcallError(f"{folder}/{broken[0]}: {checksums.DAMAGED}; train again")
    return about


def check_untrained(folder: Path) -> None:
    """Refuse to replace a trained system: it may have cost hours."""
    try:
        about = msgspec.json.decode((folder / ABOUT).read_bytes(), type=ModelDescription)
    except (OSError, *UNREADABLE):
        return  # other contents are refused when the folder is written
    raise RollcallError(
        f"{folder}: already holds a trained {about.system}; remove it, or choose another folder"
    )


def check_weights(folder: Path | str) -> None:
    """Refuse a folder without its weights, when they are needed."""
    if not any(Path(folder).glob(f"*{_WEIGHTS}")):
        raise RollcallError(
            f"{folder}: has no weights, so it cannot score new passages; copy them (*{_WEIGHTS}) from where "
            "it was trained, or give the scores that were kept there (--option scores=…)"
        )


def write_settings(file: Path, settings: msgspec.Struct) -> None:
    """Write what a system keeps beside its weights."""
    file.write_bytes(msgspec.json.encode(settings))


def read_settings(file: Path, kind: type[Settings]) -> Settings:
    """What a system keeps beside its weights."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except (OSError, *UNREADABLE) as error:
        raise RollcallError(f"{file}: cannot be read ({why(error)}); train again") from None


def seen_hash(question: str) -> str:
    """What identifies a question's text."""
    return hashlib.sha256(question.encode()).hexdigest()[:12]


def trained_on(name: str, split: str, questions: Sequence[str]) -> TrainedOn:
    """The record of a training's questions."""
    seen = sorted(map(seen_hash, questions))
    version = hashlib.sha256("".join(seen).encode()).hexdigest()[:16]
    return TrainedOn(name, version, split, len(questions), seen)


class RefusesSeen:
    """A trained system, which refuses the questions that it was trained on."""

    seen: bool
    _model: str
    _about: ModelDescription

    def check_questions(self, questions: Sequence[Asked]) -> None:
        check_unseen(self._model, self._about, questions, self.seen)


def warn_of_training(of: str, about: ModelDescription, questions: Sequence[Question]) -> None:
    """Warn if a set looks like one that packaged weights were fitted to; `of` begins the line."""
    seen = set(about.trained_on.seen)
    count = sum(seen_hash(question.question) in seen for question in questions)
    if count > _SAME_SET * len(questions):
        message = f"{of} fitted to {count:,} of this set's questions"
        warnings.warn(RollcallWarning(message), stacklevel=4)


def check_unseen(
    folder: Path | str, about: ModelDescription, questions: Iterable[Asked], allowed: bool
) -> None:
    """Refuse questions that a system was trained on, unless its user allows them."""
    hashes = [seen_hash(question.question) for question in questions]
    seen = set(about.trained_on.seen)
    count = sum(digest in seen for digest in hashes)
    if count and not allowed:
        raise RollcallError(
            f"{folder}: was trained on {count:,} of these {len(hashes):,} questions; "
            "choose others with --split, or give --option seen=true"
        )
