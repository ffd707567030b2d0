"""Reads gold questions and predictions in any published format.

The format is recognised from the file's content, never from its name. An unknown format is refused with a
line that says which formats were tried. A set knows how it was read (`described`).
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

from rollcall import __version__
from rollcall._core import checksums
from rollcall._core.errors import RollcallError
from rollcall._core.folders import check_apart, check_folder
from rollcall._core.registry import RegistryEntry, plugin_failures
from rollcall._core.workers import collection_paused
from rollcall.questions.formats import (
    FORMATS,
    AnswersAs,
    Notes,
    QuestionFormat,
    graphquestions,
    harness_logs,
    predictions,
    qampari,
    retrieval,
)
from rollcall.questions.formats.plain import Rollcall
from rollcall.questions.formats.source import SAID_KEYS, Source, load
from rollcall.questions.question_set import QUESTIONS, QuestionSet, own_files
from rollcall.questions.record import Question
from rollcall.questions.release import save_set
from rollcall.questions.run import Run, read_settings, warn_of_edits

SPLIT_IN_NAME = "split_in_name"
"""What the manifest calls a split that the name of the file gave."""
_SPLIT_WORDS = {
    **dict.fromkeys(("train", "training"), "train"),
    **dict.fromkeys(("dev", "development", "val", "valid", "validation"), "dev"),
    **dict.fromkeys(("test", "testing"), "test"),
}


@collection_paused()
def read_questions(
    path: Path | str,
    *,
    file_format: str | None = None,
    answers: AnswersAs | None = None,
    split: str | None = None,
) -> QuestionSet:
    """Gold questions from a question set's folder or from any published file.

    `file_format` is a name, or `module:name`, if the file should not be recognised automatically. `answers`
    says whether lists of strings are sets of answers or names of one answer, if that differs from what the
    file's keys say. `split` is the split of questions whose file gives none; by default it is the one that
    the file's name says (`train_data.jsonl`, `dev.json`).
    """
    path = Path(path)
    if path.is_dir():
        return folder_set(path, file_format, answers)
    return set_of(load(path), file_format=file_format, answers=answers, split=split, name=path.name)


def folder_set(path: Path, file_format: str | None = None, answers: AnswersAs | None = None) -> QuestionSet:
    """The question set of a folder, which must be in Rollcall's own form."""
    if file_format not in (None, "rollcall"):
        raise RollcallError(f"{path}: is a folder; --format {file_format} is for files")
    if answers is not None:
        raise no_lists(str(path), "rollcall", answers)
    return QuestionSet.open(path)


def set_of(
    source: Source,
    *,
    file_format: str | None = None,
    answers: AnswersAs | None = None,
    split: str | None = None,
    name: str = "",
) -> QuestionSet:
    """The questions of a source, with a manifest that says how they were read.

    `split` is for questions that give none; without it, the source's `name` may say one.
    """
    if source.shape == "array" and source.first is None:
        raise RollcallError(f"{source.where}: holds no question")
    if answers not in (None, "set", "names"):
        raise RollcallError(f"answers={answers!r:.80} is not known; choose set or names")
    entry = _recognised(source) if file_format is None else FORMATS.entry(file_format)
    notes = Notes(answers, where=source.where)
    with _failures(entry, source):
        questions = list(entry.thing.read(source, notes))
    if answers is not None and not notes.sets and not notes.names and questions:
        raise no_lists(source.where, entry.name, answers)
    if (
        file_format is not None
        and questions
        and not any(question.answers or question.candidates for question in questions)
    ):
        raise RollcallError(
            f"{source.where}: read as {entry.name}, no record has answers; is it of another format? "
            "Without --format it is recognised"
        )
    if source.shape != "table":  # result tables have no texts
        silent = [question.id for question in questions if not (question.question or question.wordings)]
        notes.warnings += _without_text(source, entry.thing, silent)
    manifest = {"format": entry.name, "file": Path(source.where).name, "answers_read_as": notes.read_as}
    unsplit = [question for question in questions if question.split is None]
    if unsplit and split is None and entry.thing.split_in_name:
        split = _split_in(name)
        manifest |= {} if split is None else {SPLIT_IN_NAME: split}
    for question in unsplit:
        question.split = split
    return QuestionSet(questions, {**manifest, **({"warnings": notes.warnings} if notes.warnings else {})})


def described(questions: QuestionSet, given: object = None) -> str | None:
    """How the given data was read, in one line; empty for records, which need no reading."""
    manifest = questions.manifest
    if "answers_read_as" in manifest and checksums.FILES not in manifest:
        split = f", split {manifest[SPLIT_IN_NAME]} (from its name)" if SPLIT_IN_NAME in manifest else ""
        how = f"read as {manifest['format']}, answers as {manifest['answers_read_as']}{split}"
        return f"{manifest['file']}: {how}"
    return (
        f"{Path(given).name}: read as rollcall, answers as a set" if isinstance(given, str | Path) else None
    )


