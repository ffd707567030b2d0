"""What is exported, and the files that it becomes.

A format says which files its folder has and how each is written; `rollcall.questions.exporting` puts them in
their places together. So tools that want a folder of several files need no code of their own for that.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rollcall.file_names import file_names
from rollcall.questions.record import Question

if TYPE_CHECKING:
    from rollcall.corpus import Corpus
    from rollcall.questions.run import Run

UNSPLIT = "all"


@dataclass
class Material:
    """The questions of an export, and what is exported with them."""

    questions: list[Question]
    name: str = "questions"
    """What the export is called, for tools whose datasets and tasks have names."""
    run: "Run | None" = None
    corpus: "Corpus | None" = None

    @cached_property
    def splits(self) -> dict[str, list[Question]]:
        """The questions of each split."""
        found: dict[str, list[Question]] = {}
        for question in self.questions:
            found.setdefault(question.split or UNSPLIT, []).append(question)
        return {split: found[split] for split in sorted(found)}

    @cached_property
    def split_names(self) -> dict[str, str]:
        """The name of each split as part of a file name."""
        return file_names(self.splits)


class ExportedFile(NamedTuple):
    """One file of an export, by its place in the folder."""

    name: str
    write: Callable[[Path], None]
    number: int | None = None
    """The number of things in it, if it is known."""
    holds: str = "questions"
    split: str | None = None
    """The split whose questions it has, if it has those of one."""


def split_files(
    material: Material, ending: str, write: Callable[[Sequence[Question], Path], None]
) -> list[ExportedFile]:
    """One file for each split."""
    return [
        ExportedFile(
            f"{material.split_names[split]}{ending}",
            lambda path, members=members: write(members, path),  # type: ignore[misc]
            len(members),
            split=split,
        )
        for split, members in material.splits.items()
    ]


def text_file(name: str, text: str) -> ExportedFile:
    """A file of text that was made already."""
    return ExportedFile(name, lambda path: _write_text(path, text))


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
