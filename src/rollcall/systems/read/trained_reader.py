"""Scores of answers in single passages, kept in a file: what was computed once is not computed again.

A model's scores take a GPU; thresholds and combinations of scores do not. With the scores kept, they can be
chosen again on any machine. Each line has the scores of one passage for one question; a line that a kill cut
short is dropped. A file of another model is refused.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import msgspec

from rollcall._core.errors import UNREADABLE, RollcallError, why
from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Answers, Asked, Reader

if TYPE_CHECKING:
    from rollcall.systems.train.training_example import TrainingExample


class ScoredAnswer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An answer that a passage gives, and how certain the model is of it."""

    answer: str
    """Its text, or the id of an entity."""
    score: float


class _Line(msgspec.Struct, frozen=True, array_like=True, gc=False):
    key: str
    scored: list[ScoredAnswer]


class _Head(msgspec.Struct, frozen=True):
    model: str


class PassageQuestion(NamedTuple):
    """One passage that is read for one question."""

    question: Asked
    passage: Passage

    @property
    def key(self) -> str:
        """What identifies it: the texts, so that other passages of the same id are read again."""
        texts = (self.question.question, self.passage.title, self.passage.text)
        candidates = [candidate.label for candidate in self.question.candidates]
        return hashlib.sha256(msgspec.json.encode([texts, candidates])).hexdigest()[:20]


class KeptScores:
    """Scores in memory and, if there is a file, on disk."""

    def __init__(self, file: Path | None, model: str) -> None:
        """`model` identifies the model whose scores they are."""
        self._file = file
        self._scores: dict[str, list[ScoredAnswer]] = {}
        if file is None:
            return
        if file.exists() and file.stat().st_size:
            self._load(file, model)
        else:
            file.write_bytes(msgspec.json.encode(_Head(model)) + b"\n")

    def get(self, reading: PassageQuestion) -> list[ScoredAnswer] | None:
        return self._scores.get(reading.key)

    def add(self, readings: Sequence[PassageQuestion], scores: Sequence[list[ScoredAnswer]]) -> None:
        """Keep the scores of some readings."""
        new = {reading.key: scored for reading, scored in zip(readings, scores, strict=True)}
        if self._file is None:
            return
        self._scores.update(new)
        with self._file.open("ab") as stream:
            stream.write(b"".join(msgspec.json.encode(_Line(*pair)) + b"\n" for pair in new.items()))

    def _load(self, file: Path, model: str) -> None:
        content = file.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        head, _, lines = whole.partition(b"\n")
        try:
            made_by = msgspec.json.decode(head, type=_Head).model
            records = msgspec.json.Decoder(_Line).decode_lines(lines)
        except UNREADABLE as error:
            raise RollcallError(f"{file}: is not a file of kept scores ({why(error)})") from None
        if made_by != model:
            raise RollcallError(f"{file}: holds the scores of another model; choose another file")
        if len(whole) < len(content):
            with file.open("r+b") as stream:
                stream.truncate(len(whole))
        self._scores = {record.key: record.scored for record in records}


# The options that readers of trained systems share, under the same names.


class TrainedOptions(msgspec.Struct, frozen=True):
    """Which trained system reads."""

    model: str
    """The folder that `rollcall train` made."""
    seen: bool = False
    """Answer questions, too, that it was trained on."""


class PassageScoringOptions(TrainedOptions, frozen=True):
    """A trained system that scores single passages."""

    scores: str | None = None
    """A file in which the scores of single passages are kept, so that they are computed once."""


# Readers that score answers in one passage at a time: the scores are kept, and then combined. Passages
# of many questions are scored together, so that a GPU has large batches.


class PassageReader(Reader):
    """A reader that scores single passages and combines the scores of all."""

    together = 32

    def keep_scores(self, file: Path | str | None, model: str) -> None:
        """Keep scores in a file; `model` identifies the model. Without a file nothing is kept."""
        self._kept = KeptScores(Path(file) if file is not None else None, model)

    @classmethod
    def for_examples(cls, model: str, examples: Sequence["TrainingExample"]) -> Self:
        """A reader of a trained folder that scores the passages of training examples, without a graph."""
        raise NotImplementedError

    def score(self, readings: Sequence[PassageQuestion]) -> list[list[ScoredAnswer]]:
        """The answers that each passage gives to its question, with scores."""
        raise NotImplementedError

    def combine(
        self, question: Asked, passages: Sequence[Passage], scores: Sequence[list[ScoredAnswer]]
    ) -> Answers:
        """The answers to a question, from the scores in each of its passages, best passage first."""
        raise NotImplementedError

    def scored(
        self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]]
    ) -> list[list[list[ScoredAnswer]]]:
        """For each question and each of its passages, the scored answers; only new passages are scored."""
        readings = [
            PassageQuestion(question, passage)
            for question, question_passages in zip(questions, passages, strict=True)
            for passage in question_passages
        ]
        kept = [self._kept.get(reading) for reading in readings]
        new = [reading for reading, known in zip(readings, kept, strict=True) if known is None]
        computed = self.score(new)
        self._kept.add(new, computed)
        rest = iter(computed)
        scores = iter([next(rest) if known is None else known for known in kept])
        return [[next(scores) for _ in question_passages] for question_passages in passages]

    def read_many(self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]]) -> list[Answers]:
        scores = self.scored(questions, passages)
        return [self.combine(*triple) for triple in zip(questions, passages, scores, strict=True)]

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        return self.read_many([question], [passages])[0]
