"""The index of a set: what is searched and filtered of each question, and where its line is in the file.

A set may have 60,000 questions with evidence, which take gigabytes as objects. So only texts, names and
characteristics are held; a question is read from its line when somebody opens it.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Self, TypeVar

import msgspec

from rollcall.english.folding import fold, without_accents
from rollcall.errors import RollcallError
from rollcall.nesting import UNREADABLE, why
from rollcall.questions.question_set import MANIFEST, QUESTIONS, ManifestShape, QuestionSet
from rollcall.questions.record import Characteristic, Question

Record = TypeVar("Record")
_MOST_OPEN = 4
"""So many indexes are held at a time."""


class _Named(msgspec.Struct, gc=False):
    label: str
    aliases: list[str] = []


class _Light(msgspec.Struct):
    """What is read of a question's line for the index; the rest is passed over."""

    id: str
    question: str = ""
    wordings: list[str] = []
    kind: str | None = None
    cluster: str | None = None
    split: str | None = None
    characteristics: dict[str, Characteristic] = {}
    answers: list[_Named] = []
    extended: list[_Named] = []


class Entry(NamedTuple):
    """One question in the index."""

    id: str
    text: str
    kind: str
    split: str
    answers: int
    characteristics: dict[str, tuple[str, ...]]
    """The values of each characteristic, as texts; also its kind, split and cluster."""
    searched: str
    """Everything that is searched, folded."""
    start: int
    """Where its line begins in the file."""
    length: int


class SetIndex:
    """A question set, ready to be searched."""

    def __init__(self, folder: Path, entries: list[Entry], manifest: ManifestShape) -> None:
        self.folder = folder
        self.entries = entries
        self.manifest = manifest
        self.places = {entry.id: place for place, entry in enumerate(entries)}
        self.names = list(dict.fromkeys(name for entry in entries for name in entry.characteristics))
        """The characteristics that questions have."""

    @classmethod
    def open(cls, folder: Path | str) -> Self:
        """Read a set's folder once, from the first line to the last."""
        folder = Path(folder)
        decoder = msgspec.json.Decoder(_Light)
        entries = [_entry(one, start, length) for one, start, length in _lines(folder, decoder)]
        return cls(folder, entries, _manifest(folder))

    def question(self, id_: str) -> Question:
        """The whole record of a question."""
        if id_ not in self.places:
            raise RollcallError(f"the set has no question {id_!r:.80}")
        entry = self.entries[self.places[id_]]
        with (self.folder / QUESTIONS).open("rb") as stream:
            stream.seek(entry.start)
            line = stream.read(entry.length)
        try:
            found = msgspec.json.decode(line, type=Question)
        except UNREADABLE as error:
            raise RollcallError(f"{self.folder}: the set changed while it was read; open it again") from error
        if found.id != id_:
            raise RollcallError(f"{self.folder}: the set changed while it was read; open it again")
        return found

    def without_evidence(self) -> QuestionSet:
        """All questions, as scoring needs them: evidence would fill the memory."""
        questions = []
        for question, _, _ in _lines(self.folder, msgspec.json.Decoder(Question)):
            for answer in question.answers:
                answer.evidence = []
            questions.append(question)
        return QuestionSet(questions)

    def __len__(self) -> int:
        return len(self.entries)


class OpenIndexes:
    """The indexes that were used last; a set that changed on disk is read anew."""

    def __init__(self) -> None:
        self._open: OrderedDict[tuple[Path, int, int], SetIndex] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, folder: Path | str) -> SetIndex:
        """The index of a set's folder."""
        folder = Path(folder)
        try:
            told = (folder / QUESTIONS).stat()
        except OSError:
            raise RollcallError(f"{folder}: holds no {QUESTIONS}, so it is not a question set") from None
        key = (folder.resolve(), told.st_mtime_ns, told.st_size)
        with self._lock:
            if key not in self._open:
                self._open[key] = SetIndex.open(folder)
            self._open.move_to_end(key)
            while len(self._open) > _MOST_OPEN:
                self._open.popitem(last=False)
            return self._open[key]


def _lines(folder: Path, decoder: msgspec.json.Decoder[Record]) -> Iterator[tuple[Record, int, int]]:
    """The records of a set, each with where its line begins and how long it is."""
    file = folder / QUESTIONS
    if not file.is_file():
        raise RollcallError(f"{folder}: holds no {QUESTIONS}, so it is not a question set")
    start = 0
    with file.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            if line.strip():
                try:
                    yield decoder.decode(line), start, len(line)
                except UNREADABLE as error:
                    raise RollcallError(f"{file}:{number}: {why(error)}") from error
            start += len(line)


def _manifest(folder: Path) -> ManifestShape:
    try:
        return msgspec.json.decode((folder / MANIFEST).read_bytes(), type=ManifestShape)
    except (OSError, *UNREADABLE):
        return ManifestShape()


def _entry(one: _Light, start: int, length: int) -> Entry:
    names = [name for answer in (*one.answers, *one.extended) for name in (answer.label, *answer.aliases)]
    told: dict[str, Characteristic] = {
        "kind": one.kind,
        "split": one.split,
        **one.characteristics,
        "cluster": one.cluster,
    }
    values = {name: found for name, value in told.items() if (found := _values(value))}
    searched = searchable("\n".join([one.id, one.question, *one.wordings, *names]))
    return Entry(
        one.id,
        one.question,
        one.kind or "",
        one.split or "",
        len(one.answers),
        values,
        searched,
        start,
        length,
    )


def searchable(text: str) -> str:
    """A text as it is searched: without regard to case and accents."""
    return fold(without_accents(text))


def _values(value: Characteristic) -> tuple[str, ...]:
    """A characteristic as texts: a list has several, nothing none."""
    if value is None or value == "":
        return ()
    if isinstance(value, list):
        return tuple(dict.fromkeys(value))
    if isinstance(value, bool):
        return ("yes" if value else "no",)
    return (f"{value:g}" if isinstance(value, float) else str(value),)
