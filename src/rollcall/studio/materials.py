"""The files that a project is made from: their paths are kept with it, and opened when they are needed."""

from pathlib import Path

import msgspec

from rollcall._core.checksums import sha256
from rollcall._core.errors import RollcallError
from rollcall.questions.opening import read_questions, read_run
from rollcall.questions.question_set import QUESTIONS
from rollcall.studio.tasks.task import Material


class Materials(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where the set is, and whatever a task needs with it."""

    questions: str
    corpus: str | None = None
    graph: str | None = None
    runs: list[str] = []
    beside: list[str] = []
    """Other sets that this one is compared with."""


def materials_at(
    questions: Path | str,
    corpus: Path | str | None = None,
    graph: Path | str | None = None,
    runs: "list[Path | str] | None" = None,
    beside: "list[Path | str] | None" = None,
) -> Materials:
    """The same with absolute paths, so that they are found wherever the server is started."""

    def absolute(path: Path | str) -> str:
        return str(Path(path).resolve())

    return Materials(
        questions=absolute(questions),
        corpus=None if corpus is None else absolute(corpus),
        graph=None if graph is None else absolute(graph),
        runs=[absolute(path) for path in runs or []],
        beside=[absolute(path) for path in beside or []],
    )


def read_material(materials: Materials) -> Material:
    """Open everything."""
    others = {_name(path): read_questions(path) for path in materials.beside}
    if len(others) < len(materials.beside) or _name(materials.questions) in others:
        raise RollcallError("two of the sets have the same name; rename the folder of one")
    from rollcall.corpus import Corpus
    from rollcall.graph import Graph

    return Material(
        questions=read_questions(materials.questions),
        name=_name(materials.questions),
        runs=[read_run(path) for path in materials.runs],
        corpus=None if materials.corpus is None else Corpus.open(materials.corpus),
        graph=None if materials.graph is None else Graph.open(materials.graph),
        others=others,
    )


def set_checksum(materials: Materials) -> str:
    """The checksum of the questions, by which an export knows whether the set is still the same."""
    path = Path(materials.questions)
    return sha256(path / QUESTIONS if path.is_dir() else path)


def _name(path: str) -> str:
    return Path(path).stem
