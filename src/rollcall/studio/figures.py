"""The figures of a project, from all that it has (`Collected`).

- `standing`, `error_rates`: who misses known items is warned, then stopped; the error rates of the rule.
- `progress`: how far the work is, when it will end and what it costs.
- `agreement`, `estimates`, `adjudication_queue`: how far people agree, and what is most likely true.
- `people_figures`: what is known of each person.

Pages, reports and the export show the same figures because they call the same functions.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from statistics import NormalDist, median
from typing import Annotated, Literal, NamedTuple

import msgspec

from rollcall.score.figures import wilson
from rollcall.studio.agreement import (
    Coefficient,
    DawidSkene,
    Level,
    Rating,
    dawid_skene,
    gwet,
    krippendorff,
    observed_agreement,
    rating_table,
)
from rollcall.studio.records import Collected, Item, ItemResolution, JudgmentRecord
from rollcall.studio.tasks import find_task
from rollcall.studio.tasks.task import QUALIFY, known_choice

# When a person who misses injected items is warned, and when stopped; with the exact error rates of the
# rule.
#
# The rule is a cumulative sum (CUSUM) of log-likelihood ratios between a careless and a careful person,
# which never falls below zero: so it also finds those who become careless after a good start. It warns at
# one bound, restarts, and stops at the other. The sums are a Markov chain, so the share of careful
# people who are wrongly stopped, and of careless ones who are found, are computed and not guessed.

StandingState = Literal["fine", "warned", "stopped"]
Rate = Annotated[float, msgspec.Meta(gt=0, lt=1)]
_DIGITS = 9
"""Sums that are equal to this many digits are one state of the chain."""


class CarelessRule(msgspec.Struct, frozen=True):
    """What is still careful, what is careless, and how much evidence a warning and a stop need."""

    careful: Rate = 0.15
    """The share of injected items that a careful person may miss."""
    careless: Rate = 0.5
    """The share that a person misses who does not read; choosing at random misses half or more."""
    warn: float = 3.0
    """How much evidence a warning needs, as the logarithm of a likelihood ratio."""
    stop: float = 4.0
    """How much evidence after the warning stops."""

    @property
    def steps(self) -> tuple[float, float]:
        """What an injected item that was found, or missed, adds to the sum."""
        caught = math.log((1 - self.careless) / (1 - self.careful))
        return caught, math.log(self.careless / self.careful)

    def after(self, current: "ChainState", missed: bool) -> "ChainState":
        """Where a person stands after one more injected item."""
        if current.state == "stopped":
            return current
        total = max(0.0, round(current.total + self.steps[missed], _DIGITS))
        if current.state == "fine":
            return ChainState("warned", 0.0) if total >= self.warn else ChainState("fine", total)
        return ChainState("stopped", 0.0) if total >= self.stop else ChainState("warned", total)


class ChainState(NamedTuple):
    """A state of the chain."""

    state: StandingState
    total: float


class Standing(NamedTuple):
    """Where a person stands, and after how many injected items they were warned and stopped."""

    state: StandingState
    seen: int
    missed: int
    warned_at: int | None = None
    stopped_at: int | None = None


DEFAULT_RULE = CarelessRule()
START = ChainState("fine", 0.0)


def standing(misses: Sequence[bool], rule: CarelessRule = DEFAULT_RULE) -> Standing:
    """Where a person stands who missed these of the injected items that they judged, in this order."""
    current = START
    reached: dict[StandingState, int] = {}
    for number, missed in enumerate(misses, 1):
        current = rule.after(current, missed)
        reached.setdefault(current.state, number)
    return Standing(current.state, len(misses), sum(misses), reached.get("warned"), reached.get("stopped"))


class ErrorRates(NamedTuple):
    """What becomes of a person with a given share of misses after a number of injected items."""

    seen: int
    warned: float
    """The probability of having been warned."""
    stopped: float
    """The probability of having been stopped."""
    until_stopped: float | None
    """How many injected items those who were stopped had judged by then, on average."""


def error_rates(miss_rate: float, seen: int, rule: CarelessRule = DEFAULT_RULE) -> ErrorRates:
    """The exact probabilities that a person who misses this share of injected items is warned and stopped."""
    chances: dict[ChainState, float] = {START: 1.0}
    waited = stopped = 0.0
    for number in range(1, seen + 1):
        following: defaultdict[ChainState, float] = defaultdict(float)
        for current, chance in chances.items():
            following[rule.after(current, missed=True)] += chance * miss_rate
            following[rule.after(current, missed=False)] += chance * (1 - miss_rate)
        newly = sum(chance for current, chance in following.items() if current.state == "stopped")
        stopped += newly
        waited += newly * number
        chances = {current: chance for current, chance in following.items() if current.state != "stopped"}
    warned = stopped + sum(chance for current, chance in chances.items() if current.state == "warned")
    return ErrorRates(seen, warned, stopped, waited / stopped if stopped else None)


# How far a project is: what is done, how fast it goes, when it will end, and what it costs. Pace is
# measured over clock time since the first judgment of the last days, nights and weekends included,
# because the end is a date. Cost is people's time at the project's hourly rate, also for judgments that
# no longer count, since those were paid too.

WINDOW = timedelta(days=7)
_LEAST_SPAN = timedelta(minutes=5)
"""Pace from a shorter time would say little."""


class ProjectProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a project is."""

    items: int
    """Items that are open to be judged or were judged; the pool does not count."""
    settled: int
    disputed: int
    judgments: int
    """Judgments that count."""
    needed: int
    """Judgments that all items need together."""
    withdrawn: int
    """Judgments that no longer count."""
    people: int
    hours: float
    per_hour: float | None
    """Judgments in an hour of the clock, by the whole team."""
    per_person_hour: float | None
    """Judgments in an hour of one person's work."""
    expected_end: str | None
    """ISO 8601, UTC; None while nothing can be said."""
    cost: float | None
    expected_cost: float | None
    currency: str

    @property
    def undecided(self) -> int:
        """Items that are undecided, or on which people differ."""
        return self.items - self.settled

    @property
    def share(self) -> float:
        """The share of judgments that are there."""
        return min(1.0, self.judgments / self.needed) if self.needed else 1.0


