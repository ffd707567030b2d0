"""Makes a question set from published files; one set may come from several files."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rollcall import __version__
from rollcall.errors import RollcallError
from rollcall.folders import check_apart, check_folder
from rollcall.questions.formats import AnswersAs
from rollcall.questions.opening import described, read_questions
from rollcall.questions.question_set import QUESTIONS, own_files
from rollcall.questions.record import Question
from rollcall.questions.release import save_set

JUDGED_BY_PEOPLE = "studio"
"""The part of a manifest that an import keeps: what people judged, with the questions that they dropped."""


class Imported(NamedTuple):
    """The result of an import."""

    questions: int
    format: str
    read: list[str]
    """How each file was read, one line for each."""
    warnings: list[str]


def import_set(
    sources: Sequence[Path],
    out: Path,
    split: str | None = None,
    *,
    file_format: str | None = None,
    answers: AnswersAs | None = None,
    force: bool = False,
) -> Imported:
    """Read files of questions and write them as one set; an id that occurs twice is refused.

    `file_format` and `answers` are as in `read_questions`. An existing set is replaced only with `force`, and
    only if its folder has no other files.
    """
    check_apart(out, sources)
    check_folder(out, own_files)
    if (out / QUESTIONS).exists() and not force:
        raise RollcallError(
            f"{out}: holds a question set already; name a new folder, or replace it by --force"
        )
    questions: list[Question] = []
    inputs: dict[str, dict[str, object]] = {}
    lines: list[str] = []
    formats: Counter[str] = Counter()
    warnings: list[str] = []
    judged: list[object] = []
    for source in dict.fromkeys(sources):
        read = read_questions(source, file_format=file_format, answers=answers, split=split)
        lines.append(described(read, source) or str(source))
        formats[str(read.manifest.get("format", "rollcall"))] += len(read)
        warnings += read.manifest.get("warnings", [])
        judged += read.manifest.get(JUDGED_BY_PEOPLE, [])
        questions += read.questions
        file = source / QUESTIONS if source.is_dir() else source
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        inputs[source.name] = {"sources": [source.name], "sha256": digest, "questions": len(read)}
    if not questions:
        raise RollcallError(f"{', '.join(str(source) for source in sources)}: holds no question")
    twice = [id_ for id_, count in Counter(question.id for question in questions).items() if count > 1]
    if twice:
        raise RollcallError(
            f"{len(twice)} ids come twice, the first is {twice[0]!r}; were the same questions given twice?"
        )
    for question in questions:
        if split is not None and question.split is None:
            question.split = split
    named = " and ".join(sorted(formats))
    manifest: dict[str, Any] = {"version": __version__, "imported_from": named, "inputs": inputs, "seed": 0}
    if judged:
        manifest[JUDGED_BY_PEOPLE] = judged
    save_set(out, questions, manifest)
    return Imported(len(questions), named, lines, warnings)
