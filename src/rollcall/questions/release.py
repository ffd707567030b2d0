"""Writes a finished question set: `questions.jsonl`, `manifest.json`, the card `README.md`, and the splits.

Questions are processed as a stream, so that a set may be larger than memory. Every split is also written as
Parquet, because dataset libraries treat a file as one split; the card lists these files. The manifest is
written last, with the hashes of the other files: a folder that has it is complete.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from rollcall._core.errors import Filter
from rollcall._core.files import file_names
from rollcall._core.folders import replacing_folder
from rollcall.questions.card import card
from rollcall.questions.formats.tables import RowWriter
from rollcall.questions.question_set import (
    CARD,
    QUESTIONS,
    SPLIT_FILE,
    UNSPLIT,
    hub_splits,
    own_files,
    write_manifest,
)
from rollcall.questions.record import Question
from rollcall.questions.splits import lot
from rollcall.questions.statistics import Statistics

FORMAT = "rollcall"
_EXAMPLES_A_KIND = 2
_EXAMPLE_ANSWERS = 30
"""A question with more answers than this is too long for an example."""


class Examples:
    """Some questions of every kind, sampled at random while the questions are written."""

    def __init__(self, seed: int):
        self._seed = seed
        self._best: dict[str, list[tuple[bool, str, Question]]] = {}

    def offer(self, question: Question) -> None:
        position = lot(self._seed, "example", question.id)
        best = self._best.setdefault(question.kind or "", [])
        best.append((len(question.answers) > _EXAMPLE_ANSWERS, position, question))
        best.sort(key=lambda entry: entry[:2])
        del best[_EXAMPLES_A_KIND:]

    def chosen(self, kinds: Iterable[str]) -> list[Question]:
        return [question for kind in kinds for _, _, question in self._best.get(kind, ())]


def write_set(folder: Path, questions: Iterable[Question], manifest: dict[str, Any]) -> Statistics:
    """Write the files of a set into an existing folder, and return the set's figures."""
    statistics, examples = Statistics(), Examples(int(manifest.get("seed") or 0))
    encoder = msgspec.json.Encoder()
    with (folder / QUESTIONS).open("wb") as stream, SplitFiles(folder) as splits:
        for question in questions:
            stream.write(encoder.encode(question) + b"\n")
            splits.add(question)
            statistics.add(question)
            examples.offer(question)
    full = {"format": FORMAT, **manifest, "counts": counts(statistics)}
    page = card(full, statistics, examples.chosen(statistics.kinds), splits.files)
    (folder / CARD).write_text(page, encoding="utf-8")
    write_manifest(folder, full, [QUESTIONS, CARD, *splits.files.values()])
    return statistics


class SplitFiles(ExitStack):
    """One Parquet file for each split that occurs."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._writers: dict[str | None, RowWriter] = {}
        self._names: dict[str | None, str] = {}

    def add(self, question: Question) -> None:
        split = question.split or None
        if split not in self._writers:
            self._names[split] = self._new_name(split)
            self._writers[split] = self.enter_context(RowWriter(self._folder / self._names[split]))
        self._writers[split].add([question])

    @property
    def files(self) -> dict[str, str]:
        """The file of each split, by the name that hubs show."""
        shown = hub_splits(self._writers)
        return {shown[split]: self._names[split] for split in shown}

    def _new_name(self, split: str | None) -> str:
        plain = UNSPLIT if split is None else file_names([split])[split]
        taken = {name.casefold() for name in self._names.values()}
        name = f"{plain}{SPLIT_FILE}"
        return name if name.casefold() not in taken else f"{plain}-{len(taken)}{SPLIT_FILE}"


def save_set(folder: Path, questions: Iterable[Question], manifest: dict[str, Any]) -> Statistics:
    """Write a set as a folder, replacing an existing one."""
    with replacing_folder(folder, own_files) as partial:
        return write_set(partial, questions, manifest)


def counts(statistics: Statistics) -> dict[str, object]:
    """The number of questions of each kind and split, of answers, and of pieces of evidence."""
    table: dict[str, object] = {}
    for kind in statistics.kinds:
        figures = {split: statistics.figures(kind, [split]) for split in statistics.splits}
        table[kind] = {split: group.questions for split, group in figures.items() if group is not None}
    total = statistics.figures()
    return {
        "questions": total.questions if total else 0,
        "answers": statistics.answers,
        **({"neutral": statistics.neutral} if statistics.neutral else {}),
        **({"extended": statistics.extended} if statistics.extended else {}),
        **({"searched": statistics.searched} if statistics.searched else {}),
        "evidence": statistics.evidence,
        "kinds": table,
    }


# Removes duplicate questions: equal texts with equal answers are kept once, with different answers not
# at all. Two queries may have the same wording because names are ambiguous, or because relations are:
# what is `located in A` is `in A`. If their answers are equal, one of them is enough. If the answers
# differ, no reader could know which one is meant, and all of them are removed. Questions with different
# texts and equal answers are kept, each with the keys of the others.

_SAME = Filter("the same question and answers as another")
_AMBIGUOUS = Filter("the same question with other answers")
_LOCATED = re.compile(r"\b(?:located (?:on or )?|on or )(?=in\b)")
"""What may stand before `in` and changes nothing."""
_FIRST = {"test": 0, "dev": 1, "train": 2}


class Worded(NamedTuple):
    """A worded question, with the fields that the search for duplicates needs."""

    key: str
    text: str
    split: str
    answers: str
    """A hash of the answer set; see `answer_hash`."""


class Distinct(NamedTuple):
    """The kept keys in order, how many were removed and why, and for each key those with the same answers."""

    kept: list[str]
    removed: dict[Filter, int]
    same_answers: dict[str, list[str]]


def answer_hash(answers: Iterable[str]) -> str:
    """One string for a set of answers, independent of their order."""
    joined = "\x1f".join(sorted(set(answers)))
    return hashlib.md5(joined.encode(), usedforsecurity=False).hexdigest()


def distinct(questions: Iterable[Worded]) -> Distinct:
    """Find which questions to keep; of questions with equal texts, one of the test set is preferred."""
    by_text: dict[str, list[Worded]] = defaultdict(list)
    for question in questions:
        by_text[_LOCATED.sub("", " ".join(question.text.casefold().split()))].append(question)
    kept: list[Worded] = []
    removed = {_SAME: 0, _AMBIGUOUS: 0}
    for members in by_text.values():
        if len({member.answers for member in members}) > 1:
            removed[_AMBIGUOUS] += len(members)
            continue
        removed[_SAME] += len(members) - 1
        kept.append(min(members, key=lambda member: (_FIRST.get(member.split, 3), member.key)))
    by_answers: dict[str, list[str]] = defaultdict(list)
    for question in kept:
        by_answers[question.answers].append(question.key)
    same = {key: sorted({*keys} - {key}) for keys in by_answers.values() if len(keys) > 1 for key in keys}
    counts = {reason: count for reason, count in removed.items() if count}
    return Distinct(sorted(question.key for question in kept), counts, same)
