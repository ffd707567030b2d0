"""The formats in which questions are kept in files: each recognises its own, reads it, and may write it.

Each registers itself in its own file. A format is recognised by the shape of a file and the keys of its first
record, never by the file's name, and every reading says what lists of strings were taken for: a set of
answers, or the names of one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from rollcall.errors import RollcallError
from rollcall.registry import Registry

if TYPE_CHECKING:
    from rollcall.questions.formats.source import Source
    from rollcall.questions.record import Question

AnswersAs = Literal["set", "names"]
"""What a list of strings is: a set of answers, or the names of one answer."""


@dataclass
class Notes:
    """What is known about a reading besides the questions."""

    answers: AnswersAs | None = None
    """What the caller says lists of strings are; None where the file's own keys decide."""
    warnings: list[str] = field(default_factory=list)
    sets: int = 0
    """Questions whose list of strings was read as a set of answers."""
    names: int = 0
    """Questions whose list of strings was read as the names of one answer."""

    def lists_as(self, usual: AnswersAs) -> AnswersAs:
        """What the list of strings of one question is; `usual` is what its keys say."""
        chosen = self.answers or usual
        self.sets += chosen == "set"
        self.names += chosen == "names"
        return chosen

    @property
    def read_as(self) -> str:
        """What the answers were read as, in words."""
        if self.sets and self.names:
            return f"a set in {self.sets:,} questions, as names of one answer in {self.names:,}"
        return "names of one answer" if self.names else "a set"


class QuestionFormat:
    """A form of files with questions."""

    general: ClassVar[bool] = False
    """Whether it is only taken for files that no other format recognises."""
    ending: ClassVar[str] = ".jsonl"
    """What its files end in, behind the name of their split."""
    text_key: ClassVar[str] = "question"
    """Where the text of a question stands, for messages."""

    @classmethod
    def recognises(cls, source: "Source") -> bool:
        """Whether a file has this form, by its shape and its first record."""
        return False

    @classmethod
    def read(cls, source: "Source", notes: Notes) -> "Iterable[Question]":
        """The questions of a file; what is odd about it goes to the notes."""
        raise RollcallError(f"{source.where}: {cls.__name__} is a format that can be written, but not read")

    @classmethod
    def write(cls, questions: "Sequence[Question]", path: Path) -> None:
        """Write questions to a file."""
        raise RollcallError(f"{cls.__name__} is a format that can be read, but not written")

    @classmethod
    def is_written(cls) -> bool:
        return cls.write.__func__ is not QuestionFormat.write.__func__  # type: ignore[attr-defined]


def _lacks(thing: object) -> str | None:
    if isinstance(thing, type) and issubclass(thing, QuestionFormat):
        return None
    return "it is no subclass of rollcall.questions.formats.QuestionFormat"


FORMATS: Registry[type[QuestionFormat]] = Registry(
    "question format", "formats", "rollcall.questions.formats", _lacks
)
