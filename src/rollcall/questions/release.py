"""Writing a finished question set: `questions.jsonl`, `manifest.json` and the card `README.md`.

Questions go through as a stream, so that a set may be larger than memory. The manifest is written last and
holds the hashes of the other files: a folder that has it is whole.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from rollcall.folders import replacing_folder
from rollcall.questions.card import card
from rollcall.questions.lots import lot
from rollcall.questions.question_set import CARD, QUESTIONS, own_files, write_manifest
from rollcall.questions.record import Question
from rollcall.questions.statistics import Statistics

FORMAT = "rollcall"
_EXAMPLES_A_KIND = 2
_EXAMPLE_ANSWERS = 30
"""A question with more answers than this is too long for an example."""


class Examples:
    """Some questions of every kind, drawn by lot while the questions go by."""

    def __init__(self, seed: int):
        self._seed = seed
        self._best: dict[str, list[tuple[bool, str, Question]]] = {}

    def offer(self, question: Question) -> None:
        place = lot(self._seed, "example", question.id)
        best = self._best.setdefault(question.kind or "", [])
        best.append((len(question.answers) > _EXAMPLE_ANSWERS, place, question))
        best.sort(key=lambda entry: entry[:2])
        del best[_EXAMPLES_A_KIND:]

    def chosen(self, kinds: Iterable[str]) -> list[Question]:
        return [question for kind in kinds for _, _, question in self._best.get(kind, ())]


def write_set(folder: Path, questions: Iterable[Question], manifest: dict[str, Any]) -> Statistics:
    """Write the three files of a set into a folder that is there, and return the set's figures."""
    statistics, examples = Statistics(), Examples(int(manifest.get("seed") or 0))
    encoder = msgspec.json.Encoder()
    with (folder / QUESTIONS).open("wb") as stream:
        for question in questions:
            stream.write(encoder.encode(question) + b"\n")
            statistics.add(question)
            examples.offer(question)
    full = {"format": FORMAT, **manifest, "counts": counts(statistics)}
    (folder / CARD).write_text(card(full, statistics, examples.chosen(statistics.kinds)), encoding="utf-8")
    write_manifest(folder, full, [QUESTIONS, CARD])
    return statistics


def save_set(folder: Path, questions: Iterable[Question], manifest: dict[str, Any]) -> Statistics:
    """Write a set as a folder, in place of what stood there."""
    with replacing_folder(folder, own_files) as partial:
        return write_set(partial, questions, manifest)


def counts(statistics: Statistics) -> dict[str, Any]:
    """How many questions of each kind and split, how many answers, how much evidence."""
    table: dict[str, Any] = {}
    for kind in statistics.kinds:
        figures = {split: statistics.figures(kind, [split]) for split in statistics.splits}
        table[kind] = {split: found.questions for split, found in figures.items() if found is not None}
    total = statistics.figures()
    return {
        "questions": total.questions if total else 0,
        "answers": statistics.answers,
        "evidence": statistics.evidence,
        "kinds": table,
    }
