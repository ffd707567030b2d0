"""The numbers that bounds and estimates need of each question: answers found, answers given, gold answers.

Precision is found / given, recall found / gold and F1 = 2 found / (given + gold). A profile that rates a
question by other rules is refused, because nothing could then be said about its true figures.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from rollcall.errors import RollcallError
from rollcall.score.columns import gold_of, predicted
from rollcall.score.match import WRONG, Match

if TYPE_CHECKING:
    from rollcall.score.report import Report

Floats = NDArray[np.float64]
Name = Literal["P", "R", "F1"]
NAMES: tuple[Name, ...] = ("P", "R", "F1")
"""The measures whose true values can be bounded and estimated."""
ROUNDING = 1e-9


@dataclass(frozen=True)
class Counts:
    """The questions of a report that count in its means, as columns."""

    places: list[int]
    """Their positions in the report."""
    ids: list[str]
    kinds: list[str | None]
    found: Floats
    given: Floats
    gold: Floats
    silence: Floats
    """The value of a question without gold answers to which nothing was given; 0 for all other questions."""
    errors: list[list[str]]
    """The predictions that count as wrong, as the system wrote them."""
    wrong: Floats
    """Their number."""

    def __len__(self) -> int:
        return len(self.ids)

    def values(self, name: Name, right: Floats | float = 0.0, missing: Floats | float = 0.0) -> Floats:
        """The measure of each question if `right` of its errors are right, and the gold lacks `missing`."""
        return rated(name, self.found + right, self.given, self.gold + missing, self.silence)


def rated(name: Name, found: Floats, given: Floats, gold: Floats, silence: Floats) -> Floats:
    """A measure from its three numbers; `silence` is what it is where there are neither answers nor gold."""
    above, below = above_and_below(name, found, given, gold)
    quiet = (given == 0) & (gold == 0)
    return np.where(quiet, silence, np.divide(above, below, out=np.zeros_like(above), where=below > 0))


def above_and_below(name: Name, found: Floats, given: Floats, gold: Floats) -> tuple[Floats, Floats]:
    """The fraction that a measure is."""
    if name == "P":
        return found, given
    return (found, gold) if name == "R" else (2 * found, given + gold)


def counts_of(report: "Report") -> Counts:
    """Count the answers of every question of a report."""
    if report.setting != "complete":
        raise RollcallError("candidates are complete by definition: completeness goes with the complete gold")
    rows: list[tuple[int, float, float, float, float]] = []
    errors: list[list[str]] = []
    for place, (question, prediction) in enumerate(report.pairs):
        if question.alternatives:
            raise RollcallError(
                f"question {question.id!r:.80} has several answer sets, so the completeness of its gold is "
                "not defined"
            )
        gold = gold_of(question, report.setting)
        resolution = report.profile.resolve(question, gold, predicted(prediction))
        match = report.profile.rate(resolution)
        if not match.in_means:
            continue
        given, of = len(resolution.predictions), len(resolution.gold)
        _check_rules(report.profile.name, question.id, match, given, of)
        silence = match.f1 if not given and not of else 0.0
        rows.append((place, match.found, given, of, silence))
        told = zip(resolution.predictions, resolution.owners, strict=True)
        errors.append([text for text, owner in told if owner == WRONG])
    places = [row[0] for row in rows]
    found, said, size, silence_ = np.array([row[1:] for row in rows], dtype=np.float64).reshape(-1, 4).T
    return Counts(
        places,
        [report.pairs[place][0].id for place in places],
        [report.pairs[place][0].kind for place in places],
        found,
        said,
        size,
        silence_,
        errors,
        np.array([len(wrong) for wrong in errors], dtype=np.float64),
    )


def _check_rules(profile: str, question: str, match: Match, given: int, gold: int) -> None:
    values = (match.precision, match.recall, match.f1)
    if given or gold:
        precision, recall = match.found / max(given, 1), match.found / max(gold, 1)
        wanted = (precision, recall, 2 * match.found / (given + gold))
    else:
        wanted = (float(match.f1 > 0),) * 3
    if any(abs(value - rule) > ROUNDING for value, rule in zip(values, wanted, strict=True)):
        raise RollcallError(
            f"the profile {profile} rates question {question!r:.80} by other rules than found / given and "
            "found / gold, so its true figures cannot be bounded; use --profile entity"
        )
