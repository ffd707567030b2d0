"""The result of each question, for people to read: which answers were found, missed and wrong."""

from typing import TYPE_CHECKING, Literal

import msgspec

from rollcall.questions.record import Question
from rollcall.questions.run import Prediction
from rollcall.score.columns import answer_sets, predicted
from rollcall.score.match import WRONG

if TYPE_CHECKING:
    from rollcall.score.report import Report


class Explanation(msgspec.Struct, omit_defaults=True):
    """One question: its values in the order of the report's measures, and its answers."""

    id: str
    question: str
    kind: str
    state: Literal["answered", "missing", "failed"]
    why: str
    """Why the system failed, if it did."""
    values: list[float | None]
    found: list[str]
    missed: list[str]
    wrong: list[str]
    repeated: list[str]
    costs: dict[str, float] = {}
    """What the question cost, where the run says it."""


COSTS = ("seconds", "tokens", "money", "steps")


def gold_only(question: Question) -> Explanation:
    """A question without any system: its answers stand where those that were found would."""
    labels = [answer.label for answer in question.answers]
    return Explanation(
        question.id, question.question, question.kind or "", "answered", "", [], labels, [], [], []
    )


def explained(report: "Report") -> list[Explanation]:
    """The result of each question of a report."""
    return [_explain(report, place) for place in range(report.n)]


def _explain(report: "Report", place: int) -> Explanation:
    question, prediction = report.pairs[place]
    said = predicted(prediction)
    resolutions = [
        report.profile.resolve(question, gold, said) for gold in answer_sets(question, report.setting)
    ]
    resolution = max(resolutions, key=lambda one: report.profile.rate(one).f1)
    names: dict[int, list[str]] = {}
    wrong = []
    for text, owner in zip(resolution.predictions, resolution.owners, strict=True):
        if owner == WRONG:
            wrong.append(text)
        else:
            names.setdefault(owner, []).append(text)
    found = [
        _found(label, names.get(at, []))
        for at, (label, hit) in enumerate(zip(resolution.gold, resolution.found, strict=True))
        if hit
    ]
    missed = [label for label, hit in zip(resolution.gold, resolution.found, strict=True) if not hit]
    failure = None if prediction is None else prediction.failure
    return Explanation(
        id=question.id,
        question=question.question,
        kind=question.kind or "",
        state="missing" if prediction is None else "answered" if failure is None else "failed",
        why=failure or "",
        values=[column.shown(place) for column in report.columns],
        found=found,
        missed=missed,
        wrong=wrong,
        repeated=list(resolution.repeated),
        costs={} if prediction is None else _costs(prediction),
    )


def _costs(prediction: Prediction) -> dict[str, float]:
    given = {name: getattr(prediction, name) for name in COSTS}
    return {name: float(value) for name, value in given.items() if value is not None}


def _found(label: str, names: list[str]) -> str:
    """A found answer; with the predicted name if it differs."""
    others = [name for name in names if name != label]
    return label if not others or len(others) < len(names) else f"{label} ← {', '.join(others)}"