def progress(collected: Collected, now: datetime | None = None) -> ProjectProgress:
    """How far a project is at a time, by default now."""
    now = now or datetime.now(UTC)
    live = [item for item in collected.items if not item.pool and item.stage != QUALIFY]
    states = [
        collected.resolutions[item.key].state if item.key in collected.resolutions else "open"
        for item in live
    ]
    work = [
        judgment
        for judgment in collected.judged
        if judgment.role == "annotator" and judgment.stage != QUALIFY
    ]
    judgments = [judgment for judgment in work if not judgment.undone]
    counted = [judgment for judgment in judgments if judgment.counted]
    remaining = _remaining(collected, live)
    hours = sum(judgment.seconds for judgment in judgments) / 3600
    per_hour = _pace([judgment.at for judgment in judgments], now)
    rate = collected.hourly_rate
    each = hours / len(judgments) if judgments else None
    return ProjectProgress(
        items=len(live),
        settled=sum(state in ("accepted", "rejected") for state in states),
        disputed=states.count("disputed"),
        judgments=len(counted),
        needed=len(counted) + remaining,
        withdrawn=len(work) - len(counted),
        people=len({judgment.person for judgment in judgments}),
        hours=hours,
        per_hour=per_hour,
        per_person_hour=len(judgments) / hours if hours else None,
        expected_end=_end(now, remaining, per_hour),
        cost=hours * rate if rate else None,
        expected_cost=(hours + remaining * each) * rate if rate and each is not None else None,
        currency=collected.currency,
    )


def _remaining(collected: Collected, live: list[Item]) -> int:
    """How many judgments are still to be made; items that a manager decided need no more."""
    overlap = collected.settings.get("overlap", 1)
    usual = overlap if isinstance(overlap, int) else 1
    counts: dict[str, int] = {}
    decided = set()
    for judgment in collected.judged:
        if judgment.counted:
            counts[judgment.item] = counts.get(judgment.item, 0) + (judgment.role == "annotator")
            if judgment.role != "annotator":
                decided.add(judgment.item)
    return sum(
        max(0, (item.overlap or usual) - counts.get(item.key, 0))
        for item in live
        if not item.gold and item.key not in decided
    )


def _pace(times: list[str], now: datetime) -> float | None:
    recent = [at for at in (_time(text) for text in times) if now - WINDOW <= at <= now]
    if len(recent) < 2:
        return None
    return len(recent) / (max(now - min(recent), _LEAST_SPAN) / timedelta(hours=1))


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _end(now: datetime, remaining: int, per_hour: float | None) -> str | None:
    if not remaining:
        return now.isoformat(timespec="minutes")
    if not per_hour:
        return None
    try:
        return (now + timedelta(hours=remaining / per_hour)).isoformat(timespec="minutes")
    except OverflowError:
        return None


# What can be compared between people: the choices of each stage of a task, and the ratings of a scale.
# Only judgments that count are compared, by annotators, of items whose verdict was not known beforehand:
# injected and gold items would make agreement look better, and managers see what others said.

SCALES = {"naturalness": ("self", "other")}
"""The values that are ratings on a scale, by task."""
FREE = ("write", "paraphrase", "extend")
"""Tasks in which each person writes their own text, so that there is nothing to compare."""
SCALE = ("1", "2", "3", "4", "5")


