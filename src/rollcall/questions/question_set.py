"""A question set on disk: a folder with `questions.jsonl` and `manifest.json`.

Reading gives a stream of records, each line checked against its type. Writing replaces the whole folder at
once, so that an incomplete set is never seen. The manifest has checksums of the files: if people edit a set,
a warning says so when it is opened.
"""

import hashlib
import json
import re
import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import msgspec

from rollcall._core import checksums
from rollcall._core.errors import UNREADABLE, RollcallError, RollcallWarning, why
from rollcall._core.files import file_names, open_compressed
from rollcall._core.folders import replacing_folder
from rollcall._core.packages import SHOWN, data_frame, html_table
from rollcall.questions.record import Question
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    import pandas as pd


_PLAIN_WORD = re.compile(r"[A-Za-z][\w-]*")
_YAML_WORDS = frozenset(("no", "on", "off", "yes", "y", "n", "true", "false", "null"))


def yaml_word(text: str) -> str:
    """A text as one value of a page's YAML head."""
    from rollcall._core.yaml_tree import quoted

    if _PLAIN_WORD.fullmatch(text) and text.lower() not in _YAML_WORDS:
        return text
    return quoted(text)


# The head of a card, which tells dataset hubs which file contains which split. Without it a hub takes
# every file for training data, including development and test questions.

_OPENING = ["---", "task_categories:", "- question-answering"]
OPENING = ("\n".join(_OPENING) + "\n").encode()
"""The beginning of every card of Rollcall, which a page written by hand is unlikely to have."""
UNSPLIT = "questions"
"""The split that hubs show for questions without a split; hubs reserve the word `all`."""
_MAPPED = re.compile(r"^  - split: (.+)\n    path: (.+)$", re.MULTILINE)
_ODD = re.compile(r"\W+", re.ASCII)


def card_head(language: str, files: Mapping[str, str], more: Sequence[str] = ()) -> list[str]:
    """The lines of the head; `files` gives the file of each split, under the names of `hub_splits`.

    `more` are further lines of YAML.
    """
    return card_head_of(language, {"default": files} if files else {}, more)


def card_head_of(
    language: str,
    configs: Mapping[str, Mapping[str, str]],
    more: Sequence[str] = (),
    task: str | None = None,
) -> list[str]:
    """The head of a dataset of several configurations, each with the file of each of its splits."""
    lines = [*_OPENING, *([f"- {task}"] if task else []), "language:", f"- {yaml_word(language)}"]
    lines += ["configs:"] if configs else []
    for config, files in configs.items():
        lines += [f"- config_name: {yaml_word(config)}", "  data_files:"]
        for split, name in files.items():
            lines += [f"  - split: {yaml_word(split)}", f"    path: {yaml_word(name)}"]
    return [*lines, *more, "---", ""]


def hub_splits(splits: Iterable[str | None]) -> dict[str | None, str]:
    """For each split, a unique name that hubs allow (letters, digits and underscores)."""
    chosen: dict[str | None, str] = {}
    for split in sorted(set(splits), key=lambda split: (split is not None, split or "")):
        plain = _ODD.sub("_", file_names([split])[split]).strip("_") if split else ""
        name = plain = UNSPLIT if plain in ("", "all") else plain
        while name in chosen.values():
            name = f"{plain}_{len(chosen)}"
        chosen[split] = name
    return chosen


def mapped_files(card: str) -> dict[str, str]:
    """The splits and files that the head of a Rollcall card names."""
    head = card.split("\n---\n", 1)[0]
    return {_word(split): _word(name) for split, name in _MAPPED.findall(head)}


def _word(written: str) -> str:
    return str(json.loads(written)) if written.startswith('"') else written


def is_own_card(path: Path) -> bool:
    """Whether a page is a card that Rollcall wrote, and so may replace."""
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(len(OPENING)) == OPENING


QUESTIONS = "questions.jsonl"
MANIFEST = "manifest.json"
CARD = "README.md"
SPLIT_FILE = ".parquet"
"""The ending of the files of single splits, which a released set has for dataset libraries."""

Record = TypeVar("Record")


class StageShape(msgspec.Struct):
    """What a manifest says about a stage."""

    rows: int = 0
    removed: dict[str, int] = {}


class InputShape(msgspec.Struct):
    """What a manifest says about an input."""

    sources: list[str] = []


