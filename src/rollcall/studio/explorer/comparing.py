"""Runs side by side: who found which answer of a question, who added what, and how runs do on all
questions.

Predictions are compared with answers by the rules of the `entity` profile, as `rollcall score` does by
default; the figures of a whole set are those of scoring, with their intervals.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Question
from rollcall.questions.run import Passage, Prediction, Run
from rollcall.score.columns import predicted
from rollcall.score.match import WRONG
from rollcall.score.name_keys import name_key
from rollcall.score.pairing import pair
from rollcall.score.profiles import open_profile
from rollcall.score.rules import Rules
from rollcall.score.scoring import score_records

PROFILE = "entity"
MEASURES = ("P", "R", "F1")


class Line(NamedTuple):
    """One answer, and which runs gave it."""

    answer: str
    gold: bool
    extended: bool
    said: tuple[str, ...]
    """What each run called it, in the order of runs; empty if it did not give it."""


class RunAnswers(NamedTuple):
    """What one run gave for a question."""

    name: str
    answered: bool
    failure: str
    precision: float
    recall: float
    f1: float
    retrieved: Sequence[Passage]
    query: str


class SideBySide(NamedTuple):
    """The answers of a question, one line each, and the runs, one column each."""

    runs: list[RunAnswers]
    lines: list[Line]


class RunFigures(NamedTuple):
    """How a run does on a whole set."""

    name: str
    questions: int
    figures: dict[str, tuple[float | None, tuple[float, float] | None]]


def side_by_side(question: Question, runs: Sequence[Run]) -> SideBySide:
    """All answers of the gold, the extended ones, and what runs added, in this order."""
    profile = open_profile(PROFILE)
    gold = [*question.answers, *question.extended]
    columns: list[RunAnswers] = []
    named: list[list[str]] = [[""] * len(runs) for _ in gold]
    added: dict[object, tuple[str, list[str]]] = {}
    for column, run in enumerate(runs):
        prediction = _prediction(question, run)
        said = list(predicted(prediction))
        match, _ = profile.judge(question, question.answers, said, None)
        columns.append(_of_run(run, prediction, match.precision, match.recall, match.f1))
        resolution = profile.resolve(question, gold, said)
        labels = [answer.label for answer in gold]
        for text, owner in zip(resolution.predictions, resolution.owners, strict=True):
            if owner == WRONG:
                added.setdefault(name_key(text), (text, [""] * len(runs)))[1][column] = text
            else:
                named[labels.index(resolution.gold[owner])][column] = text
    lines = [
        Line(answer.label, place < len(question.answers), place >= len(question.answers), tuple(named[place]))
        for place, answer in enumerate(gold)
    ]
    often = sorted(added.values(), key=lambda one: -sum(map(bool, one[1])))
    return SideBySide(columns, [*lines, *(Line(text, False, False, tuple(said)) for text, said in often)])


def run_figures(questions: QuestionSet, runs: Sequence[Run]) -> list[RunFigures]:
    """Precision, recall and F1 of each run over the set, with their intervals."""
    rules = Rules(profile=PROFILE, measures=list(MEASURES))
    found = []
    for run in runs:
        report = score_records(questions, run, rules)
        figures = {str(measure): (one.value, one.interval) for measure, one in report.figures.items()}
        found.append(RunFigures(run.name, report.n, figures))
    return found


def _prediction(question: Question, run: Run) -> Prediction | None:
    return pair([question], Run([one for one in run if one.id == question.id], run.name))[0][0][1]


def _of_run(
    run: Run, prediction: Prediction | None, precision: float, recall: float, f1: float
) -> RunAnswers:
    if prediction is None:
        return RunAnswers(run.name, False, "", precision, recall, f1, [], "")
    return RunAnswers(
        run.name,
        True,
        prediction.failure or "",
        precision,
        recall,
        f1,
        prediction.retrieved,
        prediction.query or "",
    )
