"""What a system learns from: a question, its answers, and passages labelled by the answers they prove.

One record serves every system: positives and negatives of a retriever, targets of a generator, spans of an
extractive reader. Examples are a file of their own, so that they can be made where the corpus is, and
learned from where the GPU is.
"""

import gzip
from collections.abc import Iterable
from pathlib import Path

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.files import DamagedFileError, open_compressed, replacing_part
from rollcall.questions.question_set import decode_lines
from rollcall.questions.record import Answer, Candidate, Question
from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Asked, asked
from rollcall.systems.read.linking import LinkedMention

PARTS = ("train", "dev")
"""The parts of a folder of training examples."""


class LabelledPassage(msgspec.Struct, omit_defaults=True):
    """A passage, and what it says about the answers, which are given by their indices in the example."""

    id: str = ""
    title: str = ""
    text: str = ""
    score: float | None = None
    proves: dict[int, float] = {}
    """For each answer that it gives evidence for, the share of the answer's facts that it states."""
    names: list[int] = []
    """The answers that it names, with or without evidence."""
    mentions: list[LinkedMention] = []
    """The entities that may be meant in it, if the training examples were made with a graph."""

    @property
    def passage(self) -> Passage:
        return Passage(self.id, self.title, self.text, self.score)

    @property
    def proved(self) -> list[int]:
        """The answers that the passage alone proves, in their order."""
        return sorted(index for index, share in self.proves.items() if share >= 1.0)


class QueryReading(msgspec.Struct):
    """A query that a question may ask for, as `ask` sees it, and whether it has the right answers."""

    question: str
    """The question with letters for the names that the query uses."""
    wording: str
    """The query in words, with the same letters."""
    features: list[float]
    answers: int
    """Readings of a question with the same number have the same answers."""
    is_right: bool


class TrainingExample(msgspec.Struct, omit_defaults=True):
    """A question with its answers and labelled passages."""

    id: str
    question: str
    split: str | None = None
    kind: str | None = None
    cluster: str | None = None
    answers: list[Answer] = []
    """The answers, without their evidence."""
    candidates: list[Candidate] = []
    """Of the closed setting, with their evidence."""
    passages: list[LabelledPassage] = []
    """The retrieved passages, best first."""
    proofs: list[LabelledPassage] = []
    """The passages of the evidence that were not retrieved."""
    wordings: list[str] = []
    """Other ways to ask it."""
    readings: list[QueryReading] = []
    """The queries that the question may ask for, if the training examples were made for `ask`; best first."""
    relations: list[str] = []
    """What the question is about, if its set says so."""

    @property
    def asked(self) -> Asked:
        """What a system may see of it."""
        return asked(self.as_question)

    @property
    def as_question(self) -> Question:
        """The question as a scorer needs it."""
        return Question(self.id, self.question, answers=self.answers, candidates=self.candidates)


def example_parts(folder: Path) -> list[Path]:
    """The files of a folder of training examples; none if it is not such a folder."""
    files = [example_file(folder, part) for part in PARTS]
    return [file for file in files if file.is_file()]


def example_file(folder: Path, part: str) -> Path:
    """The file of a part of the training examples."""
    return folder / f"{part}.jsonl.gz"


def write_examples(file: Path, examples: Iterable[TrainingExample]) -> int:
    """Write examples as compressed lines, the same bytes for the same content; returns their number."""
    encoder, count = msgspec.json.Encoder(), 0
    with (
        replacing_part(file) as partial,
        partial.open("wb") as raw,
        gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=5, mtime=0, filename="") as stream,
    ):
        for example in examples:
            stream.write(encoder.encode(example) + b"\n")
            count += 1
    return count


def read_examples(file: Path) -> list[TrainingExample]:
    """The training examples of a file."""
    try:
        with open_compressed(file) as stream:
            return decode_lines(stream.read(), msgspec.json.Decoder(TrainingExample), file)
    except DamagedFileError as error:
        raise RollcallError(f"{file}: {error.reason}; delete its folder to make it again") from None
