"""What an exported folder of promptfoo calls: the scores of a reply, as promptfoo wants them."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from rollcall.harness import ReplyScorer
from rollcall.questions.formats.harnesses import RECORDS
from rollcall.questions.question_set import decode_lines
from rollcall.questions.record import Question

PASSES = 0.5
"""The F1 from which a test passes."""


@cache
def _records(folder: Path) -> dict[str, str]:
    """The record of each question, as JSON."""
    path = folder / RECORDS
    questions = decode_lines(path.read_bytes(), msgspec.json.Decoder(Question), path)
    return {question.id: msgspec.json.encode(question).decode() for question in questions}


@cache
def _replies() -> ReplyScorer:
    return ReplyScorer()


def grading_result(output: str, context: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Whether a test passes, its score (F1), and P, R and F1 by name."""
    record = _records(folder)[str(context["vars"]["id"])]
    answers = _replies().answers(output)
    values = {str(measure): value or 0.0 for measure, value in _replies().values(record, answers).items()}
    figures = ", ".join(f"{name} {value:.3f}" for name, value in values.items())
    return {
        "pass": values["F1"] >= PASSES,
        "score": values["F1"],
        "reason": f"{figures} ({len(answers)} answers)",
        "namedScores": values,
    }
