"""`stored`: gives the passages that a retrieval wrote to a file, so that readers need no corpus.

A folder of exercises holds passages as well, so what was prepared for training can also be read.

Retrieval and reading may then be done on different machines, and several readers read exactly the same.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from rollcall.checksums import sha256
from rollcall.english.counting import counted
from rollcall.errors import RollcallError
from rollcall.questions.run import Passage, Run
from rollcall.systems.interfaces import Asked, Retriever
from rollcall.systems.retrieve import RETRIEVERS
from rollcall.systems.train.exercise import exercise_parts, read_exercises


class StoredOptions(msgspec.Struct, frozen=True):
    """Which retrieval is used."""

    passages: str
    """The file that `rollcall retrieve` wrote, or a folder of exercises (`rollcall train --prepare`)."""


@RETRIEVERS.register("stored")
class Stored(Retriever):
    """Gives the passages that `rollcall retrieve` wrote to a file, or those of exercises."""

    name = "stored"
    Options = StoredOptions

    def __init__(self, passages: Path | str) -> None:
        self._file = Path(passages)
        files = exercise_parts(self._file)
        if not files and not self._file.is_file():
            raise RollcallError(f"{self._file}: no such file; write it with `rollcall retrieve`")
        self._found = _of_exercises(files) if files else _of_run(self._file)
        self.content = " ".join(sha256(one)[:16] for one in files or [self._file])
        texts = [passage.text for found in self._found.values() for passage in found]
        if texts and not any(texts):
            raise RollcallError(
                f"{self._file}: has passages without texts, so nothing can be read; retrieve with texts"
            )

    def retrieve(self, questions: Sequence[Asked], k: int) -> list[list[Passage]]:
        missing = [one.id for one in questions if one.id not in self._found]
        if missing:
            raise RollcallError(
                f"{self._file}: has no passages for the question {missing[0]}"
                + (f" and {counted(len(missing) - 1, 'other')}" if len(missing) > 1 else "")
                + "; retrieve them with `rollcall retrieve`"
            )
        return [self._found[one.id][:k] for one in questions]


def _of_run(file: Path) -> dict[str, list[Passage]]:
    return {one.id: one.retrieved for one in Run.open(file)}


def _of_exercises(files: Sequence[Path]) -> dict[str, list[Passage]]:
    exercises = (one for file in files for one in read_exercises(file))
    return {one.id: [each.passage for each in one.passages] for one in exercises}
