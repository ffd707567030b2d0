"""The numbers that bounds and estimates need of each question: answers found, answers given, gold answers.

Precision is found / given, recall found / gold and F1 = 2 found / (given + gold). A profile that rates a
question by other rules is refused, because nothing could then be said about its true figures.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollcall._core.errors import RollcallError
from rollcall.questions.judgment import KIND, Completeness, Judgment
from rollcall.score.match import WRONG, Match, name_key
from rollcall.score.pairing import gold_of, predicted

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
    neutral: Floats | float = 0.0
    """The number of neutral answers, which the set knows and does not require."""
    ignored: Floats | float = 0.0
    """The number of those that are neither gold nor errors; 0 where a neutral prediction is wrong."""

    @property
    def known(self) -> Floats:
        """The number of answers that the set knows to be right, required or not."""
        return self.gold + self.neutral

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
    is_ignored = report.neutral is not None and report.neutral.treated == "ignore"
    for index, (question, prediction) in enumerate(report.pairs):
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
        rows.append((index, match.found, given, of, silence))
        told = zip(resolution.predictions, resolution.owners, strict=True)
        errors.append([text for text, owner in told if owner == WRONG])
    places = [row[0] for row in rows]
    neutral = np.array([len(report.pairs[index][0].neutral) for index in places], dtype=np.float64)
    found_counts, given_counts, size, silence_ = (
        np.array([row[1:] for row in rows], dtype=np.float64).reshape(-1, 4).T
    )
    return Counts(
        places,
        [report.pairs[index][0].id for index in places],
        [report.pairs[index][0].kind for index in places],
        found_counts,
        given_counts,
        size,
        silence_,
        errors,
        np.array([len(wrong) for wrong in errors], dtype=np.float64),
        neutral,
        neutral if is_ignored else 0.0,
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


# How many answers the gold lacks, if it has a given completeness: the one place that says what it means.
# A group of questions has a completeness c when its gold holds the share c of all right answers to its
# questions together. So with |G| gold answers, |G| / c − |G| are missing, and how they are spread over
# the questions is not known. With an interval for c, their number lies in an interval. Neutral answers are
# answers that the set has; where scoring ignores them, they are neither gold nor missing.

SLACK = 1e-9
"""Completeness is a rounded number, so the number of missing answers may be off by this share."""


class MissingGroup(NamedTuple):
    """Questions that share a completeness, and the least and greatest number of answers they lack."""

    places: NDArray[np.int64]
    least: float
    most: float


def missing_groups(counts: Counts, completeness: Completeness) -> list[MissingGroup]:
    """The questions grouped by the completeness that is known for them."""
    own = completeness.by.get(KIND, {})
    members: dict[str | None, list[int]] = {}
    for index, kind in enumerate(counts.kinds):
        members.setdefault(kind if kind in own else None, []).append(index)
    groups = []
    for kind, places in members.items():
        low, high = _ends(completeness, kind, counts, places)
        chosen = np.array(places, dtype=np.int64)
        size = float(counts.known[chosen].sum())
        wrongly = float((counts.known - counts.gold - counts.ignored)[chosen].sum())
        least, most = size * (1 / high - 1) * (1 - SLACK), size * (1 / low - 1) * (1 + SLACK)
        groups.append(MissingGroup(chosen, least + wrongly, most + wrongly))
    return groups


def shares(counts: Counts, completeness: Completeness) -> tuple[Floats, Floats, Floats]:
    """The completeness of each question's group: lowest, estimated, highest."""
    rows = []
    for index, kind in enumerate(counts.kinds):
        low, high = _ends(completeness, kind, counts, [index])
        rows.append((low, completeness.of_kind(kind).estimate or low, high))
    low_, middle, high_ = np.array(rows, dtype=np.float64).reshape(-1, 3).T
    return low_, middle, high_


def _ends(
    completeness: Completeness, kind: str | None, counts: Counts, places: list[int]
) -> tuple[float, float]:
    known = completeness.of_kind(kind)
    if known.estimate is None:
        first = counts.kinds[places[0]]
        told = "without a kind" if first is None else f"of the kind {first!r:.80}"
        raise RollcallError(
            f"completeness: nothing is said of questions {told}, such as {counts.ids[places[0]]!r:.80}; add "
            "the kind, or `estimate` for all others"
        )
    return known.ends


# What judgments say about each pair of a question and an answer: one verdict, one chance, drawn or not.
# People's judgments count as true; where they differ, the majority decides, and a tie decides nothing.
# What machines say is a probability, which may be wrong. A pair that somebody chose to judge is known,
# but only pairs that were drawn at random speak for others.

Pair = tuple[str, bytes]
"""A question's id, and the key of an answer's name."""