class ComparableRatings(NamedTuple):
    """Judgments that answer one question, and how their categories are related."""

    name: str
    level: Level
    categories: tuple[str, ...]
    ratings: list[Rating]
    clusters: dict[str, str]
    """The question of each item: its items are not independent evidence."""


class Agreement(NamedTuple):
    """How far people agree in one respect."""

    name: str
    level: Level
    coefficients: tuple[Coefficient, ...]
    """Observed agreement, Krippendorff's alpha, Gwet's AC1 (AC2 for a scale)."""


def compared(collected: Collected) -> list[ComparableRatings]:
    """All that people's judgments can be compared in: one entry for each stage, or for each scale."""
    task = find_task(collected.task)
    stages: dict[str, list[JudgmentRecord]] = {}
    for judgment in plain_judgments(collected):
        stages.setdefault(judgment.stage, []).append(judgment)
    comparisons = []
    for stage, judged in sorted(stages.items()):
        shown_by = task.at(stage)
        clusters = {judgment.item: judgment.question for judgment in judged}
        if shown_by.name in SCALES:
            for scale in SCALES[shown_by.name]:
                ratings = [
                    Rating(judgment.item, judgment.person, str(judgment.values[scale]))
                    for judgment in judged
                    if scale in judgment.values
                ]
                comparisons.append(ComparableRatings(scale, "ordinal", SCALE, ratings, clusters))
        elif shown_by.name not in FREE:
            ratings = [Rating(judgment.item, judgment.person, judgment.choice) for judgment in judged]
            categories = tuple(choice.key for choice in shown_by.choices)
            comparisons.append(ComparableRatings(shown_by.name, "nominal", categories, ratings, clusters))
    return comparisons


def plain_judgments(collected: Collected) -> Iterable[JudgmentRecord]:
    """The counted judgments of annotators on items whose verdict was not known."""
    return (
        judgment
        for judgment in collected.judged
        if judgment.counted
        and judgment.role == "annotator"
        and not (judgment.injected or judgment.as_gold)
        and judgment.stage != QUALIFY
    )


def agreement(collected: Collected, seed: int = 0) -> list[Agreement]:
    """How far people agree, in everything that can be compared."""
    agreements = []
    for comparison in compared(collected):
        table = rating_table(comparison.ratings, comparison.categories, comparison.clusters)
        coefficients = tuple(
            measure(table, comparison.level, seed=seed)
            for measure in (observed_agreement, krippendorff, gwet)
        )
        agreements.append(Agreement(comparison.name, comparison.level, coefficients))
    return agreements


# What is most likely true, by Dawid and Skene, for the items that people disagree about. Injected and
# gold items have a known verdict, and so show whose word counts. The queue of what an adjudicator
# decides begins with what is least certain, because there a decision teaches most.


class Disputed(NamedTuple):
    """An item that people disagree about: how they voted, and what is likeliest."""

    item: Item
    votes: dict[str, int]
    likeliest: str | None
    probability: float | None


def estimates(collected: Collected) -> dict[str, DawidSkene]:
    """The estimate for each nominal comparison of a project, by its name."""
    known = {item.key: choice for item in collected.items if (choice := known_choice(item)) is not None}
    injected: dict[str, list[Rating]] = {}
    for judgment in collected.judged:
        plain = not (judgment.injected or judgment.as_gold)  # what is plain is compared already
        if judgment.counted and judgment.role == "annotator" and judgment.item in known and not plain:
            name = find_task(collected.task).at(judgment.stage).name
            injected.setdefault(name, []).append(Rating(judgment.item, judgment.person, judgment.choice))
    return {
        comparison.name: dawid_skene(
            [*comparison.ratings, *injected.get(comparison.name, ())], comparison.categories, known
        )
        for comparison in compared(collected)
        if comparison.level == "nominal" and comparison.ratings
    }


def likeliest(collected: Collected) -> dict[str, tuple[str, float]]:
    """The likeliest choice of each item that was judged, and how likely it is."""
    return {
        item: best
        for estimate in estimates(collected).values()
        for item, best in estimate.likeliest().items()
    }


def adjudication_queue(collected: Collected) -> list[Disputed]:
    """The items that wait for an adjudicator, the least certain first."""
    waiting = [
        item
        for item in collected.items
        if not item.injected
        and item.key in collected.resolutions
        and collected.resolutions[item.key].state == "disputed"
    ]
    if not waiting:
        return []
    best = likeliest(collected)
    votes: dict[str, Counter[str]] = {}
    for judgment in collected.judged:
        if judgment.counted:
            votes.setdefault(judgment.item, Counter())[judgment.choice] += 1
    queue = [
        Disputed(item, dict(votes.get(item.key, {})), *best.get(item.key, (None, None))) for item in waiting
    ]
    return sorted(
        queue, key=lambda disputed: (disputed.probability or 0.0, disputed.item.order, disputed.item.key)
    )