def no_lists(where: str, format_: str, answers: str) -> RollcallError:
    return RollcallError(
        f"{where}: answers={answers} is for lists of strings, and the format {format_} itself says which "
        "names belong to one answer; leave --answers out"
    )


def _recognised(source: Source) -> "RegistryEntry[type[QuestionFormat]]":
    matching = [entry for entry in FORMATS if _recognises(entry, source)]
    chosen = [entry for entry in matching if not entry.thing.general] or matching
    if len(chosen) > 1:
        names = " or ".join(entry.name for entry in chosen)
        raise RollcallError(f"{source.where}: may be of the format {names}; say which with --format")
    if not chosen:
        known = ", ".join(entry.name for entry in FORMATS)
        keys = f" (its first record has the keys {_some(source.record)})" if source.record else ""
        raise RollcallError(
            f"{source.where}: not recognised as questions{keys}; expected one of {known}; for a format of "
            "your own give --format module:name"
        )
    return chosen[0]


def _split_in(name: str) -> str | None:
    """The split that the name of a file says; None if it says none, or several."""
    splits = {_SPLIT_WORDS[word] for word in re.findall(r"[a-z]+", name.lower()) if word in _SPLIT_WORDS}
    return splits.pop() if len(splits) == 1 else None


def _recognises(entry: RegistryEntry[type[QuestionFormat]], source: Source) -> bool:
    with _failures(entry, source):
        return entry.thing.recognises(source)


def _failures(entry: RegistryEntry[type[QuestionFormat]], source: Source) -> AbstractContextManager[None]:
    return plugin_failures(f"the question format {entry.name}", entry.thing, f"{source.where}: ")


def _without_text(source: Source, format_: type[QuestionFormat], ids: list[str]) -> list[str]:
    if not ids:
        return []
    count = "1 question has" if len(ids) == 1 else f"{len(ids):,} questions have"
    return [
        f"{source.where}: {count} no text ({ids[0]!r:.80} is the first): it is looked for under "
        f"{format_.text_key!r}, and the first record has the keys {_some(source.record)}"
    ]


def _some(record: dict[str, object]) -> str:
    keys = list(record)
    return ", ".join(keys[:12]) + (", …" if len(keys) > 12 else "")


_OTHER_RUNS: tuple[tuple[Callable[[Source], bool], Callable[[Source], Run]], ...] = (
    (retrieval.is_ranking, retrieval.read_ranking),
    (retrieval.is_ranx, retrieval.read_ranx),
    (harness_logs.is_inspect_log, harness_logs.read_inspect_log),
    (harness_logs.is_lm_eval, harness_logs.read_lm_eval),
)
"""The runs of other tools: how each is recognised, and read."""


@collection_paused()
def read_run(path: Path | str) -> Run:
    """Predictions from a run or any published result file, with the settings that made them, if known."""
    path = Path(path)
    if path.is_dir():
        kind = "question set" if (path / QUESTIONS).exists() else "folder"
        raise RollcallError(f"{path}: is a {kind}, but a file of predictions was expected")
    warn_of_edits(path)
    if path.is_file() and harness_logs.is_inspect_archive(path):
        return harness_logs.read_inspect_archive(path)
    run = run_of(load(path))
    run.settings = read_settings(path)
    return run


def run_of(source: Source) -> Run:
    """The predictions of a source."""
    if graphquestions.recognises_results(source):
        _, results, warnings = graphquestions.read_results(source)
        return Run(results, Path(source.where).name, warnings)
    for recognises, read in _OTHER_RUNS:
        if recognises(source):
            return read(source)
    if source.shape == "object":
        return predictions.read_mapping(source)
    if source.shape == "table" or not (source.first is None or isinstance(source.first, dict)):
        raise RollcallError(
            f"{source.where}: not recognised as predictions; give JSON lines with id and answers, "
            "or one JSON object from ids to lists of answers"
        )
    if Rollcall.recognises(source) and not predictions.is_run(source):
        raise RollcallError(f"{source.where}: holds gold questions, where predictions were expected")
    if qampari.Qampari.recognises(source):
        return Run(qampari.read_predictions(source), Path(source.where).name)
    return predictions.read_records(source)


def holds_predictions(source: Source) -> bool:
    """Whether gold questions also have a system's predictions."""
    return bool(SAID_KEYS & source.record.keys()) or graphquestions.recognises_results(source)


# Makes a question set from published files; one set may come from several files.

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
            f"{out}: already holds a question set; name a new folder, or replace it with --force"
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
        told = f"{len(twice):,} ids occur twice, the first is {twice[0]!r}"
        if len(twice) == 1:
            told = f"the id {twice[0]!r} occurs twice"
        raise RollcallError(f"{told}; were the same questions given twice?")
    for question in questions:
        if split is not None and question.split is None:
            question.split = split
    named = " and ".join(sorted(formats))
    manifest: dict[str, Any] = {"version": __version__, "imported_from": named, "inputs": inputs, "seed": 0}
    if judged:
        manifest[JUDGED_BY_PEOPLE] = judged
    save_set(out, questions, manifest)
    return Imported(len(questions), named, lines, warnings)
