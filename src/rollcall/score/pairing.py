"""Pairs questions and predictions by id, and lists what could not be paired.

Nothing is dropped silently: a question without a prediction, a prediction without a question and an id that
occurs twice are each listed. If no prediction belongs to a question, the predictions are refused. Several
numbered trials at one question are a pair each, and together a cluster.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.questions.record import Question
from rollcall.questions.run import Prediction, Run
from rollcall.score.match import of_another_set
from rollcall.text.nouns import counted

Pairs = Sequence[tuple[Question, Prediction | None]]
"""Questions, each with its prediction if there is one."""


@dataclass
class Unmatched:
    """The ids that could not be paired one to one, and the questions a system failed on."""

    missing: list[str] = field(default_factory=list)
    """Questions without a prediction."""
    unknown: list[str] = field(default_factory=list)
    """Predictions for questions the gold does not have."""
    duplicate: list[str] = field(default_factory=list)
    """Ids predicted more than once; the first prediction counts."""
    duplicate_gold: list[str] = field(default_factory=list)
    """Ids the gold has more than once; the first question counts."""
    failed: dict[str, str] = field(default_factory=dict)
    """Questions on which the system failed, with the reason."""
    missing_left_out: bool = False
    """Whether questions without a prediction are left out of the figures."""

    def as_json(self) -> dict[str, list[str] | dict[str, str]]:
        return {
            "missing": self.missing,
            "unknown": self.unknown,
            "duplicate": self.duplicate,
            "duplicate_gold": self.duplicate_gold,
            "failed": self.failed,
        }

    def lines(self) -> list[str]:
        """One line for each kind that is not empty, with the first few ids."""
        fate = "left out" if self.missing_left_out else "counted as unanswered"
        kinds = (
            (self.missing, f"without a prediction, {fate}"),
            (self.unknown, "predicted but not in the gold, left out"),
            (self.duplicate, "predicted more than once, the first counts"),
            (self.duplicate_gold, "in the gold more than once, the first counts"),
            (list(self.failed), "the system failed on, counted as unanswered"),
        )
        return [f"{len(ids)} {meaning}: {some(ids)}" for ids, meaning in kinds if ids]


def some(ids: Sequence[str], shown: int = 5) -> str:
    """The first few ids, and how many more there are."""
    more = f" and {len(ids) - shown} more" if len(ids) > shown else ""
    return ", ".join(ids[:shown]) + more


def pair(
    questions: Iterable[Question], run: Run
) -> tuple[list[tuple[Question, Prediction | None]], Unmatched]:
    """Each question with its prediction, and what could not be paired."""
    unmatched = Unmatched()
    predicted: dict[str, dict[int | None, Prediction]] = {}
    twice: dict[str, None] = {}
    for prediction in run:
        trials = predicted.setdefault(prediction.id, {})
        if trials.setdefault(prediction.trial, prediction) is not prediction:
            twice[prediction.id] = None
    twice_in_gold: dict[str, None] = {}
    pairs: dict[str, list[tuple[Question, Prediction | None]]] = {}
    for question in questions:
        if question.id in pairs:
            twice_in_gold[question.id] = None
            continue
        trials = predicted.get(question.id, {})
        pairs[question.id] = _trials(question, trials)
        if not trials:
            unmatched.missing.append(question.id)
        for trial in trials.values():
            if trial.failure is not None:
                unmatched.failed[question.id] = trial.failure
    unmatched.duplicate, unmatched.duplicate_gold = list(twice), list(twice_in_gold)
    unmatched.unknown = [identity for identity in predicted if identity not in pairs]
    if predicted and pairs and len(unmatched.unknown) == len(predicted):
        raise RollcallError(of_another_set(pairs, predicted, 0, run))
    return [pair for same in pairs.values() for pair in same], unmatched


def _trials(
    question: Question, trials: dict[int | None, Prediction]
) -> list[tuple[Question, Prediction | None]]:
    """A question with its prediction; several trials are as many questions of one cluster."""
    if len(trials) < 2:
        return [(question, next(iter(trials.values()), None))]
    same = msgspec.structs.replace(question, cluster=question.cluster or question.id)
    order = sorted(trials, key=lambda trial: (trial is not None, trial or 0))
    return [(same, trials[trial]) for trial in order]


def trial_notes(pairs: Pairs) -> list[str]:
    """A line if some questions have more trials than others."""
    numbers = Counter(question.id for question, _ in pairs)
    most = max(numbers.values(), default=1)
    fewer = [identity for identity, number in numbers.items() if number < most]
    return (
        [f"{counted(len(fewer), 'question has', 'questions have')} fewer than {most} trials ({some(fewer)})"]
        if fewer
        else []
    )
