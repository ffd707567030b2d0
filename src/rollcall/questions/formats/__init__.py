"""The file formats of questions: each recognises its own files, reads them, and may write them.

Each registers itself in its own file. A format is recognised by the shape of a file and the keys of its first
record, never by the file's name. Every reading says how lists of strings were read: as a set of answers, or
as the names of one answer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from rollcall._core.errors import RollcallError
from rollcall._core.packages import names_on_first_use
from rollcall._core.registry import Registry, lacks_method

if TYPE_CHECKING:
    from rollcall.questions.formats.source import ExportedFile, ExportSource
    from rollcall.questions.formats.source import Source as Source
    from rollcall.questions.formats.source import write_lines as write_lines
    from rollcall.questions.record import Question

__all__ = ["FORMATS", "Notes", "QuestionFormat", "Source", "write_lines"]

AnswersAs = Literal["set", "names"]
"""The meaning of a list of strings: a set of answers, or the names of one answer."""


@dataclass
class Notes:
    """What is known about a reading, besides the questions."""

    answers: AnswersAs | None = None
    """What the caller says lists of strings are; None if the file's own keys decide."""
    warnings: list[str] = field(default_factory=list)
    sets: int = 0
    """Questions whose list of strings was read as a set of answers."""
    names: int = 0
    """Questions whose list of strings was read as the names of one answer."""
    where: str = ""
    """The file, or a name for data given by a script; messages begin with it."""

    def lists_as(self, usual: AnswersAs) -> AnswersAs:
        """The meaning of the list of strings of one question; `usual` is what its keys say."""
        chosen = self.answers or usual
        self.sets += chosen == "set"
        self.names += chosen == "names"
        return chosen

    @property
    def read_as(self) -> str:
        """How the answers were read, in words."""
        if self.sets and self.names:
            return f"a set in {self.sets:,} questions, as names of one answer in {self.names:,}"
        return "names of one answer" if self.names else "a set"


class QuestionFormat:
    """A format of files with questions."""

    general: ClassVar[bool] = False
    """Whether it is used only for files that no other format recognises."""
    ending: ClassVar[str] = ".jsonl"
    """The ending of its files, after the name of the split."""
    text_key: ClassVar[str] = "question"
    """The key of a question's text, for messages."""
    split_in_name: ClassVar[bool] = True
    """Whether the name of a file may say of which split its questions are, because they do not say it."""
    has_card: ClassVar[bool] = True
    """Whether a folder of its files gets Rollcall's card."""
    keeps_neutral: ClassVar[bool] = False
    """Whether its files say which answers are neutral; files of other formats have those that count."""
    takes: ClassVar[tuple[Literal["run", "corpus"], ...]] = ()
    """What can be exported together with questions."""

    @classmethod
    def recognises(cls, source: "Source") -> bool:
        """Whether a file has this format, by its shape and its first record."""
        return False

    @classmethod
    def read(cls, source: "Source", notes: Notes) -> "Iterable[Question]":
        """The questions of a file; irregularities are recorded in the notes."""
        raise RollcallError(f"{source.where}: {cls.__name__} is a format that can be written, but not read")

    @classmethod
    def write(cls, questions: "Sequence[Question]", path: Path) -> None:
        """Write questions to a file."""
        raise RollcallError(f"{cls.__name__} is a format that can be read, but not written")

    @classmethod
    def files(cls, material: "ExportSource") -> "list[ExportedFile]":
        """The files of a folder: by default one for each split. Tools that want more override this."""
        from rollcall.questions.formats.source import split_files

        return split_files(material, cls.ending, cls.write)

    @classmethod
    def is_written(cls) -> bool:
        """Whether it has a way to write files or folders."""
        return cls.is_file() or lacks_method(cls, QuestionFormat, "files", "files(material)") is None

    @classmethod
    def is_file(cls) -> bool:
        """Whether all questions can be written to one file."""
        return lacks_method(cls, QuestionFormat, "write", "write(questions, path)") is None


def _lacks(thing: object) -> str | None:
    if isinstance(thing, type) and issubclass(thing, QuestionFormat):
        unread = lacks_method(thing, QuestionFormat, "read", "read(source, notes)")
        return f"{unread}, nor write(questions, path)" if unread and not thing.is_written() else None
    return "it is not a subclass of rollcall.questions.formats.QuestionFormat"


FORMATS: Registry[type[QuestionFormat]] = Registry(
    "question format", "formats", "rollcall.questions.formats", _lacks
)

if not TYPE_CHECKING:
    __getattr__, __dir__ = names_on_first_use(__name__, dict.fromkeys(("Source", "write_lines"), "source"))