def settled_by_estimate(collected: Collected, least: float) -> Collected:
    """The project with every dispute settled whose likeliest choice has at least this probability."""
    task = find_task(collected.task)
    resolutions = dict(collected.resolutions)
    for disputed in adjudication_queue(collected):
        if (
            disputed.likeliest is not None
            and disputed.probability is not None
            and disputed.probability >= least
        ):
            shown_by = task.at(disputed.item.stage)
            settled = shown_by.settled(disputed.likeliest, f"Dawid–Skene, {disputed.probability:.4f}")
            resolutions[disputed.item.key] = ItemResolution(settled.state, settled.choice, settled.why)
    return msgspec.structs.replace(collected, resolutions=resolutions)


CONFIDENCE = 0.95


class ShareFigure(msgspec.Struct, frozen=True):
    """So many of so many, with Wilson's interval."""

    count: int
    of: int
    interval: tuple[float, float] | None = None

    @property
    def value(self) -> float | None:
        return self.count / self.of if self.of else None


def share(count: int, of: int) -> ShareFigure:
    """A share of independent draws with its interval."""
    if not of:
        return ShareFigure(count, of)
    return ShareFigure(count, of, wilson(count / of, of, NormalDist().inv_cdf((1 + CONFIDENCE) / 2)))


class PersonFigures(msgspec.Struct, frozen=True, kw_only=True):
    """One person's record."""

    person: str
    judged: int
    """All judgments but those they took back, also those that no longer count."""
    counted: int
    hours: float
    seconds: float | None
    """The median time of a judgment."""
    found: ShareFigure
    """Injected and gold items about which they were right."""
    standing: Standing
    """What the rule about careless people says of these."""
    with_others: ShareFigure
    """Items on which they say what most others say; items on which others are divided are left out."""
    upheld: ShareFigure
    """Judgments that a manager or adjudicator looked at, and agreed with."""
    estimated: float | None = None
    """How often they are right by the estimate of what is true."""


def people_figures(collected: Collected) -> list[PersonFigures]:
    """The record of each person who judged something, by name."""
    judged: dict[str, list[JudgmentRecord]] = {}
    for judgment in collected.judged:
        if judgment.role == "annotator" and not judgment.undone:
            judged.setdefault(judgment.person, []).append(judgment)
    others = _with_others(collected)
    upheld = _upheld(collected)
    right = _estimated(collected)
    return [
        _figures(person, judged[person], others[person], upheld[person], right.get(person))
        for person in sorted(judged)
    ]


def _figures(
    person: str,
    judged: list[JudgmentRecord],
    others: list[bool],
    upheld: list[bool],
    estimated: float | None,
) -> PersonFigures:
    misses = [
        judgment.missed for judgment in judged if judgment.missed is not None and judgment.stage == "judge"
    ]
    return PersonFigures(
        person=person,
        judged=len(judged),
        counted=sum(judgment.counted for judgment in judged),
        hours=sum(judgment.seconds for judgment in judged) / 3600,
        seconds=median(judgment.seconds for judgment in judged) if judged else None,
        found=share(len(misses) - sum(misses), len(misses)),
        standing=standing(misses),
        with_others=share(sum(others), len(others)),
        upheld=share(sum(upheld), len(upheld)),
        estimated=estimated,
    )


def _with_others(collected: Collected) -> defaultdict[str, list[bool]]:
    by_item: dict[str, dict[str, str]] = {}
    for judgment in plain_judgments(collected):
        by_item.setdefault(judgment.item, {})[judgment.person] = judgment.choice
    agreements: defaultdict[str, list[bool]] = defaultdict(list)
    for chosen in by_item.values():
        for person, choice in chosen.items():
            votes = Counter(vote for other, vote in chosen.items() if other != person).most_common(2)
            if votes and (len(votes) == 1 or votes[0][1] > votes[1][1]):
                agreements[person].append(choice == votes[0][0])
    return agreements


def _upheld(collected: Collected) -> defaultdict[str, list[bool]]:
    decided = {
        judgment.item: judgment.choice
        for judgment in collected.judged
        if judgment.counted and judgment.role in ("manager", "adjudicator")
    }
    upheld: defaultdict[str, list[bool]] = defaultdict(list)
    for judgment in collected.judged:
        if (
            judgment.role == "annotator"
            and not (judgment.undone or judgment.as_gold)
            and judgment.item in decided
        ):
            upheld[judgment.person].append(judgment.choice == decided[judgment.item])
    return upheld


def _estimated(collected: Collected) -> dict[str, float]:
    """How often each is right by the estimates, over all comparisons, weighed by their judgments."""
    accuracies: defaultdict[str, list[float]] = defaultdict(list)
    for estimate in estimates(collected).values():
        for person in estimate.people:
            accuracies[person].append(estimate.accuracy(person))
    return {person: sum(values) / len(values) for person, values in accuracies.items()}
