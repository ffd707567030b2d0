"""A question set on disk: a folder with `questions.jsonl` and `manifest.json`.

Reading is a stream of records, each line checked against its type; writing replaces the whole folder
at once, so that nobody ever sees half of it.
"""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec

from rollcall.errors import RollcallError
from rollcall.files import open_compressed, replacing
from rollcall.nesting import UNREADABLE, why
from rollcall.questions.record import Question

QUESTIONS = "questions.jsonl"
MANIFEST = "manifest.json"

Record = TypeVar("Record")


class StageShape(msgspec.Struct):
    """What a manifest tells of a stage."""

    rows: int = 0
    removed: dict[str, int] = {}


class InputShape(msgspec.Struct):
    """What a manifest tells of an input."""

    sources: list[str] = []


class ManifestShape(msgspec.Struct):
    """The parts of a manifest that others rely on, as far as it has them."""

    format: str = ""
    recipe: dict[str, Any] = {}
    stages: dict[str, StageShape] = {}
    inputs: dict[str, InputShape] = {}
    notes: list[str] = []
    warnings: list[str] = []
    seed: int | None = None
    questions_sha256: str | None = None


class QuestionSet:
    """Questions, and the manifest that says where they come from."""

    def __init__(self, questions: Iterable[Question], manifest: dict[str, Any] | None = None):
        self.questions = list(questions)
        self.manifest: dict[str, Any] = manifest or {}

    @classmethod
    def open(cls, folder: Path | str) -> Self:
        """Read a saved set; the manifest may be missing, the questions may not."""
        folder = Path(folder)
        file = folder / QUESTIONS
        if not file.is_file():
            raise RollcallError(f"{folder}: holds no {QUESTIONS}, so it is not a question set")
        manifest_file = folder / MANIFEST
        manifest: dict[str, Any] = {}
        if manifest_file.is_file():
            try:
                manifest = msgspec.json.decode(manifest_file.read_bytes(), type=dict[str, Any])
                msgspec.convert(manifest, ManifestShape)
            except UNREADABLE as error:
                raise RollcallError(f"{manifest_file}: not a manifest ({why(error)})") from error
        with open_compressed(file) as stream:
            return cls(decode_lines(stream.read(), msgspec.json.Decoder(Question), file), manifest)

    def of_splits(self, splits: Collection[str] | None) -> "QuestionSet":
        """The questions of these splits; all of them where none is named."""
        if not splits:
            return self
        chosen = [question for question in self.questions if question.split in splits]
        if not chosen:
            known = ", ".join(sorted({one.split for one in self.questions if one.split})) or "none"
            raise RollcallError(f"no question is of the split {' or '.join(splits)}; there are: {known}")
        return QuestionSet(chosen, self.manifest)

    def save(self, folder: Path | str) -> None:
        """Write the set as a folder, in place of what stood there."""
        encoder = msgspec.json.Encoder()
        with replacing(Path(folder)) as partial:
            partial.mkdir()
            with (partial / QUESTIONS).open("wb") as stream:
                for question in self.questions:
                    stream.write(encoder.encode(question) + b"\n")
            text = msgspec.json.format(encoder.encode(self.manifest), indent=2)
            (partial / MANIFEST).write_bytes(text + b"\n")

    def __iter__(self) -> Iterator[Question]:
        return iter(self.questions)

    def __len__(self) -> int:
        return len(self.questions)


def decode_lines(data: bytes, decoder: msgspec.json.Decoder[Record], path: Path) -> list[Record]:
    """Decode JSON lines, skipping blank ones; a bad line is named by its number."""
    try:
        return decoder.decode_lines(data)
    except UNREADABLE:
        return _decode_one_by_one(data, decoder, path)


def _decode_one_by_one(data: bytes, decoder: msgspec.json.Decoder[Record], path: Path) -> list[Record]:
    records = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            try:
                records.append(decoder.decode(line))
            except UNREADABLE as error:
                raise RollcallError(f"{path}:{number}: {why(error)}") from error
    return records