class PairVerdict(NamedTuple):
    """What is known of one pair."""

    right: bool | None = None
    """The verdict of people; None if there is none."""
    drawn: bool = False
    """Whether the verdict is one of a random sample."""
    chance: float | None = None
    """The probability that machines give; None if none judged."""


class PairVerdicts(NamedTuple):
    """The verdicts of all judged pairs, and where they come from."""

    pairs: dict[Pair, PairVerdict]
    undecided: int
    """Pairs that people judged without a decision."""
    by_machine: str = ""
    """The machine whose judgments are taken for verdicts, because no person judged."""


def pair_of(question: str, answer: str) -> Pair:
    """The pair of a question and an answer, by the name and not its spelling."""
    return question, name_key(answer)


def verdicts(judgments: Iterable[Judgment]) -> PairVerdicts:
    """Join the judgments of each pair."""
    told: dict[Pair, list[Judgment]] = {}
    for judgment in judgments:
        told.setdefault(pair_of(judgment.question, judgment.answer), []).append(judgment)
    people = any(
        judgment.by_people and judgment.right is not None for listed in told.values() for judgment in listed
    )
    machine = "" if people else _sampling_machine(told.values())
    pairs: dict[Pair, PairVerdict] = {}
    undecided = 0
    for pair, listed in told.items():
        true = [
            judgment for judgment in listed if (judgment.by == machine if machine else judgment.by_people)
        ]
        votes = [judgment.right for judgment in true if judgment.right is not None]
        right = None if 2 * sum(votes) == len(votes) else 2 * sum(votes) > len(votes)
        undecided += bool(true) and right is None
        chances = [
            judgment.chance for judgment in listed if not judgment.by_people and judgment.by != machine
        ]
        known = [chance for chance in chances if chance is not None]
        # A pair that was also chosen on purpose is known anyway, and is no part of the sample.
        drawn = right is not None and all(judgment.drawn for judgment in true)
        pairs[pair] = PairVerdict(right, drawn, sum(known) / len(known) if known else None)
    return PairVerdicts(pairs, undecided, machine)


def _sampling_machine(judged: Iterable[list[Judgment]]) -> str:
    """The machine that judged most drawn pairs; empty if none did."""
    names = [
        judgment.by
        for listed in judged
        for judgment in listed
        if judgment.drawn and judgment.by and judgment.right is not None
    ]
    return max(sorted(set(names)), key=names.count, default="")


# The counted errors of a run, each as one unit that can be drawn and judged, with what is known about
# it.


@dataclass(frozen=True)
class ErrorPool:
    """Distinct errors: a name that a profile counts twice in one question is one unit of weight 2."""

    pairs: list[Pair]
    answers: list[str]
    """Each error as the system wrote it."""
    places: NDArray[np.int64]
    """Its question, by position in the counts."""
    times: Floats
    """How often it counts."""
    right: Floats
    """The verdict: 1, 0, or not a number if it is undecided."""
    drawn: NDArray[np.bool_]
    """Whether the verdict is one of a random sample."""
    chance: Floats
    """The probability that machines give; not a number if none judged it."""

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def known(self) -> NDArray[np.bool_]:
        """Errors that were judged on purpose: they are known, and speak for no other."""
        return ~np.isnan(self.right) & ~self.drawn

    def chosen(self, which: NDArray[np.bool_]) -> "ErrorPool":
        """Some of the errors."""
        places = np.flatnonzero(which).tolist()
        return ErrorPool(
            [self.pairs[index] for index in places],
            [self.answers[index] for index in places],
            self.places[which],
            self.times[which],
            self.right[which],
            self.drawn[which],
            self.chance[which],
        )


def error_pool(counts: Counts, known: PairVerdicts) -> ErrorPool:
    """All errors of a run with their verdicts."""
    pairs: list[Pair] = []
    answers: list[str] = []
    places: list[int] = []
    times: list[float] = []
    for index, (identity, errors) in enumerate(zip(counts.ids, counts.errors, strict=True)):
        units: dict[Pair, list[str]] = {}
        for text in errors:
            units.setdefault(pair_of(identity, text), []).append(text)
        for pair, texts in units.items():
            pairs.append(pair)
            answers.append(texts[0])
            places.append(index)
            times.append(len(texts))
    pair_verdicts = [known.pairs.get(pair, PairVerdict()) for pair in pairs]
    return ErrorPool(
        pairs,
        answers,
        np.array(places, dtype=np.int64),
        np.array(times, dtype=np.float64),
        np.array(
            [np.nan if verdict.right is None else verdict.right for verdict in pair_verdicts],
            dtype=np.float64,
        ),
        np.array([verdict.drawn for verdict in pair_verdicts], dtype=np.bool_),
        np.array(
            [np.nan if verdict.chance is None else verdict.chance for verdict in pair_verdicts],
            dtype=np.float64,
        ),
    )