class ManifestShape(msgspec.Struct):
    """The parts of a manifest that other code relies on; all are optional."""

    format: str = ""
    recipe: dict[str, Any] = {}
    stages: dict[str, StageShape] = {}
    inputs: dict[str, InputShape] = {}
    notes: list[str] = []
    warnings: list[str] = []
    seed: int | None = None
    studio: list[dict[str, Any]] = []
    """What people judged; it also has the questions that they dropped, so it travels with the set."""
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
                raise RollcallError(f"{manifest_file}: damaged, or not a manifest ({why(error)})") from error
        with open_compressed(file) as stream:
            data = stream.read()
        _warn_of_edits(folder, data, manifest)
        return cls(decode_lines(data, msgspec.json.Decoder(Question), file), manifest)

    def of_splits(self, splits: str | Collection[str] | None) -> "QuestionSet":
        """The questions of these splits, or of the one named; all if none is named."""
        if not splits:
            return self
        splits = [splits] if isinstance(splits, str) else splits
        chosen = [question for question in self.questions if question.split in splits]
        if not chosen:
            known = (
                ", ".join(sorted({question.split for question in self.questions if question.split})) or "none"
            )
            raise RollcallError(f"no question is of the split {' or '.join(splits)}; there are: {known}")
        return QuestionSet(chosen, self.manifest)

    def save(self, folder: Path | str) -> None:
        """Write the set as a folder, replacing an existing one."""
        with replacing_folder(Path(folder), own_files) as partial:
            with (partial / QUESTIONS).open("wb") as stream:
                stream.writelines(encode_lines(self.questions))
            write_manifest(partial, self.manifest, [QUESTIONS])

    def to_frame(self) -> "pd.DataFrame":
        """One row for each question, with all fields of the record and the labels of its answers.

        A frame may be given wherever questions are expected, and nothing of them is lost.
        """
        return data_frame([_row(question) for question in self.questions])

    def __repr__(self) -> str:
        splits = Counter(question.split for question in self.questions if question.split)
        listed = ", ".join(f"{count:,} {split}" for split, count in islice(splits.items(), SHOWN))
        return f"{type(self).__name__}({counted(len(self), 'question')}{f': {listed}' if listed else ''})"

    def _repr_html_(self) -> str:
        rows = (
            (
                question.id,
                question.question,
                question.kind,
                question.split,
                "; ".join(answer.label for answer in question.answers),
            )
            for question in self.questions
        )
        return html_table(repr(self), ("id", "question", "kind", "split", "answers"), rows, len(self))

    def __iter__(self) -> Iterator[Question]:
        return iter(self.questions)

    def __len__(self) -> int:
        return len(self.questions)


def _row(question: Question) -> dict[str, object]:
    labels = [answer.label for answer in question.answers]
    first: dict[str, object] = {"id": question.id, "question": question.question, "labels": labels}
    record: dict[str, object] = msgspec.to_builtins(question)
    return {**first, **record, "answers": record.get("answers", [])}


def write_manifest(folder: Path, manifest: dict[str, Any], names: Iterable[str]) -> None:
    """Write the manifest of a set, with the checksums of the files that were written before it."""
    files = {name: ((folder / name).stat().st_size, checksums.sha256(folder / name)) for name in names}
    text = msgspec.json.encode(checksums.sealed({**manifest, checksums.FILES: files}))
    (folder / MANIFEST).write_bytes(msgspec.json.format(text, indent=1) + b"\n")


def _warn_of_edits(folder: Path, questions: bytes, manifest: dict[str, Any]) -> None:
    """Warn if a set differs from the one that was written; this cannot be known for sets of other tools."""
    if {checksums.FILES, checksums.SEAL}.isdisjoint(manifest):
        return
    if not checksums.is_sealed(manifest):
        warning = f"{folder / MANIFEST} was changed after it was written; was it edited?"
        warnings.warn(RollcallWarning(warning), stacklevel=3)
    elif checksums.files_of(manifest).get(QUESTIONS, (0, ""))[1] != hashlib.sha256(questions).hexdigest():
        warning = f"{folder / QUESTIONS} differs from the checksum in its manifest; was it edited?"
        warnings.warn(RollcallWarning(warning), stacklevel=3)


def own_files(folder: Path) -> set[str]:
    """The files of a folder that belong to a saved set, and may be replaced with it.

    A set is recognised by its manifest, which every saved set has, even if people edited the set.
    """
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=dict[str, Any])
    except (OSError, *UNREADABLE):
        return set()
    if QUESTIONS not in checksums.files_of(manifest) and "questions_sha256" not in manifest:
        return set()
    splits = {name for name in checksums.files_of(manifest) if name.endswith(SPLIT_FILE) and "/" not in name}
    return {QUESTIONS, MANIFEST, *splits, *({CARD} if is_own_card(folder / CARD) else ())}


def decode_lines(data: bytes, decoder: msgspec.json.Decoder[Record], path: Path) -> list[Record]:
    """Decode JSON lines, skipping blank ones; a bad line is named by its number."""
    try:
        return decoder.decode_lines(data)
    except UNREADABLE:
        return _decode_one_by_one(data, decoder, path)


def encode_lines(records: Iterable[object]) -> Iterator[bytes]:
    """Records as JSON lines, which `decode_lines` reads."""
    encoder = msgspec.json.Encoder()
    return (encoder.encode(record) + b"\n" for record in records)


def _decode_one_by_one(data: bytes, decoder: msgspec.json.Decoder[Record], path: Path) -> list[Record]:
    records = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            try:
                records.append(decoder.decode(line))
            except UNREADABLE as error:
                raise RollcallError(f"{path}:{number}: {why(error)}") from error
    return records
